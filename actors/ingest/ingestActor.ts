// One venue's ingest: performs what `stepIngest` decides. Venue bytes never pass a mailbox: a socket's frame goes straight into the
// book, the dirty book into the next tick's flush. Only lifecycles (opened, broken, demand …) are told to the actor.

import type { ActorSystemRef } from '#actors/runtime/nact'
import { type Actor, spawnStepper } from '#actors/runtime/spawnStepper'
import type { LiveBook } from '#books/liveBook'
import type { Clock, Timer } from '#lib/clock'
import type { Log } from '#lib/log'
import { Pace } from '#lib/pace'
import type { OpenSocket } from '#net/socket'
import type { VenueHealth } from '#schemas/topics'
import type { Bus } from '#storage/bus/bus'
import type { BookSnapshot, FeedSink, VenueContext, VenueManifest } from '#venues/venue'
import { createFeed } from './feed.ts'
import { IngestBook } from './ingestBook.ts'
import type { IngestEffect, IngestMessage } from './messages.ts'
import { Poller } from './poller.ts'
import { applySnapshot, sameBook } from './snapshot.ts'
import { type IngestLimits, initialIngestState, stepIngest, sweepMs } from './step.ts'
import { TapeBuffer } from './tapeBuffer.ts'
import { VenueSockets } from './venueSockets.ts'

/** How often an idle venue is asked whether it is there. */
const reachMs = 10_000
/** Encoding one book and handing it over costs about this much (measured 2 to 8 us). */
const publishCostMs = 0.005
/** Tape rows gather this long before they go to the bus. */
const tapeFlushMs = 100

export interface IngestOptions {
  venue: VenueManifest
  context: VenueContext
  bus: Bus
  clock: Clock
  log: Log
  openSocket: OpenSocket
  random(): number
  /** Runs after this turn of the loop; tests and the simulation bring their own. */
  defer?(run: () => void): void
  tickMs: number
  idleUnwatchMs: number
  bookSnapshotMs: number
  /** Start time of the process, epoch ms. */
  epoch: number
  /** Told of every newest book in the same step it is published: the shared-memory writer of the compute role. */
  onBook?(book: LiveBook): void
}

export interface Ingest {
  actor: Actor<IngestMessage>
  health(): VenueHealth
  counters: IngestCounters
  /** Writes out what is left for the tape, then lets go of every socket and timer. */
  stop(): Promise<void>
}

export interface IngestCounters {
  frames: number
  malformed: number
  published: number
  resyncs: number
}

