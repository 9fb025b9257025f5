// The caller's client credentials, exchanged for a token that lives for one request of ours: requested, used, and discarded.
// https://docs.novig.com (authentication: OAuth 2.0 client credentials, tokens of 30 minutes)
import { z } from 'zod'
import { Fault } from '#core/fault'
import { Secret } from '#core/secret'
import type { LaneContext, RelayOutcome } from '../../lane.ts'
import { type ApiKeyClient, sendTimeoutMs } from '../../shared/exec/apiKeyClient.ts'
import { headerText, SecretText } from '../../shared/exec/credentials.ts'
import { readFault } from '../../shared/exec/mapReadError.ts'
import { outcomeOf, parseJson, readRefusal } from '../../shared/exec/relay.ts'
import { redactAnswer } from '../../shared/redact.ts'
import { orderErrors, tokenErrors } from './errors.ts'
import { NovigToken, paths } from './wire.ts'

export const Credentials = z
  .strictObject({ clientId: SecretText(), clientSecret: SecretText() })
  .meta({ examples: [{ clientId: 'client-1', clientSecret: 'secret-1' }] })
export type Credentials = z.infer<typeof Credentials>

/** Including the token: anything an answer repeats of them is removed. */
export type WithToken = Credentials & { token: Secret }

/** Checks their format. Throws VENUE_CREDENTIAL_REJECTED. */
export function checkCredentials({ clientId, clientSecret }: Credentials): void {
  headerText('novig', 'clientId', clientId, 'client id')
  headerText('novig', 'clientSecret', clientSecret, 'client secret')
}

/** From its issue. */
export const tokenLifeMs = 30 * 60_000

type TokenResult = { token: Secret } | { refusal: RelayOutcome & { kind: 'refused' }; fault: Fault }

/** One attempt. Without a token nothing was sent that could place an order. */
export async function requestToken(
  { sender, urls, signal }: LaneContext,
  credentials: Credentials,
): Promise<TokenResult> {
  checkCredentials(credentials)
  const { clientId, clientSecret } = credentials
  const sent = redactAnswer(
    await sender.send({
      method: 'POST',
      url: `${urls.REST}${paths.token}`,
      text: JSON.stringify({
        grant_type: 'client_credentials',
        client_id: clientId.reveal(),
        client_secret: clientSecret.reveal(),
      }),
      headers: { 'content-type': 'application/json' },
      timeoutMs: sendTimeoutMs,
      signal,
    }),
    [clientId, clientSecret],
  )
  if (sent.kind !== 'answered') {
    return noToken(new Fault('NETWORK_ERROR', 'novig is unreachable', { exchange: 'novig', cause: sent.cause }))
  }
  const { status, text } = sent
  const body = parseJson(text)
  const { data: issued } = NovigToken.safeParse(body)
  if (status >= 200 && status < 300 && issued !== undefined) return { token: new Secret(issued.access_token) }
  const refusal = readRefusal(tokenErrors, body, status)
  const outcome = refusal === null ? null : outcomeOf(refusal)
  const fault = readFault(tokenErrors, { venue: 'novig', status, body, why: 'no token' })
  return outcome?.kind === 'refused' ? { refusal: outcome, fault } : noToken(fault)
}

const noToken = (fault: Fault): TokenResult => ({
  refusal: { kind: 'refused', reason: 'the venue gave no token; nothing was sent', code: 'NETWORK_ERROR' },
  fault,
})

export const novigApi: ApiKeyClient<WithToken> = {
  venue: 'novig',
  base: 'REST',
  words: orderErrors,
  headers: (_context, { token }, { text }) => ({
    Authorization: `Bearer ${headerText('novig', 'the token', token, 'token')}`,
    ...(text !== null && { 'content-type': 'application/json' }),
  }),
}
