// Maps one coin's book and trades to our types. Pure. A book has twenty levels per side, with the venue's time.
import type { Trade } from '#schemas/marketData'
import { levelsOf, snapshotOf } from '../../shared/data/levels.ts'
import { amountOf, microsOf, probabilityOf, quoteOf } from '../../shared/data/parsers.ts'
import type { BookSnapshot } from '../../venue.ts'
import type { HyperBook, HyperTrade } from '../wire.ts'
import { tickMicros } from './numbers.ts'

/** Null when a level cannot be read. */
export function normalizeBook({ coin, time, levels }: HyperBook, recvTs: number): BookSnapshot | null {
  const [bids, asks] = levels.map((rows) => levelsOf(rows, ({ px, sz }) => [microsOf(px), amountOf(sz)]))
  return snapshotOf(coin, { bids: bids ?? null, asks: asks ?? null }, recvTs, { eventTs: time, tickMicros })
}

/** Null when price or size is invalid. */
export function normalizeTrade({ coin, side, px, sz, time, tid }: HyperTrade): Trade | null {
  const micros = quoteOf(px)
  const amount = amountOf(sz)
  if (micros === null || amount === null) return null
  return {
    id: String(tid),
    timestamp: time,
    price: probabilityOf(micros),
    amount,
    side: side === 'B' ? 'buy' : side === 'A' ? 'sell' : 'unknown',
    outcomeId: coin,
  }
}
