// The risk limits of the account, around the claim: the claim transaction decides. Where a limit needs more than the store has, the claim is
// rolled back, that is read, and the claim is repeated with it.
//
//   claim ─► claimed
//     ├─► a limit is exceeded ─► refused; perhaps the account is halted
//     └─► a book or the portfolio is needed ─► read ─► claim
import { Fault } from '#core/fault'
import type { Intent } from '#schemas/executions'
import type { Claim, ClaimResult } from '#storage/postgres/executions/claim'
import type { RiskObstacle } from '#storage/postgres/risk/checkLimits'
import type { OrderTerms } from '#venues/lane'
import type { ExecutionsDeps, RiskSubject } from './ports.ts'

interface RiskOrderFacts {
  id: string
  accountId: string
  keyId: string
  venue: string
  intent: Intent
  targetId: string | null
  keptRef: string | null
  terms: OrderTerms | null
  notionalUsd: string | null
  onlyReduces: boolean
  triggerMid?: string | null | undefined
}

/** Null: limits do not apply to a cancellation or a redemption. */
export function riskSubjectOf({ intent, terms, ...order }: RiskOrderFacts): RiskSubject | null {
  if (intent !== 'order' && intent !== 'modify') return null
  const { marketId, outcomeId, isBuy, size, price } = terms ?? unknownTerms
  return { ...order, marketId, outcomeId, isBuy, size, price }
}

const unknownTerms = { marketId: null, outcomeId: null, isBuy: null, size: null, price: null }

/** A limit that is set between two of them may need yet another read. */
const claimsMax = 3

/** Throws what a limit refuses. */
export async function claimWithinLimits(
  { risk }: Pick<ExecutionsDeps, 'risk'>,
  subject: RiskSubject | null,
  claim: (check: Claim['risk']) => Promise<ClaimResult>,
): Promise<Exclude<ClaimResult, RiskObstacle>> {
  let check = risk === undefined || subject === null ? undefined : risk.checkOf(subject, null)
  for (let n = 1; n <= claimsMax; n++) {
    const claimed = await claim(check)
    if (claimed.kind !== 'limit' && claimed.kind !== 'limits_unread') return claimed
    if (risk === undefined || subject === null) throw new Error('a limit was checked that was not given to the claim')
    if (claimed.kind === 'limit') throw await risk.refuse(subject, claimed.breach)
    check = risk.checkOf(subject, await risk.readInputs(subject, claimed.limits))
  }
  throw new Fault('EXEC_UNAVAILABLE', 'the risk limits of the account are changing: try again', {
    retryAfterSeconds: 1,
  })
}

/** What would refuse the submit of a build, for its caller. Nothing is refused here: only a submit counts. */
export async function riskWarnings(
  { risk }: Pick<ExecutionsDeps, 'risk'>,
  subject: RiskSubject | null,
): Promise<string[]> {
  const words = risk === undefined || subject === null ? null : await risk.preview(subject)
  return words === null ? [] : [`a submit would be refused now: ${words}`]
}
