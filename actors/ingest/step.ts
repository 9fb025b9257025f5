// Decides for one venue which books are watched on which socket, and what a gap, a silence or a disconnect means.
//
//   wanted ─► book on a shard ─► subscribed ─► synced ─► live
//                    ▲                │  no snapshot      │ broken / silent / closed
//                    └── reconnect ◄──┴── resync ◄────────┘ (stale until the next complete book)
import { type Demand, demandRenewMs } from '#schemas/topics'
import type { IngestEffect, IngestMessage } from './messages.ts'

/** A snapshot asked for must arrive within this time, or the way it was asked has failed. */
export const resyncDeadlineMs = 3_000
/** A book the venue refused is not asked for again before this, however often a gateway renews its demand. */
export const refusedRestMs = 60_000
/** How often the shell sends `sweep`. */
export const sweepMs = 1_000
/** How long demands stand while no gateway is heard at all. */
export const busSilenceMs = 600_000
/** REST resyncs that failed are tried again after this, doubling up to 30 s. */
const resyncRetryMs = 1_000

export interface IngestLimits {
  mode: 'stream' | 'poll'
  booksPerSocket: number
  silenceMs: number
  idleUnwatchMs: number
  /** True where the socket itself can answer with a fresh snapshot; then an unanswered one condemns the socket. */
  resyncInBand: boolean
}

interface WatchedBook {
  shard: number | null
  idleSince: number | null
  state: 'waiting' | 'live' | 'stale'
  everLive: boolean
  /** When a snapshot was last asked for (by subscribing or resyncing), null when none is awaited. */
  askedAt: number | null
  attempt: number
}

interface Shard {
  status: 'connecting' | 'open' | 'resting'
  books: Set<string>
  attempt: number
  /** The later of: opened, last subscribed to. Silence counts from here or from the last data. */
  activeSince: number
  probedAt: number | null
  probeCursor: number
}

interface StandingDemand extends Pick<Demand, 'purpose' | 'near'> {
  marketIds: ReadonlySet<string>
  at: number
}

export interface IngestState {
  books: Map<string, WatchedBook>
  shards: Map<number, Shard>
  nextShard: number
  demands: Map<string, StandingDemand>
  /** When any gateway last said what it wants, also that it wants nothing; epoch ms. */
  heardAt: number
  pinned: ReadonlySet<string>
  /** Book id → when the venue refused it, epoch ms. */
  refused: Map<string, number>
}

export const initialIngestState = (): IngestState => ({
  books: new Map(),
  shards: new Map(),
  nextShard: 0,
  demands: new Map(),
  heardAt: Number.NEGATIVE_INFINITY,
  pinned: new Set(),
  refused: new Map(),
})

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
      markStale(state, [...shard.books], message.reason, effects)
      effects.push({ kind: 'retryLater', shard: message.shard, attempt: shard.attempt })
      shard.attempt++
      break
    }
    case 'retry': {
      const shard = state.shards.get(message.shard)
      if (shard?.status !== 'resting') break
      shard.status = 'connecting'
      effects.push({ kind: 'connect', shard: message.shard })
      break
    }
    case 'broken': {
      const book = state.books.get(message.bookId)
      if (book === undefined) break
      markStale(state, [message.bookId], message.reason, effects)
      askAgain(message.bookId, book, now, effects)
      break
    }
    case 'synced': {
      const book = state.books.get(message.bookId)
      if (book === undefined || book.state === 'live') break
      effects.push({
        kind: 'coverage',
        bookId: message.bookId,
        event: book.everLive ? 'resumed' : 'opened',
        reason: null,
      })
      book.state = 'live'
      book.everLive = true
      book.askedAt = null
      book.attempt = 0
      const shard = book.shard === null ? undefined : state.shards.get(book.shard)
      if (shard !== undefined) shard.attempt = 0
      break
    }
    case 'refused':
      if (state.books.has(message.bookId)) state.refused.set(message.bookId, now)
      forget(state, message.bookId, message.reason, effects)
      break
    case 'resyncFailed': {
      const book = state.books.get(message.bookId)
      if (book === undefined || book.state === 'live') break
      // Asked again by the sweep once the retry delay has passed.
      book.askedAt = now - resyncDeadlineMs + Math.min(30_000, resyncRetryMs * 2 ** book.attempt)
      book.attempt++
      break
    }
    case 'probed': {
      const shard = state.shards.get(message.shard)
      if (shard?.status !== 'open') break
      if (message.same) shard.activeSince = now
      else condemn(state, message.shard, shard, 'silence', effects)
      break
    }
    case 'pollFailed':
      markStale(state, message.bookIds, message.reason, effects)
      break
    case 'sweep':
      sweep(limits, state, message.lastDataAt, now, effects)
      break
  }
  return effects
}

