// Maps books and trades to our types. Pure.
import { toProbability } from '#core/price'
import type { Trade } from '#schemas/marketData'
import { levelsOf, snapshotOf } from '../../shared/data/levels.ts'
import { amountOf, complementOf, microsOf, timeOfEpoch } from '../../shared/data/parsers.ts'
import type { BookSnapshot } from '../../venue.ts'
import type { PascalBook, PascalTrade } from '../wire.ts'

/** The book of a symbol, null when a level cannot be read. `stateMs`: time of its state, as the venue wrote it. */
export function normalizeBook(
  bookId: string,
  { bids, asks }: PascalBook,
  recvTs: number,
  stateMs: string | number | null | undefined = null,
): BookSnapshot | null {
  const eventTs = timeOfEpoch(stateMs, 'ms')
  return snapshotOf(bookId, { bids: sideOf(bids), asks: sideOf(asks) }, recvTs, { eventTs })
}

export const sideOf = (rows: PascalBook['bids']) =>
  levelsOf(rows, ([price, size]) => [microsOf(price), amountOf(size)], 'refused')

/** From the perspective of the requested outcome. Null: unreadable. Whose side a row shows is undocumented, so the taker's side is unknown. */
export function normalizeTrade(raw: PascalTrade, id: string, outcomeId: string, isNo: boolean): Trade | null {
  const micros = microsOf(raw.price ?? raw.fill_price)
  const amount = amountOf(raw.size ?? raw.fill_size)
  const timestamp = timeOfEpoch(raw.trade_ts_ms, 'ms')
  if (micros === null || amount === null || timestamp === null) return null
  const price = isNo ? complementOf(micros) : toProbability(micros)
  return { id, timestamp, price, amount, side: 'unknown', outcomeId }
}

/**
 * A row's only id is the number of the state that created it, and one order may create several: they are counted from the newest, where
 * none is missing.
 */
export function tradeIds(): (seq: string) => string {
  const seen = new Map<string, number>()
  return (seq) => {
    const count = seen.get(seq) ?? 0
    seen.set(seq, count + 1)
    return count === 0 ? seq : `${seq}:${count}`
  }
}
