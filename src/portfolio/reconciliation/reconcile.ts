// Reads accounts at their venues, then our journal, and compares the two. In this order: a fill that arrives meanwhile is then in the journal
// with its time, and the venue's lists are not newer than it.
import { createHash } from 'node:crypto'
import { Fault } from '#core/fault'
import type { Market } from '#schemas/market'
import type { HeldPosition, Holdings, RecentFill } from '#venues/holdings'
import type { LedgerEntry } from '../ledger/entry.ts'
import { foldLedgerYielding } from '../ledger/fold.ts'
import type { LedgerPosition } from '../ledger/ledger.ts'
import { findOutcomeMarkets } from '../outcomeMarkets.ts'
import type { JournalView } from '../ports.ts'
import { type Compared, comparePositions, settlingMs } from './compare.ts'
import { type ComparedOrder, compareOrders } from './compareOrders.ts'
import type { OurPosition } from './ourPosition.ts'
import type { ReconciliationDeps } from './ports.ts'
import { type ReadCaller, type ReadFailure, readVenues, type VenueRequest } from './readVenues.ts'

export interface ReconciledVenue {
  venue: string
  source: 'venue_api' | 'chain'
  /** Null when the read failed. */
  found: { holdings: Holdings; positions: Compared[]; openOrders: ComparedOrder[] | null } | null
  error: ReadFailure | null
}

export interface Reconciliation {
  venues: ReconciledVenue[]
  journal: JournalView
  /** Where we have a position. */
  heldVenues: string[]
  /** Sources that did not answer. */
  unavailable: readonly string[]
}

/** Throws EXEC_UNAVAILABLE when our journal cannot be read. */
export async function reconcile(
  deps: ReconciliationDeps,
  caller: ReadCaller,
  requests: readonly VenueRequest[],
): Promise<Reconciliation> {
  const reads = await readVenues(deps, caller, requests)
  const journal = await deps.portfolio.readEntries(caller.accountId)
  const { positions } = await foldLedgerYielding(journal.entries)
  const recentFrom = new Map(
    requests.flatMap(({ venue }, i) => {
      const { holdings } = reads[i]!
      return holdings === null ? [] : [[venue, holdings.asOf - settlingMs] as const]
    }),
  )
  const beforeSettlement = await settledPositions(journal.entries, positions, recentFrom)
  const unavailable = new Set(journal.unavailable)
  const venues: ReconciledVenue[] = []
  for (const [i, { venue, source }] of requests.entries()) {
    const { holdings, error } = reads[i]!
    const base = { venue, source: source.holdings.source }
    if (holdings === null) {
      venues.push({ ...base, found: null, error })
      continue
    }
    const held = positions.filter((position) => position.venue === venue && position.quantity !== '0')
    // A venue has listed few of all the markets that were ever settled.
    const shown = new Set(holdings.positions.flatMap(({ marketId, outcomeId }) => [marketId, outcomeId]))
    const settled = beforeSettlement.filter(
      (position) => position.venue === venue && (shown.has(position.marketId) || shown.has(position.outcomeId)),
    )
    const { markets, theirs, isAnswered } = await nameMarkets(deps, venue, [...held, ...settled], holdings.positions)
    if (!isAnswered) unavailable.add('catalog')
    const compared = comparePositions({
      ours: held.map((position) => ourPosition(position, markets)),
      settled: settled.map((position) => ourPosition(position, markets)),
      theirs,
      isComplete: holdings.isComplete,
      asOf: holdings.asOf,
      rules: source.holdings,
      recent: { theirs: holdings.recentFills ?? [], ours: recentFills(journal, venue, holdings.asOf) },
      unexplained: journal.unexplained.filter((order) => order.venue === venue),
    })
    const openOrders = await reconcileOrders(deps, caller.accountId, venue, holdings)
    venues.push({ ...base, found: { holdings, positions: compared, openOrders }, error: null })
  }
  return { venues, journal, heldVenues: heldVenues(positions), unavailable: [...unavailable] }
}

/**
 * Positions in markets that have been settled, as they would be without the settlement, and without redemptions that the venue may not show
 * yet: of those made since `recentFrom`, by venue. What was redeemed before is gone: a position may be left with no quantity.
 */
