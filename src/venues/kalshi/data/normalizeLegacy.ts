// The cents era (until early 2026): integer cents, whole contracts, later with `_dollars` twins. Rows are lifted into today's wire shape and
// then read by the one normaliser; which reader a row gets is decided by its shape, once, in `readMarket`.
import { Fault } from '#lib/fault'
import { parseMicros } from '#lib/price'
import type { Market } from '#schemas/market'
import type { BookSnapshot, SnapshotLevel } from '../../venue.ts'
import { type KalshiLegacyBook, KalshiLegacyMarket, KalshiMarket } from '../wire.ts'
import { type MarketContext, normalizeMarket, snapshotOf } from './normalize.ts'

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

export function normalizeLegacyBook(bookId: string, raw: KalshiLegacyBook, recvTs: number): BookSnapshot {
  return snapshotOf(bookId, levels(raw.yes, raw.yes_dollars), levels(raw.no, raw.no_dollars), recvTs)
}

type Cents = KalshiLegacyBook['yes']
type Dollars = KalshiLegacyBook['yes_dollars']

function levels(cents: Cents, withDollars: Dollars): SnapshotLevel[] {
  const rows: SnapshotLevel[] =
    withDollars?.map(([price, count]): SnapshotLevel => [parseMicros(price) ?? Number.NaN, count]) ??
    cents?.map(([price, count]): SnapshotLevel => [price * 10_000, count]) ??
    []
  if (rows.some(([micros, size]) => !(micros > 0 && micros < 1_000_000) || !(size >= 0)))
    throw new Fault('NETWORK_ERROR', 'kalshi sent an order book that cannot be read', { exchange: 'kalshi' })
  return rows.filter(([, size]) => size > 0)
}

const dollars = (cents: number): string => (cents / 100).toFixed(4)
const contracts = (count: number): string => count.toFixed(2)
