// PRED's private calls carry the caller's access token, and the account in clear text. The token comes from a login that the caller's wallet signs,
// with a key of the platform; here it lives in one request.
import { z } from 'zod'
import { Fault } from '#core/fault'
import type { LaneExecution } from '../../lane.ts'
import type { ApiKeyClient } from '../../shared/exec/apiKeyClient.ts'
import { headerText, SecretText } from '../../shared/exec/credentials.ts'
import { Address } from '../../shared/exec/walletBody.ts'
import { type Account, accountOf, readArtifact } from './artifact.ts'
import { readErrors } from './errors.ts'

/** A JWT, in characters. */
const tokenMax = 4_096

export const credentialShape = {
  /** The Safe it was built for. */
  owner: Address,
  accessToken: SecretText(tokenMax),
  /** As it was built for; optional. */
  signer: Address.optional(),
}
export const Credentials = z
  .strictObject(credentialShape)
  .meta({ examples: [{ owner: '0xd93B25cb943D14d0d34FBaF01Fc93a0f8b5F6E47', accessToken: 'token-1' }] })
export type Credentials = z.infer<typeof Credentials>

/** Throws VALIDATION_ERROR when it belongs to another account. */
export function checkAccount(execution: LaneExecution, given: Pick<Credentials, 'owner' | 'signer'>): Account {
  const account = accountOf(readArtifact(execution.unsigned))
  const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
  if (!isSame(given.owner, account.proxy)) throw otherwise('owner')
  if (given.signer !== undefined && !isSame(given.signer, account.wallet)) throw otherwise('signer')
  return account
}

const otherwise = (field: string): Fault =>
  new Fault('VALIDATION_ERROR', `${field}: is not the one this execution was built for`, { exchange: 'pred' })

export const tokenText = ({ accessToken }: Pick<Credentials, 'accessToken'>): string =>
  headerText('pred', 'accessToken', accessToken, 'token')

export const predApi = ({ proxy, wallet }: Account): ApiKeyClient<Pick<Credentials, 'accessToken'>> => ({
  venue: 'pred',
  base: 'REST',
  words: readErrors,
  headers: (_context, credentials, { text }) => ({
    ...(text !== null && { 'content-type': 'application/json' }),
    authorization: `Bearer ${tokenText(credentials)}`,
    'x-wallet-address': wallet,
    'x-proxy-address': proxy,
  }),
})
