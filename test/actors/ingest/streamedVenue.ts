// A venue with a feed whose sockets, frames and REST books a test controls, and the ingest in front of it, on a manual clock.
import { vi } from 'vitest'
import { type Ingest, spawnIngest } from '#actors/ingest/ingestActor'
import { start, stop } from '#actors/system'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createPrng } from '#lab/prng'
import { handshakeTimeoutMs, type SocketEvents } from '#net/socket'
import type { Trade } from '#schemas/marketData'
import type { BookUpdate } from '#schemas/topics'
import type { Bus } from '#storage/bus/bus'
import { createLocalBus } from '#storage/bus/local'
import { booksOnly, contextOf } from '#test/support/ingest'
import { singleProcessLease } from '#test/support/lease'
import {
  ASK,
  BID,
  type BookSnapshot,
  type FeedSink,
  type StreamSession,
  type VenueManifest,
  type VenueStream,
} from '#venues/venue'

/** `ts`: the venue's time, null when it sends none. */
interface Frame {
  kind: 'book' | 'delta'
  bookId: string
  bidSize: number
  ts: number | null
}

export interface FakeSocket {
  readonly events: SocketEvents
  readonly sent: string[]
  isClosed: boolean
  deliver(frame: Frame): void
  /** By the venue. */
  close(reason: string): void
}

export interface StreamedOptions {
  booksPerSocket?: number
  /** The result of the next connection; absent: it opens immediately. A hanging one is given up after the handshake timeout. */
  admits?: () => 'opens' | 'refuses' | 'hangs'
  /** Books that its feed carries; absent: all of them. */
  carries?: (bookId: string) => boolean
  /** If its feed carries no trades: the trades that REST returns. */
  trades?: () => Trade[]
  /** Receives published books and the inboxes they go to, as between processes. */
  delivered?: (update: BookUpdate, inboxes: readonly number[]) => void
  /** The part of the venue that this ingest owns. */
  part?: string
  /** A real venue's protocol; its frames go to `events.frame`. */
  open?: VenueStream['open']
}

const askOf = 600_000
const bidOf = 400_000

function sessionOf(feed: FeedSink): StreamSession {
  const fed = new Set<string>()
  return {
    subscribe: (bookIds) => bookIds.map((bookId) => `subscribe ${bookId}`),
    unsubscribe: (bookIds) => bookIds.map((bookId) => `unsubscribe ${bookId}`),
    resync: () => null,
    confirm: () => null,
    feeds: (bookId) => fed.has(bookId),
    delivers: (bookId) => fed.has(bookId),
    receive(bytes, recvTs) {
      const { kind, bookId, bidSize, ts } = JSON.parse(bytes.toString()) as Frame
      fed.add(bookId)
      const book = feed.book(bookId)
      if (book === undefined || (kind === 'delta' && !book.synced)) return true
      if (kind === 'book') book.beginSnapshot()
      if (kind === 'book') book.set(ASK, askOf, 10)
      book.set(BID, bidOf, bidSize)
      book.commit(ts, recvTs)
      return true
    },
  }
}

