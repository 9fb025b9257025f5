// Reads of the account's orders: one header, as ccxt 4.5.84 sends it.
import { z } from 'zod'
import type { ApiKeyClient } from '../../shared/exec/apiKeyClient.ts'
import { headerText, SecretText } from '../../shared/exec/credentials.ts'
import { sxbetErrors } from './errors.ts'

export const Credentials = z.strictObject({ apiKey: SecretText() }).meta({ examples: [{ apiKey: 'key-1' }] })
export type Credentials = z.infer<typeof Credentials>

export const sxbetApi: ApiKeyClient<Credentials> = {
  venue: 'sxbet',
  base: 'REST',
  words: sxbetErrors,
  headers: (_context, { apiKey }) => ({ 'x-sx-api-key': headerText('sxbet', 'apiKey', apiKey) }),
}
