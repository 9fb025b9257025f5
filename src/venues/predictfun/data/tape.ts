// Maps books and trades to our types. Pure.
import { ONE, toProbability } from '#core/price'
import type { Trade } from '#schemas/marketData'
import { levelsOf, snapshotOf } from '../../shared/data/levels.ts'
import { amountOf, complementOf, microsOf, timeOf, timeOfEpoch, unitsOf } from '../../shared/data/parsers.ts'
import { otherSide } from '../../shared/data/tradeHistory.ts'
import type { BookSnapshot } from '../../venue.ts'
import type { PredictBook, PredictMatch } from '../wire.ts'

const decimals = 18

/** The first outcome's book, null when a level cannot be read. */
export function normalizeBook(bookId: string, raw: PredictBook, recvTs: number): BookSnapshot | null {
  const side = (rows: PredictBook['bids']) => levelsOf(rows, ([price, size]) => [microsOf(price), amountOf(size)])
  const eventTs = timeOfEpoch(raw.updateTimestampMs, 'ms')
  return snapshotOf(bookId, { bids: side(raw.bids), asks: side(raw.asks) }, recvTs, { eventTs })
}

/**
 * A match from its taker's side and the perspective of the requested outcome: who bought the other one sold this one. The price is a mean over
 * the makers, to the millionth. Null: unreadable.
 */
export function normalizeTrade(raw: PredictMatch, outcomeId: string, indexSet: 1 | 2): Trade | null {
  const { taker, settlementId: id } = raw
  const paid = unitsOf(raw.priceExecuted, decimals)
  const amount = unitsOf(raw.amountFilled, decimals)
  const timestamp = timeOf(raw.executedAt)
  const isKnownOutcome = taker.outcome.indexSet === 1 || taker.outcome.indexSet === 2
  if (paid === null || paid > 1 || amount === null || timestamp === null || !isKnownOutcome) return null
  const micros = Math.round(paid * ONE)
  const side = taker.quoteType === 'Bid' ? 'buy' : taker.quoteType === 'Ask' ? 'sell' : 'unknown'
  const isOwn = taker.outcome.indexSet === indexSet
  return {
    id,
    timestamp,
    price: isOwn ? toProbability(micros) : complementOf(micros),
    amount,
    side: isOwn ? side : otherSide(side),
    outcomeId,
  }
}
