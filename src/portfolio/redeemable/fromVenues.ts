// Redeemable shares that venues show of a wallet. Which markets are resolved, and what their outcomes pay, is the catalog's.
import { compareDecimals, readDecimal } from '#core/decimal'
import { Fault } from '#core/fault'
import type { Market } from '#schemas/market'
import type { HeldPosition, Holdings } from '#venues/holdings'
import { marketKey } from '../journal/settlements.ts'
import { findOutcomeMarkets } from '../outcomeMarkets.ts'
import type { HoldingsVenue, ReconciliationDeps } from '../reconciliation/ports.ts'
import { type ReadCaller, readVenues, type VenueRequest } from '../reconciliation/readVenues.ts'
import type { HeldShares } from './rows.ts'

export interface VenueShares {
  shares: HeldShares[]
  /** By `venue:marketId`. */
  markets: Map<string, Market>
  /** Venues that were read, also those that did not answer. */
  read: string[]
  /** What did not answer: `accounts:<venue>`, `catalog`. */
  unavailable: string[]
  /** Venues of which not every position was listed. */
  incomplete: string[]
}

type Deps = Pick<ReconciliationDeps, 'venues' | 'catalog' | 'clock' | 'log'>

/** A venue that shows a wallet's shares to anyone. */
const showsWallets = ({ holdings }: HoldingsVenue, wallet: string): boolean =>
  holdings.credentials === undefined && holdings.account?.safeParse({ wallet }).success === true

export async function redeemableAtVenues(
  deps: Deps,
  caller: ReadCaller,
  { wallet, venue: only }: { wallet: string; venue: string | undefined },
): Promise<VenueShares> {
  const requests: VenueRequest[] = [...deps.venues].flatMap(([venue, source]) =>
    (only === undefined || venue === only) && showsWallets(source, wallet)
      ? [{ venue, source, accounts: [{ account: source.holdings.account!.parse({ wallet }), credentials: null }] }]
      : [],
  )
  const found: VenueShares = {
    shares: [],
    markets: new Map(),
    read: requests.map(({ venue }) => venue),
    unavailable: [],
    incomplete: [],
  }
  const answers = await readVenues(deps, caller, requests)
  for (const [i, { venue, source }] of requests.entries()) {
    const { holdings } = answers[i]!
    if (holdings === null) {
      found.unavailable.push(`accounts:${venue}`)
      continue
    }
    if (!holdings.isComplete) found.incomplete.push(venue)
    const markets = await marketsOf(deps, venue, holdings.positions)
    if (markets === null) found.unavailable.push('catalog')
    found.shares.push(...sharesAt(venue, source.holdings.source, holdings, markets))
    for (const market of markets?.values() ?? []) found.markets.set(marketKey(venue, market.marketId), market)
  }
  return { ...found, unavailable: [...new Set(found.unavailable)] }
}

/** By outcome; null: the catalog did not answer. */
async function marketsOf(
  { catalog }: Pick<Deps, 'catalog'>,
  venue: string,
  positions: readonly HeldPosition[],
): Promise<Map<string, Market> | null> {
  const markets = new Map<string, Market>()
  const named = positions.flatMap(({ marketId }) => (marketId === null ? [] : [{ venue, marketId }]))
  try {
    const byId = await catalog.findMarketsByIds(named)
    for (const { marketId, outcomeId } of positions) {
      const market = marketId === null ? undefined : byId.get(marketKey(venue, marketId))
      if (market !== undefined) markets.set(outcomeId, market)
    }
    const unnamed = positions.flatMap(({ marketId, outcomeId }) => (marketId === null ? [outcomeId] : []))
    for (const [outcomeId, market] of await findOutcomeMarkets(catalog, venue, unnamed)) markets.set(outcomeId, market)
    return markets
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'CATALOG_UNAVAILABLE') throw error
    return null
  }
}

/** Shares of an unknown market may be redeemable: they are listed without a payout. */
function sharesAt(
  venue: string,
  provenance: HeldShares['provenance'],
  { positions, asOf }: Holdings,
  markets: ReadonlyMap<string, Market> | null,
): HeldShares[] {
  return positions.flatMap(({ marketId: shown, outcomeId, quantity }): HeldShares[] => {
    if (compareDecimals(quantity, '0') <= 0) return []
    const market = markets?.get(outcomeId) ?? null
    const base = { venue, outcomeId, quantity, provenance, asOf }
    if (market === null) return [{ ...base, marketId: shown, payout: null, currency: null }]
    const price = market.outcomes.find((outcome) => outcome.outcomeId === outcomeId)?.price ?? null
    const payout = price === null ? null : readDecimal(price)
    if (market.status !== 'resolved' || payout === '0') return []
    const { collateral } = market.sourceMetadata
    const currency = typeof collateral === 'string' && collateral !== '' ? collateral : null
    return [{ ...base, marketId: market.marketId, payout, currency }]
  })
}
