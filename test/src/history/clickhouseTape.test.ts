// Reads other than replay: books, trades, candles, and statistics of an outcome.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { createClickhouseTape } from '#history/clickhouseTape'
import { cacheOutcomeFacts, factsFreshMs } from '#history/outcomeFactsCache'
import { createOutcomeFacts } from '#history/outcomeStats'
import type { MarketHistory } from '#history/tape'
import type { TapeBatch } from '#schemas/topics'
import { recordsTrades } from '#schemas/topics'
import { insertCoverage } from '#storage/clickhouse/coverageInsert'
import { emptyBatch, openTestTape, type TestTape } from '#test/support/clickhouse'

// The engine expires old minutes by its own clock, so the day cannot be fixed.
const now = Math.floor(Date.now() / 60_000) * 60_000 - 30_000
const named = (...outcomeIds: string[]) => outcomeIds.map((outcomeId) => ({ outcomeId }))
let opened: TestTape
let tape: MarketHistory

beforeAll(async () => {
  opened = await openTestTape()
  tape = createClickhouseTape(opened.store)
})
afterAll(() => opened?.close())

describe('books', () => {
  test('returns the newest book at or before a time, in the shape of the API', async () => {
    const batch = emptyBatch('polymarket', 'deep')
    batch.books = [1_000, 2_000, 3_000].map((ago, i) => ({
      venue: 'polymarket',
      outcomeId: 'deep',
      ts: now - ago,
      recvTs: now - ago + 4,
      bidMicros: [400_000 + i, 390_000],
      bidSizes: [10.5, 20],
      askMicros: [],
      askSizes: [],
    }))
    await opened.insert([batch])
    expect(await tape.findBook('polymarket', 'deep', now - 1_500)).toEqual({
      bids: [
        { price: 0.400001, size: 10.5 },
        { price: 0.39, size: 20 },
      ],
      asks: [],
      timestamp: now - 2_000,
      datetime: new Date(now - 2_000).toISOString(),
      asOf: new Date(now - 2_000).toISOString(),
      isNegRisk: null,
      lastTradePrice: null,
      provenance: { source: 'archive' },
      synthetic: false,
      cached: false,
      sourceMetadata: { synthetic: false },
    })
    expect(await tape.findBook('polymarket', 'deep', now - 3_001)).toBeNull()
    const range = await tape.findBooks('polymarket', 'deep', { sinceMs: now - 3_000, untilMs: now, limit: 2 })
    expect(range.map((book) => book.timestamp)).toEqual([now - 3_000, now - 2_000])
  })
})

describe('trades and candles', () => {
  // Half a minute past a five-minute boundary.
  const now = Date.UTC(2026, 6, 15, 12, 0, 30)

  test('returns the newest trades first; the newest candles, or the first ones after a given start', async () => {
    const batch = emptyBatch('kalshi', 'traded')
    batch.trades = Array.from({ length: 10 }, (_, i) => ({
      venue: 'kalshi',
      outcomeId: 'traded',
      tradeId: `t${i}`,
      ts: now + i * 60_000,
      recvTs: now + i * 60_000,
      priceMicros: 100_000 * i,
      size: i,
      side: 'sell' as const,
      transactionHash: null,
    }))
    await opened.insert([batch, { ...batch, trades: batch.trades.slice(5) }])
    expect((await tape.findTrades('kalshi', 'traded', { limit: 3 })).map((row) => row.id)).toEqual(['t9', 't8', 't7'])
    const trades = await tape.findTrades('kalshi', 'traded', { startMs: now, endMs: now + 60_000, limit: 9 })
    expect(trades[0]).toEqual({
      id: 't1',
      timestamp: now + 60_000,
      price: 0.1,
      amount: 1,
      side: 'sell',
      outcomeId: 'traded',
    })
    const whole = { startMs: now, endMs: now + 600_000 }
    const sums = await tape.sumTrades('kalshi', 'traded', { ...whole, limit: 100 })
    expect(sums).toEqual({ trades: 10, volume: '45', cash: '28.5' })
    expect((await tape.sumTrades('kalshi', 'traded', { ...whole, limit: 3 })).trades).toBe(3)
    const five = 300_000
    const newest = await tape.findCandles('kalshi', 'traded', { resolutionMs: five, limit: 1 })
    expect(newest).toEqual([
      {
        timestamp: Math.floor((now + 9 * 60_000) / five) * five,
        open: 0.5,
        high: 0.9,
        low: 0.5,
        close: 0.9,
        volume: 35,
      },
    ])
    const first = await tape.findCandles('kalshi', 'traded', { resolutionMs: five, startMs: now - five, limit: 1 })
    expect(first).toMatchObject([{ open: 0, high: 0.4, low: 0, close: 0.4, volume: 10 }])
  })
})

