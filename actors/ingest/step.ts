// Decides for one venue which books are watched on which socket, and what a gap, a silence or a disconnect means.
//
//   wanted ─► book on a shard ─► subscribed ─► synced ─► live
//                    ▲                │  no snapshot      │ broken / silent / closed
//                    └── reconnect ◄──┴── resync ◄────────┘ (stale until the next complete book)
import { type Demand, demandRenewMs } from '#schemas/topics'
import type { BookMessage, IngestEffect, IngestMessage } from './messages.ts'

/** A snapshot asked for must arrive within this time, or the way it was asked has failed. */
export const resyncDeadlineMs = 3_000
/** A book the venue refused is not asked for again before this, however often a gateway renews its demand. */
export const refusedRestMs = 60_000
/** How often the shell sends `sweep`. */
export const sweepMs = 1_000
/** How long demands stand while no gateway is heard at all. */
export const busSilenceMs = 600_000
/** A book that broke is asked for again at once this often; one resync is forgiven every `resyncForgivenMs`. */
const resyncsAtOnce = 8
const resyncForgivenMs = 1_000
/** Sockets opened beyond those that the books need, to part what breaks from what does not. */
const splitsMax = 8

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
  /** Resyncs made lately, less those forgiven, and when they were last counted. */
  resyncs: number
  resyncsAt: number
  /** Broke too often: not asked for before `resyncDue`. */
  isPaused: boolean
}

interface Shard {
  status: 'connecting' | 'open' | 'resting'
  books: Set<string>
  attempt: number
  /** The later of: opened, last subscribed to. Silence counts from here or from the last data. */
  activeSince: number
  probedAt: number | null
  probeCursor: number
  /** `resyncDue` will come. */
  isPaused: boolean
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
  /** Legs near execution were named last time. */
  hasNear: boolean
  /** Book id → when the venue refused it, epoch ms. */
  refused: Map<string, number>
  /** Books that broke in the message at hand, by shard. */
  broken: Map<number, Set<string>>
}

export const initialIngestState = (): IngestState => ({
  books: new Map(),
  shards: new Map(),
  nextShard: 0,
  demands: new Map(),
  heardAt: Number.NEGATIVE_INFINITY,
  pinned: new Set(),
  hasNear: false,
  refused: new Map(),
  broken: new Map(),
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
      shard.isPaused = false
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
    case 'books':
      for (const one of message.messages) takeBook(state, one, now, effects)
      break
    case 'broken':
    case 'synced':
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
      book.everLive = true
      book.askedAt = null
      book.attempt = 0
      const shard = book.shard === null ? undefined : state.shards.get(book.shard)
      if (shard !== undefined) shard.attempt = 0
      break
    }
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
function rank(state: IngestState): Extract<IngestEffect, { kind: 'rank' }> {
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
      resyncs: 0,
      resyncsAt: now,
      isPaused: false,
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
  const ranked = rank(state)
  if (limits.mode === 'poll' || ranked.near.length > 0 || state.hasNear) effects.push(ranked)
  state.hasNear = ranked.near.length > 0
}

/** A shard with room, or a new one. */
function place(limits: IngestLimits, state: IngestState, now: number, effects: IngestEffect[]): number {
  for (const [id, shard] of state.shards) if (shard.books.size < limits.booksPerSocket && !shard.isPaused) return id
  return openShard(state, now, effects)
}

function openShard(state: IngestState, now: number, effects: IngestEffect[]): number {
  const id = state.nextShard++
  state.shards.set(id, {
    status: 'connecting',
    books: new Set(),
    attempt: 0,
    activeSince: now,
    probedAt: null,
    probeCursor: 0,
    isPaused: false,
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

/**
 * Books of this shard broke. They are asked for together and at once, unless they break again and again: then after a growing rest, so that a
 * feed which loses every message costs a bounded number of requests, and its readers a bounded number of notices.
 */
function resync(
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
function askAgain(state: IngestState, shardId: number, shard: Shard, now: number, effects: IngestEffect[]): void {
  if (shard.status !== 'open') return
  const bookIds: string[] = []
  const unheard: string[] = []
  for (const bookId of shard.books) {
    const book = state.books.get(bookId)!
    if (book.state === 'live' || book.isPaused || book.askedAt !== null) continue
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
function condemn(state: IngestState, shardId: number, shard: Shard, reason: string, effects: IngestEffect[]): void {
  markStale(state, [...shard.books], reason, effects)
  shard.status = 'resting'
  shard.isPaused = false
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

  for (const [id, shard] of state.shards) {
    if (shard.status !== 'open') continue
    let isFrozen = false
    for (const bookId of shard.books) {
      const book = state.books.get(bookId)!
      if (book.state === 'live' || book.askedAt === null || now - book.askedAt < resyncDeadlineMs) continue
      // Others may flow all the same; only a socket that has said nothing since is not to be asked a second time.
      isFrozen ||= limits.resyncInBand && book.attempt > 0 && (lastDataAt.get(id) ?? 0) < book.askedAt
      book.attempt++
      book.askedAt = null
    }
    if (isFrozen) condemn(state, id, shard, 'resync unanswered', effects)
    else askAgain(state, id, shard, now, effects)
  }
}
