// Maps books and trades to our types. Pure.
import { toProbability } from '#core/price'
import type { Trade } from '#schemas/marketData'
import { levelsOf, snapshotOf } from '../../shared/data/levels.ts'
import { amountOf, microsOf, timeOf } from '../../shared/data/parsers.ts'
import type { BookSnapshot } from '../../venue.ts'
import { outcomeIdOf } from '../ids.ts'
import { type PredictStreetBook, PredictStreetTrade } from '../wire.ts'

/** The outcome's own book; null when a level is unreadable or repeated: the venue has one entry per price. Also null for another outcome's. */
export function normalizeBook(bookId: string, raw: PredictStreetBook, recvTs: number): BookSnapshot | null {
  if (`${raw.marketId}:${raw.outcome}` !== bookId) return null
  const side = (rows: PredictStreetBook['bids']) =>
    levelsOf(rows, ({ price, quantity }) => [microsOf(price), amountOf(quantity)], 'refused')
  return snapshotOf(bookId, { bids: side(raw.bids), asks: side(raw.asks) }, recvTs, { eventTs: timeOf(raw.ts) })
}

/** Null when unreadable. Which of the two parties bought is not reported. */
export function normalizeTrade(row: unknown, symbol: string): Trade | null {
  const { data } = PredictStreetTrade.safeParse(row)
  if (data === undefined) return null
  const micros = microsOf(data.price)
  const amount = amountOf(data.quantity)
  const timestamp = timeOf(data.createdAt)
  if (micros === null || amount === null || timestamp === null) return null
  const { id, outcomeIndex } = data
  const price = toProbability(micros)
  return { id, timestamp, price, amount, side: 'unknown', outcomeId: outcomeIdOf(symbol, outcomeIndex) }
}
