// The meaning of Novig's answers. Its format of order refusals is undocumented (a 400 is "bad request"), so no body ends an order. A token is
// refused in OAuth 2.0 format, as documented: RFC 6749, section 5.2.
import { z } from 'zod'
import type { RelayOutcome } from '../../lane.ts'
import { accepted } from '../../shared/exec/accepted.ts'
import type { AnswerWords } from '../../shared/exec/relay.ts'
import type { OrderArtifact } from './artifact.ts'
import { NovigPlaced } from './wire.ts'

const RefusedToken = z.object({
  error: z.enum(['invalid_client', 'unauthorized_client', 'invalid_grant', 'access_denied']),
  error_description: z.string().optional().catch(undefined),
})

export const tokenWords: AnswerWords = {
  alsoUnder: [],
  refusal(body) {
    const { data: said } = RefusedToken.safeParse(body)
    if (said === undefined) return null
    const text = said.error_description === undefined ? said.error : `${said.error}: ${said.error_description}`
    return { means: 'credential', text }
  },
}

export const orderWords: AnswerWords = { alsoUnder: [], refusal: () => null }

/** Another order's row says nothing about this one. */
export function accept({ outcomeId, flags }: OrderArtifact, body: unknown): RelayOutcome | null {
  const { data: placed } = NovigPlaced.safeParse(body)
  if (placed === undefined) return null
  const isOurs = (placed.outcomeId ?? outcomeId) === outcomeId && (placed.flags ?? flags) === flags
  return isOurs ? accepted(placed.id) : null
}
