// Candles mean the same for every source: with a start, the oldest candles after it; without one, the newest; whole UTC buckets, up to the
// limit; and they agree with the trades. Covers every venue that has its own candles, and the tape.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createClickhouseTape } from '#history/clickhouseTape'
import { type Lab, type LabVenueName, startLab } from '#lab/lab'
import { createHttpClient, type OwnedHttpClient } from '#net/httpClient'
import type { Candle, Trade } from '#schemas/marketData'
import type { TapeTradeRow } from '#schemas/topics'
import { emptyBatch, openTestTape, type TestTape } from '#test/support/clickhouse'
import { labCredentials } from '#test/support/labSettings'
import { casesOf } from '#test/support/shortRuns'
import { registry } from '#venues/registry'
import { type CandlesQuery, canHaveCandles, type OutcomeRef, type VenueData } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'

const minute = 60_000
const dayMs = 1_440 * minute
/** In the middle of every bucket. */
const now = Date.UTC(2026, 10, 20, 13, 37, 23)
const sparse = 7 * minute

type Source = (query: CandlesQuery) => Promise<Candle[]>
const sources = new Map<string, { resolutionsMs: readonly number[]; fetchCandles: Source }>()
/** Venues whose candles are not made of trades: see the README of each. */
const sampled: readonly string[] = ['polymarket']
const worlds = new Map<string, { data: VenueData; context: VenueContext; outcomes: OutcomeRef[] }>()
const withCandles = Object.values(registry).filter(({ data }) => (data as VenueData).fetchCandles !== undefined)

let lab: Lab
let opened: TestTape
let http: OwnedHttpClient
beforeAll(async () => {
  const clock = new ManualClock(now)
  const traded = Object.values(registry).filter(({ data }) => canHaveCandles(data))
  const names = traded.map(({ slug }) => slug)
  lab = await startLab({ clock, seed: 'candles', ratePerSecond: 0, markets: 12, venues: names })
  http = createHttpClient({ venue: 'lab', requestsPerSecond: 100_000 })
  for (const { slug, data } of traded as readonly { slug: LabVenueName; data: VenueData }[]) {
    const { signal } = new AbortController()
    const { urls } = lab[slug]
    const credentials = labCredentials(lab, slug)
    const context = { venue: slug, http, clock, log: silentLog, urls, credentials, signal }
    const outcomes = await someMarket(data, context)
    worlds.set(slug, { data, context, outcomes })
    if (data.fetchCandles === undefined) continue
    sources.set(slug, {
      resolutionsMs: data.candleResolutionsMs!,
      fetchCandles: (query) => data.fetchCandles!(context, outcomes[1]!, query),
    })
  }
  opened = await openTestTape()
  const batch = emptyBatch('kalshi', 'KXCANDLES-1')
  for (let ts = now - 2 * dayMs; ts < now; ts += sparse) {
    batch.trades.push({
      venue: 'kalshi',
      outcomeId: 'KXCANDLES-1',
      tradeId: String(ts),
      ts,
      recvTs: ts,
      priceMicros: 10_000 + (ts % 980_000),
      size: 1,
      side: 'buy',
      transactionHash: null,
    })
  }
  await opened.insert([batch])
  const tape = createClickhouseTape(opened.store)
  sources.set('tape', {
    resolutionsMs: [minute, 5 * minute, 15 * minute, 60 * minute, 360 * minute, dayMs],
    fetchCandles: (query) => tape.findCandles('kalshi', 'KXCANDLES-1', query),
  })
}, 60_000)
afterAll(async () => {
  await opened?.close()
  await http?.close()
  await lab?.stop()
})

async function someMarket(data: VenueData, context: VenueContext): Promise<OutcomeRef[]> {
  for await (const { events } of data.walkCatalog(context, { updatedSinceMs: null })) {
    const market = events.flatMap(({ markets }) => markets).find(({ status }) => status === 'active')
    if (market === undefined || market.outcomes.length < 2) continue
    const { marketId, eventId, sourceMetadata } = market
    return market.outcomes.map(({ outcomeId, metadata }) => ({
      outcomeId,
      marketId,
      eventId,
      metadata: { ...sourceMetadata, ...metadata },
    }))
  }
  throw new Error('no open market')
}

