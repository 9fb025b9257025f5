// Gemini's private calls: an empty POST whose payload travels in a header, base64, under an HMAC-SHA384.
// https://docs.gemini.com/rest-api/#private-api-invocation
import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { Fault } from '#core/fault'
import type { ApiKeyClient, Call } from '../../shared/exec/apiKeyClient.ts'
import { headerText, SecretText } from '../../shared/exec/credentials.ts'
import { geminiErrors } from './errors.ts'

/** The caller's key for this request. It must be a time-based-nonce key without the heartbeat flag. */
export const Credentials = z
  .strictObject({ apiKey: SecretText(), apiSecret: SecretText() })
  .meta({ examples: [{ apiKey: 'account-1', apiSecret: 'secret-1' }] })
export type Credentials = z.infer<typeof Credentials>

/** A number written with its exact digits: an order id exceeds a double. */
export class RawDigits {
  readonly digits: string
  constructor(digits: string) {
    if (!/^\d{1,20}$/.test(digits)) throw new Fault('INTERNAL', 'no digits')
    this.digits = digits
  }
}

export type PayloadValue = string | number | RawDigits
/** The call's own fields, in sending order. */
export type Payload = Readonly<Record<string, PayloadValue>>

export type GeminiCall = Call & { fields: Payload }

/** Unix seconds, as a time-based key requires. It need not increase, so no state is kept between calls. */
export const nonceOf = (nowMs: number): number => Math.floor(nowMs / 1_000)

export function payloadText(request: string, nonce: number, fields: Payload): string {
  const members: [string, PayloadValue][] = [['request', request], ['nonce', nonce], ...Object.entries(fields)]
  const texts = members.map(([name, value]) => {
    return `${JSON.stringify(name)}:${value instanceof RawDigits ? value.digits : JSON.stringify(value)}`
  })
  return `{${texts.join(',')}}`
}

export function authHeaders({ apiKey, apiSecret }: Credentials, payload: string): Record<string, string> {
  const encoded = Buffer.from(payload).toString('base64')
  return {
    'Content-Type': 'text/plain',
    'Content-Length': '0',
    'Cache-Control': 'no-cache',
    'X-GEMINI-APIKEY': headerText('gemini', 'apiKey', apiKey),
    'X-GEMINI-PAYLOAD': encoded,
    'X-GEMINI-SIGNATURE': createHmac('sha384', apiSecret.reveal()).update(encoded).digest('hex'),
  }
}

export const geminiApi: ApiKeyClient<Credentials, GeminiCall> = {
  venue: 'gemini',
  base: 'REST',
  words: geminiErrors,
  headers: ({ clock }, credentials, { path, fields }) =>
    authHeaders(credentials, payloadText(path, nonceOf(clock.now()), fields)),
}