function setDemand(
  state: IngestState,
  { gatewayId, marketIds, purpose, near }: Extract<IngestMessage, { kind: 'demand' }>,
  now: number,
  effects: IngestEffect[],
): void {
  const before = state.demands.get(gatewayId)?.marketIds
  if (marketIds.length === 0) state.demands.delete(gatewayId)
  else state.demands.set(gatewayId, { marketIds: new Set(marketIds), purpose, near, at: now })
  const bookIds = marketIds.filter((id) => !before?.has(id) && state.books.get(id)?.state === 'live')
  if (bookIds.length > 0) effects.push({ kind: 'republish', bookIds })
}

/** What somebody wants right now: the pins and every gateway that renewed its demand in time. */
function wanted(state: IngestState): Set<string> {
  const ids = new Set(state.pinned)
  for (const demand of state.demands.values()) for (const id of demand.marketIds) ids.add(id)
  return ids
}

/** Readers' books, and the legs that surfaces call near: the first of each, then the second of each … */
function rank(state: IngestState): IngestEffect {
  const readers = new Set<string>()
  const lists: (readonly string[])[] = []
  for (const { purpose, marketIds, near } of state.demands.values()) {
    if (purpose === 'surface') lists.push(near ?? [])
    else for (const id of marketIds) readers.add(id)
  }
  const near = new Set<string>()
  const longest = lists.reduce((most, { length }) => Math.max(most, length), 0)
  for (let i = 0; i < longest; i++) for (const list of lists) if (i < list.length) near.add(list[i]!)
  return { kind: 'rank', readers, near: [...near] }
}

function reconcile(limits: IngestLimits, state: IngestState, now: number, effects: IngestEffect[]): void {
  const want = wanted(state)
  const opened = new Map<number, string[]>()
  for (const bookId of want) {
    const known = state.books.get(bookId)
    if (known !== undefined) {
      known.idleSince = null
      continue
    }
    if (now - (state.refused.get(bookId) ?? -refusedRestMs) < refusedRestMs) continue
    state.refused.delete(bookId)
    const shardId = limits.mode === 'poll' ? null : place(limits, state, now, effects)
    state.books.set(bookId, {
      shard: shardId,
      idleSince: null,
      state: 'waiting',
      everLive: false,
      askedAt: null,
      attempt: 0,
    })
    effects.push({ kind: 'openBook', bookId })
    if (shardId === null) continue
    state.shards.get(shardId)!.books.add(bookId)
    const beside = opened.get(shardId)
    if (beside === undefined) opened.set(shardId, [bookId])
    else beside.push(bookId)
  }
  for (const [shardId, bookIds] of opened) {
    const shard = state.shards.get(shardId)!
    if (shard.status === 'open') subscribe(state, shardId, shard, bookIds, now, effects)
  }
  for (const [bookId, book] of state.books) if (!want.has(bookId)) book.idleSince ??= now
  if (limits.mode === 'poll') effects.push(rank(state))
}

/** A shard with room, or a new one. */
function place(limits: IngestLimits, state: IngestState, now: number, effects: IngestEffect[]): number {
  for (const [id, shard] of state.shards) if (shard.books.size < limits.booksPerSocket) return id
  const id = state.nextShard++
  state.shards.set(id, {
    status: 'connecting',
    books: new Set(),
    attempt: 0,
    activeSince: now,
    probedAt: null,
    probeCursor: 0,
  })
  effects.push({ kind: 'connect', shard: id })
  return id
}

function subscribe(
  state: IngestState,
  shardId: number,
  shard: Shard,
  bookIds: string[],
  now: number,
  effects: IngestEffect[],
): void {
  for (const bookId of bookIds) state.books.get(bookId)!.askedAt = now
  // A socket that was asked nothing owed nothing. Beside books it holds already, a wish for more says nothing of its health: else a busy
  // server's subscriptions would hide a frozen feed for ever.
  if (shard.books.size === bookIds.length) shard.activeSince = now
  effects.push({ kind: 'subscribe', shard: shardId, bookIds })
}

