// Kalshi's authentication: an RSA key pair made for the lab, and the check of every signed request with node's own
// crypto.
import { constants, generateKeyPair, type KeyObject, verify } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { stableUuid } from '../prng.ts'
import type { LabReply } from '../venueServer.ts'

/** Maximum age of a signature, in either direction. */
const SKEW_MAX_MS = 5_000

export interface KalshiAuth {
  apiKeyId: string
  privateKeyPem: string
  /** Null accepts the request. `path` is signed without its query. */
  refuse(headers: IncomingHttpHeaders, method: string, path: string): LabReply | null
}

const unauthorized = (code: string, message: string, details?: string): LabReply => ({
  status: 401,
  body: { error: { code, message, ...(details === undefined ? {} : { details }) } },
})

export async function createKalshiAuth(seed: string, nowMs: () => number): Promise<KalshiAuth> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const apiKeyId = stableUuid(`${seed}/kalshi/api-key`)
  return {
    apiKeyId,
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    refuse(headers, method, path) {
      const key = headers['kalshi-access-key']
      const timestamp = headers['kalshi-access-timestamp']
      const signature = headers['kalshi-access-signature']
      if (typeof key !== 'string' || typeof timestamp !== 'string' || typeof signature !== 'string') {
        return unauthorized('signature_is_missing_from_headers', 'signature is missing from headers')
      }
      if (key !== apiKeyId) return unauthorized('authentication_error', 'authentication_error', 'NOT_FOUND')
      if (!/^\d{1,16}$/.test(timestamp) || Math.abs(Number(timestamp) - nowMs()) > SKEW_MAX_MS) {
        return unauthorized('header_timestamp_expired', 'header timestamp expired')
      }
      if (!signed(publicKey, `${timestamp}${method}${path}`, signature)) {
        return unauthorized('authentication_error', 'authentication_error', 'INCORRECT_API_KEY_SIGNATURE')
      }
      return null
    },
  }
}

const signed = (publicKey: KeyObject, text: string, signature: string): boolean =>
  verify(
    'sha256',
    Buffer.from(text),
    { key: publicKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 },
    Buffer.from(signature, 'base64'),
  )
