// Rows of the exposure as returned: groups, or the positions at one venue or in one event.
import type { ExposureGroup, ExposureOutcome, ExposurePart, ExposurePosition, NotCovered } from '#schemas/exposure'
import { formatAmount, formatAmountOrNull, minus } from '../ledger/amounts.ts'
import { capitalUsed, type Part } from './concentration.ts'
import { type Evaluation, evaluateAll, evaluateSafely } from './evaluate.ts'
import { type AccountExposure, groupsWith, type HeldGroup } from './exposure.ts'
import type { Holding } from './holdings.ts'
import { minorRelationsOf } from './minorRelations.ts'
import { currencyOf } from './money.ts'
import { boundsOf, listed, relationsListedMax } from './premises.ts'

const dayMs = 86_400_000

export interface PartKey {
  venue: string
  eventId: string | null
  market: string | null
}

export const venueKey = ({ position: { venue } }: Holding): { name: string; key: PartKey } => ({
  name: venue,
  key: { venue, eventId: null, market: null },
})

/** A market without an event is one of its own. */
export const eventKey = ({ market, eventId, position: { venue } }: Holding): { name: string; key: PartKey } => ({
  name: eventId === null ? market : `${venue}\n${eventId}`,
  key: { venue, eventId, market: eventId === null ? market : null },
})

export async function groupRow(exposure: AccountExposure, part: Part<HeldGroup>): Promise<ExposureGroup> {
  const { group, holdings, id } = part.key
  const { budget, held } = exposure
  const evaluation = await evaluateSafely(group, holdings, held.own, budget)
  const cost = capitalUsed(part.capital)
  const cases = casesOf(exposure, part, evaluation)
  // Those of a single market connect it to markets that are not held.
  const isConnected = new Set(holdings.map(({ market }) => market)).size > 1
  const relations = isConnected ? listed(exposure, group.relations) : []
  return {
    by: 'group',
    groupId: id,
    currency: currencyOf(part.money),
    venues: [...new Set(holdings.map(({ position }) => position.venue))].sort(),
    ...cases,
    outcomes: evaluation.outcomes.map((outcome) => outcomeOf(outcome, cost)),
    hasAllOutcomes: evaluation.hasAllOutcomes,
    positions: holdings.map((holding) => positionOf(holding, evaluation.partOf(holding))),
    relations: relations.slice(0, relationsListedMax),
    relationCount: relations.length,
    notCovered: reasonsOf(exposure, holdings),
    minorRelations: await minorRelationsOf(exposure, part.key),
  }
}

export async function partRow(
  exposure: AccountExposure,
  by: ExposurePart['by'],
  part: Part<PartKey>,
): Promise<ExposurePart> {
  const { held, groupOf, relations, budget } = exposure
  const { holdings } = part
  // A relation that does not matter to all holdings does not matter to some of them.
  const used = new Set(holdings.flatMap(({ answer }) => groupOf.get(answer.market)!.group.relations))
  const groups = await groupsWith(
    { ...held, holdings },
    [...used].map((id) => relations.get(id)!),
  )
  const evaluation = await evaluateAll(
    groups.map(({ group }) => group),
    holdings,
    (group, some) => evaluateSafely(group, some, held.own, budget),
  )
  return {
    by,
    ...part.key,
    currency: currencyOf(part.money),
    positions: holdings.length,
    markets: new Set(holdings.map(({ market }) => market)).size,
    ...casesOf(exposure, part, evaluation),
  }
}

type Cases = Pick<Evaluation, 'worst' | 'best' | 'bounds'>

function casesOf(exposure: AccountExposure, part: Part<unknown>, evaluation: Cases) {
  const cost = capitalUsed(part.capital)
  const bounds = boundsOf(exposure, part.holdings, evaluation)
  return {
    worstCase: formatAmount(evaluation.worst),
    bestCase: formatAmount(evaluation.best),
    isExact: bounds.length === 0,
    bounds,
    lockedProfit: formatAmountOrNull(minus(evaluation.worst, cost)),
    bestProfit: formatAmountOrNull(minus(evaluation.best, cost)),
    capitalUsed: formatAmountOrNull(cost),
    unknownCosts: part.capital.unknown,
    share: part.share,
    ...settlementOf(part.holdings, exposure.asOf),
  }
}

function settlementOf(
  holdings: readonly Holding[],
  asOf: number,
): Pick<ExposureGroup, 'settlesAt' | 'daysToSettlement'> {
  const dates = holdings
    .filter(({ value }) => value === null)
    .map(({ position: { resolutionDate } }) => Date.parse(resolutionDate ?? ''))
  const latest = Math.max(...dates)
  // NaN if one is unknown; none is open if there are no dates.
  if (!Number.isFinite(latest)) return { settlesAt: null, daysToSettlement: null }
  return {
    settlesAt: new Date(latest).toISOString(),
    daysToSettlement: Math.round((Math.max(0, latest - asOf) / dayMs) * 100) / 100,
  }
}

const outcomeOf = ({ payoff, pays }: Evaluation['outcomes'][number], cost: bigint | null): ExposureOutcome => ({
  payoff: formatAmount(payoff),
  profit: formatAmountOrNull(minus(payoff, cost)),
  pays: pays.map(({ position: { venue, marketId, outcomeId } }) => ({ venue, marketId, outcomeId })),
})

function positionOf(
  { position, shares, value }: Holding,
  { worst, best }: ReturnType<Evaluation['partOf']>,
): ExposurePosition {
  const { venue, marketId, outcomeId, market, label, costBasis, resolutionDate } = position
  return {
    venue,
    marketId,
    outcomeId,
    market,
    label,
    quantity: shares,
    costBasis,
    payout: value,
    inWorstCase: formatAmountOrNull(worst),
    inBestCase: formatAmountOrNull(best),
    resolutionDate,
  }
}

function reasonsOf({ held }: AccountExposure, holdings: readonly Holding[]): ExposureGroup['notCovered'] {
  const markets = [...new Set(holdings.map(({ market }) => market))].sort()
  const byReason = new Map<NotCovered, string[]>()
  for (const market of markets)
    for (const reason of held.notCovered.get(market) ?? [])
      byReason.set(reason, [...(byReason.get(reason) ?? []), market])
  return [...byReason].map(([reason, affected]) => ({ reason, markets: affected }))
}
