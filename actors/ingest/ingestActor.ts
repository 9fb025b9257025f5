// One venue's ingest: performs what `stepIngest` decides. Venue bytes never pass a mailbox: a socket's frame goes straight into the
// book, the dirty book into the next tick's flush. Only lifecycles (opened, broken, demand …) are told to the actor.

import type { ActorSystemRef } from '#actors/runtime/nact'
import { type Actor, spawnStepper } from '#actors/runtime/spawnStepper'
import type { Clock, Timer } from '#lib/clock'
import { FewLines } from '#lib/fewLines'
import type { Log } from '#lib/log'
import type { OpenSocket } from '#net/socket'
import { type CoverageEvent, healthMs, notReadReason, tradesTaped, type VenueHealth } from '#schemas/topics'
import type { FeedSink, VenueContext, VenueManifest } from '#venues/venue'
import { BookEvents } from './bookEvents.ts'
import { createFeed } from './feed.ts'
import { IngestBook } from './ingestBook.ts'
import type { BookMessage, IngestEffect, IngestMessage } from './messages.ts'
import { type OwnedBus, ownedBus } from './owner/ownedBus.ts'
import type { Tenure } from './owner/venueOwner.ts'
import { Poller } from './poller.ts'
import { polledStaleAfterMs } from './polling.ts'
import { Prover } from './prover.ts'
import { Publisher } from './publisher.ts'
import { RestBooks } from './restBooks.ts'
import { applySnapshot, depthRow, tradeRow } from './snapshot.ts'
import { type IngestLimits, initialIngestState } from './state.ts'
import { stepIngest } from './step.ts'
import { sweepMs } from './sweep.ts'
import { TapeBuffer } from './tapeBuffer.ts'
import { TradePoller } from './tradePoller.ts'
import { VenueSockets } from './venueSockets.ts'

/** How old the proof of a leg may be that a surface calls executable, by the way its venue is read; ms. */
const legProofMs = { stream: 15_000, poll: 5_000 } as const

/** A feed so far behind is told of, ms. */
const lateTellMs = 3_000

/** Tape rows gather this long before they go to the bus. */
const tapeFlushMs = 100

/** Another pace of a polled book is told when it differs by this factor, and no more often than this unless its class changed. */
const paceChange = 1.25
const paceEveryMs = 60_000

export interface IngestOptions {
  venue: VenueManifest
  context: VenueContext
  bus: OwnedBus
  clock: Clock
  log: Log
  openSocket: OpenSocket
  random(): number
  /** Runs after this turn of the loop; tests and the simulation bring their own. */
  defer?(run: () => void): void
  tickMs: number
  idleUnwatchMs: number
  bookSnapshotMs: number
  /** The right to speak for the venue. What is gathered while it is in doubt is said afterwards, or never. */
  tenure: Tenure
}

export interface Ingest {
  actor: Actor<IngestMessage>
  health(): VenueHealth
  counters(): IngestCounters
  /** Calls its books stale, writes out what is left for the tape, and lets go of every socket and timer. */
  stop(): Promise<void>
}

export interface IngestCounters {
  frames: number
  malformed: number
  published: number
  resyncs: number
  /** Tape rows lost because the bus took none for too long. */
  tapeRowsLost: number
}

