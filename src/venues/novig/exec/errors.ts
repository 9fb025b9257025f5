// The meaning of Novig's answers. Orders are refused as {statusCode, message}: its page on placing documents the 400 of its validation, that on rate
// limits the 429. A token is refused in OAuth 2.0 format, as documented: RFC 6749, section 5.2.
import { z } from 'zod'
import type { RelayOutcome } from '../../lane.ts'
import { errorTable } from '../../shared/exec/errorTable.ts'
import { filledSize } from '../../shared/exec/filledSize.ts'
import { limitsRequests } from '../../shared/exec/relay.ts'
import type { OrderArtifact } from './artifact.ts'
import { NovigPlaced } from './wire.ts'

const RefusedToken = z.object({
  error: z.enum(['invalid_client', 'unauthorized_client', 'invalid_grant', 'access_denied']),
  error_description: z.string().optional().catch(undefined),
})

export const tokenErrors = errorTable({
  alsoUnder: [],
  read(body) {
    const { data: errorBody } = RefusedToken.safeParse(body)
    if (errorBody === undefined) return null
    const { error, error_description: description } = errorBody
    return { code: error, text: description === undefined ? error : `${error}: ${description}` }
  },
  rows: [{ means: 'credential' }],
})

const Refused = z.object({
  statusCode: z.int(),
  /** Several when several members are wrong. */
  message: z.union([z.string().min(1), z.array(z.string()).min(1)]),
})

/** The body of a rate-limit response is undocumented; the advice to repeat the request is documented. */
const Limited = z.object({ message: z.string().regex(/too many requests|rate.?limit/i) })

export const orderErrors = errorTable({
  alsoUnder: [429],
  read(body, status) {
    if (status === 429) return Limited.safeParse(body).success ? { text: '' } : null
    const { data: errorBody } = Refused.safeParse(body)
    return errorBody?.statusCode === status ? { text: [errorBody.message].flat().join('; ') } : null
  },
  rows: [
    { status: [429], means: 'notLookedAt', shownAs: limitsRequests },
    { status: [401, 403], means: 'credential', shownAs: 'the token was refused: {text}' },
    // An order is queued only after its validation.
    { status: [400, 404, 422], means: 'order' },
  ],
})

/** Another order's row says nothing about this one. */
export function accept({ outcomeId, flags }: OrderArtifact, body: unknown): RelayOutcome | null {
  const { data: placed } = NovigPlaced.safeParse(body)
  if (placed === undefined) return null
  const isOurs = (placed.outcomeId ?? outcomeId) === outcomeId && (placed.flags ?? flags) === flags
  return isOurs ? filledSize(placed.id) : null
}
