// A day of tape from end to end, by a ClickHouse server that several processes share: written by the writer, listed, downloaded, checked, read page by page,
// replayed at a hundred times its pace, and each time what went in.
//
// CROSSBOOK_TEST_LONG=1: a day of 200,000 changes.
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DepthTape } from '#actors/ingest/depthTape'
import { IngestBook } from '#actors/ingest/ingestBook'
import { TapeBuffer } from '#actors/ingest/tapeBuffer'
import { ASK, BID } from '#books/book'
import { createClickhouseTape } from '#history/clickhouseTape'
import { keepFiles, lateMs } from '#history/files/keepFiles'
import { Shelf } from '#history/files/shelf'
import { replayChannel } from '#history/paced/channel'
import { createTapeCoverage } from '#history/tapeCoverage'
import { createPrng } from '#lab/prng'
import { ManualClock } from '#lib/clock'
import { silentLog } from '#lib/log'
import type { ListedFile } from '#schemas/history'
import { depthTaped, type TapeBatch } from '#schemas/topics'
import { createLocalBus } from '#storage/bus/local'
import { openTape, type TapeStore } from '#storage/clickhouse/client'
import { insertCoverage } from '#storage/clickhouse/coverageInsert'
import { unitsOf } from '#storage/clickhouse/packing'
import { tellProgress } from '#storage/clickhouse/progress'
import { startTapeWriter } from '#storage/clickhouse/writer'
import { type ClickhouseServer, startClickhouseServer } from '#test/support/clickhouseHttpServer'
import type { BookSide } from '#venues/venue'
import { Client, startServer, type TestServer } from '../gateway/support.ts'
import { createWorld, keys } from '../http/world.ts'

const changes = process.env.CROSSBOOK_TEST_LONG === '1' ? 200_000 : 2_000
const dayMs = 86_400_000
const today = Math.floor(Date.now() / dayMs) * dayMs
const since = today - dayMs
const date = new Date(since).toISOString().slice(0, 10)
const venue = 'kalshi'
const outcomes = ['KX-1', 'KX-2', 'KX-3'] as const
const prng = createPrng('a day of tape')
const random = (): number => prng.next()

type Row = Record<string, unknown>
/** A book of a market: its time, and its levels as text, so that hundreds of thousands of them have room. */
type Told = [timestamp: number, levels: string]

let clickhouse: ClickhouseServer
let writing: TapeStore
let reading: TapeStore
let dataDir: string
let shelf: Shelf
let server: TestServer
const pace = new ManualClock(today + 1)
const taped: { tob: Row[]; trades: Row[]; l2: Row[] } = { tob: [], trades: [], l2: [] }
const shown = new Map<string, Told[]>(outcomes.map((id) => [id, []]))

