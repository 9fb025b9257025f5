// Polymarket's market channel, from bytes to book: the session as ingest runs it, compared with JSON.parse and sorted arrays.
import { type Book, createBook } from '#core/books/book'
import { LiveBook } from '#core/books/liveBook'
import { AssetTable } from '#venues/polymarket/data/assets'
import { DecodedFrame } from '#venues/polymarket/data/frame'
import { scan } from '#venues/polymarket/data/scan'
import { openSession } from '#venues/polymarket/data/stream'
import { ASK, BID, type BookSide, type BookWriter, type FeedSink } from '#venues/venue'
import { type Bench, fullOrShort, rateResult } from './bench.ts'
import { SortedArraysPeer } from './bookPeers.ts'
import { sideBySide, type World } from './sideBySide.ts'

const bench = 'polymarketParse'
const tokens = [
  '57953460969144501144385266431497900786362265483971474370583776523710017709396',
  '96068695550770798875229279981526101361495338295429275783268080720263673016964',
] as const
const market = `0x${'5f65177b394277fd'.repeat(4)}`
const T = 1_790_000_000_000
const framesMade = fullOrShort(2_000, 200)
/** The message that the performance goals refer to: two changes, 602 bytes. */
const changeBytes = 602

/** Seeded, so that two runs measure the same frames. */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}

const cents = (value: number): string => (value / 100).toFixed(2)
const hex = (random: () => number): string =>
  Array.from({ length: 40 }, () => Math.floor(random() * 16).toString(16)).join('')

/** Changes behind the best prices 0.35 / 0.39 of the first token, mirrored in the second, as the venue sends them. */
function changeFrames(): Buffer[] {
  const random = seededRandom(11)
  return Array.from({ length: framesMade }, (_, i) => {
    const price = 1 + Math.floor(random() * 34)
    const size = (10_000 + random() * 80_000).toFixed(1)
    const change = (asset_id: string, at: number, side: string, best_bid: string, best_ask: string) => ({
      asset_id,
      price: cents(at),
      size,
      side,
      hash: hex(random),
      best_bid,
      best_ask,
    })
    const text = JSON.stringify({
      market,
      price_changes: [
        change(tokens[0], price, 'BUY', '0.35', '0.39'),
        change(tokens[1], 100 - price, 'SELL', '0.61', '0.65'),
      ],
      timestamp: String(T + 1 + i),
      event_type: 'price_change',
    })
    if (text.length !== changeBytes) throw new Error(`a frame of ${text.length} bytes`)
    return Buffer.from(text)
  })
}

/** `count` levels a side, worst first. */
function bookFrame(asset_id: string, count: number, bestBid: number, bestAsk: number, ts: number): Buffer {
  const levels = (best: number, step: number) =>
    Array.from({ length: count }, (_, i) => ({
      price: ((best + step * (count - 1 - i)) / 1_000).toFixed(3),
      size: String(100 + i * 7.25),
    }))
  return Buffer.from(
    JSON.stringify({
      market,
      asset_id,
      timestamp: String(ts),
      hash: 'bf32b3746fff40c76c98021b7f3f07261169dd26',
      bids: levels(bestBid, -1),
      asks: levels(bestAsk, 1),
      tick_size: '0.01',
      event_type: 'book',
      last_trade_price: '0.380',
    }),
  )
}

const ignore = (): void => undefined

/** The tick grid alone: what the goal was measured with. */
class GridWriter implements BookWriter {
  readonly synced = true
  eventTs: number | null = null
  private readonly book: Book = createBook(10_000)

  beginSnapshot(): void {
    this.book.clear()
  }
  abandonSnapshot(): void {
    this.book.clear()
  }
  refused(): void {
    // Nothing is late here.
  }
  accepts(): boolean {
    return true
  }
  set(side: BookSide, priceMicros: number, size: number): boolean {
    return this.book.set(side, priceMicros, size)
  }
  add(side: BookSide, priceMicros: number, delta: number): number {
    return this.book.add(side, priceMicros, delta)
  }
  bestBidMicros(): number | null {
    return this.book.bestBidMicros()
  }
  bestAskMicros(): number | null {
    return this.book.bestAskMicros()
  }
  copyLevels(side: BookSide, max: number, prices: Int32Array, sizes: Float64Array): number {
    return this.book.copyLevels(side, max, prices, sizes)
  }
  commit(eventTs: number | null): void {
    this.eventTs = eventTs
  }
}

const liveBook = (marketId: string): BookWriter =>
  new LiveBook({ venue: 'polymarket', marketId, tickMicros: 10_000, onDirty: ignore })

