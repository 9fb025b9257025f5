// One venue's ingest: performs what `stepIngest` decides. Venue bytes never pass through a mailbox: a socket's frame goes straight into the book, and
// the dirty book into the next tick's flush. The actor receives lifecycle events only (opened, broken, demand …).

import { type Actor, spawnActor } from '#actors/runtime/spawnActor'
import type { Supervisor } from '#actors/runtime/supervisor'
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'
import { ThrottledLog } from '#core/throttledLog'
import type { OpenSocket } from '#net/socket'
import { countParts, feedsBook, formatLease } from '#schemas/parts'
import type { StaleReason } from '#schemas/staleReason'
import {
  type CoverageEvent,
  healthMs,
  notPolledReason,
  recordsDepth,
  unwatchedReason,
  type VenueHealth,
} from '#schemas/topics'
import { hasEmulatedBooks } from '#schemas/venues'
import { type FeedSink, streamsTrades, type VenueManifest, type VenueStream } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'
import { BookEvents } from './bookEvents.ts'
import { BookVerifier } from './bookVerifier.ts'
import { CoverageReporter } from './coverageReporter.ts'
import { Demands } from './demands.ts'
import { DepthTape } from './depthRecorder.ts'
import { createFeed } from './feedSink.ts'
import { HeldBooks } from './heldBooks.ts'
import { sweepMs } from './housekeeping.ts'
import { IngestBook, type Lag } from './ingestBook.ts'
import type { BookMessage, IngestEffect, IngestMessage } from './messages.ts'
import { type OwnedBus, ownedBus } from './owner/fencedBus.ts'
import type { LeaseTerm } from './owner/venueLeaseManager.ts'
import { Poller } from './poller.ts'
import { polledStaleAfterMs } from './pollerPool.ts'
import { Publisher } from './publisher.ts'
import { TapeBuffer, tapeRowsMax } from './recordBuffer.ts'
import { RestBooks } from './restSnapshots.ts'
import { onResume } from './resumeFromSuspend.ts'
import { splitsMax } from './shardSplitting.ts'
import { shareLimits } from './shareLimits.ts'
import { applySnapshot, depthRow, tradeRow } from './snapshot.ts'
import { type IngestLimits, initialIngestState } from './state.ts'
import { stepIngest } from './step.ts'
import { TradePoller } from './tradePoller.ts'
import type { TradePublisher } from './tradePublisher.ts'
import { ConnectionHealth, legMaxAgeMs } from './venueHealth.ts'
import { VenueSockets } from './venueSockets.ts'

/** Tape rows gather this long before they go to the bus. */
const tapeFlushMs = 100

export interface IngestOptions {
  venue: VenueManifest
  context: VenueContext
  bus: OwnedBus
  clock: Clock
  log: Log
  openSocket: OpenSocket
  random(): number
  /** Runs after this turn of the loop; tests and the simulation supply their own. */
  defer?(run: () => void): void
  tickMs: number
  idleUnwatchMs: number
  bookSnapshotMs: number
  /** Trades that name their wallets go to the record of traders; absent: they do not. */
  recordsTraders?: boolean
  /** Every change of a book's full depth goes to the tape; absent: it does not. */
  tapesDepth?: boolean
  /** The lease of the venue. What is gathered while it is uncertain is published afterwards, or never. */
  lease: LeaseTerm
}

