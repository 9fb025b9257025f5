// Wallets backfilled on request, on the real engine: trades reported by the venue and trades seen by the record are
// never counted twice, in whatever order and under whatever ids they arrive.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createPrng, type Prng } from '#lab/prng'
import type { WalletTrade } from '#schemas/topics'
import { TraderScore, type TraderTrade } from '#schemas/traders'
import type { TapeStore } from '#storage/clickhouse/client'
import { insertReportedTrades } from '#storage/clickhouse/reportedTradesInsert'
import { createWorld } from '#test/src/server/http/world'
import { openTestTape, type TestTape } from '#test/support/clickhouse'
import {
  begun,
  dayMs,
  forgetAll,
  newToken,
  placesOf,
  rollUpAll,
  settleMarkets,
  startPipeline,
  trade,
  walletsKept,
} from '#test/support/traders/recordWorld'
import { type TraderVenue, traderRoutes } from '#traders/index'
import { Backfill, createTraderRecord } from '#traders/record/index'
import { venueReportOf } from '#traders/record/venueReported'

const isLong = process.env.CROSSBOOK_TEST_LONG === '1'
vi.setConfig({ testTimeout: isLong ? 900_000 : 120_000 })
const rounds = isLong ? 40 : 1
const wallet = `0x${'a'.repeat(40)}`
const markets = 8

let opened: TestTape
let store: TapeStore
beforeAll(async () => {
  opened = await openTestTape()
  store = opened.store
}, 60_000)
afterAll(async () => {
  vi.resetConfig()
  await opened?.close()
})

/** The trade as the venue reports it for the wallet; the record sees it under another id. */
const rowOf = ({ venue, outcomeId, ts, side, size, usd, priceMicros }: WalletTrade, n: number): TraderTrade => ({
  ...{ venue, marketId: outcomeId.replace(/-(yes|no)$/, ''), outcomeId, tradeId: `told ${n}`, ts, wallet },
  ...{ side, price: priceMicros! / 1_000_000, amount: size, usdSize: usd },
})

const drawn = (prng: Prng): WalletTrade[] =>
  Array.from({ length: 30 }, (_, n) => {
    const priceMicros = 10_000 * (1 + prng.int(99))
    const size = 1 + prng.int(100)
    return trade(`seen ${n}`, {
      // Sometimes two trades at the same time.
      ts: begun + Math.floor((n - (n % 5 === 1 ? 1 : 0)) * (dayMs / 12)),
      outcomeId: `m${prng.int(markets)}-${prng.chance(0.5) ? 'yes' : 'no'}`,
      side: prng.chance(0.7) ? 'buy' : 'sell',
      ...{ wallet, priceMicros, size, usd: (priceMicros * size) / 1_000_000 },
    })
  })

