// What proves to a receiver that a delivery is ours: HMAC-SHA256 over `<timestamp>.<raw body>`, in lower-case hex.
import { createHmac, randomBytes } from 'node:crypto'

const secretPrefix = 'whsec_'
const secretBytes = 32

export const newSecret = (random: (bytes: number) => Buffer = randomBytes): string =>
  secretPrefix + random(secretBytes).toString('base64')

/** The key is the secret as it was shown, prefix included, in UTF-8: nothing is decoded. `timestamp` in Unix seconds. */
export const sign = (secret: string, timestamp: number, body: string): string =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
