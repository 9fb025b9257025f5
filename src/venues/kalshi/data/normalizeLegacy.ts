// The cents era (until early 2026): integer cents, whole contracts, later with `_dollars` twins. Rows are converted to today's wire shape
// and then read by the single normalizer; a row's shape decides its reader once, in `readMarket`.
import type { Market } from '#schemas/market'
import { levelsOf, mirrored, snapshotOf } from '../../shared/data/levels.ts'
import { microsOf } from '../../shared/data/readers.ts'
import type { BookSnapshot, SnapshotLevel } from '../../venue.ts'
import { type KalshiLegacyBook, KalshiLegacyMarket, KalshiMarket } from '../wire.ts'
import { type MarketContext, normalizeMarket } from './normalize.ts'

/** A market row of either era; null when it fits neither. */
export function readMarket(row: unknown, context: MarketContext): Market | null {
  const current = KalshiMarket.safeParse(row)
  if (current.success) return normalizeMarket(current.data, context)
  const legacy = KalshiLegacyMarket.safeParse(row)
  return legacy.success ? normalizeMarket(liftMarket(legacy.data), context) : null
}

export function liftMarket(raw: KalshiLegacyMarket): KalshiMarket {
  return {
    ...raw,
    yes_bid_dollars: raw.yes_bid_dollars ?? dollars(raw.yes_bid),
    yes_ask_dollars: raw.yes_ask_dollars ?? dollars(raw.yes_ask),
    last_price_dollars: raw.last_price_dollars ?? dollars(raw.last_price),
    previous_price_dollars:
      raw.previous_price_dollars ?? (typeof raw.previous_price === 'number' ? dollars(raw.previous_price) : null),
    notional_value_dollars:
      raw.notional_value_dollars ?? (typeof raw.notional_value === 'number' ? dollars(raw.notional_value) : null),
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
  return snapshotOf(bookId, { bids: levels(raw.yes, raw.yes_dollars), asks: noBids && mirrored(noBids) }, recvTs)
}

type Cents = KalshiLegacyBook['yes']
type Dollars = KalshiLegacyBook['yes_dollars']

const levels = (cents: Cents, withDollars: Dollars): SnapshotLevel[] | null =>
  withDollars
    ? levelsOf(withDollars, ([price, count]) => [microsOf(price), count])
    : levelsOf(cents ?? [], ([price, count]) => [price * 10_000, count])

const dollars = (cents: number): string => (cents / 100).toFixed(4)
const contracts = (count: number): string => count.toFixed(2)
