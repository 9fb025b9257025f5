// The cents era (until early 2026): integer cents, whole contracts, later with `_dollars` twins. Rows are converted to today's wire shape
// and then read by the single normalizer; a row's shape decides its reader once, in `readMarket`.
import type { Market } from '#schemas/market'
import { complement, levelsOf, snapshotOf } from '../../shared/data/levels.ts'
import { microsOf } from '../../shared/data/parsers.ts'
import { fieldOf } from '../../shared/data/rows.ts'
import type { BookSnapshot, SnapshotLevel } from '../../venue.ts'
import { type KalshiLegacyBook, KalshiLegacyMarket, KalshiMarket } from '../wire.ts'
import { type MarketContext, normalizeMarket } from './normalize.ts'

/** A market row of either era; null when it fits neither. */
export function readMarket(row: unknown, context: MarketContext): Market | null {
  if (!isMarket(row)) return null
  if (isLegacy(row)) {
    const legacy = KalshiLegacyMarket.safeParse(row)
    return legacy.success ? normalizeMarket(fromLegacyMarket(legacy.data), context) : null
  }
  const current = KalshiMarket.safeParse(row)
  return current.success ? normalizeMarket(current.data, context) : null
}

/** Besides its ticker it has a title of its own or names its event; a row with neither is something else. */
const isMarket = (row: unknown): boolean =>
  ['title', 'event_ticker'].some((name) => typeof fieldOf(row, name) === 'string')

/** Only the cents era lacks counts in fixed point, and has whole ones in their place. */
const isLegacy = (row: unknown): boolean =>
  fieldOf(row, 'volume_fp') === undefined && ['volume', 'yes_bid'].some((name) => fieldOf(row, name) !== undefined)

export function fromLegacyMarket(raw: KalshiLegacyMarket): KalshiMarket {
  return {
    ...raw,
    yes_bid_dollars: raw.yes_bid_dollars ?? dollars(raw.yes_bid),
    yes_ask_dollars: raw.yes_ask_dollars ?? dollars(raw.yes_ask),
    last_price_dollars: raw.last_price_dollars ?? dollars(raw.last_price),
    previous_price_dollars: raw.previous_price_dollars ?? dollars(raw.previous_price),
    notional_value_dollars: raw.notional_value_dollars ?? dollars(raw.notional_value),
    volume_fp: contracts(raw.volume),
    volume_24h_fp: contracts(raw.volume_24h),
    open_interest_fp: contracts(raw.open_interest),
    // One cent was the only grid before structures were named.
    price_level_structure: raw.price_level_structure ?? 'linear_cent',
  }
}

/** Null when a level cannot be read. */
export function normalizeLegacyBook(bookId: string, raw: KalshiLegacyBook, recvTs: number): BookSnapshot | null {
  const noBids = levels(raw.no, raw.no_dollars)
  return snapshotOf(bookId, { bids: levels(raw.yes, raw.yes_dollars), asks: noBids && complement(noBids) }, recvTs)
}

type Cents = KalshiLegacyBook['yes']
type Dollars = KalshiLegacyBook['yes_dollars']

const levels = (cents: Cents, withDollars: Dollars): SnapshotLevel[] | null =>
  withDollars
    ? levelsOf(withDollars, ([price, count]) => [microsOf(price), count])
    : levelsOf(cents ?? [], ([price, count]) => [price * 10_000, count])

type Count = number | null | undefined
const dollars = (cents: Count): string | null => (typeof cents === 'number' ? (cents / 100).toFixed(4) : null)
const contracts = (count: Count): string | null => (typeof count === 'number' ? count.toFixed(2) : null)
