// Decides for one venue which books are watched on which socket, and what a gap, a silence or a disconnect means.
//
//   wanted ─► book on a shard ─► subscribed ─► synced ─► live
//                    ▲                │  no snapshot      │ broken / silent / closed
//                    └── reconnect ◄──┴── resync ◄────────┘ (stale until the next complete book)
import { forget, reconcile, setDemand } from './demand.ts'
import type { BookMessage, IngestEffect, IngestMessage } from './messages.ts'
import { askAgain, condemn, condemnLagging, markStale, resync, subscribe, wakeOthers } from './recovery.ts'
import type { IngestLimits, IngestState, WatchedBook } from './state.ts'
import { resyncDeadlineMs, sweep } from './sweep.ts'

export function stepIngest(
  limits: IngestLimits,
  state: IngestState,
  message: IngestMessage,
  now: number,
): IngestEffect[] {
  const effects: IngestEffect[] = []
  switch (message.kind) {
    case 'start':
      break
    case 'demand':
      state.heardAt = now
      setDemand(state, message, now, effects)
      reconcile(limits, state, now, effects)
      break
    case 'pin':
      state.pinned = new Set(message.bookIds)
      reconcile(limits, state, now, effects)
      break
    case 'opened': {
      const shard = state.shards.get(message.shard)
      if (shard === undefined) break
      shard.status = 'open'
      shard.activeSince = now
      shard.probedAt = null
      if (shard.books.size > 0) subscribe(state, message.shard, shard, [...shard.books], now, effects)
      break
    }
    case 'closed': {
      const shard = state.shards.get(message.shard)
      if (shard === undefined || shard.status === 'resting') break
      shard.status = 'resting'
      shard.isPaused = false
      markStale(state, [...shard.books], message.reason, effects)
      effects.push({ kind: 'retryLater', shard: message.shard, attempt: shard.attempt })
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
      for (const one of message.messages) takeBook(state, one, now, effects)
      break
    case 'broken':
    case 'synced':
    case 'withheld':
    case 'refused':
    case 'resyncFailed':
      takeBook(state, message, now, effects)
      break
    case 'resyncDue': {
      const shard = state.shards.get(message.shard)
      if (shard === undefined || !shard.isPaused) break
      shard.isPaused = false
      for (const bookId of shard.books) state.books.get(bookId)!.isPaused = false
      askAgain(state, message.shard, shard, now, effects)
      break
    }
    case 'probed': {
      const shard = state.shards.get(message.shard)
      if (shard?.status !== 'open') break
      if (message.same) shard.activeSince = now
      else condemn(state, message.shard, shard, 'silence', effects)
      break
    }
    case 'lagging': {
      const shard = state.shards.get(message.shard)
      if (shard?.status === 'open') condemnLagging(state, message.shard, shard, now, effects)
      break
    }
    case 'trusted': {
      const shard = state.shards.get(message.shard)
      if (shard?.status === 'open') effects.push({ kind: 'release', bookIds: [...shard.books] })
      break
    }
    case 'pollFailed':
      markStale(state, message.bookIds, message.reason, effects)
      break
    case 'sweep':
      sweep(limits, state, message.lastDataAt, now, effects)
      break
  }
  for (const [shardId, bookIds] of state.broken) resync(limits, state, shardId, bookIds, now, effects)
  state.broken.clear()
  return effects
}

/** The connection of this book has brought it. */
function works(state: IngestState, book: WatchedBook, effects: IngestEffect[]): void {
  const shard = book.shard === null ? undefined : state.shards.get(book.shard)
  if (shard === undefined || shard.attempt === 0) return
  shard.attempt = 0
  wakeOthers(state, effects)
}

function takeBook(state: IngestState, message: BookMessage, now: number, effects: IngestEffect[]): void {
  const book = state.books.get(message.bookId)
  switch (message.kind) {
    case 'broken':
      if (book === undefined) break
      markStale(state, [message.bookId], message.reason, effects)
      if (message.isFrozen) book.attempt = 1
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
      })
      book.state = 'live'
      book.isWithheld = false
      book.everLive = true
      book.askedAt = null
      book.attempt = 0
      works(state, book, effects)
      break
    }
    case 'withheld':
      if (book === undefined || book.state === 'live') break
      book.isWithheld = true
      book.askedAt = null
      book.attempt = 0
      works(state, book, effects)
      break
    case 'refused':
      if (book !== undefined) state.refused.set(message.bookId, now)
      forget(state, message.bookId, message.reason, effects)
      break
    case 'resyncFailed':
      if (book === undefined || book.state === 'live' || book.askedAt === null) break
      // Asked again by the sweep once the retry delay has passed.
      book.askedAt = now - resyncDeadlineMs + message.retryMs
      break
  }
}
