// A partner's key, plus the wallet it acts for; it lives in one request here. https://docs.adipredictstreet.com/quickstart
import { z } from 'zod'
import { Fault } from '#core/fault'
import type { LaneExecution } from '../../lane.ts'
import type { ApiKeyClient } from '../../shared/exec/apiKeyClient.ts'
import { headerText, SecretText } from '../../shared/exec/credentials.ts'
import { ownerOf } from '../../shared/exec/signature.ts'
import { Address } from '../../shared/exec/walletBody.ts'
import { streetErrors } from './errors.ts'

export const Credentials = z.strictObject({ apiKey: SecretText() }).meta({ examples: [{ apiKey: 'ps_live_1' }] })
export type Credentials = z.infer<typeof Credentials>

/** Plus the acting wallet, as it was built for. A refresh requires a key with the scope `orders:read`. */
export const NamedCredentials = z
  .strictObject({ owner: Address, ...Credentials.shape })
  .meta({ examples: [{ owner: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', apiKey: 'ps_live_1' }] })
export type NamedCredentials = z.infer<typeof NamedCredentials>

/** Throws VALIDATION_ERROR when it belongs to another wallet. */
export function checkOwner(execution: LaneExecution, given: string): string {
  const owner = ownerOf('predictstreet', execution)
  if (given.toLowerCase() === owner.toLowerCase()) return owner
  throw new Fault('VALIDATION_ERROR', 'owner: is not the one this execution was built for', {
    exchange: 'predictstreet',
  })
}

/** Keys of several wallets must name one on each request; single-wallet keys need not. */
export const streetApi = (owner: string): ApiKeyClient<Credentials> => ({
  venue: 'predictstreet',
  base: 'REST',
  words: streetErrors,
  headers: (_context, { apiKey }, { text }) => ({
    ...(text !== null && { 'content-type': 'application/json' }),
    'x-api-key': headerText('predictstreet', 'apiKey', apiKey),
    'x-user-wallet': owner,
  }),
})
