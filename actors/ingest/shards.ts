// Sockets and the books on them: opened, subscribed, and no longer trusted.
import type { Shard, Turn } from './state.ts'

/** A book that broke is asked for again at once this often. */
export const resyncsAtOnce = 8

export function openShard({ state, now, effects }: Turn, isExtra: boolean): number {
  const id = state.nextShard++
  state.shards.set(id, {
    status: 'connecting',
    books: new Set(),
    attempt: 0,
    openedAt: null,
    shortLives: 0,
    activeSince: now,
    probedAt: null,
    probeCursor: 0,
    lagged: 0,
    laggedAt: Number.NEGATIVE_INFINITY,
    isPaused: false,
    isExtra,
    isCrowded: false,
    calmAt: now,
  })
  effects.push({ kind: 'connect', shard: id })
  return id
}

/**
 * A connection brought a book after one had failed: the venue is back, and those that wait to be tried again need not wait. Nor need those
 * whose handshake began while the venue was away: it may never be answered.
 */
export function wakeOthers({ state, effects }: Turn): void {
  for (const [id, { status, attempt }] of state.shards) {
    // Those that were closed by us for what they brought wait for another reason.
    if (attempt === 0 || status === 'open') continue
    effects.push({ kind: 'retryLater', shard: id, attempt: status === 'resting' ? 1 : 3 })
  }
}

export function subscribe({ state, now, effects }: Turn, shardId: number, shard: Shard, bookIds: string[]): void {
  for (const bookId of bookIds) {
    const book = state.books.get(bookId)!
    book.askedAt = now
    book.isPaused = false
  }
  // A socket that was asked nothing owed nothing. Beside books it holds already, a wish for more says nothing of its health: else a busy
  // server's subscriptions would hide a frozen feed for ever.
  if (shard.books.size === bookIds.length) shard.activeSince = now
  effects.push({ kind: 'subscribe', shard: shardId, bookIds })
}

/** `at`: when the books were last known to be right, on the monotonic clock. What was missed since lies in their gap. */
export function markStale(
  { state, now, effects }: Turn,
  bookIds: readonly string[],
  reason: string,
  at: number = now,
): void {
  const turned: string[] = []
  for (const bookId of bookIds) {
    const book = state.books.get(bookId)
    if (book === undefined) continue
    book.askedAt = null
    if (book.state !== 'live' && !book.isWithheld) continue
    turned.push(bookId)
    book.isWithheld = false
    // What was withheld has its gap already.
    // Behind the word that it came alive, also where both fall into one moment.
    const since = Math.max(book.liveAt + 1, Math.min(at, now))
    if (book.state === 'live') effects.push({ kind: 'coverage', bookId, event: 'gap', reason, at: since })
    book.state = 'stale'
  }
  if (turned.length > 0) effects.push({ kind: 'stale', bookIds: turned, reason })
}
