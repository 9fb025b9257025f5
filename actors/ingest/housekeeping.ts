// Once a second: demand that has lapsed, books that are no longer wanted, silent sockets, and snapshots that did not arrive.
import { demandRenewMs } from '#schemas/topics'
import { deregister, dropDemand, reconcile, rejectedDelayMs } from './demand.ts'
import { retireShard, retryPending } from './recovery.ts'
import { rejoin } from './shardSplitting.ts'
import type { Turn } from './state.ts'

/** A requested snapshot must arrive within this time, or the way it was requested has failed. */
export const resyncDeadlineMs = 3_000
/** Requests for a book that a socket without any live book may leave unanswered. */
const unansweredMax = 4
/** How often the shell sends `sweep`. */
export const sweepMs = 1_000
/** How long demands remain when no gateway sends anything. */
export const busSilenceMs = 600_000

export function sweep(turn: Turn, lastDataAt: ReadonlyMap<number, number>): void {
  const { limits, state, now, effects } = turn
  // When nothing arrives at all, the bus is silent, not every gateway: wanted books stay watched and recorded for longer.
  const patienceMs = now - state.demandAt <= demandRenewMs * 3 ? demandRenewMs * 3 : busSilenceMs
  let expired = false
  for (const [gatewayId, demand] of state.demands) {
    if (now - demand.at <= patienceMs) continue
    dropDemand(turn, gatewayId)
    expired = true
  }
  for (const [bookId, at] of state.refused) if (now - at >= rejectedDelayMs) state.refused.delete(bookId)
  if (expired) reconcile(turn)

  for (const [bookId, book] of state.books) {
    if (book.idleSince !== null && now - book.idleSince >= limits.idleUnwatchMs)
      deregister(turn, bookId, 'not watched any more')
  }
  if (limits.mode === 'poll') return

  for (const [id, shard] of state.shards) {
    if (shard.status !== 'open' || shard.books.size === 0) continue
    const lastSign = Math.max(shard.activeSince, lastDataAt.get(id) ?? 0)
    shard.lastSign = lastSign
    const quietMs = now - lastSign
    if (shard.probedAt !== null && lastSign >= shard.probedAt) shard.differingBook = null
    // A socket with an unanswered snapshot request is frozen, however quiet its markets are.
    const isRequested = limits.resyncInBand && shard.probedAt !== null && shard.probedAt >= lastSign
    const unanswered = isRequested && now - shard.probedAt! >= resyncDeadlineMs
    // The next sweep would come after the limit.
    if (unanswered || quietMs >= limits.silenceMs - sweepMs) {
      retireShard(turn, id, shard, 'silence', { at: lastSign })
      continue
    }
    // Halfway to the limit books are requested, so that a quiet market is not taken for a frozen feed.
    const isDue = shard.probedAt === null || now - shard.probedAt >= limits.silenceMs / 2
    if (quietMs >= limits.silenceMs / 2 && (isDue || shard.differingBook !== null)) {
      const live = [...shard.books].filter((bookId) => {
        const book = state.books.get(bookId)!
        return book.state === 'live' || book.isWithheld
      })
      if (live.length === 0) continue
      const again = shard.differingBook === null ? -1 : live.indexOf(shard.differingBook)
      const turn = again >= 0 ? again : shard.probeCursor++ % live.length
      shard.probedAt = now
      effects.push({ kind: 'probe', shard: id, bookIds: [...live.slice(turn), ...live.slice(0, turn)] })
    }
  }

  for (const [id, shard] of state.shards) {
    if (shard.status !== 'open') continue
    let isFrozen = false
    let hasLive = false
    let unanswered = 0
    for (const bookId of shard.books) {
      const book = state.books.get(bookId)!
      hasLive ||= book.state === 'live'
      if (book.state === 'live' || book.requestedAt === null || now - book.requestedAt < resyncDeadlineMs) continue
      // Others may still flow; only a socket that has sent nothing since is not requested a second time.
      isFrozen ||= limits.resyncInBand && book.attempt > 0 && (lastDataAt.get(id) ?? 0) < book.requestedAt
      book.attempt++
      book.requestedAt = null
      unanswered = Math.max(unanswered, book.attempt)
    }
    // What flows without making any book live belongs to subscriptions whose responses were lost.
    isFrozen ||= limits.resyncInBand && !hasLive && unanswered >= unansweredMax
    if (isFrozen) retireShard(turn, id, shard, 'resync_unanswered', { at: lastDataAt.get(id) ?? now })
    else retryPending(turn, id, shard)
  }
  rejoin(turn)
}
