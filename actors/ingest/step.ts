// Decides for one venue which books are watched on which socket, and what a gap, a silence or a disconnect means.
//
// wanted ─► book on a shard ─► subscribed ─► synced ─► live
//           ▲                │  no snapshot      │ broken / silent / closed
//           └── reconnect ◄──┴── resync ◄────────┘ (stale until the next complete book)
import { deregister, finishedDelayMs, reconcile, rejectedDelayMs, setDemand } from './demand.ts'
import { resyncDeadlineMs, sweep } from './housekeeping.ts'
import type { BookMessage, IngestEffect, IngestMessage } from './messages.ts'
import { resync, retireLaggingShard, retireShard, retryPending } from './recovery.ts'
import { markStale, notifyPeers, subscribe } from './shards.ts'
import type { IngestLimits, IngestState, Turn, WatchedBook } from './state.ts'

/** A connection that lasts less is not stable, even if it brought a book: a venue may send one and close, again and again. */
const steadyMs = 10_000
/** Within this time a first snapshot has been read over REST, or the subscription is renewed. */
const seedPatienceMs = 30_000

export function stepIngest(
  limits: IngestLimits,
  state: IngestState,
  message: IngestMessage,
  now: number,
): IngestEffect[] {
  const effects: IngestEffect[] = []
  const turn: Turn = { limits, state, now, effects }
  switch (message.kind) {
    case 'start':
      // After a crash the books are watched again without waiting for the next demand.
      if (state.demands.size > 0 || state.pinned.size > 0) {
        state.demandAt = now
        reconcile(turn)
      }
      break
    case 'demand':
      state.demandAt = now
      setDemand(turn, message)
      reconcile(turn)
      break
    case 'pin':
      state.pinned = new Set(limits.isOurs === undefined ? message.bookIds : message.bookIds.filter(limits.isOurs))
      reconcile(turn)
      break
    case 'opened': {
      const shard = state.shards.get(message.shard)
      if (shard === undefined) break
      shard.status = 'open'
      shard.openedAt = now
      shard.activeSince = now
      shard.lastSign = now
      shard.probedAt = null
      shard.differingBook = null
      if (shard.books.size > 0) subscribe(turn, message.shard, shard, [...shard.books])
      break
    }
    case 'closed': {
      const shard = state.shards.get(message.shard)
      if (shard === undefined || shard.status === 'resting') break
      shard.status = 'resting'
      shard.isPaused = false
      markStale(turn, [...shard.books], message.reason, message.at)
      if (shard.openedAt !== null && now - shard.openedAt >= steadyMs) shard.shortLives = 0
      // The first retry is immediate.
      effects.push({ kind: 'retryLater', shard: message.shard, attempt: Math.max(shard.attempt, shard.shortLives) })
      if (shard.openedAt !== null && shard.attempt === 0) shard.shortLives++
      shard.openedAt = null
      shard.attempt++
      break
    }
    case 'retry': {
      const shard = state.shards.get(message.shard)
      if (shard === undefined || shard.status === 'open') break
      shard.status = 'connecting'
      effects.push({ kind: 'connect', shard: message.shard })
      break
    }
    case 'books':
      for (const one of message.messages) takeBook(turn, one)
      break
    case 'broken':
    case 'synced':
    case 'withheld':
    case 'refused':
    case 'ended':
    case 'reopened':
    case 'unseeded':
    case 'resyncFailed':
      takeBook(turn, message)
      break
    case 'resyncDue': {
      const shard = state.shards.get(message.shard)
      if (shard === undefined || !shard.isPaused) break
      shard.isPaused = false
      for (const bookId of shard.books) state.books.get(bookId)!.isPaused = false
      retryPending(turn, message.shard, shard)
      break
    }
    case 'probed': {
      const shard = state.shards.get(message.shard)
      if (shard?.status !== 'open') break
      if (message.same) {
        shard.activeSince = now
        shard.differingBook = null
      } else if (shard.differingBook === message.bookId) {
        retireShard(turn, message.shard, shard, 'silence', { isFrozen: true, at: shard.lastSign })
        effects.push({ kind: 'awaitFeed', bookIds: [message.bookId], awaits: 'message' })
      }
      // The change may have been on its way here: the same book is compared once more.
      else shard.differingBook = message.bookId
      break
    }
    case 'delivering': {
      const shard = state.shards.get(message.shard)
      if (shard?.status !== 'open' || !shard.isFrozen) break
      shard.isFrozen = false
      for (const bookId of shard.books) state.books.get(bookId)!.requestedAt = null
      retryPending(turn, message.shard, shard)
      break
    }
    case 'feedFrozen': {
      const shardId = state.books.get(message.bookId)?.shard ?? null
      const shard = shardId === null ? undefined : state.shards.get(shardId)
      if (shardId !== null && shard?.status === 'open')
        retireShard(turn, shardId, shard, 'silence', { isFrozen: true, at: shard.lastSign })
      break
    }
    case 'lagging': {
      const shard = state.shards.get(message.shard)
      if (shard?.status === 'open') retireLaggingShard(turn, message.shard, shard)
      break
    }
    case 'trusted': {
      const shard = state.shards.get(message.shard)
      if (shard?.status === 'open') effects.push({ kind: 'release', bookIds: [...shard.books] })
      break
    }
    case 'pollFailed':
      markStale(turn, message.bookIds, message.reason)
      break
    case 'sweep':
      sweep(turn, message.lastDataAt)
      break
  }
  for (const [shardId, bookIds] of state.broken) resync(turn, shardId, bookIds)
  state.broken.clear()
  return effects
}

