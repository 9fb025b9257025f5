// The CLOB's L2 headers: an HMAC over timestamp, method, path and body, from the caller's API key, which lives in this request only.
// https://docs.polymarket.com/developers/CLOB/authentication
import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { Fault } from '#lib/fault'
import { Secret } from '#lib/secret'

const Text = z
  .string()
  .min(1)
  .max(500)
  .transform((text) => new Secret(text))

export const credentialShape = { apiKey: Text, secret: Text, passphrase: Text }
export const Credentials = z.strictObject(credentialShape)
export type Credentials = z.infer<typeof Credentials>

/** `path` without query; `body` as it is sent, empty for none. */
export function hmac(secret: string, timestamp: number, method: string, path: string, body = ''): string {
  const key = Buffer.from(secret, 'base64')
  const digest = createHmac('sha256', key).update(`${timestamp}${method}${path}${body}`).digest('base64')
  // URL-safe, its padding kept.
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
    POLY_API_KEY: headerText('apiKey', apiKey),
    POLY_PASSPHRASE: headerText('passphrase', passphrase),
  }
}

function readSecret(secret: Secret): string {
  const text = secret.reveal()
  if (/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return text
  throw rejected('secret is no base64')
}

/** A header that cannot be written would fail somewhere that may repeat it. */
function headerText(name: string, secret: Secret): string {
  const text = secret.reveal()
  if (/^[\x21-\x7e]+$/.test(text)) return text
  throw rejected(`${name} has characters no key has`)
}

const rejected = (message: string): Fault => new Fault('VENUE_CREDENTIAL_REJECTED', message, { exchange: 'polymarket' })
