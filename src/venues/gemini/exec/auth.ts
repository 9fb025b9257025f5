// Gemini's private calls: an empty POST whose payload travels in a header, base64, under an HMAC-SHA384.
// https://docs.gemini.com/rest-api/#private-api-invocation
import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { Fault } from '#lib/fault'
import { Secret } from '#lib/secret'

const Text = z.string().min(1).max(500)

/** The caller's key for this one request. It must be a time-based-nonce key without the heartbeat flag. */
export const Credentials = z.strictObject({
  apiKey: Text.transform((text) => new Secret(text)),
  apiSecret: Text.transform((text) => new Secret(text)),
})
export type Credentials = z.infer<typeof Credentials>

/** A number written as it must stand: an order id has more digits than a double. */
export class RawDigits {
  readonly digits: string
  constructor(digits: string) {
    if (!/^\d{1,20}$/.test(digits)) throw new Fault('INTERNAL', 'no digits')
    this.digits = digits
  }
}

export type PayloadValue = string | number | RawDigits
/** The call's own fields, in the order they are sent. */
export type Payload = Readonly<Record<string, PayloadValue>>

/** Unix seconds: what a time-based key asks for. It need not rise, so nothing has to be remembered between calls. */
export const nonceOf = (nowMs: number): number => Math.floor(nowMs / 1_000)

export function payloadText(request: string, nonce: number, fields: Payload): string {
  const members: [string, PayloadValue][] = [['request', request], ['nonce', nonce], ...Object.entries(fields)]
  const texts = members.map(([name, value]) => {
    return `${JSON.stringify(name)}:${value instanceof RawDigits ? value.digits : JSON.stringify(value)}`
  })
  return `{${texts.join(',')}}`
}

export function authHeaders({ apiKey, apiSecret }: Credentials, payload: string): Record<string, string> {
  const key = apiKey.reveal()
  // A header that cannot be written would fail somewhere that may repeat it.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new Fault('VENUE_CREDENTIAL_REJECTED', 'apiKey has characters no key has', { exchange: 'gemini' })
  }
  const encoded = Buffer.from(payload).toString('base64')
  return {
    'Content-Type': 'text/plain',
    'Content-Length': '0',
    'Cache-Control': 'no-cache',
    'X-GEMINI-APIKEY': key,
    'X-GEMINI-PAYLOAD': encoded,
    'X-GEMINI-SIGNATURE': createHmac('sha384', apiSecret.reveal()).update(encoded).digest('hex'),
  }
}
