// The socket of a venue, as ingest uses it: connect, subscribe to a few books, wait for the first book and for a change.
import type { Clock } from '#core/clock'
import type { OpenSocket } from '#net/socket'
import { countingLost } from '#venues/shared/data/row'
import type { BookSnapshot, FeedSink, VenueStream } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'
import { FieldCollector } from './fields.ts'
import { ProbeBook } from './probeBook.ts'
import { describeError } from './report.ts'

export interface SocketProbe {
  /** Null: every step succeeded. */
  failure: string | null
  warnings: string[]
  books: BookSnapshot[]
  /** Ms from opening to the first book; null: none came. */
  firstBookMs: number | null
  changes: number
  frames: number
  /** By kind of frame. */
  fields: ReadonlyMap<string, FieldCollector>
  /** The frames as they came, the first ones. */
  kept: string[]
}

interface Options {
  stream: VenueStream
  context: VenueContext
  openSocket: OpenSocket
  clock: Clock
  bookIds: readonly string[]
  /** For a first book, and for a change after it. */
  patienceMs: number
  /** A snapshot over REST, for venues whose socket sends none. */
  read(bookId: string): Promise<BookSnapshot | null>
}

const framesKept = 50

export async function probeSocket(options: Options): Promise<SocketProbe> {
  const { stream, context, openSocket, clock, bookIds, patienceMs, read } = options
  const token = await stream.fetchToken?.(context)
  const target = stream.connect(context, token)
  if (target === null) throw new Error('the socket cannot be used without credentials')
  const warnings = new Set<string>()
  const fields = new Map<string, FieldCollector>()
  const kept: string[] = []
  let frames = 0
  let firstBookMs: number | null = null
  const openedAt = clock.monotonic()

  return new Promise<SocketProbe>((resolve) => {
    const books = new Map(bookIds.map((bookId) => [bookId, new ProbeBook(bookId, () => progressed())]))
    const owned: { cancel(): void }[] = []
    let isOver = false

    const end = (failure: string | null): void => {
      if (isOver) return
      isOver = true
      for (const timer of owned) timer.cancel()
      socket.close()
      const synced = [...books.values()].filter((book) => book.synced)
      const changes = synced.reduce((sum, book) => sum + book.changes + Math.max(0, book.snapshots - 1), 0)
      if (failure === null && changes === 0) warnings.add(`no book changed within ${patienceMs / 1_000} s`)
      const shown = synced.map((book) => book.snapshot(clock.now()))
      resolve({ failure, warnings: [...warnings], books: shown, firstBookMs, changes, frames, fields, kept })
    }
    /** Socket events have no caller to catch an error: it ends the probe of this socket only. */
    const guarded =
      <Values extends unknown[]>(handle: (...values: Values) => void) =>
      (...values: Values): void => {
        try {
          handle(...values)
        } catch (error) {
          end(describeError(error))
        }
      }
    function progressed(): void {
      const synced = [...books.values()].filter((book) => book.synced)
      if (synced.length > 0) firstBookMs ??= clock.monotonic() - openedAt
      if (synced.some(({ changes, snapshots }) => changes > 0 || snapshots > 1))
        owned.push(clock.after(0, () => end(null)))
    }
    const feed: FeedSink = {
      send: (text) => socket.send(text),
      unseeded(bookId) {
        const seed = async (): Promise<void> => {
          const snapshot = await read(bookId)
          const book = books.get(bookId)
          if (snapshot === null || book === undefined || isOver) return
          book.beginSnapshot()
          for (const [price, size] of snapshot.bids) book.set(0, price, size)
          for (const [price, size] of snapshot.asks) book.set(1, price, size)
          book.commit(snapshot.eventTs)
          session.snapshotWritten?.(bookId, snapshot.recvTs)
        }
        seed().catch((error: unknown) => warnings.add(describeError(error)))
      },
      book: (bookId) => books.get(bookId),
      trade: () => undefined,
      lastTrade: () => undefined,
      broken: (bookId, reason) => void warnings.add(`book ${bookId}: ${reason}`),
      tickSize: () => undefined,
      marketStatus: () => undefined,
      refused: (bookId, reason) => void warnings.add(`subscription to ${bookId} refused: ${reason}`),
      failed: (reason) => end(reason),
      malformed: (reason) => void warnings.add(`a frame that cannot be read: ${reason}`),
    }
    const session = stream.open(feed, token)
    const socket = openSocket(target.url, target.headers, {
      opened: guarded(() => {
        if (stream.heartbeat !== null) {
          const { everyMs, text } = stream.heartbeat
          owned.push(clock.every(everyMs, () => socket.send(text)))
        }
        for (const text of session.subscribe(bookIds)) socket.send(text)
      }),
      frame: guarded((data: Buffer) => {
        frames++
        if (kept.length < framesKept) kept.push(data.toString())
        takeFields(fields, data)
        countingLost(context, () => session.receive(data, clock.now()))
      }),
      closed: (reason) => end(reason),
    })
    owned.push(
      clock.after(patienceMs, () => {
        if (firstBookMs === null) end(frames === 0 ? 'nothing came after the subscription' : 'no book came')
      }),
      clock.after(2 * patienceMs, () => end(firstBookMs === null ? 'no book came' : null)),
    )
  })
}

/** Frames of text protocols begin with a number. */
function takeFields(fields: Map<string, FieldCollector>, data: Buffer): void {
  const text = data.toString()
  const from = text.search(/[[{]/)
  if (from < 0 || from > 20) return
  for (const line of text.slice(from).split('\n')) {
    let frame: unknown
    try {
      frame = JSON.parse(line)
    } catch {
      continue
    }
    for (const each of Array.isArray(frame) ? frame : [frame]) {
      const source = `frame ${kindOf(each)}`
      const collector = fields.get(source) ?? new FieldCollector()
      fields.set(source, collector)
      collector.take(each)
    }
  }
}

const kindNames = ['event_type', 'type', 'channel', 'event', 'e', 'msgType'] as const

function kindOf(frame: unknown): string {
  if (typeof frame !== 'object' || frame === null) return 'other'
  for (const name of kindNames) {
    const kind = (frame as Readonly<Record<string, unknown>>)[name]
    if (typeof kind === 'string' && !/\d/.test(kind)) return kind
  }
  return 'other'
}
