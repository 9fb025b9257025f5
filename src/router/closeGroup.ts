// A plan that closes what a group lacks after its legs have ended: it buys what is missing, or sells what is too much.
import { addDecimals, compareDecimals, toStep } from '#core/decimal'
import { Fault } from '#core/fault'
import type { Caller } from '#orders/executions/ports'
import type { JsonObject } from '#schemas/executions'
import type { RouterCloseBody } from '#schemas/router'
import type { RouterLegRow } from '#storage/postgres/router/groupRow'
import type { StoredGroup } from '#storage/postgres/router/store'
import { findWays } from './candidates.ts'
import { bestClosing } from './closingChoice.ts'
import { type EqualMarkets, equalToMarket } from './equalMarkets.ts'
import { balancesOf, isZero, type LegBalance, remainingOf } from './groups/exposure.ts'
import { type GroupState, readGroupState } from './groups/groupView.ts'
import { answerOf } from './outcomes.ts'
import { planRoute } from './plan/route.ts'
import { microsOf, type PlannedGroup, plannedRoute, quoteOf, type StoredPlan, unitsOf } from './planned.ts'
import { constraintsOf } from './planOrder.ts'
import { keyOf, type RouterDeps } from './ports.ts'

/** One outcome that is bought or sold to close a leg. */
interface Trade {
  leg: RouterLegRow
  isBuy: boolean
  /** Contracts. */
  size: string
  /** Of a group of which more was requested: it belongs to no leg. */
  closesPosition: number | null
  /** Only at the market where it is held. */
  isHeldThere: boolean
}

export async function planClose(
  deps: RouterDeps,
  caller: Caller,
  stored: StoredGroup,
  body: RouterCloseBody,
): Promise<PlannedGroup> {
  const state = await readGroupState(deps, caller.accountId, stored)
  const balances = balancesOf(state.own, state.closing)
  if (balances === null) throw conflict(`${openLegs(state)}: wait for its end, cancel or discard it, or refresh it`)
  const plan = stored.group.plan as unknown as StoredPlan
  const unwinding = balances.filter(({ excess }) => !isZero(excess)).map(unwindOf)
  const completing = [
    ...balances.filter(({ missing }) => !isZero(missing)).map(completeOf),
    ...remainderOf(stored, plan, balances, state),
  ]
  const { mode } = body
  const choices = [
    ...(mode === 'unwind' ? [] : [{ mode: 'complete' as const, trades: completing }]),
    ...(mode === 'complete' ? [] : [{ mode: 'unwind' as const, trades: unwinding }]),
  ].filter(({ trades }) => trades.length > 0)
  if (choices.length === 0) throw conflict('nothing is left to close')
  const planned = await Promise.all(
    choices.map(async (choice) => ({ ...choice, ...(await planTrades(deps, caller, stored, choice.trades, body)) })),
  )
  const missingSets = balances.reduce((most, { missing }) => (compareDecimals(missing, most) > 0 ? missing : most), '0')
  // The contracts of a split have no certain payout.
  const payout = plan.winners === null ? null : plan.winners * microsOf(toStep(missingSets, '0.000001', 'down'))
  const best = bestClosing(planned, payout)
  const counted = [...state.own, ...state.closing].map(({ leg }) => ({
    groupId: leg.group_id,
    position: leg.position,
    executionId: leg.execution_id,
  }))
  return { ...best.planned, counted, plan: { ...best.planned.plan, request: requestOf(best.mode, body) } }
}

/** The state of the group does not allow it. */
const conflict = (why: string): Fault => new Fault('BAD_REQUEST', why)

function openLegs({ own, closing }: GroupState): string {
  const open = [...own, ...closing].find(({ hasEnded, filled }) => !hasEnded || filled === null)!
  const what = open.hasEnded ? 'its filled size is not known' : 'it has not ended'
  return `leg ${open.leg.position} at ${open.leg.venue}: ${what}`
}

const unwindOf = ({ leg, excess }: LegBalance): Trade => ({
  leg,
  isBuy: !leg.is_buy,
  size: excess,
  closesPosition: leg.position,
  isHeldThere: leg.is_buy,
})

const completeOf = ({ leg, missing }: LegBalance): Trade => ({
  leg,
  isBuy: leg.is_buy,
  size: missing,
  closesPosition: leg.position,
  isHeldThere: !leg.is_buy,
})

