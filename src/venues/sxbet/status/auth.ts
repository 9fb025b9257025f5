// Reads of the account's orders: one header, and the venue's refusals. Shapes as ccxt 4.5.84 reads them.
import { z } from 'zod'
import type { ApiKeyClient } from '../../shared/exec/apiKeyClient.ts'
import { headerText, SecretText } from '../../shared/exec/credentials.ts'
import type { ErrorCodes } from '../../shared/exec/relay.ts'

export const Credentials = z.strictObject({ apiKey: SecretText() }).meta({ examples: [{ apiKey: 'key-1' }] })
export type Credentials = z.infer<typeof Credentials>

const ErrorBody = z.object({
  error: z.string(),
  message: z.union([z.string(), z.array(z.string()).transform((all) => all.join('; '))]),
  statusCode: z.int(),
})
const aboutKey = /^(BAD_AUTH|INVALID_USER)\b/
const unknownOrder = /^order not found$/i

const words: ErrorCodes = {
  alsoUnder: [],
  refusal(body, status) {
    const { data: errorBody } = ErrorBody.safeParse(body)
    if (errorBody === undefined || errorBody.statusCode !== status) return null
    if (aboutKey.test(errorBody.message)) return { means: 'credential', text: errorBody.message }
    return unknownOrder.test(errorBody.message) ? { means: 'order', text: errorBody.message } : null
  },
}

export const sxbetApi: ApiKeyClient<Credentials> = {
  venue: 'sxbet',
  base: 'REST',
  words,
  headers: (_context, { apiKey }) => ({ 'x-sx-api-key': headerText('sxbet', 'apiKey', apiKey) }),
}