describe.each([...withCandles.map(({ slug }) => slug as string), 'tape'])('%s', (name) => {
  test('any range equals the corresponding part of the whole series', { timeout: 60_000 }, async () => {
    const { resolutionsMs, fetchCandles } = sources.get(name)!
    const wholes = new Map<number, Candle[]>()
    const fromMs = Math.ceil((now - 1.5 * dayMs) / dayMs) * dayMs - dayMs
    for (const resolutionMs of resolutionsMs) {
      const whole = await fetchCandles({ resolutionMs, startMs: fromMs, endMs: now, limit: 5_000 })
      expect(whole.length, `${resolutionMs}`).toBeGreaterThan(0)
      for (const { timestamp } of whole) expect([timestamp % resolutionMs, timestamp >= fromMs]).toEqual([0, true])
      wholes.set(resolutionMs, whole)
    }
    const moment = fc.integer({ min: fromMs, max: now })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...resolutionsMs),
        fc.option(moment, { nil: undefined }),
        fc.option(moment, { nil: undefined }),
        fc.integer({ min: 1, max: 40 }),
        async (resolutionMs, one, other, limit) => {
          const [startMs, endMs] = one !== undefined && other !== undefined && one > other ? [other, one] : [one, other]
          const query = {
            resolutionMs,
            limit,
            ...(startMs === undefined ? {} : { startMs }),
            ...(endMs === undefined ? {} : { endMs }),
          }
          const named = wholes
            .get(resolutionMs)!
            .filter(({ timestamp }) => timestamp >= (startMs ?? 0) && timestamp <= (endMs ?? now))
          const got = await fetchCandles(query)
          if (startMs !== undefined) expect(got).toEqual(named.slice(0, limit))
          // Without a start, older candles than those of the whole series may follow.
          else if (named.length >= limit) expect(got).toEqual(named.slice(-limit))
          else if (named.length > 0) expect(got.slice(-named.length)).toEqual(named)
        },
      ),
      { numRuns: casesOf(40, 2) },
    )
  })
})

