// Sockets and the books on them: opened, subscribed, and no longer trusted.
import type { StaleReason } from '#schemas/staleReason'
import type { Shard, Turn } from './state.ts'

/** How often a broken book is requested again without a pause. */
export const resyncsAtOnce = 8

export function openShard({ state, now, effects }: Turn, isExtra: boolean): number {
  const id = state.nextShard++
  state.shards.set(id, {
    status: 'connecting',
    books: new Set(),
    attempt: 0,
    openedAt: null,
    shortLives: 0,
    fruitless: 0,
    activeSince: now,
    probedAt: null,
    lastSign: now,
    differingBook: null,
    isFrozen: false,
    probeCursor: 0,
    lagged: 0,
    laggedAt: Number.NEGATIVE_INFINITY,
    isPaused: false,
    isExtra,
    isCrowded: false,
    jointBreaks: 0,
    brokeAt: now,
    calmAt: now,
  })
  effects.push({ kind: 'connect', shard: id })
  return id
}

/**
 * A connection brought a book after one had failed: the venue is back, so pending retries need not wait. Nor do connections whose handshake
 * began while the venue was down: it may never be answered.
 */
export function notifyPeers({ state, effects }: Turn): void {
  for (const [id, { status, attempt }] of state.shards) {
    // Those that we closed because of their data wait for another reason.
    if (attempt === 0 || status === 'open') continue
    effects.push({ kind: 'retryLater', shard: id, attempt: status === 'resting' ? 1 : 3 })
  }
}

export function subscribe({ state, now, effects }: Turn, shardId: number, shard: Shard, bookIds: string[]): void {
  for (const bookId of bookIds) {
    const book = state.books.get(bookId)!
    book.requestedAt = now
    book.isPaused = false
  }
  // A socket without requests had nothing to answer. If it holds books already, requests for more do not affect its health: otherwise a
  // busy server's subscriptions would hide a frozen feed for ever.
  if (shard.books.size === bookIds.length) shard.activeSince = now
  effects.push({ kind: 'subscribe', shard: shardId, bookIds })
}

/**
 * `at`: when the books were last known to be right, on the monotonic clock. Everything missed since lies in their gap.
 */
export function markStale(
  { state, now, effects }: Turn,
  bookIds: readonly string[],
  reason: StaleReason,
  at: number = now,
): void {
  const turned: string[] = []
  for (const bookId of bookIds) {
    const book = state.books.get(bookId)
    if (book === undefined) continue
    book.requestedAt = null
    if (book.state !== 'live' && !book.isWithheld) continue
    turned.push(bookId)
    book.isWithheld = false
    // What was withheld has its gap already.
    // After the event that it came alive, even when both fall into one moment.
    const since = Math.max(book.liveAt + 1, Math.min(at, now))
    if (book.state === 'live') effects.push({ kind: 'coverage', bookId, event: 'gap', reason, at: since })
    book.state = 'stale'
  }
  if (turned.length > 0) effects.push({ kind: 'stale', bookIds: turned, reason })
}
