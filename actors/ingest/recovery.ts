// Books that can no longer be trusted and how they are asked for again: one by one, together, or on a new connection.
import type { IngestEffect } from './messages.ts'
import type { IngestLimits, IngestState, Shard } from './state.ts'

/** A book that broke is asked for again at once this often; one resync is forgiven every `resyncForgivenMs`. */
const resyncsAtOnce = 8
const resyncForgivenMs = 1_000
/** Sockets opened beyond those that the books need, to part what breaks from what does not. */
const splitsMax = 8

export function openShard(state: IngestState, now: number, effects: IngestEffect[]): number {
  const id = state.nextShard++
  state.shards.set(id, {
    status: 'connecting',
    books: new Set(),
    attempt: 0,
    activeSince: now,
    probedAt: null,
    probeCursor: 0,
    lagged: 0,
    laggedAt: Number.NEGATIVE_INFINITY,
    isPaused: false,
  })
  effects.push({ kind: 'connect', shard: id })
  return id
}

/**
 * A connection brought a book after one had failed: the venue is back, and those that wait to be tried again need not wait. Nor need those
 * whose handshake began while the venue was away: it may never be answered.
 */
export function wakeOthers(state: IngestState, effects: IngestEffect[]): void {
  for (const [id, { status, attempt }] of state.shards) {
    // Those that were closed by us for what they brought wait for another reason.
    if (attempt === 0 || status === 'open') continue
    effects.push({ kind: 'retryLater', shard: id, attempt: status === 'resting' ? 1 : 3 })
  }
}

export function subscribe(
  state: IngestState,
  shardId: number,
  shard: Shard,
  bookIds: string[],
  now: number,
  effects: IngestEffect[],
): void {
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

export function markStale(
  state: IngestState,
  bookIds: readonly string[],
  reason: string,
  effects: IngestEffect[],
): void {
  const turned: string[] = []
  for (const bookId of bookIds) {
    const book = state.books.get(bookId)
    if (book === undefined) continue
    book.askedAt = null
    book.isWithheld = false
    if (book.state !== 'live') continue
    book.state = 'stale'
    turned.push(bookId)
    effects.push({ kind: 'coverage', bookId, event: 'gap', reason })
  }
  if (turned.length > 0) effects.push({ kind: 'stale', bookIds: turned, reason })
}

/**
 * Books of this shard broke. They are asked for together and at once, unless they break again and again: then after a growing rest, so that a
 * feed which loses every message costs a bounded number of requests, and its readers a bounded number of notices.
 */
export function resync(
  limits: IngestLimits,
  state: IngestState,
  shardId: number,
  bookIds: ReadonlySet<string>,
  now: number,
  effects: IngestEffect[],
): void {
  const shard = state.shards.get(shardId)
  // A closed socket is opened first: the subscription brings the books, and no snapshot would make one live without it.
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
  if (paused > 1 && paused === shard.books.size) split(limits, state, shardId, shard, now, effects)
  if (paused > 0 && !shard.isPaused) {
    shard.isPaused = true
    effects.push({ kind: 'resyncLater', shard: shardId, attempt: Math.floor(worst) })
  }
  askAgain(state, shardId, shard, now, effects)
}

/**
 * All books of a socket break together, again and again: they share a sequence, and it does not say which of them loses messages. Half of
 * them get a socket of their own, so that the loss soon has one to itself and the others go on.
 */
function split(
  limits: IngestLimits,
  state: IngestState,
  shardId: number,
  shard: Shard,
  now: number,
  effects: IngestEffect[],
): void {
  if (state.shards.size >= Math.ceil(state.books.size / limits.booksPerSocket) + splitsMax) return
  const moved = [...shard.books].slice(Math.floor(shard.books.size / 2))
  const other = openShard(state, now, effects)
  for (const bookId of shard.books) state.books.get(bookId)!.resyncs = resyncsAtOnce / 2
  for (const bookId of moved) {
    const book = state.books.get(bookId)!
    shard.books.delete(bookId)
    state.shards.get(other)!.books.add(bookId)
    book.shard = other
    book.isPaused = false
  }
  effects.push({ kind: 'unsubscribe', shard: shardId, bookIds: moved })
}

/** Every book of the shard that is not live and not asked for already. */
export function askAgain(
  state: IngestState,
  shardId: number,
  shard: Shard,
  now: number,
  effects: IngestEffect[],
): void {
  if (shard.status !== 'open') return
  const bookIds: string[] = []
  const unheard: string[] = []
  for (const bookId of shard.books) {
    const book = state.books.get(bookId)!
    if (book.state === 'live' || book.isPaused || book.isWithheld || book.askedAt !== null) continue
    book.askedAt = now
    const list = isPowerOfTwo(book.attempt) ? unheard : bookIds
    list.push(bookId)
  }
  if (bookIds.length > 0) effects.push({ kind: 'resync', shard: shardId, bookIds })
  if (unheard.length > 0) effects.push({ kind: 'renew', shard: shardId, bookIds: unheard })
}

/** Renewals are spread out: a venue sends only so many first snapshots on one socket. */
const isPowerOfTwo = (count: number): boolean => count > 0 && (count & (count - 1)) === 0

/** The socket can no longer be believed: every book on it is stale and a new connection is made. */
export function condemn(
  state: IngestState,
  shardId: number,
  shard: Shard,
  reason: string,
  effects: IngestEffect[],
  attempt = 0,
): void {
  markStale(state, [...shard.books], reason, effects)
  shard.status = 'resting'
  shard.isPaused = false
  effects.push({ kind: 'disconnect', shard: shardId, reason })
  effects.push({ kind: 'retryLater', shard: shardId, attempt })
}

/** A socket that lags again soon after it was opened anew is opened ever more rarely. */
const laggedForgottenMs = 60_000

/** What the socket brings is too old. Another connection may be in time. */
export function condemnLagging(
  state: IngestState,
  shardId: number,
  shard: Shard,
  now: number,
  effects: IngestEffect[],
): void {
  if (now - shard.laggedAt > laggedForgottenMs) shard.lagged = 0
  shard.laggedAt = now
  condemn(state, shardId, shard, 'lagging', effects, shard.lagged++)
}
