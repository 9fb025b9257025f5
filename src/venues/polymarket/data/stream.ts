// The market channel as a pure protocol: frames to send, frames to take. Has no socket or timer of its own.
//
//   open ── {"type":"market",assets_ids} ──► book per asset ──► price_change, last_trade_price, …
//     later {"operation":"subscribe"|"unsubscribe",assets_ids}      PING every 10 s ◄─► PONG (no data)
//
// A new snapshot cannot be requested in-band: ingest reads it over REST.
import type { FeedSink, StreamSession, VenueStream } from '../../venue.ts'
import type { VenueContext } from '../../venueContext.ts'
import { bookIdOf } from '../ids.ts'
import { AssetTable } from './assets.ts'
import { DecodedFrame } from './frame.ts'
import { FrameApplier } from './frameHandler.ts'
import { type NonBookEvent, parse } from './parse.ts'
import { scan } from './scan.ts'

/** Initial snapshots stop coming beyond 500 assets per socket; a public client settled at 200. */
const booksPerSocket = 200
/**
 * Silence is counted over all books of a socket: one quiet market does not make its socket stale, 200 of them at once do. A socket with only
 * quiet markets is sometimes reconnected needlessly, at the cost of one snapshot per book.
 */
const silenceMs = 15_000
/** The venue closes sockets that do not send PING; its own client sends it every 10 s. */
const pingEveryMs = 10_000

/** What a session adds to the contract. */
export interface PolymarketSession extends StreamSession {
  /** Ingest wrote a REST snapshot into the book: changes received meanwhile are applied on top of it. */
  snapshotWritten(bookId: string, recvTs: number): void
  readonly counts: Readonly<SessionCounts>
}

export interface SessionCounts {
  /** Frames the byte scanner read. */
  scanned: number
  /** Frames that went through JSON.parse. */
  parsed: number
  newMarkets: number
  duplicates: number
  late: number
  olderSnapshots: number
  /** Venue hashes checked against our book: matches and mismatches. */
  hashesFitted: number
  hashesUnfitted: number
}

export const stream = {
  connect: ({ urls }: VenueContext) => (urls.WS === undefined ? null : { url: urls.WS, headers: {} }),
  booksPerSocket,
  silenceMs,
  stalenessMaxMs: 15_000,
  resyncInBand: false,
  heartbeat: { everyMs: pingEveryMs, text: 'PING' },
  firehose: false,
  open: (feed: FeedSink): PolymarketSession => openSession(feed, scan),
} satisfies VenueStream

/** `read` is the scanner, or in tests a function that refuses everything, so that JSON.parse reads all. */
export function openSession(feed: FeedSink, read: typeof scan): PolymarketSession {
  const assets = new AssetTable()
  const decoded = new DecodedFrame()
  const applier = new FrameApplier(feed)
  let scanned = 0
  let parsed = 0
  let newMarkets = 0
  let greeted = false

  const takeRare = (event: NonBookEvent): void => {
    if (event.kind === 'newMarket') {
      newMarkets++
      return
    }
    if (event.kind === 'resolved') {
      feed.marketStatus(event.marketId, 'resolved', event.ts)
      return
    }
    const asset = assets.get(event.assetId)
    if (asset === null) return
    if (event.kind === 'tickSize') applier.tickSize(asset, event.tickMicros, event.ts)
    else applier.checkBest(asset, event.bidMicros, event.askMicros, event.ts)
  }

  return {
    subscribe(bookIds) {
      const fresh = [...new Set(bookIds)].filter((id) => bookIdOf(id) !== null && assets.get(id) === null)
      if (fresh.length === 0) return []
      for (const id of fresh) assets.add(id)
      const opening = greeted ? { operation: 'subscribe' } : { type: 'market' }
      greeted = true
      return [JSON.stringify({ ...opening, assets_ids: fresh, custom_feature_enabled: true })]
    },
    unsubscribe(bookIds) {
      const known = bookIds.filter((id) => assets.get(id) !== null)
      if (known.length === 0) return []
      for (const id of known) assets.remove(id)
      return [JSON.stringify({ operation: 'unsubscribe', assets_ids: known })]
    },
    resync: () => null,
    confirm: () => null,
    feeds: (bookId) => assets.get(bookId)?.isFed === true,
    // Nothing is acknowledged: only data says that the book is fed.
    delivers: (bookId) => assets.get(bookId)?.isFed === true,
    receive(frame, recvTs) {
      if (read(frame, assets, decoded)) {
        scanned++
        applier.apply(decoded, recvTs)
        return decoded.messages > 0
      }
      parsed++
      const { rare, malformed, unread } = parse(frame, assets, decoded)
      applier.apply(decoded, recvTs)
      for (const event of rare) takeRare(event)
      for (const reason of malformed) feed.malformed(reason)
      for (const asset of unread) applier.unread(asset)
      // A new market elsewhere says nothing about the books of this socket.
      return decoded.messages > 0 || rare.some(({ kind }) => kind !== 'newMarket')
    },
    snapshotWritten(bookId, recvTs) {
      const asset = assets.get(bookId)
      if (asset !== null) applier.snapshotWritten(asset, recvTs)
    },
    get counts() {
      return { scanned, parsed, newMarkets, ...applier.counts }
    },
  }
}