function session(writer: (id: string) => BookWriter): World {
  const books = new Map(tokens.map((id) => [id as string, writer(id)]))
  let broken = 0
  const feed: FeedSink = {
    send: ignore,
    unseeded: ignore,
    book: (id) => books.get(id),
    broken: () => broken++,
    malformed: () => broken++,
    refused: ignore,
    failed: ignore,
    trade: ignore,
    lastTrade: ignore,
    tickSize: ignore,
    marketStatus: ignore,
  }
  const opened = openSession(feed, scan)
  opened.subscribe(tokens)
  opened.receive(bookFrame(tokens[0], 1, 350, 390, T), T)
  opened.receive(bookFrame(tokens[1], 1, 610, 650, T), T)
  return {
    receiveAll(frames) {
      for (const frame of frames) opened.receive(frame, T)
    },
    check(frames) {
      const { scanned, parsed, late, duplicates, olderSnapshots } = opened.counts
      if (broken + parsed + late + duplicates + olderSnapshots > 0 || scanned < frames)
        throw new Error(`the bench did not apply its frames: ${JSON.stringify({ broken, ...opened.counts })}`)
    },
  }
}

interface PeerChange {
  asset_id: string
  price: string
  size: string
  side: string
}

/** JSON.parse, `Number` for prices and sizes, sorted arrays; it checks nothing. */
function peer(): World {
  const books = new Map<string, SortedArraysPeer>(tokens.map((id) => [id, new SortedArraysPeer()]))
  for (const [id, bid, ask] of [
    [tokens[0], 0.35, 0.39],
    [tokens[1], 0.61, 0.65],
  ] as const) {
    books.get(id)?.set(BID, bid, 1)
    books.get(id)?.set(ASK, ask, 1)
  }
  const receive = (frame: Buffer): void => {
    const message = JSON.parse(frame.toString('utf8'))
    if (message.event_type === 'price_change') {
      for (const { asset_id, price, size, side } of message.price_changes as PeerChange[]) {
        const book = books.get(asset_id)
        book?.set(side === 'BUY' ? BID : ASK, Number(price), Number(size))
        book?.bestMicros(BID)
        book?.bestMicros(ASK)
      }
      return
    }
    const book = new SortedArraysPeer()
    for (const { price, size } of message.bids) book.set(BID, Number(price), Number(size))
    for (const { price, size } of message.asks) book.set(ASK, Number(price), Number(size))
    books.set(message.asset_id, book)
  }
  return {
    receiveAll(frames) {
      for (const frame of frames) receive(frame)
    },
  }
}

function scanOnly(): World {
  const assets = new AssetTable()
  for (const id of tokens) assets.add(id)
  const decoded = new DecodedFrame()
  return {
    receiveAll(frames) {
      for (const frame of frames) if (!scan(frame, assets, decoded)) throw new Error('not scanned')
    },
  }
}

/** Keeps results observable, so that the engine cannot optimise the work away. */
let sink: unknown

const parseOnly = (): World => ({
  receiveAll(frames) {
    for (const frame of frames) sink = JSON.parse(frame.toString('utf8'))
    if (sink === undefined) throw new Error('not parsed')
  },
})

const rate = (ns: number): number => 1e9 / ns

async function run() {
  const what = 'price_change, 602 B, 2 changes'
  const plainName = 'JSON.parse + sorted arrays'
  const ns = sideBySide(
    {
      scanOnly,
      parseOnly,
      grid: () => session(() => new GridWriter()),
      live: () => session(liveBook),
      plain: peer,
    },
    { frames: changeFrames() },
  )
  const plain = rate(ns.plain)
  const results = [
    rateResult(bench, `${what}: read only`, 'msg/s', rate(ns.scanOnly), 'JSON.parse', rate(ns.parseOnly)),
    rateResult(bench, `${what}: read, check, apply to the grid`, 'msg/s', rate(ns.grid), plainName, plain),
    rateResult(bench, `${what}: read, check, apply to the live book`, 'msg/s', rate(ns.live), plainName, plain),
  ]
  for (const count of [1, 16, 64]) {
    const frames = Array.from({ length: framesMade }, (_, i) =>
      bookFrame(tokens[i % 2] as string, count, 350, 390, T + 1 + i),
    )
    const { live, plain } = sideBySide(
      { live: () => session(liveBook), plain: peer },
      { frames, framesPerRound: fullOrShort(count === 1 ? 100_000 : 20_000, 400) },
    )
    const metric = `book, ${count} levels a side: read, check, apply to the live book`
    results.push(rateResult(bench, metric, 'msg/s', rate(live), plainName, rate(plain)))
  }
  return results
}

export const benches: Bench[] = [{ name: bench, run }]