beforeAll(async () => {
  clickhouse = await startClickhouseServer()
  dataDir = await mkdtemp(join(tmpdir(), 'crossbook-day-'))
  writing = await openTape({ url: clickhouse.url, dataDir })
  reading = await openTape({ url: clickhouse.url, dataDir })
  shelf = new Shelf(dataDir)
  await writeDay()
  const tape = createClickhouseTape(reading)
  const coverage = createTapeCoverage(reading)
  const catalog = { findOutcomes: async () => [], findMarket: async () => null }
  const replay = replayChannel({
    ...{ tape, coverage, catalog, clock: pace, log: silentLog, credits: undefined },
    ...{ serves: () => true, meant: async () => null, entitled: () => true, floorOf: () => null },
  })
  const world = createWorld({ history: { files: shelf, tape, coverage, catalog } })
  world.clock.advance(Math.max(0, today + 2 * lateMs - world.clock.now()))
  server = await startServer({ http: world.handler, channels: { replay } })
}, 600_000)
afterAll(async () => {
  await server?.stop()
  await Promise.all([writing?.close(), reading?.close()])
  await clickhouse?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

/** Three books and their trades, through ingest's own books, the bus and the writer. */
async function writeDay(): Promise<void> {
  const clock = new ManualClock(since)
  const bus = createLocalBus({
    onError: (error) => {
      throw error
    },
  })
  const writer = await startTapeWriter({ bus, store: writing, clock, log: silentLog, mode: 'local' })
  const tape = new TapeBuffer(venue)
  const depth = new DepthTape({ tape, now: () => clock.now() })
  const owned = {
    ready: () => bus.ready(),
    publish(topic: 'tape', key: string, value: TapeBatch) {
      note({ ...value, epoch: 7 })
      bus.publish(topic, key, { ...value, epoch: 7 })
    },
  }
  const books = outcomes.map(
    (marketId) =>
      new IngestBook({
        ...{ venue, marketId, tickMicros: 10_000, tape, depth: depth.open(marketId), beat: { at: 0 } },
        ...{ onDirty: () => undefined, onSynced: () => undefined },
      }),
  )
  const event = { venue, mechanism: 'ws-lossless', effectiveIntervalMs: null, at: since } as const
  for (const outcomeId of outcomes)
    await insertCoverage(
      writing,
      [
        { ...event, outcomeId, kind: 'opened', reason: null },
        { ...event, outcomeId, kind: 'resumed', reason: depthTaped },
      ],
      outcomeId,
    )
  for (let i = 0; i < changes; i++) {
    // Clear of midnight: what was seen a moment before it is of the day before.
    const at = since + 1_000 + Math.floor((i * (dayMs - 2_000)) / changes)
    while (at - clock.now() > 30_000) {
      clock.advance(30_000)
      depth.sweep()
    }
    clock.advance(at - clock.now())
    move(books[Math.floor(random() * books.length)]!, tape, clock.now(), i)
    if (i % 100 === 99) await tape.flush(owned as never, () => ({}) as never)
    if (i % 20_000 === 19_999)
      await expect.poll(() => writer.stats().backlogRows, { timeout: 60_000 }).toBeLessThan(100_000)
  }
  await tape.flush(owned as never, () => ({}) as never)
  await writer.stop()
  expect(writer.stats()).toMatchObject({ rowsLost: 0, rowsRejected: 0, backlogRows: 0 })
}

function move(book: IngestBook, tape: TapeBuffer, now: number, i: number): void {
  const isWhole = !book.synced || random() < 0.02
  if (isWhole) book.beginSnapshot()
  for (let n = isWhole ? 20 : 1 + Math.floor(random() * 3); n > 0; n--) {
    const step = Math.floor(random() * 20) * 10_000
    const size = random() < 0.2 ? 0 : Math.round(random() * 1e8) / 1e4
    if (random() < 0.5) book.set(BID, 490_000 - step, size)
    else book.set(ASK, 500_000 + step, size)
  }
  book.commit(now - Math.floor(random() * 50), now)
  if (book.shown) noteBook(book)
  if (random() < 0.005) book.markStale('gap')
  if (random() < 0.1)
    tape.trade({
      ...{ venue, outcomeId: book.marketId, tradeId: `t${i}`, ts: now, recvTs: now, priceMicros: 490_000 },
      ...{ size: 1 + i / 4, side: 'buy', transactionHash: null },
    })
}

function noteBook(book: IngestBook): void {
  const side = (of: BookSide): number[][] => {
    const [prices, sizes] = [new Int32Array(64), new Float64Array(64)]
    const count = book.copyLevels(of, 64, prices, sizes)
    return Array.from({ length: count }, (_, i) => [prices[i]! / 1e6, sizes[i]!])
  }
  put(shown.get(book.marketId)!, [book.timestamp, JSON.stringify([side(BID), side(ASK)])])
}

/** What changed no level is not told. */
function put(list: Told[], told: Told): void {
  if (list.at(-1)?.[1] !== told[1]) list.push(told)
}

const exact = (size: number): number => unitsOf(size) / 1e6

function note({ outcomeId, epoch, topOfBook, trades, depth = [] }: TapeBatch): void {
  for (const { ts, recvTs, bidMicros, bidSize, askMicros, askSize } of topOfBook) {
    const side = (micros: number | null, size: number) => (micros === null ? [null, null] : [micros / 1e6, exact(size)])
    const [bid, bidOf] = side(bidMicros, bidSize)
    const [ask, askOf] = side(askMicros, askSize)
    taped.tob.push({ outcomeId, ts, bid, bidSize: bidOf, ask, askSize: askOf, recvTs })
  }
  for (const { tradeId, ts, recvTs, priceMicros, size, side, transactionHash } of trades)
    taped.trades.push({ outcomeId, ts, tradeId, price: priceMicros! / 1e6, size, side, transactionHash, recvTs })
  for (const { type, ts, recvTs, seq, micros, sizes, bids } of depth) {
    const head = { outcomeId, ts, type }
    const tail = { recvTs, seq, epoch }
    if (micros.length === 0) taped.l2.push({ ...head, side: null, price: null, size: null, ...tail })
    for (const [i, price] of micros.entries())
      taped.l2.push({ ...head, side: i < bids ? 'bid' : 'ask', price: price / 1e6, size: exact(sizes[i]!), ...tail })
  }
}

const orders = {
  tob: ['outcomeId', 'ts', 'recvTs'],
  trades: ['outcomeId', 'ts', 'tradeId'],
  l2: ['outcomeId', 'recvTs', 'seq', 'side', 'price'],
} as const
const kinds = ['tob', 'trades', 'l2'] as const

/** In one order, so that they compare one by one; what numbers rows of one millisecond is the writer's own. */
function inOrder(kind: (typeof kinds)[number], rows: readonly Row[]): string[] {
  const keyOf = (row: Row) =>
    orders[kind]
      .map((name) => (typeof row[name] === 'number' ? String(row[name]).padStart(20) : String(row[name])))
      .join(' ')
  return rows
    .map(({ seq, ...row }): Row => (kind === 'l2' ? { ...row, seq } : row))
    .map((row) => [keyOf(row), JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))] as const)
    .sort(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1))
    .map(([, text]) => text)
}

