// The other side of a one-book market is not recorded: every read of it returns the mirrored rows of the recorded side, and nothing else.
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCursorCodec } from '#core/cursor'
import { addDecimals } from '#core/decimal'
import { toProbability } from '#core/price'
import { createClickhouseTape } from '#history/clickhouseTape'
import { createOutcomeFacts } from '#history/outcomeStats'
import { type BookOf, recordedOutcomeId } from '#history/recordedOutcomeId'
import { type ReplayDeps, startReplay } from '#history/replay'
import type { ReplayParams } from '#history/replayParams'
import type { MarketHistory } from '#history/tape'
import type { TapeBatch } from '#schemas/topics'
import { insertCoverage } from '#storage/clickhouse/coverageInsert'
import { emptyBatch, openTestTape, type TestTape } from '#test/support/clickhouse'
import { casesOf } from '#test/support/shortRuns'
import { kalshi } from '#venues/kalshi/index'

const bookOf: BookOf = (venue, outcomeId, marketId) =>
  venue === 'kalshi' ? kalshi.data.bookRef(outcomeId, marketId) : null
const start = Date.UTC(2026, 5, 7)

let opened: TestTape
let tape: MarketHistory
let deps: ReplayDeps

beforeAll(async () => {
  opened = await openTestTape()
  tape = createClickhouseTape(opened.store, bookOf)
  // A market whose own ticker looks like the other side of another one.
  const catalog: ReplayDeps['catalog'] = {
    findOutcomes: async (_venue, outcomeId) =>
      outcomeId === 'KXSB-27-NO'
        ? [{ venue: 'kalshi', outcome: { outcomeId }, market: { marketId: 'KXSB-27-NO', eventId: null } } as never]
        : [],
    findMarket: async () => null,
  }
  deps = { tape, catalog, cursors: createCursorCodec(randomBytes(32)), serves: () => true }
})
afterAll(() => opened?.close())

type Line = Record<string, number | string | null>

/** Every row, and the size of every page. */
async function readAll(params: ReplayParams, limit: number): Promise<{ rows: Line[]; pages: number[] }> {
  const rows: Line[] = []
  const pages: number[] = []
  let cursor: string | undefined
  do {
    const { chunks } = await startReplay(
      deps,
      {
        venue: 'kalshi',
        since: String(start),
        until: String(start + 86_400_000),
        limit: String(limit),
        ...params,
        ...(cursor === undefined ? {} : { cursor }),
      },
      { historyFloorMs: null },
      new AbortController().signal,
    )
    const parts: Uint8Array[] = []
    for await (const chunk of chunks) parts.push(chunk)
    const lines = Buffer.concat(parts)
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line)
    const last = lines.pop()
    rows.push(...lines)
    pages.push(lines.length)
    cursor = (last?.next as string | null) ?? undefined
  } while (cursor !== undefined)
  return { rows, pages }
}

/** In micros, so that 1 − 0.58 is 0.42. */
const flip = (price: unknown): number | null =>
  price === null ? null : toProbability(1_000_000 - Math.round(Number(price) * 1_000_000))
const flipSide = (side: unknown) => (side === 'buy' ? 'sell' : side === 'sell' ? 'buy' : side)

const mirrorOf = {
  tob: (row: Line) => ({ ...row, bid: flip(row.ask), bidSize: row.askSize, ask: flip(row.bid), askSize: row.bidSize }),
  trades: (row: Line) => ({
    ...row,
    price: flip(row.price),
    side: flipSide(row.side),
    outcomeId: `${row.outcomeId}-NO`,
  }),
  candles: (row: Line) => ({
    ...row,
    open: flip(row.open),
    high: flip(row.low),
    low: flip(row.high),
    close: flip(row.close),
  }),
} as const satisfies Record<string, (row: Line) => unknown>

const side = fc.record({
  micros: fc.option(fc.oneof(fc.integer({ min: 0, max: 1_000_000 }), fc.constantFrom(0, 10_000, 415_000, 1_000_000))),
  size: fc.integer({ min: 0, max: 10_000_000 }).map((hundredths) => hundredths / 100),
})
const gap = fc.integer({ min: 0, max: 90_000 })
const tapeRows = fc.record({
  ticker: fc.uuid().map((uuid) => `KXTEST-${uuid}`),
  tops: fc.array(fc.record({ gap, delay: fc.integer({ min: -3, max: 3 }), bid: side, ask: side }), {
    minLength: 1,
    maxLength: 40,
  }),
  trades: fc.array(
    fc.record({
      gap,
      micros: fc.option(fc.integer({ min: 0, max: 1_000_000 })),
      size: fc.integer({ min: 1, max: 5_000 }),
      side: fc.constantFrom('buy' as const, 'sell' as const, 'unknown' as const),
      twice: fc.boolean(),
    }),
    { minLength: 1, maxLength: 40 },
  ),
})
type TapeRows = typeof tapeRows extends fc.Arbitrary<infer T> ? T : never