describe('agreement with trades', () => {
  /** The last completed bucket, and as many before it as one read of trades covers. */
  async function tradesOf(slug: string, outcome: OutcomeRef): Promise<Traded[]> {
    const { data, context } = worlds.get(slug)!
    const trades = await data.fetchTrades!(context, outcome, { limit: 500, endMs: Math.floor(now / minute) * minute })
    expect(trades.length, slug).toBeGreaterThan(50)
    return trades.toReversed().map((trade) => ({ ...trade, price: trade.price! }))
  }

  const candlesFrom = (trades: readonly Traded[], resolutionMs: number): Candle[] =>
    [...Map.groupBy(trades, ({ timestamp }) => Math.floor(timestamp / resolutionMs) * resolutionMs)].map(
      ([timestamp, inBucket]) => ({
        timestamp,
        open: inBucket[0]!.price,
        high: Math.max(...inBucket.map(({ price }) => price)),
        low: Math.min(...inBucket.map(({ price }) => price)),
        close: inBucket.at(-1)!.price,
        volume: inBucket.reduce((sum, { amount }) => sum + amount, 0),
      }),
    )

  /** Completed buckets that lie entirely within the trades that were read. */
  const whole = (candles: readonly Candle[], trades: readonly Traded[], resolutionMs: number): Candle[] =>
    candles.filter(
      ({ timestamp }) =>
        timestamp > trades[0]!.timestamp && timestamp + resolutionMs <= Math.floor(now / minute) * minute,
    )

  test.each(withCandles.map(({ slug }) => slug).filter((slug) => !sampled.includes(slug)))(
    'the candles of %s match its trades, for both outcomes, at every resolution',
    async (slug) => {
      const { data, context, outcomes } = worlds.get(slug)!
      for (const outcome of outcomes) {
        const trades = await tradesOf(slug, outcome)
        for (const resolutionMs of data.candleResolutionsMs!) {
          const candles = await data.fetchCandles!(context, outcome, { resolutionMs, limit: 500, endMs: now })
          const expected = whole(candlesFrom(trades, resolutionMs), trades, resolutionMs)
          if (resolutionMs <= 60 * minute) expect(expected.length, `${slug} ${resolutionMs}`).toBeGreaterThan(0)
          expect(rounded(whole(candles, trades, resolutionMs)), `${slug} ${resolutionMs}`).toEqual(rounded(expected))
        }
      }
    },
  )

  test.each(sampled)('a candle of %s is made of the newest trade price at each sample', async (slug) => {
    const { data, context, outcomes } = worlds.get(slug)!
    const [yes, no] = await Promise.all([tradesOf(slug, outcomes[0]!), tradesOf(slug, outcomes[1]!)])
    const fromMs = Math.max(yes[0]!.timestamp, no[0]!.timestamp)
    const bothSides = [...yes, ...no.map((trade) => ({ ...trade, price: 1 - trade.price }))]
      .filter(({ timestamp }) => timestamp >= fromMs)
      .sort((a, b) => a.timestamp - b.timestamp)
    const priceBy = (ms: number) => bothSides.findLast(({ timestamp }) => timestamp < ms)?.price ?? null
    for (const resolutionMs of data.candleResolutionsMs!) {
      const stepMs = Math.max(minute, Math.floor(resolutionMs / 12 / minute) * minute)
      const candles = await data.fetchCandles!(context, outcomes[0]!, { resolutionMs, limit: 500, endMs: now })
      const within = candles.filter(({ timestamp }) => timestamp > fromMs + 5 * 60 * minute)
      if (resolutionMs <= 60 * minute) expect(within.length).toBeGreaterThan(0)
      for (const { timestamp, open, high, low, close, volume } of within) {
        const samples: number[] = []
        for (let at = timestamp; at < Math.min(now, timestamp + resolutionMs); at += stepMs) samples.push(priceBy(at)!)
        expect([open, high, low, close].map(six), `${resolutionMs} ${timestamp}`).toEqual(
          [samples[0]!, Math.max(...samples), Math.min(...samples), samples.at(-1)!].map(six),
        )
        expect(volume).toBeNull()
      }
    }
  })

  test('a venue without candles gets them from its recorded trades', async () => {
    const others = [...worlds].filter(([, { data }]) => data.fetchCandles === undefined)
    expect(others.length).toBeGreaterThan(0)
    for (const [slug, { data, outcomes }] of others) {
      const tape = createClickhouseTape(opened.store, (_venue, id, marketId) => data.bookRef(id, marketId))
      const traded = new Map<OutcomeRef, Traded[]>()
      for (const outcome of outcomes) {
        const { outcomeId, marketId } = outcome
        const trades = await tradesOf(slug, outcome)
        traded.set(outcome, trades)
        // As ingest records them: once per book, under its name, whichever outcome is read from it.
        const { bookId, complement } = data.bookRef(outcomeId, marketId)!
        if (complement) continue
        const rows = trades.map((trade) => tapedTrade(slug, { ...trade, outcomeId: bookId }))
        await opened.insert([{ ...emptyBatch(slug, bookId), trades: rows }])
      }
      for (const [{ outcomeId, marketId }, trades] of traded) {
        for (const resolutionMs of [minute, 5 * minute, 60 * minute]) {
          const candles = await tape.findCandles(slug, outcomeId, { resolutionMs, limit: 500, endMs: now }, marketId)
          expect(rounded(candles), `${outcomeId} ${resolutionMs}`).toEqual(rounded(candlesFrom(trades, resolutionMs)))
        }
      }
    }
  })
})

type Traded = Trade & { price: number }

const tapedTrade = (venue: string, { id, outcomeId, timestamp, price, amount, side }: Traded): TapeTradeRow => ({
  venue,
  outcomeId,
  tradeId: id,
  ts: timestamp,
  recvTs: timestamp,
  priceMicros: Math.round(price * 1e6),
  size: amount,
  side: side === 'sell' ? 'sell' : 'buy',
  transactionHash: null,
})

const six = (value: number): number => Math.round(value * 1e6) / 1e6
const rounded = (candles: readonly Candle[]): unknown[] =>
  candles.map(({ volume, ...prices }) => ({ ...prices, volume: volume === null ? null : six(volume) }))
