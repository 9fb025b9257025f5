// Opinion identifies an account by its key alone: one header, nothing signed.
// https://docs.opinion.trade/developer-guide/opinion-open-api/overview
import { z } from 'zod'
import type { ApiKeyClient } from '../../shared/exec/apiKeyClient.ts'
import { headerText, SecretText } from '../../shared/exec/credentials.ts'
import { opinionErrors } from './errors.ts'

export const Credentials = z.strictObject({ apiKey: SecretText() }).meta({ examples: [{ apiKey: 'key-1' }] })
export type Credentials = z.infer<typeof Credentials>

export const opinionApi: ApiKeyClient<Credentials> = {
  venue: 'opinion',
  base: 'REST',
  words: opinionErrors,
  headers: (_context, { apiKey }, { text }) => ({
    ...(text !== null && { 'content-type': 'application/json' }),
    apikey: headerText('opinion', 'apiKey', apiKey),
  }),
}
