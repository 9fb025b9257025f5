// A kept group as it is returned: its plan, its legs with their executions, its status, and what it still lacks.
import {
  addDecimals,
  compareDecimals,
  divideDecimals,
  multiplyDecimals,
  roundDecimal,
  subtractDecimals,
} from '#core/decimal'
import { averagedFillsMax } from '#orders/executions/overview'
import { executionOf } from '#orders/executions/rows'
import { storedSummaryOf } from '#orders/executions/summary'
import type { RouterGroup, RouterLeg, RouterStatus } from '#schemas/router'
import type { RouterLegRow } from '#storage/postgres/router/groupRow'
import type { StoredGroup } from '#storage/postgres/router/store'
import type { StoredPlan } from '../planned.ts'
import type { RouterDeps } from '../ports.ts'
import { balancesOf, isZero, remainingOf } from './exposure.ts'
import { type LegState, legStateOf } from './legState.ts'

export interface GroupState {
  own: LegState[]
  /** Legs of the groups that close it. */
  closing: LegState[]
  closedBy: string[]
}

export async function readGroupState(
  deps: Pick<RouterDeps, 'executions' | 'store'>,
  accountId: string,
  group: StoredGroup,
): Promise<GroupState> {
  return (await readGroupStates(deps, accountId, [group]))[0]!
}

/** One for each, in order, by the same few queries for any number. */
export async function readGroupStates(
  deps: Pick<RouterDeps, 'executions' | 'store'>,
  accountId: string,
  groups: readonly StoredGroup[],
): Promise<GroupState[]> {
  if (groups.length === 0) return []
  const ids = groups.map(({ group: { id } }) => id)
  const found = await deps.store.findClosing(accountId, ids)
  // One of them may close another one.
  const unique = new Map([...groups, ...found].map((each) => [each.group.id, each.legs]))
  const legs = [...unique.values()].flat()
  const states = Map.groupBy(await legStates(deps, accountId, legs), ({ leg }) => leg.group_id)
  const statesOf = ({ group: { id } }: StoredGroup): LegState[] => states.get(id) ?? []
  const closingOf = Map.groupBy(found, ({ group }) => group.closes_id)
  return groups.map((each) => {
    const closing = closingOf.get(each.group.id) ?? []
    return {
      own: statesOf(each),
      closing: closing.flatMap(statesOf),
      closedBy: closing.map(({ group: { id } }) => id),
    }
  })
}

/** One for each, in order. */
async function legStates(
  { executions, store }: Pick<RouterDeps, 'executions' | 'store'>,
  accountId: string,
  legs: readonly RouterLegRow[],
): Promise<LegState[]> {
  const ids = legs.flatMap(({ execution_id }) => (execution_id === null ? [] : [execution_id]))
  const rows = new Map((await store.findExecutions(accountId, ids)).map((row) => [row.id, row]))
  const fills = Map.groupBy(
    ids.length === 0 ? [] : await executions.store.listFillsOfOrders({ executionIds: ids, most: averagedFillsMax }),
    ({ execution_id }) => execution_id,
  )
  const lanes = new Map(executions.knownLanes.map((lane) => [lane.slug as string, lane]))
  return legs.map((leg) => {
    const row = leg.execution_id === null ? null : (rows.get(leg.execution_id) ?? null)
    return legStateOf(leg, row, lanes.get(leg.venue), row === null ? [] : (fills.get(row.id) ?? []))
  })
}

export function groupView({ group }: StoredGroup, { own, closing, closedBy }: GroupState): RouterGroup {
  const plan = group.plan as unknown as StoredPlan
  const balances = balancesOf(own, closing)
  return {
    groupId: group.id,
    kind: group.kind,
    status: statusOf(own, plan),
    closesGroupId: group.closes_id,
    closedBy,
    request: plan.request,
    quote: plan.quote,
    alternatives: plan.alternatives,
    leftOut: plan.leftOut,
    legs: own.map(legOf),
    exposure:
      balances?.flatMap(({ leg, excess }) => (isZero(excess) ? [] : [{ position: leg.position, contracts: excess }])) ??
      null,
    remaining: balances === null ? null : remainingOf(plan.quote.contracts, balances, closing),
    realised: plan.winners === null || balances === null ? null : realisedOf(own, plan, plan.winners),
    createdAt: group.created_at.toISOString(),
  }
}

export function statusOf(own: readonly LegState[], { quote }: Pick<StoredPlan, 'quote'>): RouterStatus {
  if (own.some(({ isPending }) => isPending)) return 'building'
  const built = own.filter(({ execution }) => execution !== null)
  if (built.length > 0 && built.every(({ isSent, hasEnded }) => !isSent && !hasEnded)) return 'built'
  const balances = balancesOf(own, [])
  if (balances === null) return 'working'
  if (balances.every(({ filled }) => isZero(filled))) return 'unfilled'
  if (balances.some(({ excess }) => !isZero(excess))) return 'unequal'
  return isZero(remainingOf(quote.contracts, balances, [])) ? 'filled' : 'partial'
}

/** Expected figures as they were planned. */
export function plannedLeg(leg: Omit<RouterLegRow, 'group_id' | 'execution_id' | 'error'>) {
  const expected = leg.expected as unknown as Pick<
    RouterLeg,
    'averagePrice' | 'notional' | 'fee' | 'bookAgeMs' | 'immediate'
  >
  return {
    position: leg.position,
    component: leg.component,
    venue: leg.venue,
    marketId: leg.market_id,
    outcomeId: leg.outcome_id,
    outcomeSide: leg.outcome_side,
    isBuy: leg.is_buy,
    size: leg.size,
    limitPrice: leg.price,
    averagePrice: expected.averagePrice,
    notional: expected.notional,
    fee: expected.fee,
    bookAgeMs: expected.bookAgeMs,
    immediate: expected.immediate,
    closesPosition: leg.closes_position,
  }
}

function legOf({ leg, execution, filled, paidPrice, paidFee }: LegState): RouterLeg {
  return {
    ...plannedLeg(leg),
    execution: execution === null ? null : executionOf(execution, { summary: storedSummaryOf(execution) }),
    error: leg.error as unknown as RouterLeg['error'],
    matchedSize: execution === null ? filled : (execution.matched_size ?? filled),
    paidPrice,
    paidFee,
  }
}

/** Of the contracts that every leg has: each leg counts with its average price and its share of its fees. */
function realisedOf(own: readonly LegState[], { quote }: StoredPlan, winners: number): RouterGroup['realised'] {
  // Bought by the group itself: what closed it has prices of its own.
  const sizes = own.map(({ filled }) => filled ?? '0')
  const size = sizes.reduce((a, b) => (compareDecimals(a, b) <= 0 ? a : b))
  const total = totalOf(own, size)
  const quotedEdge =
    quote.edge === null || isZero(quote.contracts)
      ? null
      : divideDecimals(multiplyDecimals(quote.edge, size), quote.contracts, 6, 'down')
  const payout = multiplyDecimals(String(winners), size)
  return { contracts: size, total, edge: total === null ? null : subtractDecimals(payout, total), quotedEdge }
}

function totalOf(own: readonly LegState[], size: string): string | null {
  if (compareDecimals(size, '0') <= 0) return null
  let total = '0'
  for (const { filled, paidPrice, paidFee } of own) {
    if (filled === null || paidPrice === null || paidFee === null || compareDecimals(filled, size) < 0) return null
    const fee = divideDecimals(multiplyDecimals(paidFee, size), filled, 6, 'up')
    total = addDecimals(total, addDecimals(multiplyDecimals(paidPrice, size), fee))
  }
  return roundDecimal(total, 6, 'up')
}
