// One venue's ingest in front of its lab, on a manual clock: demanded books, what readers receive of them, and the venue's true state.
import { vi } from 'vitest'
import { spawnIngest } from '#actors/ingest/ingestActor'
import { start, stop } from '#actors/system'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { toProbability } from '#core/price'
import type { CounterSnapshot } from '#lab/counters'
import type { Engine } from '#lab/engine/engine'
import type { MarketTruth } from '#lab/engine/market'
import type { Faults } from '#lab/faults'
import { startLab } from '#lab/lab'
import type { HttpClient } from '#net/http'
import { createHttpClient } from '#net/httpClient'
import { type OpenSocket, openSocket } from '#net/socket'
import { createLocalBus } from '#storage/bus/local'
import { singleProcessLease } from '#test/support/lease'
import type { VenueContext } from '#venues/venueContext'
import type { VenueCase } from './cases/venueCase.ts'

type Level = { price: number; size: number }

/** An update as it was when it arrived: its bytes belong to the publisher. */
export interface ReceivedBook {
  state: 'live' | 'stale'
  staleReason: string | undefined
  bids: Level[]
  asks: Level[]
}

/** The fields in which venues send a level, or its price. */
const levelKeys: ReadonlySet<string> = new Set([
  ...['price', 'price_dollars', 'yes_dollars_fp', 'no_dollars_fp', 'bids', 'asks', 'offers', 'b', 'a', 'levels'],
  ...['outcomeOne', 'outcomeTwo', 'changes'],
])

/** The same message with its levels in an unknown format, and its ids unchanged. */
function withOddLevels(frame: Buffer): Buffer {
  const text = frame.toString()
  const from = text.search(/[[{]/)
  if (from < 0) return frame
  const lines = text.slice(from).split('\n')
  const odd = lines.map((line) =>
    JSON.stringify(JSON.parse(line), (key, value: unknown) => (levelKeys.has(key) ? { odd: true } : value)),
  )
  return Buffer.from(text.slice(0, from) + odd.join('\n'))
}

/** Polls during which the clock stops while a request is in flight: a request may itself wait for the clock. */
const heldMax = 10

interface StreamedVenueLab {
  engine: Engine
  faults: Faults
  urls: Readonly<Record<string, string>>
  credentials?: Readonly<Record<string, string>>
  book(id: string): MarketTruth | null
  counters(): CounterSnapshot
}

/** `spawn`: another way to start the ingest. */
export async function streamedLab({ manifest, lab: name }: VenueCase, seed: string, spawn = spawnIngest) {
  const clock = new ManualClock()
  const lab = await startLab({ clock, seed, venues: [name], ratePerSecond: 0, markets: 12 })
  const venue: StreamedVenueLab = lab[name]
  const bus = createLocalBus({
    onError: (error) => {
      throw error
    },
  })
  const received = new Map<string, ReceivedBook[]>()
  await bus.subscribe('books', ({ marketId, state, staleReason, core }) => {
    const { bids, asks } = JSON.parse(`${core}}`) as Pick<ReceivedBook, 'bids' | 'asks'>
    const states = received.get(marketId) ?? []
    received.set(marketId, states)
    states.push({ state, staleReason, bids, asks })
  })
  const mechanisms = new Map<string, string>()
  await bus.consume('coverage', 'streamedLab', async ({ values }) => {
    for (const { outcomeId, mechanism } of values) mechanisms.set(outcomeId, mechanism)
  })
  const system = start()
  const http = createHttpClient({ venue: manifest.slug, requestsPerSecond: 1_000, clock })
  let isOdd = false
  const open: OpenSocket = (url, headers, events) =>
    openSocket(url, headers, { ...events, frame: (data) => events.frame(isOdd ? withOddLevels(data) : data) })
  let pendingRequests = 0
  let held = 0
  const request: HttpClient['request'] = (options) => {
    pendingRequests++
    return http.request(options).finally(() => {
      pendingRequests--
    })
  }
  const { credentials = {} } = venue
  const isKeyed = manifest.credentialNames.length > 0 && manifest.credentialNames.every((part) => part in credentials)
  const context: VenueContext = {
    venue: manifest.slug,
    http: { request },
    clock,
    log: silentLog,
    urls: venue.urls,
    credentials: isKeyed ? credentials : null,
    signal: new AbortController().signal,
  }
  const ingest = spawn(system, {
    venue: manifest,
    context,
    bus,
    clock,
    log: silentLog,
    openSocket: open,
    random: () => 0.5,
    tickMs: 1,
    idleUnwatchMs: 5_000,
    bookSnapshotMs: 3_600_000,
    lease: singleProcessLease(clock.now()),
  })
  const max = manifest.data.stream?.levels ?? Number.POSITIVE_INFINITY
  const shown = (levels: readonly (readonly [number, number])[]): Level[] =>
    levels.slice(0, max).map(([micros, size]) => ({ price: toProbability(micros), size }))
  return {
    clock,
    ingest,
    venue,
    faults: venue.faults,
    /** All updates that readers received for a book, oldest first. */
    received: (bookId: string): readonly ReceivedBook[] => received.get(bookId) ?? [],
    /** How the tape's coverage says the book is fed. */
    mechanism: (bookId: string): string | undefined => mechanisms.get(bookId),
    newest: (bookId: string): ReceivedBook | undefined => received.get(bookId)?.at(-1),
    truth(bookId: string): Pick<ReceivedBook, 'bids' | 'asks'> {
      const { bids, asks } = venue.book(bookId)!
      return { bids: shown(bids), asks: shown(asks) }
    },
    /** Books of different open markets, by the ids that ingest requests. */
    async bookIds(count: number): Promise<string[]> {
      const found: string[] = []
      for await (const { events } of manifest.data.walkCatalog(context, { updatedSinceMs: null }))
        for (const { markets } of events)
          for (const { status, outcomes, marketId } of markets) {
            const ref = manifest.data.bookRef(outcomes[0]?.outcomeId ?? '', marketId)
            if (status === 'active' && ref !== null && found.length < count) found.push(ref.bookId)
          }
      return found
    },
    /** From now on, or no longer, levels have a format that cannot be parsed. */
    sendOddLevels(is: boolean): void {
      isOdd = is
    },
    /** The market changes for this much time of its clock. */
    move(bookId: string, durationMs = 1_000): void {
      venue.faults.burst({ market: bookId, ratePerSecond: 100, durationMs })
    },
    /** The market changes about twice a second for this much time of its clock. */
    flow(bookId: string, durationMs: number): void {
      venue.faults.burst({ market: bookId, ratePerSecond: 2, durationMs })
    },
    /** The clock advances in small steps while real sockets and requests run; returns the time that took by that clock, ms. */
    async until(look: () => void, timeoutMs = 20_000): Promise<number> {
      const from = clock.monotonic()
      await vi.waitFor(
        () => {
          // A pending response takes little time of the venue's clock, however busy the machine.
          held = pendingRequests > 0 && held < heldMax ? held + 1 : 0
          if (held === 0) clock.advance(100)
          look()
        },
        { timeout: timeoutMs, interval: 3 },
      )
      return clock.monotonic() - from
    },
    async stop(): Promise<void> {
      await ingest.stop()
      http.close()
      await stop(system)
      await bus.close()
      await lab.stop()
    },
  }
}

export type StreamedLab = Awaited<ReturnType<typeof streamedLab>>