describe('facts', () => {
  test('derives coverage from its events, counts a repeated event once, and keeps the mechanism during gaps of the writer', async () => {
    const event = {
      venue: 'kalshi',
      outcomeId: 'covered',
      mechanism: 'ws-lossless' as const,
      effectiveIntervalMs: null,
      reason: null,
    }
    const gapAt = now - 3_600_000
    const events = [
      { ...event, kind: 'opened' as const, at: now - 9 * 86_400_000 },
      { ...event, kind: 'gap' as const, at: now - 2 * 86_400_000 },
      { ...event, kind: 'resumed' as const, at: now - 2 * 86_400_000 + 500 },
      { ...event, kind: 'gap' as const, at: gapAt - 5 },
      {
        ...event,
        kind: 'resumed' as const,
        mechanism: 'rest-adaptive' as const,
        effectiveIntervalMs: 2_500,
        at: gapAt - 1,
      },
      { ...event, kind: 'gap' as const, mechanism: '' as const, at: gapAt },
    ]
    await insertCoverage(opened.store, events, 'first')
    await insertCoverage(opened.store, events.slice(3), 'again')
    const facts = createOutcomeFacts(opened.store)
    const coverage = await facts.findCoverage('kalshi', named('covered', 'never'), now)
    expect([...coverage]).toEqual([
      [
        'covered',
        {
          mechanism: 'rest-adaptive',
          tapeSince: new Date(now - 9 * 86_400_000).toISOString(),
          tradesSince: new Date(now - 9 * 86_400_000).toISOString(),
          tradesUntil: expect.any(String),
          effectiveIntervalMs: 2_500,
          gaps24h: 2,
          lastGapAt: new Date(gapAt).toISOString(),
        },
      ],
    ])
    expect(await tape.hasOutcome('kalshi', 'covered')).toBe(true)
    expect(await tape.hasOutcome('kalshi', 'never')).toBe(false)
  })

  test.each([
    ['gemini', 'polled', 'rest-adaptive'],
    ['opinion', 'streamed without trades', 'ws-lossless'],
  ] as const)(
    'reports trades of %s, %s, from their first read, and none for books without trade reads',
    async (venue, _how, mechanism) => {
      const event = (outcomeId: string, kind: 'opened' | 'resumed', agoMs: number, reason: string | null = null) => ({
        venue,
        outcomeId,
        mechanism,
        effectiveIntervalMs: 5_000,
        reason,
        kind,
        at: now - agoMs,
      })
      const rows = [
        event('books', 'opened', 9_000),
        event('trades', 'opened', 9_000),
        event('trades', 'resumed', 5_000, recordsTrades),
        event('trades', 'resumed', 1_000, recordsTrades),
      ]
      await insertCoverage(opened.store, rows, `trades of ${venue}`)
      const coverage = await createOutcomeFacts(opened.store).findCoverage(venue, named('books', 'trades'), now)
      expect(coverage.get('books')).toMatchObject({ tradesSince: null, gaps24h: 0 })
      expect(coverage.get('trades')).toMatchObject({
        tapeSince: new Date(now - 9_000).toISOString(),
        tradesSince: new Date(now - 5_000).toISOString(),
        tradesUntil: new Date(now - 1_000).toISOString(),
        gaps24h: 0,
      })
    },
  )

  test('counts an opening without a preceding close as a gap, because its process crashed', async () => {
    const event = (kind: 'opened' | 'gap' | 'resumed' | 'closed', agoMs: number) => ({
      venue: 'kalshi',
      outcomeId: 'widowed',
      mechanism: 'ws-lossless' as const,
      effectiveIntervalMs: null,
      reason: null,
      kind,
      at: now - agoMs,
    })
    const events = [
      event('opened', 9_000_000),
      // Crashed while live.
      event('opened', 8_000_000),
      event('gap', 7_000_000),
      // Crashed while stale: that gap is already recorded.
      event('opened', 6_000_000),
      event('closed', 5_000_000),
      // Without demand for a while, which is not a gap.
      event('opened', 4_000_000),
    ]
    await insertCoverage(opened.store, events, 'widowed')
    await insertCoverage(opened.store, events.slice(0, 2), 'widowed again')
    const coverage = await createOutcomeFacts(opened.store).findCoverage('kalshi', named('widowed'), now)
    expect(coverage.get('widowed')).toMatchObject({
      gaps24h: 2,
      lastGapAt: new Date(now - 7_000_000).toISOString(),
    })
  })

  test('computes price changes from the newest price at or before each time, and null without one', async () => {
    const top = (
      agoMs: number,
      bidMicros: number | null,
      askMicros: number | null,
    ): TapeBatch['topOfBook'][number] => ({
      venue: 'kalshi',
      outcomeId: 'moved',
      ts: now - agoMs,
      recvTs: now - agoMs + 2,
      bidMicros,
      bidSize: 1,
      askMicros,
      askSize: 1,
    })
    const hour = 3_600_000
    const batch = emptyBatch('kalshi', 'moved')
    batch.topOfBook = [
      top(8 * 24 * hour, 100_000, 120_000),
      top(25 * hour, 200_000, 220_000),
      top(2 * hour, 300_000, 320_000),
      top(4 * 60_000, 340_000, 360_000),
      // One side is empty: the last known price still applies.
      top(30_000, null, 370_000),
      top(10_000, 350_000, 370_001),
    ]
    await opened.insert([batch])
    const changes = (
      await createOutcomeFacts(opened.store).findPriceChanges('kalshi', named('moved', 'never'), now)
    ).get('moved')
    expect(changes).toEqual({
      priceChange1m: 0.0100005,
      priceChange5m: 0.0500005,
      priceChange15m: 0.0500005,
      priceChange1h: 0.0500005,
      priceChange6h: 0.1500005,
      priceChange24h: 0.1500005,
      priceChange7d: 0.2500005,
      priceChange30d: null,
    })
  })

  test('are cached for a short time, also when there are none', async () => {
    const clock = new ManualClock()
    const facts = createOutcomeFacts(opened.store)
    const queried: string[][] = []
    const cached = cacheOutcomeFacts(
      {
        ...facts,
        findCoverage(venue, outcomes, nowMs) {
          queried.push(outcomes.map(({ outcomeId }) => outcomeId))
          return facts.findCoverage(venue, outcomes, nowMs)
        },
      },
      clock,
    )
    for (const ids of [
      ['covered', 'never'],
      ['covered', 'never'],
      ['covered', 'new'],
    ])
      await cached.findCoverage('kalshi', named(...ids), now)
    clock.advance(factsFreshMs)
    expect((await cached.findCoverage('kalshi', named('covered'), now)).size).toBe(1)
    expect(queried).toEqual([['covered', 'never'], ['new'], ['covered']])
  })
})