const get = (path: string, init: RequestInit = {}) =>
  fetch(`${server.gateway.url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${keys.builder}`, ...init.headers },
  })

describe('a day of tape', () => {
  test('is listed and downloaded as files whose rows are what was taped', async () => {
    const clock = new ManualClock(today + 2 * lateMs)
    const progress = tellProgress({ store: writing, clock, log: silentLog, writer: 'w', until: () => clock.now() })
    await progress.stop(true)
    const keeper = keepFiles({
      ...{
        store: reading,
        root: dataDir,
        venues: [venue, 'polymarket'],
        days: 1,
        bytesMax: 1e9,
        clock,
        log: silentLog,
      },
    })
    await keeper.round()
    await keeper.stop()
    const listed = (
      (await (await get(`/v1/history/files?date=${date}&venue=${venue}`)).json()) as { data: ListedFile[] }
    ).data
    expect(listed.map(({ kind, rows }) => [kind, rows])).toEqual(kinds.map((kind) => [kind, taped[kind].length]))
    for (const { kind, url, size, sha256 } of listed) {
      const bytes = Buffer.from(await (await get(url)).arrayBuffer())
      expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([size, sha256])
      const local = join(dataDir, `${kind}.parquet`)
      await writeFile(local, bytes)
      const rows = await reading.rows<Row>(`SELECT * FROM file('${local}', Parquet) FORMAT JSONEachRow`)
      expect(inOrder(kind, rows)).toEqual(inOrder(kind, taped[kind]))
    }
  }, 600_000)

  test.each(kinds)(
    'is read page by page, kind %s, as lines and as Parquet',
    async (kind) => {
      const rows: Row[] = []
      for (const outcomeId of outcomes) {
        for (let cursor = '', page = 0; ; page++) {
          const query = `venue=${venue}&outcomeId=${outcomeId}&kind=${kind}&since=${since}&until=${today - 1}&limit=20000${cursor}`
          const lines = (await (await get(`/v1/history/replay?${query}`)).text()).trimEnd().split('\n')
          const end = JSON.parse(lines.pop()!) as { next: string | null }
          const read = lines.map((line) => JSON.parse(line) as Row)
          rows.push(...read.map(({ k: _, venue: __, ...row }) => ({ ...row, outcomeId })))
          if (page === 0) {
            const file = join(dataDir, `${kind}-${outcomeId}.parquet`)
            await writeFile(
              file,
              Buffer.from(await (await get(`/v1/history/replay?${query}&format=parquet`)).arrayBuffer()),
            )
            const columns = await reading.rows<Row>(`SELECT * FROM file('${file}', Parquet) FORMAT JSONEachRow`)
            expect(columns).toEqual(read.map(({ k: _, ...row }) => row))
          }
          if (end.next === null) break
          cursor = `&cursor=${encodeURIComponent(end.next)}`
        }
      }
      expect(inOrder(kind, rows)).toEqual(inOrder(kind, taped[kind]))
    },
    600_000,
  )

  test('is replayed at a hundred times its pace: every book and trade, none before its time', async () => {
    const client = await Client.open(server.url)
    const markets = outcomes.map((marketId) => ({ venue, marketId }))
    const begun = pace.monotonic()
    client.ws.send(JSON.stringify({ op: 'subscribeReplay', markets, since, until: today - 1, speed: 100 }))
    const books = new Map<string, Told[]>(outcomes.map((id) => [id, []]))
    const trades: string[] = []
    for (let ended = false; !ended; ) {
      if (client.frames.length === 0) {
        pace.advance(50)
        await setImmediate()
      }
      const due = since + (pace.monotonic() - begun) * 100
      for (const { type, marketId, data } of client.frames.splice(0)) {
        expect(type).not.toBe('error')
        if (type === 'trade') trades.push((data as { id: string }).id)
        if (type === 'snapshot' || type === 'update') {
          const { bids, asks, timestamp } = data as { timestamp: number } & Record<
            'bids' | 'asks',
            { price: number; size: number }[]
          >
          expect(timestamp).toBeLessThanOrEqual(due)
          const side = (levels: { price: number; size: number }[]) => levels.map(({ price, size }) => [price, size])
          put(books.get(String(marketId))!, [timestamp, JSON.stringify([side(bids), side(asks)])])
        }
        ended = type === 'replayEnd'
      }
    }
    client.ws.terminate()
    expect(books).toEqual(shown)
    expect(trades.sort()).toEqual(taped.trades.map(({ tradeId }) => String(tradeId)).sort())
  }, 600_000)

  test('a HEAD of a page holds nothing: as many as there are connections leave room for the next', async () => {
    const query = `venue=${venue}&outcomeId=${outcomes[0]}&kind=l2&since=${since}&until=${today - 1}`
    for (let i = 0; i < 40; i++) expect((await get(`/v1/history/replay?${query}`, { method: 'HEAD' })).status).toBe(200)
    expect((await (await get(`/v1/history/replay?${query}&limit=1`)).text()).length).toBeGreaterThan(100)
  }, 60_000)
})