function batchOf({ ticker, tops, trades }: TapeRows): TapeBatch {
  const batch = emptyBatch('kalshi', ticker)
  let ts = start
  batch.topOfBook = tops.map(({ gap, delay, bid, ask }) => {
    ts += gap
    return {
      venue: 'kalshi',
      outcomeId: ticker,
      ts,
      recvTs: ts + delay,
      bidMicros: bid.micros,
      bidSize: bid.micros === null ? 0 : bid.size,
      askMicros: ask.micros,
      askSize: ask.micros === null ? 0 : ask.size,
    }
  })
  ts = start
  batch.trades = trades.flatMap(({ gap, micros, size, side, twice }, i) => {
    ts += gap
    const row = {
      venue: 'kalshi',
      outcomeId: ticker,
      tradeId: `t${i % 7}-${i}`,
      ts,
      recvTs: ts + 4,
      priceMicros: micros,
      size: size / 4,
      side,
      transactionHash: null,
    }
    return twice ? [row, { ...row, recvTs: row.recvTs + 9 }] : [row]
  })
  return batch
}

describe('replay of the other side', () => {
  test('mirrors the recorded side row by row and page by page, for every kind', async () => {
    await fc.assert(
      fc.asyncProperty(
        tapeRows,
        fc.integer({ min: 1, max: 50 }),
        fc.constantFrom('1s' as const, '30s' as const, '1m' as const, '1h' as const),
        async (given, limit, resolution) => {
          await opened.insert([batchOf(given)])
          for (const kind of ['tob', 'trades', 'candles'] as const) {
            const params = { kind, ...(kind === 'candles' ? { resolution } : {}) }
            const yes = await readAll({ ...params, outcomeId: given.ticker }, limit)
            const no = await readAll({ ...params, outcomeId: `${given.ticker}-NO` }, limit)
            if (kind !== 'candles') expect(yes.rows.length, kind).toBeGreaterThan(0)
            expect(no.rows, kind).toEqual(yes.rows.map((row) => mirrorOf[kind](row)))
            expect(no.pages, kind).toEqual(yes.pages)
          }
        },
      ),
      { numRuns: casesOf(20) },
    )
  }, 120_000)

  test('prints prices with as few digits as the recorded side', async () => {
    const batch = emptyBatch('kalshi', 'KXDIGITS-1')
    batch.topOfBook = [
      {
        venue: 'kalshi',
        outcomeId: 'KXDIGITS-1',
        ts: start,
        recvTs: start,
        bidMicros: 580_000,
        bidSize: 1.5,
        askMicros: null,
        askSize: 0,
      },
    ]
    await opened.insert([batch])
    const { rows } = await readAll({ kind: 'tob', outcomeId: 'KXDIGITS-1-NO' }, 5)
    expect(rows).toEqual([
      { k: 'tob', ts: start, bid: null, bidSize: null, ask: 0.42, askSize: 1.5, recvTs: start, seq: 0 },
    ])
  })

  test('reads a market whose own ticker ends in -NO as itself once the catalog knows it', async () => {
    const batch = emptyBatch('kalshi', 'KXSB-27-NO')
    batch.topOfBook = [
      {
        venue: 'kalshi',
        outcomeId: 'KXSB-27-NO',
        ts: start,
        recvTs: start,
        bidMicros: 300_000,
        bidSize: 1,
        askMicros: 310_000,
        askSize: 2,
      },
    ]
    await opened.insert([batch])
    const { rows } = await readAll({ kind: 'tob', outcomeId: 'KXSB-27-NO' }, 5)
    expect(rows).toMatchObject([{ bid: 0.3, ask: 0.31 }])
    expect(await tape.hasOutcome('kalshi', 'KXSB-27-NO', 'KXSB-27-NO')).toBe(true)
    expect(await tape.hasOutcome('kalshi', 'KXSB-27-NO')).toBe(false)
  })
})

test('mirrors single reads of the other side: trades, candles, books', async () => {
  await fc.assert(
    fc.asyncProperty(tapeRows, async (given) => {
      const batch = batchOf(given)
      const level = (micros: number, size: number) => [micros, size] as const
      const bids = [level(410_000, 3), level(400_000, 1.25)]
      const asks = [level(420_001, 7), level(500_000, 2)]
      batch.books = [0, 1_000].map((later) => ({
        venue: 'kalshi',
        outcomeId: given.ticker,
        ts: start + later,
        recvTs: start + later,
        bidMicros: bids.map(([price]) => price + later),
        bidSizes: bids.map(([, size]) => size),
        askMicros: asks.map(([price]) => price),
        askSizes: asks.map(([, size]) => size),
      }))
      await opened.insert([batch])
      const other = `${given.ticker}-NO`
      const trades = await tape.findTrades('kalshi', given.ticker, { limit: 50 })
      expect(await tape.findTrades('kalshi', other, { limit: 50 })).toEqual(
        trades.map((row) => ({ ...row, outcomeId: other, price: flip(row.price), side: flipSide(row.side) })),
      )
      const all = { startMs: 0, endMs: start + 3_600_000, limit: 50 }
      const sums = await tape.sumTrades('kalshi', given.ticker, all)
      const otherSums = await tape.sumTrades('kalshi', other, all)
      expect([otherSums.trades, otherSums.volume]).toEqual([sums.trades, sums.volume])
      // What one side paid and what the other paid are a dollar for each contract.
      if (sums.cash !== null) expect(addDecimals(sums.cash, otherSums.cash!)).toBe(sums.volume)
      const range = { resolutionMs: 60_000, limit: 100 }
      const candles = await tape.findCandles('kalshi', given.ticker, range)
      expect(await tape.findCandles('kalshi', other, range)).toEqual(
        candles.map((row) => ({
          ...row,
          open: flip(row.open),
          high: flip(row.low),
          low: flip(row.high),
          close: flip(row.close),
        })),
      )
      const window = { sinceMs: start, untilMs: start + 5_000, limit: 10 }
      const books = await tape.findBooks('kalshi', given.ticker, window)
      const mirrored = books.map((book) => ({
        ...book,
        bids: book.asks.map(({ price, size }) => ({ price: flip(price), size })),
        asks: book.bids.map(({ price, size }) => ({ price: flip(price), size })),
      }))
      expect(mirrored).toHaveLength(2)
      expect(await tape.findBooks('kalshi', other, window)).toEqual(mirrored)
      expect(await tape.findBook('kalshi', other, start + 5_000)).toEqual(mirrored[1])
      expect(await tape.hasOutcome('kalshi', other)).toBe(true)
    }),
    { numRuns: casesOf(10, 2) },
  )
}, 60_000)

