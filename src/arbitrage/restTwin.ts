// GET /api/router/fetchArbitrage: the published rows as they stand, best edge first. Pure; the caller knows when rows are withheld.
import { type FilteredRow, rowFilter, type SubscriberFilter } from './filter.ts'
import { rowExecutable } from './flags.ts'
import type { CompiledSurface } from './plan.ts'
import type { PublishedRow, PublishedRows } from './publishedRows.ts'
import { type ArbitrageRow, rowOf } from './row.ts'
import { Surface } from './surface.ts'

export interface ArbitrageQuery extends SubscriberFilter {
  limit: number
  /** Least price difference before fees, in probability: what the older family filters by. */
  minSpread?: number
  /** Adds the nine keys of the older API family to each row. */
  compat?: boolean
}

export const arbitrageLimitDefault = 50
export const arbitrageLimitMax = 1_000

/** The market of a leg as the older family embeds it; null when the catalog does not know it. */
export type MarketOf = (venue: string, canonicalMarketId: string | null) => unknown

/** A row with the older family's words beside its own. Null where a leg has no price or no score is known. */
export interface CompatRow extends ArbitrageRow {
  marketA: unknown
  marketB: unknown
  /** sellPrice − buyPrice, before fees. */
  spread: number | null
  buyVenue: string
  sellVenue: string
  /** What the YES costs at `buyVenue`. */
  buyPrice: number | null
  /** What buying the NO at `sellVenue` sells the YES for. */
  sellPrice: number | null
  relation: 'identity' | null
  /** 0 to 1. */
  confidence: number | null
}

type Present = PublishedRow & { bytes: Buffer }

/** The rows' JSON array. */
export function arbitrageRows(rows: PublishedRows, query: ArbitrageQuery, marketOf: MarketOf = bareMarket): Buffer {
  const { passes } = rowFilter(query)
  const chosen: Present[] = []
  for (const row of rows.present()) if (passes(row)) chosen.push(row)
  chosen.sort(bestFirst)
  const { minSpread, limit } = query
  if (minSpread === undefined && query.compat !== true) return joined(chosen.slice(0, limit).map(bytesOf))
  const taken: Buffer[] = []
  for (const row of chosen) {
    if (taken.length === limit) break
    const parsed = JSON.parse(bytesOf(row).toString()) as ArbitrageRow
    if (minSpread !== undefined && !((spreadOf(parsed) ?? -Infinity) >= minSpread)) continue
    taken.push(query.compat === true ? Buffer.from(JSON.stringify(compatRow(parsed, marketOf))) : bytesOf(row))
  }
  return joined(taken)
}

/** The same for another size than the published one: computed here and now from the shared books. `contracts` was found valid. */
export function arbitrageRowsAt(
  surface: CompiledSurface,
  arena: SharedArrayBuffer,
  contracts: number,
  query: ArbitrageQuery,
  marketOf: MarketOf = bareMarket,
): Buffer {
  const sized: CompiledSurface = { ...surface, plan: { ...surface.plan, contracts } }
  const { plan } = sized
  const computed = Surface.alone(plan, arena)
  computed.pass()
  const { table } = computed
  const { passes } = rowFilter(query)
  const chosen: Ranked[] = []
  for (let row = 0; row < plan.rows; row++) {
    const yes = plan.rowYes[row]!
    const no = plan.rowNo[row]!
    const { key, verified } = surface.rowFacts[row]!
    const ranked: Ranked = {
      row,
      key,
      executable: rowExecutable(table.flags[yes]!, table.flags[no]!, verified),
      netMicros: table.net[row]!,
      venueA: surface.sideFacts[yes]!.member.venue,
      venueB: surface.sideFacts[no]!.member.venue,
    }
    if (passes(ranked)) chosen.push(ranked)
  }
  chosen.sort(bestFirst)
  const taken: Buffer[] = []
  for (const { row } of chosen) {
    if (taken.length === query.limit) break
    const made = rowOf(sized, table, row)
    if (query.minSpread !== undefined && !((spreadOf(made) ?? -Infinity) >= query.minSpread)) continue
    taken.push(Buffer.from(JSON.stringify(query.compat === true ? compatRow(made, marketOf) : made)))
  }
  return joined(taken)
}

interface Ranked extends FilteredRow {
  row: number
  key: string
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

const bytesOf = ({ bytes, size }: Present): Buffer => bytes.subarray(0, size)

/** What can be done before what cannot, then the dearest edge, unpriced last; ties by key, so that two reads agree. */
function bestFirst(a: FilteredRow & { key: string }, b: FilteredRow & { key: string }): number {
  if (a.executable !== b.executable) return a.executable ? -1 : 1
  const [x, y] = [
    Number.isNaN(a.netMicros) ? -Infinity : a.netMicros,
    Number.isNaN(b.netMicros) ? -Infinity : b.netMicros,
  ]
  if (x !== y) return y > x ? 1 : -1
  return a.key < b.key ? -1 : 1
}

function joined(pieces: readonly Buffer[]): Buffer {
  const out: Buffer[] = [Buffer.from('[')]
  pieces.forEach((piece, i) => {
    if (i > 0) out.push(comma)
    out.push(piece)
  })
  out.push(Buffer.from(']'))
  return Buffer.concat(out)
}

const comma = Buffer.from(',')
