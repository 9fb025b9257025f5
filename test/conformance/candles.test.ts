// Candles mean the same whatever answers: with a start the oldest from there on, without one the newest, whole buckets of UTC, as many as were
// asked for where there are so many. Every venue that has candles, and the tape.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClickhouseTape } from '#history/clickhouseTape'
import { type Lab, startLab } from '#lab/lab'
import { ManualClock } from '#lib/clock'
import { silentLog } from '#lib/log'
import { createHttpClient, type OwnedHttpClient } from '#net/httpClient'
import type { Candle } from '#schemas/marketData'
import { emptyBatch, openTestTape, type TestTape } from '#test/support/clickhouse'
import { registry } from '#venues/registry'
import type { CandlesQuery, OutcomeRef, VenueContext, VenueData } from '#venues/venue'

const minute = 60_000
const dayMs = 1_440 * minute
/** In the middle of every bucket. */
const now = Date.UTC(2026, 10, 20, 13, 37, 23)
const sparse = 7 * minute

type Source = (query: CandlesQuery) => Promise<Candle[]>
const sources = new Map<string, { resolutionsMs: readonly number[]; ask: Source }>()
const withCandles = Object.values(registry).filter(({ data }) => (data as VenueData).fetchCandles !== undefined)

let lab: Lab
let opened: TestTape
let http: OwnedHttpClient
beforeAll(async () => {
  const clock = new ManualClock(now)
  const names = withCandles.map(({ slug }) => slug)
  lab = await startLab({ clock, seed: 'candles', ratePerSecond: 0, markets: 12, venues: names })
  http = createHttpClient({ venue: 'lab', requestsPerSecond: 100_000 })
  for (const { slug, data } of withCandles) {
    const { signal } = new AbortController()
    const context = { http, clock, log: silentLog, urls: lab[slug].urls, credentials: null, signal }
    const ref = await someOutcome(data, context)
    sources.set(slug, {
      resolutionsMs: (data as VenueData).candleResolutionsMs!,
      ask: (query) => (data as VenueData).fetchCandles!(context, ref, query),
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
    ask: (query) => tape.findCandles('kalshi', 'KXCANDLES-1', query),
  })
}, 60_000)
afterAll(async () => {
  await opened?.close()
  await http?.close()
  await lab?.stop()
})

async function someOutcome(data: VenueData, context: VenueContext): Promise<OutcomeRef> {
  for await (const { events } of data.walkCatalog(context, { updatedSinceMs: null })) {
    const market = events.flatMap(({ markets }) => markets).find(({ status }) => status === 'active')
    const { outcomeId, metadata } = market?.outcomes[1] ?? {}
    if (market === undefined || outcomeId === undefined) continue
    const { marketId, eventId, sourceMetadata } = market
    return { outcomeId, marketId, eventId, metadata: { ...sourceMetadata, ...metadata } }
  }
  throw new Error('no open market')
}

describe.each([...withCandles.map(({ slug }) => slug as string), 'tape'])('%s', (name) => {
  test('any range is the part of the whole that it names', { timeout: 60_000 }, async () => {
    const { resolutionsMs, ask } = sources.get(name)!
    const wholes = new Map<number, Candle[]>()
    const fromMs = Math.ceil((now - 1.5 * dayMs) / dayMs) * dayMs - dayMs
    for (const resolutionMs of resolutionsMs) {
      const whole = await ask({ resolutionMs, startMs: fromMs, endMs: now, limit: 5_000 })
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
          const got = await ask(query)
          if (startMs !== undefined) expect(got).toEqual(named.slice(0, limit))
          // Without a start it goes on behind what the whole began with.
          else if (named.length >= limit) expect(got).toEqual(named.slice(-limit))
          else if (named.length > 0) expect(got.slice(-named.length)).toEqual(named)
        },
      ),
      { numRuns: 40 },
    )
  })
})