export async function streamedVenue({
  booksPerSocket = 100,
  admits = () => 'opens',
  carries,
  trades,
  delivered,
  part,
  open = sessionOf,
}: StreamedOptions = {}) {
  const clock = new ManualClock()
  const local = createLocalBus({
    onError: (error) => {
      throw error
    },
  })
  /** Of each heartbeat. */
  const heartbeatInboxes: (readonly number[])[] = []
  const interruptions = { count: 0 }
  const bus: Bus = {
    ...local,
    interruptions: () => interruptions.count,
    deliversOnDemand: delivered !== undefined,
    publish(topic, key, value, inboxes) {
      if (topic === 'books') delivered?.(value as BookUpdate, inboxes ?? [])
      if (topic === 'health') heartbeatInboxes.push(inboxes ?? [])
      local.publish(topic, key, value)
    },
  }
  const system = start()
  const sockets: FakeSocket[] = []
  /** What REST returns for a book: the size of its best bid. */
  const rest = new Map<string, number>()
  const statesOf = new Map<string, string[]>()
  await bus.subscribe('books', ({ marketId, state, staleReason }) => {
    const states = statesOf.get(marketId) ?? []
    statesOf.set(marketId, states)
    states.push(state === 'live' ? state : `${state} ${staleReason}`)
  })
  const snapshotOf = (bookId: string): BookSnapshot => ({
    bookId,
    bids: [[bidOf, rest.get(bookId)!]],
    asks: [[askOf, 10]],
    eventTs: null,
    recvTs: clock.now(),
    lastTradeMicros: null,
    isNegRisk: null,
    tickMicros: null,
  })
  const venue: VenueManifest = {
    slug: 'polymarket',
    title: 'Streamed',
    urls: {},
    credentialNames: [],
    volume24h: false,
    data: {
      ...booksOnly,
      fetchOrderBook: async (_context, bookId) => (rest.has(bookId) ? snapshotOf(bookId) : null),
      fetchOrderBooks: async (_context, bookIds) =>
        new Map(bookIds.filter((id) => rest.has(id)).map((id) => [id, snapshotOf(id)])),
      poll: { intervalMs: 2_000, concurrency: 1, ...(trades && { tradesEveryMs: 10_000 }) },
      ...(trades && { fetchTrades: async () => trades() }),
      stream: {
        connect: () => ({ url: 'ws://nowhere', headers: {} }),
        booksPerSocket,
        silenceMs: 15_000,
        stalenessMaxMs: 15_000,
        heartbeat: null,
        resyncInBand: false,
        firehose: false,
        ...(trades && { hasTrades: false }),
        ...(carries && { carries }),
        open,
      },
    },
  }
  const ingest: Ingest = spawnIngest(system, {
    venue,
    context: contextOf(venue.slug, clock),
    bus,
    clock,
    log: silentLog,
    openSocket(_url, _headers, events) {
      const sent: string[] = []
      const socket: FakeSocket = {
        events,
        sent,
        isClosed: false,
        deliver: (frame) => events.frame(Buffer.from(JSON.stringify(frame))),
        close(reason) {
          if (socket.isClosed) return
          socket.isClosed = true
          events.closed(reason)
        },
      }
      sockets.push(socket)
      const outcome = admits()
      if (outcome === 'hangs') clock.after(handshakeTimeoutMs, () => socket.close('no answer'))
      else queueMicrotask(() => (outcome === 'opens' ? events.opened() : socket.close('refused')))
      return {
        send: (text) => void sent.push(text),
        bufferedBytes: () => 0,
        close: () => {
          socket.isClosed = true
        },
      }
    },
    random: createPrng('streamed').next,
    tickMs: 1,
    idleUnwatchMs: 3_600_000,
    bookSnapshotMs: 3_600_000,
    lease: { ...singleProcessLease(clock.now()), part },
  })
  return {
    heartbeatInboxes,
    interruptions,
    bus,
    clock,
    data: venue.data,
    ingest,
    sockets,
    rest,
    /** The last message that readers received for a book, and all of them. */
    newest: (bookId: string): string | undefined => statesOf.get(bookId)?.at(-1),
    statesOf: (bookId: string): readonly string[] => statesOf.get(bookId) ?? [],
    /** The connections that are open now. */
    open: (): FakeSocket[] => sockets.filter(({ isClosed }) => !isClosed),
    /** Lets a millisecond, and everything pending in the loop, pass until the assertion holds. */
    eventually: (look: () => void): Promise<void> =>
      vi.waitFor(
        () => {
          clock.advance(1)
          look()
        },
        { timeout: 25_000, interval: 1 },
      ),
    async stop(): Promise<void> {
      await ingest.stop()
      await stop(system)
      await bus.close()
    },
  }
}

export type StreamedVenue = Awaited<ReturnType<typeof streamedVenue>>