function markStale(state: IngestState, bookIds: readonly string[], reason: string, effects: IngestEffect[]): void {
  const turned: string[] = []
  for (const bookId of bookIds) {
    const book = state.books.get(bookId)
    if (book === undefined) continue
    book.askedAt = null
    if (book.state !== 'live') continue
    book.state = 'stale'
    turned.push(bookId)
    effects.push({ kind: 'coverage', bookId, event: 'gap', reason })
  }
  if (turned.length > 0) effects.push({ kind: 'stale', bookIds: turned, reason })
}

function askAgain(bookId: string, book: WatchedBook, now: number, effects: IngestEffect[]): void {
  if (book.shard === null) return
  book.askedAt = now
  effects.push({ kind: 'resync', shard: book.shard, bookId, attempt: book.attempt })
}

/** The socket can no longer be believed: every book on it is stale and a new connection is made. */
function condemn(state: IngestState, shardId: number, shard: Shard, reason: string, effects: IngestEffect[]): void {
  markStale(state, [...shard.books], reason, effects)
  shard.status = 'resting'
  effects.push({ kind: 'disconnect', shard: shardId, reason })
  effects.push({ kind: 'retryLater', shard: shardId, attempt: 0 })
}

function forget(state: IngestState, bookId: string, reason: string, effects: IngestEffect[]): void {
  const book = state.books.get(bookId)
  if (book === undefined) return
  state.books.delete(bookId)
  if (book.everLive) effects.push({ kind: 'coverage', bookId, event: 'closed', reason })
  effects.push({ kind: 'dropBook', bookId })
  if (book.shard === null) return
  const shard = state.shards.get(book.shard)
  if (shard === undefined) return
  shard.books.delete(bookId)
  if (shard.status === 'open') effects.push({ kind: 'unsubscribe', shard: book.shard, bookIds: [bookId] })
  if (shard.books.size > 0) return
  state.shards.delete(book.shard)
  effects.push({ kind: 'disconnect', shard: book.shard, reason: 'nobody watches' })
}

function sweep(
  limits: IngestLimits,
  state: IngestState,
  lastDataAt: ReadonlyMap<number, number>,
  now: number,
  effects: IngestEffect[],
): void {
  // When nobody is heard at all it is the bus that is silent, not every gateway: what was wanted stays watched and taped for longer.
  const patienceMs = now - state.heardAt <= demandRenewMs * 3 ? demandRenewMs * 3 : busSilenceMs
  let expired = false
  for (const [gatewayId, demand] of state.demands) {
    if (now - demand.at <= patienceMs) continue
    state.demands.delete(gatewayId)
    expired = true
  }
  for (const [bookId, at] of state.refused) if (now - at >= refusedRestMs) state.refused.delete(bookId)
  if (expired) reconcile(limits, state, now, effects)

  for (const [bookId, book] of state.books) {
    if (book.idleSince !== null && now - book.idleSince >= limits.idleUnwatchMs)
      forget(state, bookId, 'nobody watches', effects)
  }
  if (limits.mode === 'poll') return

  for (const [id, shard] of state.shards) {
    if (shard.status !== 'open' || shard.books.size === 0) continue
    const lastSign = Math.max(shard.activeSince, lastDataAt.get(id) ?? 0)
    const quietMs = now - lastSign
    // A socket that owes us a snapshot is frozen, however quiet its markets are.
    const owed = limits.resyncInBand && shard.probedAt !== null && shard.probedAt >= lastSign
    const unanswered = owed && now - shard.probedAt! >= resyncDeadlineMs
    // The next sweep would come after the limit.
    if (unanswered || quietMs >= limits.silenceMs - sweepMs) {
      condemn(state, id, shard, 'silence', effects)
      continue
    }
    // Half way to the verdict books are asked for, so that a quiet market is not taken for a frozen feed.
    if (quietMs >= limits.silenceMs / 2 && (shard.probedAt === null || now - shard.probedAt >= limits.silenceMs / 2)) {
      const live = [...shard.books].filter((bookId) => state.books.get(bookId)?.state === 'live')
      if (live.length === 0) continue
      const turn = shard.probeCursor++ % live.length
      shard.probedAt = now
      effects.push({ kind: 'probe', shard: id, bookIds: [...live.slice(turn), ...live.slice(0, turn)] })
    }
  }

  for (const [bookId, book] of state.books) {
    if (book.shard === null || book.state === 'live' || book.askedAt === null || now - book.askedAt < resyncDeadlineMs)
      continue
    const shard = state.shards.get(book.shard)
    if (shard?.status !== 'open') continue
    if (limits.resyncInBand && book.attempt > 0) {
      condemn(state, book.shard, shard, 'resync unanswered', effects)
      continue
    }
    book.attempt++
    askAgain(bookId, book, now, effects)
  }
}
