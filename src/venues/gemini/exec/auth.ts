// Gemini's private calls: an empty POST whose payload travels in a header, base64, under an HMAC-SHA384.
// https://docs.gemini.com/rest-api/#private-api-invocation
import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { ApiKeyClient } from '../../shared/exec/apiKeyClient.ts'
import { headerText, SecretText } from '../../shared/exec/credentials.ts'
import { geminiErrors } from './errors.ts'
import { type GeminiCall, payloadText } from './payload.ts'

/** The caller's key for this request. It must be a time-based-nonce key without the heartbeat flag. */
export const Credentials = z
  .strictObject({ apiKey: SecretText(), apiSecret: SecretText() })
  .meta({ examples: [{ apiKey: 'account-1', apiSecret: 'secret-1' }] })
export type Credentials = z.infer<typeof Credentials>

/** Unix seconds, as a time-based key requires. It need not increase, so no state is kept between calls. */
export const nonceOf = (nowMs: number): number => Math.floor(nowMs / 1_000)

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
