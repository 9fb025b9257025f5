// Proves to a receiver that a delivery is ours: HMAC-SHA256, once as in the specification and once as in Standard Webhooks
// (github.com/standard-webhooks/standard-webhooks, version 1.0.0), both with the one secret that was shown.
import { createHmac, randomBytes } from 'node:crypto'

const secretPrefix = 'whsec_'
const secretBytes = 32

/** Standard Webhooks requires at least this key length. */
const standardKeyBytesMin = 24

/** Readable by both schemes: text containing a base64 key. All secrets have this form. */
export const newSecret = (random: (bytes: number) => Buffer = randomBytes): string =>
  secretPrefix + random(secretBytes).toString('base64')

/** The key is the secret as shown, prefix included, in UTF-8: nothing is decoded. `timestamp` in Unix seconds. */
export const sign = (secret: string, timestamp: number, body: string): string =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')

/** `webhook-signature`: the key is the part after `whsec_`, decoded. One signature per secret, the first one first. */
export const signStandard = (secrets: readonly string[], id: string, timestamp: number, body: string): string =>
  secrets
    .map((secret) => createHmac('sha256', standardKey(secret)).update(`${id}.${timestamp}.${body}`).digest('base64'))
    .map((signature) => `v1,${signature}`)
    .join(' ')

/** Decoding accepts anything and drops what it does not know: half a key, or none, would sign with a guessable key. */
function standardKey(secret: string): Buffer {
  const text = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : ''
  const key = Buffer.from(text, 'base64')
  if (key.length < standardKeyBytesMin || key.toString('base64') !== text)
    throw new Error('not whsec_ followed by base64')
  return key
}
