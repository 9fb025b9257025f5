// The CLOB's L2 headers: an HMAC over timestamp, method, path and body, with the caller's API key, which lives only in this request.
// https://docs.polymarket.com/developers/CLOB/authentication
import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { Secret } from '#core/secret'
import type { ApiKeyClient } from '../../shared/exec/apiKeyClient.ts'
import { badCredential, headerText, SecretText } from '../../shared/exec/credentials.ts'
import { clobErrors } from './errors.ts'

export const Credentials = z
  .strictObject({ apiKey: SecretText(), secret: SecretText(), passphrase: SecretText() })
  .meta({ examples: [{ apiKey: 'key-1', secret: 'c2VjcmV0', passphrase: 'words' }] })
export type Credentials = z.infer<typeof Credentials>

/** `path` without query; `body` as sent, empty for none. */
export function hmac(secret: string, timestamp: number, method: string, path: string, body = ''): string {
  const key = Buffer.from(secret, 'base64')
  const digest = createHmac('sha256', key).update(`${timestamp}${method}${path}${body}`).digest('base64')
  // URL-safe, with padding.
  return digest.replaceAll('+', '-').replaceAll('/', '_')
}

export interface Signing {
  /** The EOA the API key belongs to. */
  address: string
  method: string
  path: string
  body?: string
  nowMs: number
}

export function authHeaders(
  { apiKey, secret, passphrase }: Credentials,
  { address, method, path, body, nowMs }: Signing,
): Record<string, string> {
  const timestamp = Math.floor(nowMs / 1_000)
  return {
    POLY_ADDRESS: address,
    POLY_SIGNATURE: hmac(readSecret(secret), timestamp, method, path, body),
    POLY_TIMESTAMP: String(timestamp),
    POLY_API_KEY: headerText('polymarket', 'apiKey', apiKey),
    POLY_PASSPHRASE: headerText('polymarket', 'passphrase', passphrase),
  }
}

function readSecret(secret: Secret): string {
  const text = secret.reveal()
  if (/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return text
  throw badCredential('polymarket', 'secret is not base64')
}

/** `address`: the owner of the execution, to whom the key must belong. */
export const clobApi = (address: string): ApiKeyClient<Credentials> => ({
  venue: 'polymarket',
  base: 'CLOB',
  words: clobErrors,
  headers: ({ clock }, credentials, { method, path, text }) => ({
    ...(text !== null && { 'content-type': 'application/json' }),
    ...authHeaders(credentials, { address, method, path, body: text ?? '', nowMs: clock.now() }),
  }),
})
