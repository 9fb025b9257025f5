// Plans a purchase or a sale of one answer over all markets on which it is verified to be the same.
import { Fault } from '#core/fault'
import { lanesOf } from '#orders/executions/findLane'
import type { Caller } from '#orders/executions/ports'
import type { JsonObject } from '#schemas/executions'
import type { RouterPlanBody } from '#schemas/router'
import { canonicalVenue, withoutVenue } from '#schemas/venues'
import { balancesOf, type Constraints, findWays, venueSet } from './candidates.ts'
import { type AnswerSide, type EqualMarkets, equalInCluster, equalToMarket } from './equalMarkets.ts'
import { planRoute } from './plan/route.ts'
import type { Wanted } from './plan/solve.ts'
import { microsOf, type PlannedGroup, plannedRoute, unitsOf } from './planned.ts'
import { keyOf, type MarketName, type RouterDeps } from './ports.ts'

/** Fields that every plan takes. */
export type PlanOptions = Pick<
  RouterPlanBody,
  'persist' | 'artifacts' | 'accounts' | 'balances' | 'venues' | 'excludeVenues' | 'bookAgeMaxMs'
>

export function constraintsOf(
  deps: Pick<RouterDeps, 'executions'>,
  { accountId }: Pick<Caller, 'accountId'>,
  { venues, excludeVenues, balances, persist }: PlanOptions,
  worstPrice?: string,
): Constraints {
  const lanes = lanesOf(deps.executions, accountId)
  return {
    venues: venueSet(venues),
    excludeVenues: venueSet(excludeVenues) ?? new Set(),
    balances: balancesOf(balances),
    worstMicros: worstPrice === undefined ? null : microsOf(worstPrice),
    armed: persist === true ? (venue) => takesOrdersAt(lanes, venue) : null,
  }
}

const takesOrdersAt = (lanes: ReturnType<typeof lanesOf>, venue: string): boolean => {
  const armed = lanes.get(venue)
  return armed !== undefined && armed.lane.settlementOnly !== true
}

export async function planOrder(deps: RouterDeps, caller: Caller, body: RouterPlanBody): Promise<PlannedGroup> {
  const { accounts: _, ...request } = body
  const { isBuy, structures = true, worstPrice, size, amount, bookAgeMaxMs = null } = body
  const wanted: Wanted =
    size === undefined ? { by: 'amount', micros: microsOf(amount!) } : { by: 'size', units: unitsOf(size) }
  const constraints = constraintsOf(deps, caller, body, worstPrice)
  const equal = await equalMarkets(deps, body)
  const { ways, leftOut } = await findWays(deps, equal, { isBuy, structures, constraints })
  const plan = planRoute(
    ways.map(({ candidate }) => candidate),
    { isBuy, wanted, ageMaxMs: bookAgeMaxMs },
  )
  const planned = plannedRoute(plan, ways, { isBuy, request: request as JsonObject, leftOut })
  return { kind: 'route', closesId: null, ...planned }
}

async function equalMarkets(deps: RouterDeps, body: RouterPlanBody): Promise<EqualMarkets> {
  const side: AnswerSide = body.outcomeSide === 'YES' ? 'yes' : 'no'
  if (body.clusterId !== undefined) return equalInCluster(deps, body.clusterId, side)
  const venue = canonicalVenue(body.venue!)
  const market = { venue, marketId: withoutVenue(venue, body.marketId!) }
  await requireMarket(deps, market)
  return equalToMarket(deps, { ...market, side })
}

async function requireMarket({ findMarkets }: RouterDeps, market: MarketName): Promise<void> {
  const found = await findMarkets([market])
  if (!found.has(keyOf(market)))
    throw new Fault('MARKET_NOT_FOUND', 'the catalog has no such market', { exchange: market.venue })
}
