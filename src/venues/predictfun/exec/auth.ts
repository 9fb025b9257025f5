// Two secrets: the key admits a program, the token identifies the wallet it acts for. The caller gets the token for a signed
// message (`POST /v1/auth`), and it is valid for a day. https://dev.predict.fun/get-jwt-with-valid-signature-25326900e0
import { z } from 'zod'
import type { ApiKeyClient } from '../../shared/exec/apiKeyClient.ts'
import { headerText, SecretText } from '../../shared/exec/credentials.ts'
import { predictErrors } from './errors.ts'

const jwtMax = 4_000

export const Credentials = z
  .strictObject({ apiKey: SecretText(), jwt: SecretText(jwtMax) })
  .meta({ examples: [{ apiKey: 'key-1', jwt: 'header.claims.signature' }] })
export type Credentials = z.infer<typeof Credentials>

/**
 * Everything in a token but its signature. It changes daily, so a refresh with a later token counts as another account's; anything but a
 * JWT does not identify its owner.
 */
export function tokenName({ apiKey, jwt }: Credentials): string | null {
  const [header, claims, signature, ...more] = jwt.reveal().split('.')
  if (!header || !claims || !signature || more.length > 0) return null
  return [apiKey.reveal(), header, claims].join('.')
}

export const predictApi: ApiKeyClient<Credentials> = {
  venue: 'predictfun',
  base: 'REST',
  words: predictErrors,
  headers: (_context, { apiKey, jwt }, { text }) => ({
    ...(text !== null && { 'content-type': 'application/json' }),
    'x-api-key': headerText('predictfun', 'apiKey', apiKey),
    authorization: `Bearer ${headerText('predictfun', 'jwt', jwt, 'token')}`,
  }),
}
