// What changes for a group if relations hold that are probable and not certain: the groups they connect, and what these can pay together.
import type { MinorRelations } from '#schemas/exposure'
import { formatAmount, formatAmountOrNull, minus } from '../ledger/amounts.ts'
import { capitalOf, capitalUsed } from './concentration.ts'
import { type Evaluation, evaluate } from './evaluate.ts'
import type { AccountExposure, HeldGroup } from './exposure.ts'
import { boundsOf, listed, relationsListedMax } from './premises.ts'

/** Null: no minor relation concerns the group. */
export async function minorRelationsOf(
  exposure: AccountExposure,
  { id, holdings }: Pick<HeldGroup, 'id' | 'holdings'>,
): Promise<MinorRelations | null> {
  const joined = exposure.joined.get(holdings[0]!.answer.market)!
  const minor = listed(exposure, joined.group.relations).filter(({ band }) => band === 'minor')
  if (minor.length === 0) return null
  const markets = new Set(joined.holdings.map(({ market }) => market))
  const evaluation = await evaluateOnce(exposure, joined)
  const bounds = evaluation === null ? ['contradiction' as const] : boundsOf(exposure, joined.holdings, evaluation)
  const cost = capitalUsed(capitalOf(joined.holdings))
  return {
    relations: minor.slice(0, relationsListedMax),
    count: minor.length,
    groups: exposure.groups.map(({ key }) => key.id).filter((other) => other !== id && markets.has(other)),
    worstCase: evaluation === null ? null : formatAmount(evaluation.worst),
    bestCase: evaluation === null ? null : formatAmount(evaluation.best),
    isExact: bounds.length === 0,
    bounds,
    lockedProfit: evaluation === null ? null : formatAmountOrNull(minus(evaluation.worst, cost)),
  }
}

/** Several rows may be connected. */
async function evaluateOnce({ evaluated, budget }: AccountExposure, joined: HeldGroup): Promise<Evaluation | null> {
  const before = evaluated.get(joined)
  if (before !== undefined) return before
  const evaluation = await evaluate(joined.group, joined.holdings, budget)
  evaluated.set(joined, evaluation)
  return evaluation
}
