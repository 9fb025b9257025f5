// What proves to a receiver that a delivery is ours: HMAC-SHA256, once as the specification has it and once as Standard Webhooks does
// (github.com/standard-webhooks/standard-webhooks, version 1.0.0), both by the one secret that was shown.
import { createHmac, randomBytes } from 'node:crypto'

const secretPrefix = 'whsec_'
const secretBytes = 32

/** Standard Webhooks takes no shorter key. */
const standardKeyBytesMin = 24

/** As both schemes read it: text, and the base64 of a key. There never was one of another form. */
export const newSecret = (random: (bytes: number) => Buffer = randomBytes): string =>
  secretPrefix + random(secretBytes).toString('base64')

/** The key is the secret as it was shown, prefix included, in UTF-8: nothing is decoded. `timestamp` in Unix seconds. */
export const sign = (secret: string, timestamp: number, body: string): string =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')

/** `webhook-signature`: the key is what stands behind `whsec_`, decoded. One signature for each secret, the first one first. */
export const signStandard = (secrets: readonly string[], id: string, timestamp: number, body: string): string =>
  secrets
    .map((secret) => createHmac('sha256', standardKey(secret)).update(`${id}.${timestamp}.${body}`).digest('base64'))
    .map((signature) => `v1,${signature}`)
    .join(' ')

/** Decoding takes anything and drops what it does not know: half a key, or none, would sign with a key that anyone could have. */
function standardKey(secret: string): Buffer {
  const text = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : ''
  const key = Buffer.from(text, 'base64')
  if (key.length < standardKeyBytesMin || key.toString('base64') !== text)
    throw new Error('not whsec_ followed by base64')
  return key
}
