// A caller's private calls: three headers with an HMAC over time, method, path and body, or a session cookie. Both live only in this request.
// https://docs.limitless.exchange/developers/authentication
import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { Secret } from '#core/secret'
import type { ApiKeyClient, Call } from '../../shared/exec/apiKeyClient.ts'
import { badCredential, headerText, SecretText } from '../../shared/exec/credentials.ts'
import { limitlessErrors } from './errors.ts'

/** `tokenId` and `secret` of an API token with the scope `trading`, or `session`: the value of the login cookie. */
export const Credentials = z
  .strictObject({
    tokenId: SecretText().optional(),
    secret: SecretText().optional(),
    session: SecretText(4_000).optional(),
  })
  .meta({ examples: [{ session: 'session-1' }] })
export type Credentials = z.infer<typeof Credentials>

/** `path` with its query; `body` as sent, empty for none. */
export const hmac = (secret: string, timestamp: string, method: string, path: string, body: string): string =>
  createHmac('sha256', Buffer.from(secret, 'base64'))
    .update(`${timestamp}\n${method}\n${path}\n${body}`)
    .digest('base64')

function authHeaders(
  { tokenId, secret, session }: Credentials,
  { method, path, text }: Call,
  nowMs: number,
): Record<string, string> {
  if (session !== undefined && tokenId === undefined && secret === undefined) {
    return { cookie: `limitless_session=${cookieText(session)}` }
  }
  if (session !== undefined || tokenId === undefined || secret === undefined) {
    throw badCredential('limitless', 'give tokenId and secret, or session')
  }
  const timestamp = new Date(nowMs).toISOString()
  return {
    'lmts-api-key': headerText('limitless', 'tokenId', tokenId),
    'lmts-timestamp': timestamp,
    'lmts-signature': hmac(readSecret(secret), timestamp, method, path, text ?? ''),
  }
}

/** Characters allowed in a cookie value: anything else would be read as another cookie. */
function cookieText(session: Secret): string {
  const text = headerText('limitless', 'session', session, 'cookie')
  if (/^[^",;\\]+$/.test(text)) return text
  throw badCredential('limitless', 'session has characters that a cookie cannot have')
}

function readSecret(secret: Secret): string {
  const text = secret.reveal()
  if (/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return text
  throw badCredential('limitless', 'secret is not base64')
}

export const limitlessApi: ApiKeyClient<Credentials> = {
  venue: 'limitless',
  base: 'REST',
  words: limitlessErrors,
  headers: ({ clock }, credentials, call) => ({
    ...(call.text !== null && { 'content-type': 'application/json' }),
    ...authHeaders(credentials, call, clock.now()),
  }),
}
