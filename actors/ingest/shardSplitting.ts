// Books that share a socket share its sequence numbers, and a missing number does not say whose message was lost. So when the books of a socket keep
// breaking together, the socket is split until the book that loses messages is alone; calm sockets are merged again.
//
// storm ──► half of the books on a socket of their own ──► the half that still breaks is split … ──► the culprit alone
// calm for a while ──► the smaller socket's books move to the larger one: stale for a moment, then back by snapshot
import { markStale, openShard, resyncsAtOnce, subscribe } from './shards.ts'
import type { Shard, Turn } from './state.ts'

/** Maximum sockets beyond those that the books need. */
export const splitsMax = 8
/**
 * Split sockets that have been calm this long may merge again; the socket that broke last waits much longer, since it may storm again.
 */
export const reprievePeriodMs = 60_000
export const stormCooldownMs = 600_000

/**
 * All books of a socket broke together: it is split when that happens more often than allowed. On a slow connection each time costs its
 * books up to a second, however few messages are lost.
 */
const jointForgivenMs = 10_000
const jointBreaksMax = 4

/** Counts one more; true: too often. */
export function breaksTogether(shard: Shard, now: number): boolean {
  shard.calmAt = Math.max(shard.calmAt, now + reprievePeriodMs)
  shard.jointBreaks = Math.max(0, shard.jointBreaks - (now - shard.brokeAt) / jointForgivenMs) + 1
  shard.brokeAt = now
  return shard.jointBreaks > jointBreaksMax
}

/** All books of this socket break together, again and again. */
export function part(turn: Turn, shardId: number, shard: Shard): void {
  const { state, now, effects } = turn
  shard.calmAt = now + stormCooldownMs
  shard.isCrowded = shard.books.size > 1 && state.shards.size >= needed(turn) + (turn.limits.splitsMax ?? splitsMax)
  if (shard.books.size === 1 || shard.isCrowded) return
  const moved = [...shard.books].slice(Math.floor(shard.books.size / 2))
  const other = openShard(turn, true)
  for (const half of [shard, state.shards.get(other)!]) {
    half.calmAt = now + reprievePeriodMs
    half.jointBreaks = jointBreaksMax / 2
    half.brokeAt = now
  }
  for (const bookId of shard.books) state.books.get(bookId)!.resyncs = resyncsAtOnce / 2
  move(turn, shard, moved, other)
  effects.push({ kind: 'unsubscribe', shard: shardId, bookIds: moved })
}

/** Once a second: merges two calm sockets that need not be separate, and counts the books waiting for a split. */
export function rejoin(turn: Turn): void {
  const { limits, state, now, effects } = turn
  let crowded = 0
  for (const shard of state.shards.values()) {
    if (now >= shard.calmAt) shard.isCrowded = false
    if (shard.isCrowded) crowded += shard.books.size
  }
  if (crowded !== state.crowded) effects.push({ kind: 'crowded', books: crowded })
  state.crowded = crowded
  const calm = [...state.shards]
    .filter(([, shard]) => isCalm(turn, shard))
    .sort(([, a], [, b]) => a.books.size - b.books.size)
  for (const [id, shard] of calm) {
    const into = calm.findLast(
      ([otherId, other]) =>
        otherId !== id &&
        (shard.isExtra || other.isExtra) &&
        shard.books.size + other.books.size <= limits.booksPerSocket,
    )
    if (into === undefined) continue
    const [intoId, target] = into
    const bookIds = [...shard.books]
    markStale(turn, bookIds, 'moved')
    move(turn, shard, bookIds, intoId)
    state.shards.delete(id)
    target.isExtra &&= shard.isExtra
    effects.push({ kind: 'disconnect', shard: id, reason: 'no longer parted' })
    subscribe(turn, intoId, target, bookIds)
    return
  }
}

/** A socket that takes more books must be healthy. */
function isCalm({ state, now }: Turn, shard: Shard): boolean {
  if (shard.status !== 'open' || shard.isPaused || now < shard.calmAt) return false
  for (const bookId of shard.books) if (state.books.get(bookId)!.state === 'live') return true
  return false
}

function move({ state }: Turn, from: Shard, bookIds: readonly string[], to: number): void {
  for (const bookId of bookIds) {
    const book = state.books.get(bookId)!
    from.books.delete(bookId)
    state.shards.get(to)!.books.add(bookId)
    book.shard = to
    book.isPaused = false
  }
}

const needed = ({ limits, state }: Turn): number => Math.ceil(state.books.size / limits.booksPerSocket)