async function settledPositions(
  entries: readonly LedgerEntry[],
  positions: readonly LedgerPosition[],
  recentFrom: ReadonlyMap<string, number>,
): Promise<LedgerPosition[]> {
  const keyOf = ({ venue, marketId, outcomeId }: LedgerPosition) => JSON.stringify([venue, marketId, outcomeId])
  const settled = new Set(positions.flatMap((position) => (position.settlement === null ? [] : [keyOf(position)])))
  if (settled.size === 0) return []
  const isShown = (entry: LedgerEntry): boolean =>
    entry.kind === 'redemption' && entry.at < (recentFrom.get(entry.venue) ?? Number.NEGATIVE_INFINITY)
  const without = entries.filter(({ kind }) => kind !== 'settlement' && kind !== 'redemption')
  const unsettled = (await foldLedgerYielding(without)).positions.filter(
    (position) => position.quantity !== '0' && settled.has(keyOf(position)),
  )
  const redemptions = entries.filter(isShown)
  if (redemptions.length === 0) return unsettled
  const redeemed = await foldLedgerYielding([...without, ...redemptions])
  const left = new Map(redeemed.positions.map((position) => [keyOf(position), position]))
  return unsettled.map((position) => left.get(keyOf(position)) ?? position)
}

/** Null: the venue's were not read. */
async function reconcileOrders(
  { findOrders }: Pick<ReconciliationDeps, 'findOrders'>,
  accountId: string,
  venue: string,
  { openOrders, asOf }: Holdings,
): Promise<ComparedOrder[] | null> {
  if (openOrders === undefined) return null
  const venueRefs = openOrders.orders.map(({ venueRef }) => venueRef)
  return compareOrders(await findOrders({ accountId, venue, venueRefs }), openOrders, asOf)
}

const heldVenues = (positions: readonly LedgerPosition[]): string[] => [
  ...new Set(positions.flatMap(({ venue, quantity }) => (quantity === '0' ? [] : [venue]))),
]

/** Null: the catalog does not know the market, or did not answer. */
type Markets = ReadonlyMap<string, Market>

interface NamedMarkets {
  markets: Markets
  theirs: HeldPosition[]
  isAnswered: boolean
}

/** The markets of our positions, and those of the venue's that it names by the outcome only. */
async function nameMarkets(
  { catalog }: Pick<ReconciliationDeps, 'catalog'>,
  venue: string,
  ours: readonly LedgerPosition[],
  shown: readonly HeldPosition[],
): Promise<NamedMarkets> {
  const own = new Map(ours.map(({ outcomeId, marketId }) => [outcomeId, marketId]))
  const named = new Map<string, string>()
  const nameOf = ({ marketId, outcomeId }: HeldPosition): string | null =>
    marketId ?? own.get(outcomeId) ?? named.get(outcomeId) ?? null
  try {
    const markets = await catalog.findMarketsByIds(ours.map(({ marketId }) => ({ venue, marketId })))
    const unnamed = shown.flatMap((position) => (nameOf(position) === null ? [position.outcomeId] : []))
    for (const [outcomeId, { marketId }] of await findOutcomeMarkets(catalog, venue, unnamed)) {
      named.set(outcomeId, marketId)
    }
    return { markets, theirs: withMarkets(shown, nameOf), isAnswered: true }
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'CATALOG_UNAVAILABLE') throw error
    return { markets: new Map(), theirs: withMarkets(shown, nameOf), isAnswered: false }
  }
}

const withMarkets = (
  shown: readonly HeldPosition[],
  nameOf: (position: HeldPosition) => string | null,
): HeldPosition[] => shown.map((position) => ({ ...position, marketId: nameOf(position) }))

/** A market that is not known to trade may be settled at the venue already, which then shows no position in it. */
function ourPosition(position: LedgerPosition, markets: Markets): OurPosition {
  const { marketId, outcomeId, quantity, averageCost, fees, settlement, updatedAt } = position
  const status = markets.get(`${position.venue}:${marketId}`)?.status
  return {
    marketId,
    outcomeId,
    quantity,
    averageCost: settlement === null ? averageCost : null,
    fees,
    isEnded: settlement !== null || (status !== 'active' && status !== 'inactive'),
    updatedAt,
  }
}

function recentFills({ entries }: JournalView, venue: string, asOf: number): RecentFill[] {
  return entries.flatMap((entry) =>
    entry.kind === 'fill' && entry.venue === venue && entry.at >= asOf - settlingMs
      ? [{ outcomeId: entry.outcomeId, isBuy: entry.side === 'buy', size: entry.size, at: entry.at }]
      : [],
  )
}

/**
 * The name under which a position that only the venue shows is entered: one per venue, market and outcome, and an account enters a name once.
 */
export function importRef(venue: string, marketId: string, outcomeId: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([venue, marketId, outcomeId]))
    .digest('hex')
  return `reconciliation:${hash.slice(0, 40)}`
}
