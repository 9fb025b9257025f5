// Shared by the polymarket tests: a feed with live books that records all events, and frames in the venue’s own key order.
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { LiveBook } from '#core/books/liveBook'
import type { TradeUpdate } from '#schemas/topics'
import { sharedFixture } from '#test/support/fixtures'
import { scan } from '#venues/polymarket/data/scan'
import { openSession, type PolymarketSession } from '#venues/polymarket/data/stream'
import { ASK, BID, type FeedSink } from '#venues/venue'

export const tokenA = '57953460969144501144385266431497900786362265483971474370583776523710017709396'
export const tokenB = '96068695550770798875229279981526101361495338295429275783268080720263673016964'
export const market = `0x${'5f65177b394277fd'.repeat(4)}`
export const bookHash = 'bf32b3746fff40c76c98021b7f3f07261169dd26'

/** A scanner that reads nothing, so every frame takes the JSON.parse path. */
export const scanNothing: typeof scan = () => false

export interface Watched {
  session: PolymarketSession
  books: Map<string, LiveBook>
  trades: TradeUpdate[]
  lastTrades: [string, number][]
  broken: [string, string][]
  ticks: [string, number][]
  statuses: [string, string, number][]
  malformed: string[]
  /** Number of times a book was published crossed; must stay 0. */
  crossedPublished: number
}

/** A session subscribed to `ids`, with a live book for each. A broken book becomes stale at once, like in ingest. */
export function watch(ids: readonly string[], read: typeof scan = scan): Watched {
  const books = new Map<string, LiveBook>()
  const seen: Omit<Watched, 'session'> = {
    books,
    trades: [],
    lastTrades: [],
    broken: [],
    ticks: [],
    statuses: [],
    malformed: [],
    crossedPublished: 0,
  }
  const feed: FeedSink = {
    send: (text) => seen.malformed.push(`sent ${text}`),
    unseeded: (id) => seen.malformed.push(`unseeded ${id}`),
    book: (id) => books.get(id),
    trade: (trade) => seen.trades.push(trade),
    lastTrade: (id, micros) => seen.lastTrades.push([id, micros]),
    broken(id, reason) {
      seen.broken.push([id, reason])
      books.get(id)?.markStale(reason)
    },
    tickSize: (id, micros) => seen.ticks.push([id, micros]),
    marketStatus: (id, status, at) => seen.statuses.push([id, status, at]),
    refused: (id) => seen.malformed.push(`refused ${id}`),
    failed: (reason) => seen.malformed.push(`failed ${reason}`),
    malformed: (reason) => seen.malformed.push(reason),
  }
  const session = openSession(feed, read)
  session.subscribe(ids)
  for (const id of ids)
    books.set(
      id,
      new LiveBook({
        venue: 'polymarket',
        marketId: id,
        tickMicros: 10_000,
        onDirty(book) {
          const { bidMicros, askMicros } = book.top()
          if (book.state === 'live' && bidMicros !== null && askMicros !== null && bidMicros >= askMicros)
            seen.crossedPublished++
          book.core()
        },
        onBroken: (book, reason) => seen.broken.push([book.marketId, reason]),
      }),
    )
  return Object.assign(seen, { session })
}

/** Levels of a live book, best first; null unless it is live. */
export function levels(book: LiveBook | undefined): { bids: [number, number][]; asks: [number, number][] } | null {
  if (book === undefined || !book.synced) return null
  const prices = new Int32Array(16_384)
  const sizes = new Float64Array(16_384)
  const side = (which: typeof BID | typeof ASK): [number, number][] => {
    const count = book.copyLevels(which, prices.length, prices, sizes)
    return Array.from({ length: count }, (_, i) => [prices[i] as number, sizes[i] as number])
  }
  return { bids: side(BID), asks: side(ASK) }
}

export type Quote = readonly [price: string, size: string]

const quotes = (list: readonly Quote[]) => list.map(([price, size]) => ({ price, size }))

/** Formatted like the venue does (field order of captures of 2026-07), with levels in the given order. */
export const bookFrame = (assetId: string, ts: number, bids: readonly Quote[], asks: readonly Quote[]): Buffer =>
  Buffer.from(
    JSON.stringify({
      market,
      asset_id: assetId,
      timestamp: String(ts),
      hash: bookHash,
      bids: quotes(bids),
      asks: quotes(asks),
      tick_size: '0.01',
      event_type: 'book',
      last_trade_price: '',
    }),
  )

export interface ChangeFields {
  asset: string
  side: 'BUY' | 'SELL'
  price: string
  size: string
  bestBid: string
  bestAsk: string
}

export const changeFrame = (ts: number, changes: readonly ChangeFields[]): Buffer =>
  Buffer.from(
    JSON.stringify({
      market,
      price_changes: changes.map(({ asset, price, size, side, bestBid, bestAsk }) => ({
        asset_id: asset,
        price,
        size,
        side,
        hash: bookHash,
        best_bid: bestBid,
        best_ask: bestAsk,
      })),
      timestamp: String(ts),
      event_type: 'price_change',
    }),
  )

export const frame = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))

/** A recording next to the project, unzipped where needed; null without it. */
export function recording(path: string): string | null {
  const file = sharedFixture(`polymarket/${path}`)
  if (file === null) return null
  const bytes = readFileSync(file)
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}

export const ownFixture = (name: string): string => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8')

/** Converts a recorded trade of the Data API’s first version to the field names of the second. */
export const renamedTrade = ({ asset, ...row }: Record<string, unknown>): Record<string, unknown> => ({
  token_id: asset,
  ...Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]),
  ),
})