export interface Ingest {
  actor: Actor<IngestMessage>
  health(): VenueHealth
  counters(): IngestCounters
  /** For trades that are read outside the feed. */
  trades: TradePublisher
  /** Marks its books stale, flushes the tape, and releases every socket and timer. */
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

export function spawnIngest(parent: Supervisor, options: IngestOptions): Ingest {
  const { context, clock, log, lease } = options
  const { part } = lease
  const venue = shareLimits(options.venue, countParts(part))
  const isOurs = feedsBook(part)
  const demands = new Demands()
  const bus = ownedBus(options.bus, lease, clock, demands)
  const { data, slug } = venue
  const usable = data.stream !== undefined && data.stream.connect(context) !== null
  const stream = usable ? data.stream : undefined
  const isPolled = (bookId: string): boolean => stream === undefined || stream.carries?.(bookId) === false
  const limits: IngestLimits = {
    mode: stream === undefined ? 'poll' : 'stream',
    ...(part !== undefined && { isOurs, splitsMax: Math.max(1, Math.floor(splitsMax / countParts(part))) }),
    isPolled: stream?.carries === undefined ? undefined : isPolled,
    booksPerSocket: stream?.booksPerSocket ?? 1,
    silenceMs: stream?.silenceMs ?? polledStaleAfterMs(data),
    idleUnwatchMs: options.idleUnwatchMs,
    resyncInBand: stream?.resyncInBand ?? false,
    ranksReaders: stream !== undefined,
  }
  const malformed = { malformed: 0 }
  const books = new Map<string, IngestBook>()
  /** The subset that is fed by a socket. */
  const fed = new Map<string, IngestBook>()
  const tape = new TapeBuffer(slug, tapeRowsMax, options.recordsTraders)
  const depth = options.tapesDepth === true ? new DepthTape({ tape, now: () => clock.now() }) : null
  const defer = options.defer ?? ((run: () => void) => void setImmediate(run))
  const publisher = new Publisher({ venue: slug, bus, clock, tickMs: options.tickMs, lease, demands, defer })
  const fixedBeat = { at: 0 }

  const sendMessage = (message: IngestMessage): void => actor.send(message)
  const events = new BookEvents(() => sendMessage({ kind: 'books', messages: [] }))
  const sendBookEvent = (message: BookMessage): void => events.push(message)

  const feedOf = (shard: number, send: (text: string) => void): FeedSink =>
    createFeed({
      send,
      bus,
      tape,
      find: (bookId) => books.get(bookId),
      isOurs,
      counters: malformed,
      lostField: context.lostField,
      log,
      onBroken: (bookId, reason) => breakBook(bookId, reason),
      onContradicted: (bookId, reason) => held.hold(bookId, reason),
      onUnseeded: (bookId) => sendBookEvent({ kind: 'unseeded', bookId }),
      onRefused: (bookId, reason) => sendBookEvent({ kind: 'refused', bookId, reason }),
      onEnded: (bookId, reason) => sendBookEvent({ kind: 'ended', bookId, reason }),
      onReopened: (bookId) => sendBookEvent({ kind: 'reopened', bookId }),
      onFailed: (reason) => {
        condition.feedError = reason
        sockets?.disconnect(shard)
        sendMessage({ kind: 'closed', shard, reason: 'feed_error' })
      },
      onDraining: () => sockets?.succeed(shard),
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
            condition.lastFailure = null
            condition.feedError = null
            sendMessage({ kind: 'opened', shard })
          },
          onClosed: (shard, reason, at) => {
            condition.lastFailure = reason
            sendMessage({ kind: 'closed', shard, reason: 'disconnected', at })
          },
          onTrusted: (shard) => sendMessage({ kind: 'trusted', shard }),
          onDelivering: (shard) => sendMessage({ kind: 'delivering', shard }),
          onRetry: (shard) => sendMessage({ kind: 'retry', shard }),
          onResyncDue: (shard) => sendMessage({ kind: 'resyncDue', shard }),
        })

  const poller =
    stream !== undefined && stream.carries === undefined
      ? null
      : new Poller({
          data,
          context,
          clock,
          isRepairing: () => rest.isRepairing,
          onSnapshot: (snapshot) => {
            condition.lastFailure = null
            const book = books.get(snapshot.bookId)
            if (book === undefined) return
            applySnapshot(book, snapshot)
            if (book.synced) coverage.recordPace(snapshot.bookId)
          },
          onMissing: (bookId) => sendBookEvent({ kind: 'refused', bookId, reason: 'the venue has no such book' }),
          onFailed: (bookIds, error) => {
            condition.lastFailure = error instanceof Error ? error.message : String(error)
            unread(bookIds, 'unreachable')
          },
        })