/** The connection of this book has brought it. */
function works(turn: Turn, book: WatchedBook): void {
  const shard = book.shard === null ? undefined : turn.state.shards.get(book.shard)
  if (shard === undefined) return
  shard.fruitless = 0
  if (shard.attempt === 0) return
  shard.attempt = 0
  notifyPeers(turn)
}

function takeBook(turn: Turn, message: BookMessage): void {
  const { state, now, effects } = turn
  const book = state.books.get(message.bookId)
  switch (message.kind) {
    case 'broken':
      if (book === undefined) break
      markStale(turn, [message.bookId], message.reason, message.at)
      if (message.feed !== undefined) book.attempt = 1
      if (message.feed === 'silent') effects.push({ kind: 'awaitFeed', bookIds: [message.bookId], awaits: 'message' })
      if (book.shard === null) break
      state.broken.set(book.shard, (state.broken.get(book.shard) ?? new Set()).add(message.bookId))
      break
    case 'synced': {
      if (book === undefined || book.state === 'live') break
      effects.push({
        kind: 'coverage',
        bookId: message.bookId,
        event: book.everLive ? 'resumed' : 'opened',
        reason: null,
        at: message.at ?? now,
      })
      book.state = 'live'
      book.liveAt = message.at ?? now
      book.isWithheld = false
      book.everLive = true
      book.requestedAt = null
      book.attempt = 0
      works(turn, book)
      break
    }
    case 'withheld':
      if (book === undefined || book.state === 'live') break
      book.isWithheld = true
      book.requestedAt = null
      book.attempt = 0
      works(turn, book)
      break
    case 'refused':
      if (book !== undefined) state.refused.set(message.bookId, now)
      deregister(turn, message.bookId, message.reason)
      break
    case 'ended':
      if (book !== undefined) state.refused.set(message.bookId, now + finishedDelayMs - rejectedDelayMs)
      deregister(turn, message.bookId, message.reason)
      break
    case 'reopened':
      if (state.refused.delete(message.bookId)) reconcile(turn)
      break
    case 'unseeded':
      if (book === undefined || book.shard === null || book.state === 'live' || book.isWithheld || book.isPaused) break
      // Hundreds of books are read one after the other: the subscription is not at fault meanwhile.
      book.requestedAt = now + seedPatienceMs - resyncDeadlineMs
      effects.push({ kind: 'resync', shard: book.shard, bookIds: [message.bookId] })
      break
    case 'resyncFailed':
      if (book === undefined || book.state === 'live' || book.requestedAt === null) break
      // The sweep requests it again once the retry delay has passed.
      book.requestedAt = now - resyncDeadlineMs + message.retryMs
      break
  }
}