const shuffled = <T>(prng: Prng, list: readonly T[]): T[] =>
  list
    .map((item) => [prng.next(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item)

const plain = (rows: Record<string, unknown>[]) => rows.map(({ made_from: _, ...row }) => row)
let batches = 0
const insertReport = (report: NonNullable<ReturnType<typeof venueReportOf>>) =>
  insertReportedTrades(store, report, ++batches, newToken())

test('counts reported and seen trades of a wallet once, in any order', async () => {
  for (let round = 0; round < rounds; round++) {
    const prng = createPrng(`told ${round}`)
    const trades = drawn(prng)
    // First everything once, as if all of it had been seen.
    await forgetAll(store)
    await settleMarkets(store, markets)
    const { writer, rollUp } = startPipeline(store)
    await writer.write(trades, newToken())
    await rollUpAll(rollUp)
    const [whole] = plain(await walletsKept(store))
    expect(whole).toMatchObject({ trades: 30 })

    // The venue reports the first two thirds; the record sees some of these and all later ones.
    await forgetAll(store)
    await settleMarkets(store, markets)
    const reportedUntil = trades[20]!.ts - 1
    const rows = trades.filter(({ ts }) => ts <= reportedUntil).map(rowOf)
    const reading = { venue: 'rain', wallet, rows: shuffled(prng, rows), isWhole: true, readAt: reportedUntil + 60_000 }
    const report = venueReportOf(reading, () => null)!
    const again = { ...report, rows: report.rows.slice(0, 5), since: report.rows[4]!.ts }
    const kept = startPipeline(store)
    const seen = trades.filter(({ ts }) => ts > reportedUntil || prng.chance(0.6))
    const steps = shuffled(prng, [
      async () => {
        await insertReport(report)
        // Another process requested them at the same time and finished later.
        await insertReport(again)
      },
      ...[0, 1, 2].map(
        (n) => () =>
          kept.writer.write(
            seen.filter((_, at) => at % 3 === n),
            newToken(),
          ),
      ),
    ])
    for (const step of steps) {
      await step()
      if (prng.chance(0.5)) await (prng.chance(0.5) ? kept.rollUp : startPipeline(store).rollUp).pass()
    }
    await rollUpAll(kept.rollUp)
    expect(plain(await walletsKept(store))).toEqual([whole])
    // Another process rolls up everything again, with the same result.
    await rollUpAll(startPipeline(store).rollUp)
    expect(plain(await walletsKept(store))).toEqual([whole])
  }
})

test('reported trades are not in the feed, and a market with incomplete reports is excluded from scores', async () => {
  await forgetAll(store)
  await settleMarkets(store, markets)
  const of = (n: number): WalletTrade => trade(`t${n}`, { outcomeId: `m${n}-yes`, ts: begun + n, wallet })
  const rows = Array.from({ length: 7 }, (_, n) => rowOf(of(n), n))
  rows[3] = { ...rows[3]!, amount: null, usdSize: null }
  const report = venueReportOf({ venue: 'rain', wallet, rows, isWhole: true, readAt: begun + dayMs }, () => null)!
  await insertReport(report)
  const { writer, rollUp } = startPipeline(store)
  await rollUpAll(rollUp)
  const record = createTraderRecord(store, systemClock)
  const found = await record.findWallet('rain', wallet)
  expect(found).toMatchObject({ stats: { marketsTraded: 7, totalVolumeUsd: null, realizedPnlUsd: null } })
  const [line] = await walletsKept(store)
  expect(line).toMatchObject({ trades: 7, settled: 6 })
  // Seen live, with the wallet score from the reported trades.
  await writer.write([trade('new', { ts: begun + dayMs, wallet })], newToken())
  const feed = {
    venues: ['rain'],
    minScore: null,
    market: null,
    wallet: null,
    category: null,
    sinceMs: null,
    after: null,
  }
  expect(await record.listSmartMoney({ ...feed, limit: 10 })).toMatchObject([
    { tradeId: 'new', walletScoreAtTrade: found!.score },
  ])
})

test('answers the first request from the venue, the second from the record, and the third with a score', async () => {
  await forgetAll(store)
  let requests = 0
  const stats = { walletAgeDays: null, marketsTraded: 900, totalVolumeUsd: 5, winRate: null, realizedPnlUsd: null }
  const unseen = { firstSeen: null, lastSeen: null, depositFirstAt: null }
  const venue: TraderVenue = {
    slug: 'rain',
    traders: {
      walletOf: (text) => text,
      notes: [],
      fetchTrades: async () => ({ rows: [], next: null }),
      fetchWallet: async () => ({ displayName: 'Ada', stats: { ...stats, ...unseen } }),
      async fetchWalletTrades() {
        requests++
        const of = (n: number) => trade(`t${n}`, { outcomeId: `m${2 * (n % 6)}-yes`, ts: begun + n * 60_000, wallet })
        return { rows: Array.from({ length: 12 }, (_, n) => rowOf(of(11 - n), n)), next: null }
      },
    },
    fetchMarket: async () => null,
    context: { venue: 'rain', urls: {}, signal: new AbortController().signal } as never,
  }
  const venues = new Map([['rain', venue]])
  const fillIns = new Backfill({ venues, store, catalog: placesOf(), clock: systemClock, log: silentLog })
  const catalog = { findMarket: async () => null, findOutcomes: async () => [] }
  const record = createTraderRecord(store, systemClock, fillIns)
  const world = createWorld({
    routes: traderRoutes,
    families: { traders: true },
    traders: { venues, catalog, record, clock: systemClock },
  })
  const get = async (): Promise<TraderScore> => {
    const { status, json } = await world.get(`/v1/traders/rain/wallets/${wallet}`)
    expect(status).toBe(200)
    return TraderScore.parse(json.data)
  }
  expect(await Promise.all([get(), get()])).toMatchObject(
    [1, 2].map(() => ({
      refreshState: 'live',
      provenance: { source: 'venue-rest' },
      ...{ score: null, refreshedAt: null, note: expect.stringMatching(/being read into the record/) },
      stats: { marketsTraded: 900 },
    })),
  )
  await vi.waitFor(async () => expect(await get()).toMatchObject({ refreshState: 'pending' }), { timeout: 20_000 })
  expect(await get()).toMatchObject({
    provenance: { source: 'archive' },
    ...{ score: null, note: 'its trades are recorded but not rolled up yet' },
    stats: { marketsTraded: null, firstSeen: new Date(begun).toISOString() },
  })
  const { rollUp } = startPipeline(store)
  await rollUpAll(rollUp)
  expect(await get()).toMatchObject({
    refreshState: 'pending',
    note: 'a score needs 5 settled markets in the record: 5 are missing',
    stats: { marketsTraded: 6, totalVolumeUsd: 60 },
  })
  await settleMarkets(store, 12)
  await rollUpAll(rollUp)
  expect(await get()).toMatchObject({ refreshState: 'current', scoreVersion: 'w1', stats: { winRate: 1 } })
  expect(requests).toBe(1)
  await fillIns.stop()
})