  const tradePoller =
    streamsTrades({ stream }) || data.fetchTrades === undefined || data.poll.tradesEveryMs === undefined
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
            if (until !== null) coverage.tradesRead(bookId, until)
            for (const trade of trades) tape.trade(tradeRow(slug, bookId, trade, clock.now()))
          },
          onGap: (bookId) => coverage.record(bookId, 'gap', 'trades between two reads may be missing'),
        })

  const coverage = new CoverageReporter({
    venue: slug,
    part,
    bus,
    clock,
    tape,
    mechanismOf: (bookId) => mechanismOf(venue, bookId, isPolled(bookId) ? undefined : stream),
    poller,
  })

  function unread(bookIds: readonly string[], reason: StaleReason): void {
    sendMessage({ kind: 'pollFailed', bookIds, reason })
    for (const bookId of bookIds) books.get(bookId)?.markStale(reason)
  }

  /** With more books than can be read in time, unread ones are not shown as fresh. */
  function markOldBooks(): void {
    if (poller === null) return
    const before = clock.monotonic() - polledStaleAfterMs(data)
    const old = [...books].flatMap(([bookId, { synced }]) =>
      synced && !fed.has(bookId) && (poller.readAt(bookId) ?? before) < before ? [bookId] : [],
    )
    if (old.length > 0) unread(old, notPolledReason)
  }

  /** Stale at once, synchronously with the evidence; the actor is notified and arranges the resync. */
  function breakBook(bookId: string, reason: StaleReason): void {
    const at = fed.get(bookId)?.provenBeat
    books.get(bookId)?.markStale(reason)
    sendBookEvent({ kind: 'broken', bookId, reason, at })
  }

  /** A read proves a leg only if the next one comes before it is too old: otherwise its rows would flicker between executable and not. */
  const polledLateness = (bookId: string): Lag => ({
    note: () => (poller?.keepsLegPace(bookId) ? 0 : legMaxAgeMs.stream),
    isFrameDistrusted: false,
  })

  function openBook(bookId: string): void {
    const isFed = !isPolled(bookId)
    const book = new IngestBook({
      venue: slug,
      marketId: bookId,
      tickMicros: null,
      tape,
      depth: depth?.open(bookId),
      beat: isFed ? (prover?.beat ?? fixedBeat) : fixedBeat,
      lag: (isFed ? sockets?.lag : undefined) ?? polledLateness(bookId),
      onDirty: publisher.mark,
      onBroken: (_book, reason) => breakBook(bookId, reason),
      onSynced: () => sendBookEvent({ kind: 'synced', bookId, at: clock.monotonic() }),
      onWithheld: () => sendBookEvent({ kind: 'withheld', bookId }),
    })
    books.set(bookId, book)
    if (isFed) fed.set(bookId, book)
    else poller?.add(bookId)
  }

  function close(book: IngestBook | undefined, reason: StaleReason): void {
    book?.markStale(reason)
    if (book !== undefined && book.depth !== null) depth?.close(book.depth)
  }

  const held = new HeldBooks({ clock, books, onExpired: breakBook })
  const lines = new ThrottledLog(log, clock)
  const rest = new RestBooks({
    venue: slug,
    data,
    context,
    clock,
    lines,
    random: options.random,
    books,
    sockets,
    send: sendMessage,
    sendBookEvent,
    onFailure: (reason) => {
      condition.restFailure = reason
    },
  })

  const prover =
    sockets === null
      ? null
      : new BookVerifier({
          venue: slug,
          data,
          context,
          clock,
          lines,
          books: fed,
          sockets,
          epoch: lease.epoch,
          publish: (proofs) => bus.publish('proofs', slug, proofs),
          differs(bookId, feed) {
            const at = fed.get(bookId)?.provenBeat
            const reason = feed === 'silent' ? 'frozen' : 'book_mismatch'
            books.get(bookId)?.markStale(reason)
            sendBookEvent({ kind: 'broken', bookId, reason, feed, at })
          },
          feedFrozen: (bookId) => sendMessage({ kind: 'feedFrozen', bookId }),
        })

  const condition = new ConnectionHealth({ venue: slug, limits, clock, lease, books, publisher, sockets, prover })

  function perform(effect: IngestEffect): void {
    switch (effect.kind) {
      case 'openBook':
        openBook(effect.bookId)
        break
      case 'dropBook':
        close(books.get(effect.bookId), unwatchedReason)
        books.delete(effect.bookId)
        fed.delete(effect.bookId)
        poller?.remove(effect.bookId)
        coverage.forget(effect.bookId)
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
      case 'awaitFeed':
        for (const bookId of effect.bookIds) {
          const book = books.get(bookId)
          if (book !== undefined && book.awaits !== 'message') book.awaits = effect.awaits
        }
        break
      case 'republish':
        for (const bookId of effect.bookIds) {
          const book = books.get(bookId)
          // In one process every reader has received that it is stale.
          if (book?.shown || (book !== undefined && bus.deliversOnDemand)) publisher.mark(book)
        }
        break
      case 'withdraw':
        publisher.withdraw(effect.inbox, effect.bookIds)
        break
      case 'release':
        for (const bookId of effect.bookIds) books.get(bookId)?.release()
        break
      case 'crowded':
        condition.crowdedBooks = effect.books
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
        prover?.rank(effect.readers, effect.near)
        rest.rank(effect.readers, effect.near)
        break
      case 'coverage':
        coverage.record(effect.bookId, effect.event, effect.reason, effect.at)
        if (depth !== null && effect.event === 'opened')
          coverage.record(effect.bookId, 'resumed', recordsDepth, effect.at)
    }
  }

  async function noteReach(): Promise<void> {
    const failure = await rest.reach()
    if (failure !== undefined && books.size === 0) condition.lastFailure = failure
  }

  /** Outlives a crash of the actor. */
  let pinned: ReadonlySet<string> = new Set()
  const actor = spawnActor(
    parent,
    {
      name: ['ingest', slug, ...(part === undefined ? [] : [part.replace('/', ' of ')]), lease.epoch].join(' '),
      initial: () => initialIngestState(demands, pinned),
      step(state, message: IngestMessage, now) {
        const given = message.kind === 'books' ? { kind: 'books' as const, messages: events.take() } : message
        const effects = stepIngest(limits, state, given, now)
        pinned = state.pinned
        return effects
      },
      perform,
      start: { kind: 'start' },
      release() {
        sockets?.closeAll()
        held.clear()
        for (const [bookId, book] of books) {
          close(book, 'ingest_restarted')
          poller?.remove(bookId)
        }
        books.clear()
        fed.clear()
        condition.crowdedBooks = 0
        coverage.clear()
      },
    },
    { clock, log },
  )

  let tradesLatencyMs: number | null | undefined
  const report = (): VenueHealth => ({
    ...condition.report(),
    ...(tradesLatencyMs === undefined ? {} : { tradesLatencyMs }),
  })
  const publishHealth = (): void => bus.publish('health', formatLease(slug, part), report(), demands.inboxes())
  let interruptions = bus.interruptions()
  /** A quiet book has no next message that would replace a lost one. */
  function publishAgain(): void {
    if (bus.interruptions() === interruptions) return
    interruptions = bus.interruptions()
    for (const book of books.values()) if (book.publishedSeq > 0) publisher.mark(book)
  }
  // At once, so that readers drop messages of an earlier owner.
  publishHealth()
  coverage.recordTakeover()
  const sendSweep = onResume({ clock, defer, everyMs: sweepMs }, () =>
    sendMessage({ kind: 'sweep', lastDataAt: sockets?.lastDataAt() ?? new Map() }),
  )
  const timers: Timer[] = [
    clock.every(tapeFlushMs, () => void coverage.flush()),
    clock.every(sweepMs, () => {
      for (const shard of sockets?.lag.lagging(clock.monotonic()) ?? []) sendMessage({ kind: 'lagging', shard })
      sendSweep()
      markOldBooks()
      prover?.sweep()
      depth?.sweep()
      void noteReach()
    }),
    clock.every(healthMs, () => {
      publishAgain()
      publishHealth()
    }),
    clock.every(options.bookSnapshotMs, () => {
      for (const book of books.values()) if (book.shown && !book.isHeld) tape.book(depthRow(book))
    }),
  ]
  poller?.start()
  tradePoller?.start()

  return {
    actor,
    health: report,
    trades: {
      books: () => books.keys(),
      async ready() {
        await bus.ready()
        return lease.holds()
      },
      publish(trade, isLate) {
        if (!isLate) bus.publish('trades', `${slug}:${trade.marketId}`, trade)
        tape.addPublished(trade)
      },
      publishedUntil: (bookId, until) => coverage.tradesRead(bookId, until),
      allPublishedUntil: (until) => tape.publishedUntil(until),
      gap: (bookId, reason) => coverage.record(bookId, 'gap', reason),
      withdraw: (withdrawal) => bus.publish('withdrawals', `${slug}:${withdrawal.outcomeId}`, withdrawal),
      latency(ms) {
        tradesLatencyMs = ms
      },
      async flush() {
        await coverage.flush()
        return lease.holds()
      },
    },
    counters: () => ({
      frames: sockets?.frames ?? 0,
      malformed: malformed.malformed,
      published: publisher.published,
      resyncs: rest.resyncs,
      tapeRowsLost: tape.lost,
    }),
    async stop() {
      for (const timer of timers) timer.cancel()
      held.clear()
      poller?.stop()
      tradePoller?.stop()
      actor.stop()
      sockets?.closeAll()
      for (const [bookId, book] of books) {
        if (!book.shown) continue
        coverage.record(bookId, 'gap', 'ingest_stopped')
        book.markStale('ingest_stopped')
      }
      publisher.stop()
      // The running flush may have begun before the last rows arrived.
      await coverage.flush()
      await coverage.flush()
    },
  }
}

/** How a book of this venue is fed, `stream` if by a socket. Its trades may come from elsewhere. */
function mechanismOf(
  { slug, data }: VenueManifest,
  bookId: string,
  stream: VenueStream | undefined,
): CoverageEvent['mechanism'] {
  if (hasEmulatedBooks(slug) || data.isSynthetic?.(bookId) === true) return 'synthetic-spot'
  if (stream === undefined) return 'rest-adaptive'
  return stream.levels === undefined ? 'ws-lossless' : 'ws-top20'
}