export function spawnIngest(system: ActorSystemRef, options: IngestOptions): Ingest {
  const { venue, context, clock, log, tenure } = options
  const bus = ownedBus(options.bus, tenure, clock)
  const { data, slug } = venue
  const usable = data.stream !== undefined && data.stream.connect(context) !== null
  const stream = usable ? data.stream : undefined
  const limits: IngestLimits = {
    mode: stream === undefined ? 'poll' : 'stream',
    booksPerSocket: stream?.booksPerSocket ?? 1,
    silenceMs: stream?.silenceMs ?? polledStaleAfterMs(data),
    idleUnwatchMs: options.idleUnwatchMs,
    resyncInBand: stream?.resyncInBand ?? false,
  }
  const mechanism = stream === undefined ? 'rest-adaptive' : 'ws-lossless'
  const malformed = { malformed: 0 }
  const books = new Map<string, IngestBook>()
  const tape = new TapeBuffer(slug)
  const defer = options.defer ?? ((run: () => void) => void setImmediate(run))
  const publisher = new Publisher({ venue: slug, bus, clock, tickMs: options.tickMs, tenure, defer })
  const standing = { at: 0 }
  let lastFailure: string | null = null
  /** How often each polled book is read, as coverage last said. */
  const toldPace = new Map<string, { intervalMs: number; at: number }>()
  let restFailure: string | null = null

  const tell = (message: IngestMessage): void => actor.tell(message)
  const events = new BookEvents(() => tell({ kind: 'books', messages: [] }))
  const tellBook = (message: BookMessage): void => events.push(message)

  const feedOf = (shard: number): FeedSink =>
    createFeed({
      bus,
      tape,
      find: (bookId) => books.get(bookId),
      counters: malformed,
      log,
      onBroken: (bookId, reason) => breakBook(bookId, reason),
      onRefused: (bookId, reason) => tellBook({ kind: 'refused', bookId, reason }),
      onFailed: (reason) => {
        sockets?.disconnect(shard)
        tell({ kind: 'closed', shard, reason })
      },
      venue: slug,
    })

  const sockets =
    stream === undefined
      ? null
      : new VenueSockets({
          stream,
          context,
          openSocket: options.openSocket,
          clock,
          random: options.random,
          feed: feedOf,
          onOpened: (shard) => {
            lastFailure = null
            tell({ kind: 'opened', shard })
          },
          onClosed: (shard, reason) => {
            lastFailure = reason
            tell({ kind: 'closed', shard, reason: 'disconnected' })
          },
          onRetry: (shard) => tell({ kind: 'retry', shard }),
          onResyncDue: (shard) => tell({ kind: 'resyncDue', shard }),
        })

  const poller =
    stream !== undefined
      ? null
      : new Poller({
          data,
          context,
          clock,
          onSnapshot: (snapshot) => {
            lastFailure = null
            const book = books.get(snapshot.bookId)
            if (book === undefined) return
            applySnapshot(book, snapshot)
            if (book.synced) tellPace(snapshot.bookId)
          },
          onMissing: (bookId) => tellBook({ kind: 'refused', bookId, reason: 'the venue has no such book' }),
          onFailed: (bookIds, error) => {
            lastFailure = error instanceof Error ? error.message : String(error)
            unread(bookIds, 'unreachable')
          },
        })

  /** Up to when the trades of a book were read; told once they are on their way to the tape. */
  let tradesUntil = new Map<string, number>()
  const tradePoller =
    stream !== undefined || data.fetchTrades === undefined || data.poll.tradesEveryMs === undefined
      ? null
      : new TradePoller({
          data,
          context,
          clock,
          random: options.random,
          log: log.child({ venue: slug }),
          *books() {
            for (const [bookId, { synced }] of books) if (synced) yield bookId
          },
          onTrades(bookId, trades, until) {
            if (until !== null) tradesUntil.set(bookId, until)
            for (const trade of trades) tape.trade(tradeRow(slug, bookId, trade, clock.now()))
          },
          onGap: (bookId) => tellCoverage(bookId, 'gap', 'trades between two reads may be missing'),
        })

  function tellCoverage(bookId: string, kind: CoverageEvent['kind'], reason: string | null): void {
    bus.publish('coverage', `${slug}:${bookId}`, coverage(bookId, kind, reason))
  }

  /** A polled book is read as often as there is room, which changes with what else is wanted: its coverage follows. */
  function tellPace(bookId: string): void {
    const intervalMs = poller?.intervalOf(bookId) ?? null
    if (intervalMs === null) return
    const now = clock.monotonic()
    const told = toldPace.get(bookId)
    if (told !== undefined) {
      const ratio = intervalMs / told.intervalMs
      const isSoon = now - told.at < paceEveryMs && !poller?.hasNewPace(bookId)
      if (isSoon || (ratio < paceChange && ratio > 1 / paceChange)) return
    }
    toldPace.set(bookId, { intervalMs, at: now })
    tellCoverage(bookId, 'resumed', null)
  }

  function unread(bookIds: readonly string[], reason: string): void {
    tell({ kind: 'pollFailed', bookIds, reason })
    for (const bookId of bookIds) books.get(bookId)?.markStale(reason)
  }

  /** More books than can be read in time: those not read are not shown as fresh. */
  function judgeAges(): void {
    if (poller === null) return
    const before = clock.monotonic() - limits.silenceMs
    const old = [...books].flatMap(([bookId, { synced }]) =>
      synced && (poller.readAt(bookId) ?? before) < before ? [bookId] : [],
    )
    if (old.length > 0) unread(old, notReadReason)
  }

  /** Stale at once, in the same step as the evidence; the actor hears of it and arranges the resync. */
  function breakBook(bookId: string, reason: string): void {
    books.get(bookId)?.markStale(reason)
    tellBook({ kind: 'broken', bookId, reason })
  }

  function openBook(bookId: string): void {
    const book = new IngestBook({
      venue: slug,
      marketId: bookId,
      tickMicros: null,
      tape,
      beat: prover?.beat ?? standing,
      lag: sockets?.lag,
      onDirty: publisher.mark,
      onBroken: (_book, reason) => breakBook(bookId, reason),
      onSynced: () => tellBook({ kind: 'synced', bookId }),
    })
    books.set(bookId, book)
    poller?.add(bookId)
  }

  const lines = new FewLines(log, clock)
  const rest = new RestBooks({
    venue: slug,
    data,
    context,
    clock,
    lines,
    random: options.random,
    books,
    sockets,
    tell,
    tellBook,
    onFailure: (reason) => {
      restFailure = reason
    },
  })

  const prover =
    sockets === null
      ? null
      : new Prover({
          venue: slug,
          data,
          context,
          clock,
          lines,
          books,
          sockets,
          epoch: tenure.epoch,
          publish: (proofs) => bus.publish('proofs', slug, proofs),
          frozen(bookId, reason) {
            books.get(bookId)?.markStale(reason)
            tellBook({ kind: 'broken', bookId, reason, isFrozen: true })
          },
        })

  const coverage = (bookId: string, kind: CoverageEvent['kind'], reason: string | null): CoverageEvent => ({
    venue: slug,
    outcomeId: bookId,
    kind,
    mechanism,
    effectiveIntervalMs: poller?.intervalOf(bookId) ?? null,
    reason,
    at: clock.now(),
  })

  function perform(effect: IngestEffect): void {
    switch (effect.kind) {
      case 'openBook':
        openBook(effect.bookId)
        break
      case 'dropBook':
        books.get(effect.bookId)?.markStale('unwatched')
        books.delete(effect.bookId)
        poller?.remove(effect.bookId)
        toldPace.delete(effect.bookId)
        break
      case 'connect':
        sockets?.connect(effect.shard)
        break
      case 'disconnect':
        log.info({ venue: slug, shard: effect.shard, reason: effect.reason }, 'feed closed')
        sockets?.disconnect(effect.shard)
        break
      case 'retryLater':
        sockets?.retryLater(effect.shard, effect.attempt)
        break
      case 'subscribe':
        sockets?.subscribe(effect.shard, effect.bookIds)
        break
      case 'unsubscribe':
        sockets?.unsubscribe(effect.shard, effect.bookIds)
        break
      case 'stale':
        for (const bookId of effect.bookIds) books.get(bookId)?.markStale(effect.reason)
        break
      case 'republish':
        for (const bookId of effect.bookIds) {
          const book = books.get(bookId)
          if (book?.synced) publisher.mark(book)
        }
        break
      case 'resync':
        rest.resync(effect.shard, effect.bookIds)
        break
      case 'resyncLater':
        sockets?.resyncLater(effect.shard, effect.attempt)
        break
      case 'renew':
        sockets?.renew(effect.shard, effect.bookIds)
        break
      case 'probe':
        void rest.probe(effect.shard, effect.bookIds)
        break
      case 'rank':
        poller?.rank(effect.readers, effect.near)
        prover?.rank(effect.near)
        break
      case 'coverage':
        tellCoverage(effect.bookId, effect.event, effect.reason)
    }
  }

  async function flushTape(): Promise<void> {
    const read = tradesUntil
    tradesUntil = new Map()
    await tape.flush(bus, (outcomeId) => coverage(outcomeId, 'gap', 'tape backlog full'))
    for (const [bookId, at] of read)
      bus.publish('coverage', `${slug}:${bookId}`, { ...coverage(bookId, 'resumed', tradesTaped), at })
  }

  async function noteReach(): Promise<void> {
    const failure = await rest.reach()
    if (failure !== undefined && books.size === 0) lastFailure = failure
  }

  const health = (): VenueHealth => ({
    venue: slug,
    epoch: tenure.epoch,
    connection: connectionOf(),
    lastMessageAt: publisher.lastMessageAt,
    lagMs: publisher.lagMs,
    watchedBooks: books.size,
    staleBooks: [...books.values()].filter((book) => !book.synced).length,
    sockets: sockets?.open ?? 0,
    reason: lastFailure ?? troubleOf() ?? lateness(),
    legProofMs: legProofMs[limits.mode],
    provenWithinMs: books.size === 0 ? null : (prover?.withinMs(books.size) ?? limits.silenceMs),
    oldestProofMs: prover?.oldestMs() ?? oldestReadMs(),
    at: clock.now(),
  })

  /** A polled book is proven by being read. */
  function oldestReadMs(): number | null {
    const read = [...books.values()].filter((book) => book.synced).map((book) => book.recvTs)
    return read.length === 0 ? null : clock.now() - Math.min(...read)
  }

  function connectionOf(): VenueHealth['connection'] {
    if (lastFailure !== null && (sockets?.open ?? 0) === 0) return 'unreachable'
    if (books.size === 0) return 'idle'
    const states = new Set([...books.values()].map((book) => book.state))
    if (sockets === null) return 'polling'
    if (states.has('stale') || lateMs() >= lateTellMs) return 'degraded'
    return states.has('live') ? 'connected' : 'connecting'
  }

  const lateMs = (): number => sockets?.lag.worstMs(clock.monotonic()) ?? 0

  function lateness(): string | null {
    return lateMs() < lateTellMs ? null : `the feed is ${Math.round(lateMs() / 1_000)} s behind`
  }

  /** Why books are not live although the venue is there. */
  function troubleOf(): string | null {
    const counts = new Map<string, number>()
    for (const { state, staleReason } of books.values())
      if (state === 'stale' && staleReason !== null) counts.set(staleReason, (counts.get(staleReason) ?? 0) + 1)
    if (counts.size === 0) return null
    const [[reason, count]] = [...counts].sort((a, b) => b[1] - a[1]) as [[string, number]]
    const stale = `${count} of ${books.size} books are stale: ${reason}`
    return restFailure === null ? stale : `${stale}; ${restFailure}`
  }

  const actor = spawnStepper(
    system,
    {
      name: `ingest ${slug} ${tenure.epoch}`,
      initial: initialIngestState,
      step: (state, message: IngestMessage, now) =>
        stepIngest(limits, state, message.kind === 'books' ? { kind: 'books', messages: events.take() } : message, now),
      perform,
      start: { kind: 'start' },
      restart() {
        sockets?.closeAll()
        for (const [bookId, book] of books) {
          book.markStale('restart')
          poller?.remove(bookId)
        }
        books.clear()
        toldPace.clear()
      },
    },
    { clock, log },
  )

  const tellHealth = (): void => bus.publish('health', slug, health())
  // At once, so that readers drop what an earlier owner still says.
  tellHealth()
  const timers: Timer[] = [
    clock.every(tapeFlushMs, () => void flushTape()),
    clock.every(sweepMs, () => {
      for (const shard of sockets?.lag.lagging(clock.monotonic()) ?? []) tell({ kind: 'lagging', shard })
      tell({ kind: 'sweep', lastDataAt: sockets?.lastDataAt() ?? new Map() })
      judgeAges()
      prover?.sweep()
      void noteReach()
    }),
    clock.every(healthMs, tellHealth),
    clock.every(options.bookSnapshotMs, () => {
      for (const book of books.values()) if (book.synced) tape.book(depthRow(book))
    }),
  ]
  poller?.start()
  tradePoller?.start()

  return {
    actor,
    health,
    counters: () => ({
      frames: sockets?.frames ?? 0,
      malformed: malformed.malformed,
      published: publisher.published,
      resyncs: rest.resyncs,
      tapeRowsLost: tape.lost,
    }),
    async stop() {
      for (const timer of timers) timer.cancel()
      poller?.stop()
      tradePoller?.stop()
      actor.stop()
      sockets?.closeAll()
      for (const [bookId, book] of books) {
        if (!book.synced) continue
        tellCoverage(bookId, 'gap', 'ingest stopped')
        book.markStale('ingest stopped')
      }
      publisher.stop()
      // The one that runs may have begun before the last rows came.
      await flushTape()
      await flushTape()
    },
  }
}
