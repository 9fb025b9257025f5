// Books and trades in our words. Pure.
import { toProbability } from '#lib/price'
import type { Trade } from '#schemas/marketData'
import { levelsOf, snapshotOf } from '../../shared/data/levels.ts'
import { amountOf, microsOf, timeOf } from '../../shared/data/readers.ts'
import type { BookSnapshot } from '../../venue.ts'
import { outcomeIdOf } from '../outcomeId.ts'
import { type PredictStreetBook, PredictStreetTrade } from '../wire.ts'

/** The outcome's own book; null when a level cannot be read, or is told twice: the venue has one entry a price. Null too for another outcome's. */
export function normalizeBook(bookId: string, raw: PredictStreetBook, recvTs: number): BookSnapshot | null {
  if (`${raw.marketId}:${raw.outcome}` !== bookId) return null
  const side = (rows: PredictStreetBook['bids']) =>
    levelsOf(rows, ({ price, quantity }) => [microsOf(price), amountOf(quantity)], 'refused')
  return snapshotOf(bookId, { bids: side(raw.bids), asks: side(raw.asks) }, recvTs, { eventTs: timeOf(raw.ts) })
}

/** Null for what cannot be read. Who of the two parties bought is not said. */
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
