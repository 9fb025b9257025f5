// Books that can no longer be trusted, and how they are requested again: one by one, together, or on a new connection.
import type { StaleReason } from '#schemas/staleReason'
import { breaksTogether, part } from './shardSplitting.ts'
import { markStale, resyncsAtOnce } from './shards.ts'
import type { Shard, Turn } from './state.ts'

/** How often one resync is forgiven. */
const resyncForgivenMs = 1_000

/**
 * Books of this shard broke. They are requested together and at once, unless they break again and again: then after a growing pause, so that
 * a feed which loses every message costs a bounded number of requests, and its readers a bounded number of notices.
 */
export function resync(turn: Turn, shardId: number, bookIds: ReadonlySet<string>): void {
  const { state, now, effects } = turn
  const shard = state.shards.get(shardId)
  // A closed socket must be opened first: the subscription brings the books, and no snapshot would make one live
  // without it.
  if (shard?.status !== 'open') return
  let worst = 0
  let paused = 0
  for (const bookId of bookIds) {
    const book = state.books.get(bookId)
    if (book === undefined || book.state === 'live') continue
    book.resyncs = Math.max(0, book.resyncs - Math.max(0, now - book.resyncsAt) / resyncForgivenMs) + 1
    book.resyncsAt = now
    if (book.resyncs <= resyncsAtOnce) continue
    book.isPaused = true
    paused++
    worst = Math.max(worst, book.resyncs - resyncsAtOnce)
  }
  const isJoint = bookIds.size === shard.books.size && breaksTogether(shard, now)
  if (isJoint || (paused > 0 && paused === shard.books.size)) part(turn, shardId, shard)
  if (paused > 0 && !shard.isPaused) {
    shard.isPaused = true
    effects.push({ kind: 'resyncLater', shard: shardId, attempt: Math.floor(worst) })
  }
  retryPending(turn, shardId, shard)
}

/** Every book of the shard that is not live and not requested already. */
export function retryPending({ state, now, effects }: Turn, shardId: number, shard: Shard): void {
  if (shard.status !== 'open') return
  const bookIds: string[] = []
  const unheard: string[] = []
  for (const bookId of shard.books) {
    const book = state.books.get(bookId)!
    if (book.state === 'live' || book.isPaused || book.isWithheld || book.requestedAt !== null) continue
    book.requestedAt = now
    const list = isPowerOfTwo(book.attempt) ? unheard : bookIds
    list.push(bookId)
  }
  if (bookIds.length > 0) effects.push({ kind: 'resync', shard: shardId, bookIds })
  if (unheard.length > 0) effects.push({ kind: 'renew', shard: shardId, bookIds: unheard })
}

/** Renewals are spread out: a venue limits the first snapshots it sends on one socket. */
const isPowerOfTwo = (count: number): boolean => count > 0 && (count & (count - 1)) === 0

/**
 * The socket is no longer trusted, nor anything it brought since `at`: every book on it is stale and a new connection is made. `isFrozen`: the
 * venue's own books show that it was silent while they changed.
 */
export function retireShard(
  turn: Turn,
  shardId: number,
  shard: Shard,
  reason: StaleReason,
  { attempt = 0, at, isFrozen = false }: { attempt?: number; at?: number; isFrozen?: boolean } = {},
): void {
  const { effects } = turn
  markStale(turn, [...shard.books], reason, at)
  if (isFrozen) {
    shard.isFrozen = true
    effects.push({ kind: 'awaitFeed', bookIds: [...shard.books], awaits: 'connection' })
  }
  shard.status = 'resting'
  shard.isPaused = false
  effects.push({ kind: 'disconnect', shard: shardId, reason })
  effects.push({ kind: 'retryLater', shard: shardId, attempt: Math.max(attempt, shard.fruitless++) })
}

/** A socket that lags again soon after reopening is reopened less and less often. */
const lagResetMs = 60_000

/** The socket's data is too old. Another connection may be in time. */
export function retireLaggingShard(turn: Turn, shardId: number, shard: Shard): void {
  const { now } = turn
  if (now - shard.laggedAt > lagResetMs) shard.lagged = 0
  shard.laggedAt = now
  retireShard(turn, shardId, shard, 'lagging', { attempt: shard.lagged++ })
}