/** Of a split: what was requested and not filled, at any market. */
function remainderOf(
  { group, legs }: StoredGroup,
  { quote }: StoredPlan,
  balances: readonly LegBalance[],
  { closing }: GroupState,
): Trade[] {
  const first = legs.find(({ component }) => legs.filter((leg) => leg.component === component).length === 1)
  if (group.kind !== 'route' || first === undefined || group.closes_id !== null) return []
  const size = remainingOf(quote.contracts, balances, closing)
  if (isZero(size)) return []
  return [{ leg: first, isBuy: first.is_buy, size, closesPosition: null, isHeldThere: false }]
}

interface PlannedTrades {
  planned: PlannedGroup
  /** Every trade is filled by its plan. */
  isWhole: boolean
  /** Micros with all fees; below zero for what is received. */
  paid: number
}

async function planTrades(
  deps: RouterDeps,
  caller: Caller,
  { group }: StoredGroup,
  trades: readonly Trade[],
  body: RouterCloseBody,
): Promise<PlannedTrades> {
  const parts = await Promise.all(trades.map((trade) => planTrade(deps, caller, trade, body)))
  // Each is an order of its own: none has to wait for another.
  const legs = parts.flatMap(({ legs: own }) => own).map((leg, component) => ({ ...leg, component }))
  const quotes = legs.map(({ quote }) => quote)
  const { isBuy } = trades[0]!
  const isWhole = parts.every(({ plan }) => plan.quote.filled)
  const quote = quoteOf({
    ...{ isBuy, quotes, isFilled: isWhole, gap: 0 },
    units: legs.reduce((sum, leg) => sum + leg.units, 0),
    isProven: parts.every(({ plan }) => plan.quote.proven),
  })
  return {
    isWhole,
    paid: isBuy ? microsOf(quote.total) : -microsOf(quote.total),
    planned: {
      kind: 'route',
      closesId: group.id,
      plan: {
        request: {},
        quote: { ...quote, gap: sumOfKnown(parts.map(({ plan }) => plan.quote.gap)) },
        alternatives: parts.flatMap(({ plan }) => plan.alternatives),
        leftOut: parts.flatMap(({ plan }) => plan.leftOut),
        winners: null,
      },
      legs,
    },
  }
}

async function planTrade(
  deps: RouterDeps,
  caller: Caller,
  { leg, isBuy, size, closesPosition, isHeldThere }: Trade,
  body: RouterCloseBody,
) {
  const equal = await marketsFor(deps, leg, isHeldThere)
  const constraints = constraintsOf(deps, caller, body)
  const { ways, leftOut } = await findWays(deps, equal, { isBuy, structures: false, constraints })
  // What is smaller than a hundredth of a contract cannot be ordered.
  const units = unitsOf(toStep(size, '0.01', 'down'))
  const plan = planRoute(
    ways.map(({ candidate }) => candidate),
    { isBuy, wanted: { by: 'size', units }, ageMaxMs: body.bookAgeMaxMs ?? null },
  )
  const closes = closesPosition === null ? {} : { closesPosition }
  return plannedRoute(plan, ways, { isBuy, request: {}, leftOut, ...closes })
}

async function marketsFor(deps: RouterDeps, leg: RouterLegRow, isHeldThere: boolean): Promise<EqualMarkets> {
  const name = { venue: leg.venue, marketId: leg.market_id }
  const market = (await deps.findMarkets([name])).get(keyOf(name))
  const side = market === undefined ? null : answerOf(market, leg.outcome_id)
  if (side === null)
    throw new Fault('MARKET_NOT_FOUND', 'the catalog no longer has the market of a leg', { exchange: leg.venue })
  return isHeldThere ? { equal: [{ ...name, side }], unverified: [] } : equalToMarket(deps, { ...name, side })
}

function requestOf(mode: 'complete' | 'unwind', { accounts: _, ...body }: RouterCloseBody): JsonObject {
  return { ...body, mode } as JsonObject
}

const sumOfKnown = (texts: readonly (string | null)[]): string | null =>
  texts.reduce((sum, text) => (sum === null || text === null ? null : addDecimals(sum, text)), '0')
