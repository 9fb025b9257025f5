// Subscriptions of one book, and the frames they get. A book is sent when it changed within the requested depth.
import { ONE } from '#core/price'
import type { TradeData } from '#schemas/topics'
import { mirrored, type TapeBook, type TapeLevel } from '../tape/books.ts'

export type Depth = 1 | 5 | 20 | 'all'

export interface BookSubscriber {
  venue: string
  /** As requested. */
  marketId: string
  depth: Depth
  mirrored: boolean
  sequence: number
  skipped: number
  /** Null: none yet, or not since a gap. */
  sent: TapeBook | null
  send(frame: object): void
}

export interface TradeSubscriber {
  venue: string
  marketId: string
  mirrored: boolean
  send(frame: object): void
}

export class FeedSubscribers {
  readonly books = new Set<BookSubscriber>()
  readonly trades = new Set<TradeSubscriber>()

  onBook(book: TapeBook, ts: number): void {
    let other: TapeBook | null = null
    for (const subscriber of this.books) {
      if (!subscriber.mirrored) sendBook(subscriber, book, ts)
      else {
        other ??= mirrored(book)
        sendBook(subscriber, other, ts)
      }
    }
  }

  onTrade(trade: TradeData, ts: number): void {
    for (const { venue, marketId, mirrored: isMirrored, send } of this.trades)
      send({ type: 'trade', venue, marketId, ts, data: isMirrored ? mirrorTrade(trade) : trade })
  }

  onStale(reason: string, ts: number): void {
    for (const subscriber of this.books) {
      subscriber.sent = null
      subscriber.send(staleFrame(subscriber, reason, ts))
    }
  }
}

export const staleFrame = (
  { venue, marketId }: Pick<BookSubscriber, 'venue' | 'marketId'>,
  reason: string,
  ts: number,
) => ({
  ...{ type: 'error', code: 'NETWORK_ERROR', message: `book is stale: ${reason}` },
  ...{ venue, marketId, channel: 'orderbook', ts },
})

export function sendBook(subscriber: BookSubscriber, book: TapeBook, ts: number): void {
  const { venue, marketId, depth, sent } = subscriber
  subscriber.sequence += 1
  const data = depth === 'all' ? book : cut(book, depth)
  if (sent === null) {
    subscriber.sent = data
    subscriber.skipped = 0
    subscriber.send({ type: 'snapshot', venue, marketId, ts, sequence: subscriber.sequence, data })
    return
  }
  if (depth !== 'all' && isSame(sent, data)) {
    subscriber.skipped += 1
    return
  }
  subscriber.sent = data
  const { sequence, skipped } = subscriber
  if (skipped === 0) subscriber.send({ type: 'update', venue, marketId, ts, sequence, data })
  else {
    subscriber.skipped = 0
    subscriber.send({ type: 'update', venue, marketId, ts, sequence, conflated: skipped, data })
  }
}

const cut = (book: TapeBook, depth: number): TapeBook =>
  book.bids.length <= depth && book.asks.length <= depth
    ? book
    : { bids: book.bids.slice(0, depth), asks: book.asks.slice(0, depth), timestamp: book.timestamp }

const isSame = (a: TapeBook, b: TapeBook): boolean => areSame(a.bids, b.bids) && areSame(a.asks, b.asks)

function areSame(a: readonly TapeLevel[], b: readonly TapeLevel[]): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i]!.price !== b[i]!.price || a[i]!.size !== b[i]!.size) return false
  return true
}

const otherType = { Buy: 'Sell', Sell: 'Buy', Unknown: 'Unknown' } as const

function mirrorTrade(trade: TradeData): TradeData {
  const micros = trade.price === null ? null : ONE - Math.round(trade.price * ONE)
  const price = micros === null ? null : micros / ONE
  return { ...trade, type: otherType[trade.type], price, usd: price === null ? null : price * trade.shares }
}
