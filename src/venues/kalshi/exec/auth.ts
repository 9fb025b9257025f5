// RSA-PSS over timestamp + method + path, with a key pair that lives in this request only. https://docs.kalshi.com/getting_started/api_keys
import { constants, createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { z } from 'zod'
import { Fault } from '#lib/fault'
import { Secret } from '#lib/secret'

const text = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .transform((value) => new Secret(value))

export const Credentials = z.strictObject({ apiKeyId: text(500), privateKeyPem: text(20_000) })
export type Credentials = z.infer<typeof Credentials>

/** `path` begins at /trade-api; a query is not part of what is signed, nor is a body. */
export function signedHeaders(
  { apiKeyId, privateKeyPem }: Credentials,
  method: string,
  path: string,
  nowMs: number,
): Record<string, string> {
  const keyId = apiKeyId.reveal()
  // A header that cannot be written would fail somewhere that may repeat it.
  if (!/^[\x21-\x7e]+$/.test(keyId)) throw rejected('apiKeyId has characters no key id has')
  const timestamp = String(nowMs)
  const signature = sign('sha256', Buffer.from(timestamp + method + path), {
    key: readKey(privateKeyPem),
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
  })
  return {
    'KALSHI-ACCESS-KEY': keyId,
    'KALSHI-ACCESS-TIMESTAMP': timestamp,
    'KALSHI-ACCESS-SIGNATURE': signature.toString('base64'),
  }
}

function readKey(pem: Secret): KeyObject {
  let key: KeyObject
  try {
    // JSON written by hand often carries the line ends as \n twice escaped.
    key = createPrivateKey(pem.reveal().replaceAll('\\n', '\n'))
  } catch {
    // The cause stays out: OpenSSL's message is about the caller's secret.
    throw rejected('privateKeyPem is no readable PEM')
  }
  if (key.asymmetricKeyType !== 'rsa') throw rejected('privateKeyPem is no RSA key')
  return key
}

const rejected = (message: string): Fault => new Fault('VENUE_CREDENTIAL_REJECTED', message, { exchange: 'kalshi' })
