// GET /api/router/fetchArbitrage: the currently published rows, best edge first. Pure; the caller knows when rows are withheld.

import type { ArbitrageRow } from '#schemas/arbitrage'
import type { CompiledSurface } from './compileSurface.ts'
import { type FilteredRow, rowFilter, type SubscriberFilter } from './filter.ts'
import { rowExecutable } from './flags.ts'
import type { PublishedRow, PublishedRows } from './publishedRows.ts'
import { rowOf } from './row.ts'
import type { SizedSurfaces } from './sizedQuery.ts'
import { spreadMicros } from './table.ts'
import { TopK } from './topK.ts'

export interface ArbitrageQuery extends SubscriberFilter {
  limit: number
  /** Minimum price difference before fees, in probability: the older API's filter. */
  minSpread?: number
  /** Rows of these relations only; `identity` is the verified band. */
  relations?: readonly string[]
}

/** A requested row; its JSON in the first `size` bytes. */
export interface FoundRow extends FilteredRow {
  key: string
  bytes: Buffer
  size: number
}

/** The market of a leg as embedded by the older API; null if unknown to the catalog. */
export type MarketOf = (venue: string, canonicalMarketId: string | null) => unknown

/** A row with the older API's fields added to its own. Null where a leg has no price or no score is known. */
export interface CompatRow extends ArbitrageRow {
  marketA: unknown
  marketB: unknown
  /** sellPrice − buyPrice, before fees. */
  spread: number | null
  buyVenue: string
  sellVenue: string
  /** What the YES costs at `buyVenue`. */
  buyPrice: number | null
  /** Effective price of selling the YES by buying the NO at `sellVenue`. */
  sellPrice: number | null
  relation: 'identity' | null
  /** 0 to 1. */
  confidence: number | null
}

/**
 * The currently published rows, with their bytes copied. Yields from time to time; rows that change meanwhile have their final
 * state.
 */
export function* arbitrageRows(rows: PublishedRows, query: ArbitrageQuery): Generator<void, FoundRow[], void> {
  const passes = queryFilter(query)
  const chosen = new TopK<PublishedRow>(query.limit, bestFirst)
  let step = 0
  for (const row of rows.present()) {
    if (++step % rowsPerStep === 0) yield
    if (passes(row)) chosen.offer(row)
  }
  const best = chosen.sorted().filter((row): row is PublishedRow & FoundRow => row.bytes !== null && passes(row))
  for (const row of best) rows.write(row)
  // One buffer for all of them.
  const bytes = Buffer.allocUnsafeSlow(best.reduce((sum, { size }) => sum + size, 0))
  let at = 0
  return best.map((row) => {
    const from = at
    at += row.bytes.copy(bytes, from, 0, row.size)
    return { ...row, bytes: bytes.subarray(from, at) }
  })
}

/**
 * The same for a size other than the published one: computed from the shared books, a few clusters and rows between yields. `contracts`
 * is already validated.
 */
export function* arbitrageRowsAt(
  surface: CompiledSurface,
  sizes: SizedSurfaces,
  contracts: number,
  query: ArbitrageQuery,
): Generator<void, FoundRow[], void> {
  const sized = sizes.take(surface, contracts)
  const { compiled } = sized
  const { plan, rowFacts, sideFacts } = compiled
  yield* sized.surface.passing()
  const { table } = sized.surface
  const passes = queryFilter(query)
  const best = new TopK<Candidate>(query.limit, bestFirst)
  for (let row = 0; row < plan.rows; row++) {
    if (row % rowsPerStep === 0) yield
    const yes = plan.rowYes[row]!
    const no = plan.rowNo[row]!
    const { key, verified, pair } = rowFacts[row]!
    const candidate: Candidate = {
      row,
      key,
      executable: rowExecutable(table.flags[yes]!, table.flags[no]!, verified),
      netMicros: table.net[row]!,
      spreadMicros: spreadMicros(table, yes, no),
      venueA: sideFacts[yes]!.member.venue,
      venueB: sideFacts[no]!.member.venue,
      matchBand: pair.matchBand,
    }
    if (passes(candidate)) best.offer(candidate)
  }
  const found: FoundRow[] = []
  for (const { row, ...facts } of best.sorted()) {
    if (found.length % encodedPerStep === 0) yield
    const bytes = Buffer.from(JSON.stringify(rowOf(compiled, table, row)))
    found.push({ ...facts, bytes, size: bytes.length })
  }
  sizes.giveBack(surface, sized)
  return found
}

const rowsPerStep = 2_000
const encodedPerStep = 32

interface Candidate extends FilteredRow {
  row: number
  key: string
}

function queryFilter({ minSpread, relations, ...filter }: ArbitrageQuery): (row: FilteredRow) => boolean {
  const { passes } = rowFilter(filter)
  return (row) =>
    passes(row) &&
    // An unknown spread is below every floor.
    (minSpread === undefined || row.spreadMicros / 1e6 >= minSpread) &&
    (relations === undefined || (row.matchBand === 'verified' && relations.includes('identity')))
}

export function compatRow(row: ArbitrageRow, marketOf: MarketOf = bareMarket): CompatRow {
  const { buyYes, buyNo } = row.legs
  return {
    ...row,
    marketA: marketOf(buyYes.venue, buyYes.canonicalMarketId),
    marketB: marketOf(buyNo.venue, buyNo.canonicalMarketId),
    spread: spreadOf(row),
    buyVenue: buyYes.venue,
    sellVenue: buyNo.venue,
    buyPrice: buyYes.vwap,
    sellPrice: buyNo.vwap === null ? null : minus(1, buyNo.vwap),
    relation: row.matchBand === 'verified' ? 'identity' : null,
    confidence: row.matchScore === null ? null : row.matchScore / 100,
  }
}

const spreadOf = ({ legs }: ArbitrageRow): number | null =>
  legs.buyYes.vwap === null || legs.buyNo.vwap === null ? null : minus(minus(1, legs.buyNo.vwap), legs.buyYes.vwap)

/** On the grid of millionths: 1 − 0.58 is 0.42. */
const minus = (a: number, b: number): number => Math.round(a * 1e6 - b * 1e6) / 1e6

const bareMarket: MarketOf = (venue, marketId) => (marketId === null ? null : { marketId, sourceExchange: venue })

/** Executable first, then by largest edge, unpriced last; ties by key, so that two reads agree. */
export function bestFirst(a: FilteredRow & { key: string }, b: FilteredRow & { key: string }): number {
  if (a.executable !== b.executable) return a.executable ? -1 : 1
  if (a.netMicros !== b.netMicros) {
    const unpricedA = Number.isNaN(a.netMicros)
    const unpricedB = Number.isNaN(b.netMicros)
    if (!unpricedA && !unpricedB) return b.netMicros > a.netMicros ? 1 : -1
    if (unpricedA !== unpricedB) return unpricedA ? 1 : -1
  }
  return a.key < b.key ? -1 : 1
}
