// Polymarket US signs each request separately: Ed25519 over timestamp + method + path. Query and body are not covered.
// https://docs.polymarket.us/api-reference/authentication
import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { z } from 'zod'
import type { Secret } from '#core/secret'
import type { ApiKeyClient } from '../../shared/exec/apiKeyClient.ts'
import { badCredential, headerText, SecretText } from '../../shared/exec/credentials.ts'
import { usErrors } from './errors.ts'

/** PKCS #8 around a raw Ed25519 seed. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')
const seedBytes = 32

/** The caller's key for this request. */
export const Credentials = z
  .strictObject({ keyId: SecretText(), secretKey: SecretText() })
  .meta({ examples: [{ keyId: 'key-1', secretKey: 'c2VjcmV0' }] })
export type Credentials = z.infer<typeof Credentials>

export function authHeaders(
  { keyId, secretKey }: Credentials,
  method: string,
  path: string,
  nowMs: number,
): Record<string, string> {
  const timestamp = String(nowMs)
  return {
    'Content-Type': 'application/json',
    'X-PM-Access-Key': headerText('polymarket_us', 'keyId', keyId, 'key id'),
    'X-PM-Timestamp': timestamp,
    'X-PM-Signature': sign(null, Buffer.from(timestamp + method + path), keyOf(secretKey)).toString('base64'),
  }
}

/** Base64 of the 32-byte seed, or of 64 bytes that begin with it. */
function keyOf(secretKey: Secret): KeyObject {
  const text = secretKey.reveal()
  const bytes = Buffer.from(text, 'base64')
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(text)
  if (!isBase64 || (bytes.length !== seedBytes && bytes.length !== 2 * seedBytes)) {
    throw badCredential('polymarket_us', 'secretKey is not the base64 of an Ed25519 seed')
  }
  const der = Buffer.concat([pkcs8Prefix, bytes.subarray(0, seedBytes)])
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  } finally {
    bytes.fill(0)
    der.fill(0)
  }
}

export const usApi: ApiKeyClient<Credentials> = {
  venue: 'polymarket_us',
  base: 'API',
  words: usErrors,
  headers: ({ clock }, credentials, { method, path }) => authHeaders(credentials, method, path, clock.now()),
}
