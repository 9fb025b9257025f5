// Which books are wanted, and by which processes: gateways, surfaces and pins. Wanted books have a place on a socket; the others are
// unsubscribed.
import { everyMarket } from '#schemas/topics'
import type { ActiveDemand } from './demands.ts'
import type { IngestEffect, IngestMessage } from './messages.ts'
import { openShard, subscribe } from './shards.ts'
import type { IngestState, Turn, WatchedBook } from './state.ts'

/** A book the venue refused is not requested again before this, however often a gateway renews its demand. */
export const rejectedDelayMs = 60_000
/** The same for a book whose trading has ended: long enough for a catalog walk to notice and for readers to be notified. */
export const finishedDelayMs = 900_000

const none: ReadonlySet<string> = new Set()

export function setDemand(
  turn: Turn,
  {
    gatewayId,
    marketIds,
    purpose,
    near,
    inbox,
    lacking = [],
  }: Omit<Extract<IngestMessage, { kind: 'demand' }>, 'kind'>,
): void {
  const { limits, state, now, effects } = turn
  const { demands } = state
  const isOurs = (id: string): boolean => limits.isOurs === undefined || id === everyMarket || limits.isOurs(id)
  const before = demands.get(gatewayId)
  const isMoved = before !== undefined && before.inbox !== inbox
  // The new inbox has received none of the books sent before.
  const had = before === undefined || isMoved ? none : before.marketIds
  const wants = new Set(marketIds.filter(isOurs))
  const fresh = [...wants].filter((id) => !had.has(id))
  const isSame =
    before !== undefined && before.purpose === purpose && !isMoved && fresh.length === 0 && had.size === wants.size
  // Also a process that wants none of our books gets our heartbeats: it expects those of all parts of the venue.
  if (marketIds.length === 0) demands.delete(gatewayId)
  else demands.set(gatewayId, { marketIds: wants, purpose, near: near?.filter(isOurs), inbox, at: now }, isSame)
  if (before !== undefined && !isSame) withdraw(turn, before, isMoved ? none : wants)
  const missing = new Set(fresh)
  for (const position of lacking) if (wants.has(marketIds[position]!)) missing.add(marketIds[position]!)
  const wide = missing.has(everyMarket) ? state.books.keys() : missing
  const bookIds = [...wide].filter((id) => wasPublished(state.books.get(id)))
  if (bookIds.length > 0) effects.push({ kind: 'republish', bookIds })
}

/** Its demand has lapsed. */
export function dropDemand(turn: Turn, gatewayId: string): void {
  const before = turn.state.demands.get(gatewayId)
  turn.state.demands.delete(gatewayId)
  if (before !== undefined) withdraw(turn, before, none)
}

/** What was demanded `before`, and is no longer sent to that inbox. `wants`: what the same sender demands there now. */
function withdraw({ state, effects }: Turn, { inbox, marketIds }: ActiveDemand, wants: ReadonlySet<string>): void {
  if (inbox === undefined) return
  const ids = marketIds.has(everyMarket) ? state.books.keys() : marketIds
  const bookIds = [...ids].filter((id) => !wants.has(id) && !state.demands.inboxesOf('books', id).includes(inbox))
  if (bookIds.length > 0) effects.push({ kind: 'withdraw', inbox, bookIds })
}

/** Readers have received something of it, if only that it is stale. */
const wasPublished = (book: WatchedBook | undefined): boolean =>
  book !== undefined && (book.state !== 'waiting' || book.isWithheld)

/** Everything currently wanted: the pins and every gateway that renewed its demand in time. */
function wanted(state: IngestState): Set<string> {
  const ids = new Set(state.pinned)
  for (const demand of state.demands.values()) for (const id of demand.marketIds) ids.add(id)
  ids.delete(everyMarket)
  return ids
}

/** Readers' books, and those that surfaces and triggers rank as near: the first of each, then the second of each … */
function rank(state: IngestState): Extract<IngestEffect, { kind: 'rank' }> {
  const readers = new Set<string>()
  const lists: (readonly string[])[] = []
  for (const { purpose, marketIds, near } of state.demands.values()) {
    if (purpose === 'surface' || purpose === 'triggers') lists.push(near ?? [])
    else for (const id of marketIds) readers.add(id)
  }
  const near = new Set<string>()
  const longest = lists.reduce((most, { length }) => Math.max(most, length), 0)
  for (let i = 0; i < longest; i++) for (const list of lists) if (i < list.length) near.add(list[i]!)
  return { kind: 'rank', readers, near: [...near] }
}

export function reconcile(turn: Turn): void {
  const { limits, state, now, effects } = turn
  const want = wanted(state)
  const opened = new Map<number, string[]>()
  for (const bookId of want) {
    const known = state.books.get(bookId)
    if (known !== undefined) {
      known.idleSince = null
      continue
    }
    if (now - (state.refused.get(bookId) ?? -rejectedDelayMs) < rejectedDelayMs) continue
    state.refused.delete(bookId)
    const shardId = limits.mode === 'poll' || limits.isPolled?.(bookId) === true ? null : place(turn)
    state.books.set(bookId, {
      shard: shardId,
      idleSince: null,
      state: 'waiting',
      everLive: false,
      liveAt: now,
      requestedAt: null,
      attempt: 0,
      resyncs: 0,
      resyncsAt: now,
      isPaused: false,
      isWithheld: false,
    })
    effects.push({ kind: 'openBook', bookId })
    if (shardId === null) continue
    state.shards.get(shardId)!.books.add(bookId)
    const openedBooks = opened.get(shardId)
    if (openedBooks === undefined) opened.set(shardId, [bookId])
    else openedBooks.push(bookId)
  }
  for (const [shardId, bookIds] of opened) {
    const shard = state.shards.get(shardId)!
    if (shard.status === 'open') subscribe(turn, shardId, shard, bookIds)
  }
  for (const [bookId, book] of state.books) if (!want.has(bookId)) book.idleSince ??= now
  const ranked = rank(state)
  const isAnyRead = limits.mode === 'poll' || limits.isPolled !== undefined || limits.ranksReaders === true
  if (isAnyRead || ranked.near.length > 0 || state.hasNear) effects.push(ranked)
  state.hasNear = ranked.near.length > 0
}

/** A shard with free places, or a new one; not one whose books break together. */
function place(turn: Turn): number {
  const { limits, state, now } = turn
  let hasFreePlace = false
  for (const [id, shard] of state.shards) {
    if (shard.books.size >= limits.booksPerSocket) continue
    if (!shard.isPaused && now >= shard.calmAt) return id
    hasFreePlace = true
  }
  return openShard(turn, hasFreePlace)
}

export function deregister({ state, now, effects }: Turn, bookId: string, reason: string): void {
  const book = state.books.get(bookId)
  if (book === undefined) return
  state.books.delete(bookId)
  if (book.everLive) effects.push({ kind: 'coverage', bookId, event: 'closed', reason, at: now })
  effects.push({ kind: 'dropBook', bookId })
  if (book.shard === null) return
  const shard = state.shards.get(book.shard)
  if (shard === undefined) return
  shard.books.delete(bookId)
  if (shard.status === 'open') effects.push({ kind: 'unsubscribe', shard: book.shard, bookIds: [bookId] })
  if (shard.books.size > 0) return
  state.shards.delete(book.shard)
  effects.push({ kind: 'disconnect', shard: book.shard, reason: 'not watched any more' })
}