test('mirrors facts of the other side: negated price changes, equal coverage, both sides in one query', async () => {
  const now = Math.floor(Date.now() / 60_000) * 60_000 - 30_000
  const ticker = 'KXFACTS-1'
  const batch = emptyBatch('kalshi', ticker)
  batch.topOfBook = [
    [90_000, 300_000],
    [70_000, 320_000],
    [10_000, 320_000],
  ].map(([ago, bid]) => ({
    venue: 'kalshi',
    outcomeId: ticker,
    ts: now - (ago as number),
    recvTs: now - (ago as number),
    bidMicros: bid as number,
    bidSize: 1,
    askMicros: 400_000,
    askSize: 1,
  }))
  batch.topOfBook.unshift({ ...batch.topOfBook[0]!, ts: now - 400_000, recvTs: now - 400_000, bidMicros: 200_000 })
  await opened.insert([batch])
  const event = {
    venue: 'kalshi',
    outcomeId: ticker,
    effectiveIntervalMs: null,
    reason: null,
    mechanism: 'ws-lossless' as const,
  }
  await insertCoverage(opened.store, [{ ...event, kind: 'opened', at: now - 500_000 }], 'facts')

  let questions = 0
  const facts = createOutcomeFacts(
    {
      stream: opened.store.stream,
      rows: (...args) => {
        questions += 1
        return opened.store.rows(...args)
      },
    },
    bookOf,
  )
  const both = [
    { outcomeId: ticker, marketId: ticker },
    { outcomeId: `${ticker}-NO`, marketId: ticker },
  ]
  const changes = await facts.findPriceChanges('kalshi', both, now)
  const coverage = await facts.findCoverage('kalshi', both, now)
  // One query for each, and one for retention.
  expect(questions).toBe(3)
  expect(changes.get(ticker)).toMatchObject({ priceChange1m: 0, priceChange5m: 0.06, priceChange30d: null })
  // toMatchObject distinguishes −0 from 0.
  expect(changes.get(`${ticker}-NO`)).toMatchObject({ priceChange1m: 0, priceChange5m: -0.06, priceChange30d: null })
  expect(coverage.get(ticker)?.mechanism).toBe('ws-lossless')
  expect(coverage.get(`${ticker}-NO`)).toEqual(coverage.get(ticker))
})

test('queries more than a thousand long ids in bounded statements', async () => {
  const facts = createOutcomeFacts(opened.store, bookOf)
  const long = Array.from({ length: 2_500 }, (_, i) => ({ outcomeId: String(i).padStart(78, '7') }))
  expect((await facts.findPriceChanges('polymarket', long, Date.now())).size).toBe(0)
  expect((await facts.findCoverage('polymarket', long, Date.now())).size).toBe(0)
})

test('keeps ids of one outcome together only when they are on the same side', () => {
  expect(recordedOutcomeId(bookOf, 'kalshi', ['KXA-1-NO'])).toEqual({
    venue: 'kalshi',
    outcomeIds: ['KXA-1'],
    mirrored: true,
  })
  expect(recordedOutcomeId(bookOf, 'kalshi', ['KXA-1', 'KXA-1'])).toMatchObject({
    outcomeIds: ['KXA-1'],
    mirrored: false,
  })
  expect(recordedOutcomeId(bookOf, 'kalshi', ['KXA-1', 'kxa'])).toMatchObject({
    outcomeIds: ['KXA-1', 'kxa'],
    mirrored: false,
  })
  expect(recordedOutcomeId(bookOf, 'kalshi', ['KXA-1-NO', 'KXA-1'])).toMatchObject({
    outcomeIds: ['KXA-1'],
    mirrored: true,
  })
  expect(recordedOutcomeId(bookOf, 'polymarket', ['123'])).toMatchObject({ outcomeIds: ['123'], mirrored: false })
})