export function spawnIngest(system: ActorSystemRef, options: IngestOptions): Ingest {
  const { venue, context, bus, clock, log, epoch } = options
  const { data, slug } = venue
  const usable = data.stream !== undefined && data.stream.connect(context) !== null
  const stream = usable ? data.stream : undefined
  const limits: IngestLimits = {
    mode: stream === undefined ? 'poll' : 'stream',
    booksPerSocket: stream?.booksPerSocket ?? 1,
    silenceMs: stream?.silenceMs ?? data.poll.intervalMs * 3,
    idleUnwatchMs: options.idleUnwatchMs,
    resyncInBand: stream?.resyncInBand ?? false,
  }
  const mechanism = stream === undefined ? 'rest-adaptive' : 'ws-lossless'
  const counters: IngestCounters = { frames: 0, malformed: 0, published: 0, resyncs: 0 }
  const books = new Map<string, IngestBook>()
  const tape = new TapeBuffer(slug)
  let dirty: LiveBook[] = []
  const pace = new Pace(options.tickMs, clock.now())
  const defer = options.defer ?? setImmediate
  let flushDue = false
  let flushTimer: Timer | null = null
  let lastFailure: string | null = null
  let lastMessageAt: number | null = null
  let lagMs: number | null = null

  const tell = (message: IngestMessage): void => actor.tell(message)

  const feedOf = (shard: number): FeedSink =>
    createFeed({
      bus,
      tape,
      find: (bookId) => books.get(bookId),
      counters,
      log,
      onBroken: (bookId, reason) => breakBook(bookId, reason),
      onRefused: (bookId, reason) => tell({ kind: 'refused', bookId, reason }),
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
        })

  const poller =
    stream !== undefined
      ? null
      : new Poller({
          data,
          context,
          clock,
          watched: () => [...books.keys()],
          onSnapshot: (snapshot) => {
            lastFailure = null
            const book = books.get(snapshot.bookId)
            if (book !== undefined) applySnapshot(book, snapshot)
          },
          onMissing: (bookId) => tell({ kind: 'refused', bookId, reason: 'the venue has no such book' }),
          onFailed: (bookIds, error) => {
            lastFailure = error instanceof Error ? error.message : String(error)
            tell({ kind: 'pollFailed', bookIds, reason: 'unreachable' })
            for (const bookId of bookIds) books.get(bookId)?.markStale('unreachable')
          },
        })

  /** Stale at once, in the same step as the evidence; the actor hears of it and arranges the resync. */
  function breakBook(bookId: string, reason: string): void {
    books.get(bookId)?.markStale(reason)
    tell({ kind: 'broken', bookId, reason })
  }

  function openBook(bookId: string): void {
    const book = new IngestBook({
      venue: slug,
      marketId: bookId,
      tickMicros: null,
      tape,
      onDirty: markDirty,
      onBroken: (_book, reason) => tell({ kind: 'broken', bookId, reason }),
      onSynced: () => tell({ kind: 'synced', bookId }),
    })
    books.set(bookId, book)
  }

  async function restSnapshot(bookId: string): Promise<BookSnapshot | null> {
    return data.fetchOrderBook(context, bookId)
  }

  async function resync(shard: number, bookId: string): Promise<void> {
    counters.resyncs++
    if (sockets?.resync(shard, bookId)) return
    try {
      const snapshot = await restSnapshot(bookId)
      const book = books.get(bookId)
      if (book === undefined || book.synced) return
      if (snapshot === null) tell({ kind: 'refused', bookId, reason: 'the venue has no such book' })
      else {
        applySnapshot(book, snapshot)
        sockets?.snapshotWritten(shard, bookId, snapshot.recvTs)
      }
    } catch (error) {
      log.warn({ venue: slug, bookId, err: error }, 'resync failed')
      tell({ kind: 'resyncFailed', bookId })
    }
  }

  /** A socket that says nothing: is the market quiet, or is the feed frozen? The venue's REST book knows. */
  async function probe(shard: number, bookId: string): Promise<void> {
    if (sockets?.resync(shard, bookId)) return
    try {
      const snapshot = await restSnapshot(bookId)
      const book = books.get(bookId)
      if (snapshot === null || !book?.synced) return
      tell({ kind: 'probed', shard, same: sameBook(book, snapshot) })
    } catch (error) {
      log.debug({ venue: slug, bookId, err: error }, 'probe failed; silence decides')
    }
  }

  function perform(effect: IngestEffect): void {
    switch (effect.kind) {
      case 'openBook':
        openBook(effect.bookId)
        break
      case 'dropBook':
        books.get(effect.bookId)?.markStale('unwatched')
        books.delete(effect.bookId)
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
          if (book?.synced) markDirty(book)
        }
        break
      case 'resync':
        void resync(effect.shard, effect.bookId)
        break
      case 'probe':
        void probe(effect.shard, effect.bookId)
        break
      case 'coverage':
        bus.publish('coverage', `${slug}:${effect.bookId}`, {
          venue: slug,
          outcomeId: effect.bookId,
          kind: effect.event,
          mechanism,
          effectiveIntervalMs: stream === undefined ? data.poll.intervalMs : null,
          reason: effect.reason,
          at: clock.now(),
        })
    }
  }

  function markDirty(book: LiveBook): void {
    dirty.push(book)
    if (flushDue) return
    flushDue = true
    const delayMs = pace.delayMs(clock.now())
    if (delayMs === 0) defer(flush)
    else flushTimer = clock.after(delayMs, flush)
  }

  /** Every dirty book is encoded once and handed over once. */
  function flush(): void {
    flushDue = false
    flushTimer = null
    if (dirty.length === 0) return
    const batch = dirty
    dirty = []
    for (const book of batch) {
      bus.publish('books', `${slug}:${book.marketId}`, book.update(epoch))
      options.onBook?.(book)
      if (book.eventTs !== null && book.recvTs > 0) lagMs = Math.max(0, book.recvTs - book.eventTs)
      if (book.recvTs > (lastMessageAt ?? 0)) lastMessageAt = book.recvTs
    }
    counters.published += batch.length
    pace.ran(batch.length * publishCostMs, clock.now())
  }

  let tapeBusy = false
  async function flushTape(): Promise<void> {
    if (tapeBusy || tape.rows === 0) return
    tapeBusy = true
    // A bus that cannot take more makes the rows gather here, bounded by the watched books' own pace.
    await bus.ready()
    for (const batch of tape.take()) bus.publish('tape', `${batch.venue}:${batch.outcomeId}`, batch)
    tapeBusy = false
  }

  /** With nothing to watch nobody would notice an unreachable venue: a book that does not exist is asked for, and any answer will do. */
  let reachedAt = Number.NEGATIVE_INFINITY
  async function reach(): Promise<void> {
    if (books.size > 0 || clock.now() - reachedAt < reachMs) return
    reachedAt = clock.now()
    try {
      await restSnapshot('0')
      if (books.size === 0) lastFailure = null
    } catch (error) {
      if (books.size === 0) lastFailure = error instanceof Error ? error.message : String(error)
    }
  }

  const health = (): VenueHealth => ({
    venue: slug,
    connection: connectionOf(),
    lastMessageAt,
    lagMs,
    watchedBooks: books.size,
    staleBooks: [...books.values()].filter((book) => !book.synced).length,
    sockets: sockets?.open ?? 0,
    reason: lastFailure,
    at: clock.now(),
  })

  function connectionOf(): VenueHealth['connection'] {
    if (lastFailure !== null) return 'unreachable'
    if (books.size === 0) return 'idle'
    if (sockets === null) return 'polling'
    return [...books.values()].some((book) => book.synced) ? 'connected' : 'connecting'
  }

  const actor = spawnStepper(
    system,
    {
      name: `ingest ${slug}`,
      initial: initialIngestState,
      step: (state, message: IngestMessage, now) => stepIngest(limits, state, message, now),
      perform,
      start: { kind: 'start' },
      restart() {
        sockets?.closeAll()
        for (const book of books.values()) book.markStale('restart')
        books.clear()
      },
    },
    { clock, log },
  )

  const timers: Timer[] = [
    clock.every(tapeFlushMs, () => void flushTape()),
    clock.every(sweepMs, () => {
      counters.frames = sockets?.frames ?? 0
      tell({ kind: 'sweep', lastDataAt: sockets?.lastDataAt() ?? new Map() })
      void reach()
      bus.publish('health', slug, health())
    }),
    clock.every(options.bookSnapshotMs, () => {
      for (const book of books.values()) if (book.synced) tape.book(depthRow(book))
    }),
  ]
  poller?.start()

  return {
    actor,
    health,
    counters,
    async stop() {
      for (const timer of timers) timer.cancel()
      ;(flushTimer as Timer | null)?.cancel()
      poller?.stop()
      actor.stop()
      sockets?.closeAll()
      flush()
      await flushTape()
    },
  }
}

const depthLevels = 100
const prices = new Int32Array(depthLevels)
const sizes = new Float64Array(depthLevels)

function depthRow(book: IngestBook) {
  const side = (of: 0 | 1): { micros: number[]; sizes: number[] } => {
    const count = book.copyLevels(of, depthLevels, prices, sizes)
    return { micros: [...prices.subarray(0, count)], sizes: [...sizes.subarray(0, count)] }
  }
  const bids = side(0)
  const asks = side(1)
  return {
    venue: book.venue,
    outcomeId: book.marketId,
    ts: book.timestamp,
    recvTs: book.recvTs,
    bidMicros: bids.micros,
    bidSizes: bids.sizes,
    askMicros: asks.micros,
    askSizes: asks.sizes,
  }
}
