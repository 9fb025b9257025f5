// Polymarket_us's authentication: one Ed25519 key made for the lab, and the check of every private request with node's own crypto. The
// signature covers timestamp, method and path, but not query and body.
import { generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { stableUuid } from '../prng.ts'
import type { LabReply } from '../venueServer.ts'

/** Maximum deviation of a timestamp. */
const skewMaxMs = 30_000

export interface UsAuth {
  keyId: string
  /** Base64 of the 32-byte seed. */
  secretKey: string
  /** Null accepts the request. */
  refuse(headers: IncomingHttpHeaders, method: string, path: string): LabReply | null
}

/** gRPC codes, as in the venue's refusals. */
export const failure = (status: number, code: number, message: string): LabReply => ({
  status,
  body: { code, message, details: [] },
})

const unauthenticated = (message: string): LabReply => failure(401, 16, message)

export function createUsAuth(seed: string, nowMs: () => number): UsAuth {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const keyId = stableUuid(`${seed}/polymarket_us/key`)
  return {
    keyId,
    secretKey: Buffer.from(privateKey.export({ format: 'jwk' }).d!, 'base64url').toString('base64'),
    refuse(headers, method, path) {
      const id = headers['x-pm-access-key']
      const timestamp = headers['x-pm-timestamp']
      const signature = headers['x-pm-signature']
      if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signature !== 'string') {
        return unauthenticated('missing authentication headers')
      }
      if (id !== keyId) return unauthenticated('unknown api key')
      if (!/^\d{1,16}$/.test(timestamp) || Math.abs(Number(timestamp) - nowMs()) > skewMaxMs) {
        return unauthenticated('request timestamp is outside of the allowed window')
      }
      return signed(publicKey, `${timestamp}${method}${path}`, signature) ? null : unauthenticated('invalid signature')
    },
  }
}

const signed = (publicKey: KeyObject, text: string, signature: string): boolean =>
  verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64'))
