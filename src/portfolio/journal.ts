// Everything that changed what an account holds, as entries of its ledger.
//
//   stored fills ─┐
//   redemptions  ─┤
//   exchanges    ─┼─► markets with entries ─► the catalog ─► settlements
//   imports      ─┘
//
// A read that fails is an error: a journal with a part missing would look like another portfolio. Only the catalog may be missing; then no
// market is known to be resolved, and `unavailable` names it.
import { Fault } from '#core/fault'
import type { Market } from '#schemas/market'
import { exchangeEntry, withoutCopies } from './journal/exchangeEntries.ts'
import { FillReads, tooMany } from './journal/fillReads.ts'
import { importEntries } from './journal/importEntries.ts'
import { type HeldMarket, heldMarkets, marketKey, settlementsOf } from './journal/settlements.ts'
import { findUnexplained } from './journal/unexplained.ts'
import type { LedgerEntry, RedemptionEntry } from './ledger/entry.ts'
import type { JournalPorts, JournalView, UnreadableExchange } from './ports.ts'

/** Entries of an account. One with more gets an error. */
export const entriesMax = 500_000
/** Rows of a statement. */
const pageRows = 2_000
/** Markets of one read of the catalog. */
const marketsPerRead = 500

export interface Journal extends Omit<JournalView, 'asOf'> {
  /** The catalog's, by `venue:marketId`. */
  markets: ReadonlyMap<string, Market>
}

/** `max`: entries of the account. */
export async function readJournal(
  ports: JournalPorts,
  accountId: string,
  { fillReads = new FillReads(ports), max = entriesMax }: { fillReads?: FillReads; max?: number } = {},
): Promise<Journal> {
  const { store } = ports
  const page = (after: string | null) => ({ accountId, after, limit: pageRows })
  const unreadableExchanges: UnreadableExchange[] = []
  const [fills, redemptions, exchanges, imports] = await Promise.all([
    fillReads.read(accountId, max),
    readPages(max, (after) => store.findRedemptions(page(after)), redemptionOf),
    readPages(
      max,
      (after) => store.findExchanges(page(after)),
      (row) => {
        const entry = exchangeEntry(row)
        if (entry === null) unreadableExchanges.push({ executionId: row.id, venue: row.venue, intent: row.intent })
        return entry
      },
    ),
    readPages(
      max,
      (after) => store.listImports(page(after)),
      (row) => row,
    ),
  ])
  const entries: LedgerEntry[] = [
    ...fills.list(),
    ...redemptions,
    ...withoutCopies(exchanges),
    ...importEntries(imports),
  ]
  refuseTooMany(entries.length, max)
  const unexplained = await findUnexplained(ports, accountId, fills, pageRows)
  const held = heldMarkets(entries)
  const { markets, reportedAt, unavailable } = await readMarkets(ports, held)
  nameCurrencies(entries, held, markets)
  const settled = settlementsOf(held, { markets, reportedAt, nowMs: ports.clock.now() })
  return {
    entries: [...entries, ...settled.entries],
    unexplained: unexplained.map((order) => ({
      ...order,
      currency: order.currency ?? held.get(marketKey(order.venue, order.marketId))?.currency ?? null,
    })),
    unreadable: fills.unreadable,
    unreadableExchanges,
    settlementTimes: settled.times,
    unavailable,
    markets,
  }
}

const refuseTooMany = (count: number, max: number): void => {
  if (count > max) throw tooMany(max)
}

async function readPages<Row extends { id: string }, Entry>(
  max: number,
  read: (after: string | null) => Promise<Row[]>,
  entryOf: (row: Row) => Entry | null,
): Promise<Entry[]> {
  const entries: Entry[] = []
  let after: string | null = null
  for (;;) {
    const rows: Row[] = await read(after)
    for (const row of rows) {
      const entry = entryOf(row)
      if (entry !== null) entries.push(entry)
    }
    refuseTooMany(entries.length, max)
    if (rows.length < pageRows) return entries
    after = rows.at(-1)!.id
  }
}

/**
 * Nothing of what it paid is stored: it takes all resolved shares of its market, at their payout; its gas is not paid in the collateral. Null:
 * its build is from before summaries were stored, and its market is unknown.
 */
function redemptionOf(row: { id: string; venue: string; summary: unknown; updated_at: Date }): RedemptionEntry | null {
  const summary = row.summary as { outcome?: { marketId?: unknown } | null; currency?: unknown } | null
  const marketId = summary?.outcome?.marketId
  if (typeof marketId !== 'string') return null
  return {
    kind: 'redemption',
    id: `redemption:${row.id}`,
    at: row.updated_at.getTime(),
    venue: row.venue,
    currency: typeof summary?.currency === 'string' ? summary.currency : null,
    provenance: 'journal',
    marketId,
    outcomeId: null,
    size: null,
    cash: null,
    fee: '0',
  }
}

interface CatalogAnswer {
  markets: ReadonlyMap<string, Market>
  reportedAt: ReadonlyMap<string, number>
  unavailable: string[]
}

async function readMarkets(
  { catalog, store }: JournalPorts,
  held: ReadonlyMap<string, HeldMarket>,
): Promise<CatalogAnswer> {
  const markets = new Map<string, Market>()
  const reportedAt = new Map<string, number>()
  const wanted = [...held.values()]
  try {
    for (let i = 0; i < wanted.length; i += marketsPerRead) {
      const part = wanted.slice(i, i + marketsPerRead)
      const found = await catalog.findMarketsByIds(part)
      for (const [key, market] of found) markets.set(key, market)
      const resolved = part.filter(
        ({ venue, marketId }) => found.get(marketKey(venue, marketId))?.status === 'resolved',
      )
      for (const [key, at] of await store.findReportTimes(resolved)) reportedAt.set(key, at)
    }
    return { markets, reportedAt, unavailable: [] }
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'CATALOG_UNAVAILABLE') throw error
    // All or nothing: with half of the markets some positions would be settled and others not.
    return { markets: new Map(), reportedAt: new Map(), unavailable: ['catalog'] }
  }
}

/** A market has one currency: entries without theirs have that of its other entries, else the catalog's. */
function nameCurrencies(
  entries: LedgerEntry[],
  held: ReadonlyMap<string, HeldMarket>,
  markets: ReadonlyMap<string, Market>,
): void {
  for (const [key, market] of held) market.currency ??= collateralOf(markets.get(key))
  for (const [i, entry] of entries.entries()) {
    if (entry.currency !== null || !('marketId' in entry)) continue
    const currency = held.get(marketKey(entry.venue, entry.marketId))?.currency ?? null
    if (currency !== null) entries[i] = { ...entry, currency }
  }
}

const collateralOf = (market: Market | undefined): string | null => {
  const symbol = market?.sourceMetadata.collateral
  return typeof symbol === 'string' && symbol !== '' ? symbol : null
}
