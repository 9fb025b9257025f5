// What a venue session writes into: books, the bus and the tape. One per connection.

import type { Log } from '#core/log'
import type { StaleReason } from '#schemas/staleReason'
import type { TradeUpdate } from '#schemas/topics'
import type { BookWriter, FeedSink } from '#venues/venue'
import type { IngestBook } from './ingestBook.ts'
import type { OwnedBus } from './owner/fencedBus.ts'
import type { TapeBuffer } from './recordBuffer.ts'

/** Trade ids remembered per venue connection, so that a trade the venue repeats is not published twice. */
const seenTradesMax = 10_000

export interface FeedOptions {
  venue: string
  bus: Pick<OwnedBus, 'publish'>
  tape: TapeBuffer
  find(bookId: string): IngestBook | undefined
  /** False for books that another ingest process feeds: what the venue also sends of them is ignored. Absent: all are ours. */
  isOurs?: ((bookId: string) => boolean) | undefined
  counters: { malformed: number }
  /** Of the venue's context: what could not be read counts as drift. */
  lostField?: ((field: string) => void) | undefined
  log: Log
  send(text: string): void
  onBroken(bookId: string, reason: StaleReason): void
  onContradicted(bookId: string, reason: StaleReason): boolean
  onUnseeded(bookId: string): void
  onRefused(bookId: string, reason: string): void
  onEnded(bookId: string, reason: string): void
  onReopened(bookId: string): void
  onFailed(reason: string): void
  onDraining(): void
}

export function createFeed({
  venue,
  bus,
  tape,
  find,
  isOurs,
  counters,
  lostField,
  log,
  send,
  onBroken,
  onContradicted,
  onUnseeded,
  onRefused,
  onEnded,
  onReopened,
  onFailed,
  onDraining,
}: FeedOptions): FeedSink {
  const seen = new Set<string>()
  return {
    book: (bookId): BookWriter | undefined => find(bookId),
    trade(trade: TradeUpdate) {
      if (isOurs?.(trade.marketId) === false) return
      const key = `${trade.outcomeId}|${trade.data.id}`
      if (seen.has(key)) return
      seen.add(key)
      if (seen.size > seenTradesMax) for (const oldest of seen) if (seen.delete(oldest)) break
      bus.publish('trades', `${venue}:${trade.marketId}`, trade)
      tape.addPublished(trade)
    },
    lastTrade(bookId, priceMicros, at) {
      find(bookId)?.traded(priceMicros, at)
    },
    send,
    unseeded: onUnseeded,
    broken(bookId, reason) {
      if (reason === 'unreadable') lostField?.('book of a socket frame')
      onBroken(bookId, reason)
    },
    hold: onContradicted,
    tickSize(bookId, tickMicros, at) {
      bus.publish('marketStatus', `${venue}:${bookId}`, {
        venue,
        marketId: bookId,
        status: 'active',
        tickSize: tickMicros / 1_000_000,
        at,
      })
    },
    marketStatus(marketId, status, at) {
      bus.publish('marketStatus', `${venue}:${marketId}`, { venue, marketId, status, tickSize: null, at })
      if (status === 'active') onReopened(marketId)
      // Orders left in such a book can no longer trade.
      else if (find(marketId) !== undefined) onEnded(marketId, `the venue says that the market is ${status}`)
    },
    refused: onRefused,
    failed: onFailed,
    draining: onDraining,
    malformed(reason) {
      counters.malformed++
      lostField?.('socket frame')
      log.debug({ venue, reason }, 'venue frame in an unknown format')
    },
  }
}
