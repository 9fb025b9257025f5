// The trader record on the real engine: the same trades give the same scores, however they arrive and whatever is killed.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { start, stop } from '#actors/system'
import { startTraders } from '#actors/traders/tradersActor'
import { ManualClock, systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createPrng } from '#lab/prng'
import type { WalletTrade } from '#schemas/topics'
import { SmartMoneyTrade, TraderScore } from '#schemas/traders'
import { createLocalBus } from '#storage/bus/local'
import type { TapeStore } from '#storage/clickhouse/client'
import { insertFeed, noScore } from '#storage/clickhouse/traderInsert'
import { insertWithdrawals } from '#storage/clickhouse/withdrawalInsert'
import { sampleMarket, sampleOutcome } from '#test/src/marketData/catalog/samples'
import { openTestTape, type TestTape } from '#test/support/clickhouse'
import {
  begun,
  dayMs,
  drawTrades,
  forgetAll,
  newToken,
  placesOf,
  rollUpAll,
  settleMarkets,
  settlementsOf,
  startPipeline,
  trade,
  walletsKept,
} from '#test/support/traders/recordWorld'
import type { SmartMoneyQuery } from '#traders/index'
import { createTraderRecord, type RecordCatalog } from '#traders/record/index'
import { smartMoneySql } from '#traders/record/statements/smartMoney'
import { answersWithinMs } from '#traders/record/withDeadline'
import { emptyRecord, type Position, resultOf, walletScore, withMarket } from '#traders/scores/index'

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
/** The wallets of the last run, as rolled up. */
let kept: Record<string, unknown>[] = []

const markets = 8
const isLong = process.env.CROSSBOOK_TEST_LONG === '1'
// The engine is a separate process: on a busy machine its statements are slow.
vi.setConfig({ testTimeout: isLong ? 900_000 : 180_000 })
/** A simulated day and a half. */
const trades = drawTrades({
  seed: 'roll-up',
  count: isLong ? 100_000 : 400,
  wallets: isLong ? 5_000 : 25,
  markets,
  spanMs: 1.5 * dayMs,
})

/** Cuts at random: repeated or late batches, roll-up passes between them, and settlements at some point. */
async function run(seed: string): Promise<Record<string, unknown>[]> {
  await forgetAll(store)
  const prng = createPrng(seed)
  let { writer, rollUp } = startPipeline(store)
  const piece = Math.ceil(trades.length / (isLong ? 24 : 3))
  let before: readonly WalletTrade[] = []
  let late: readonly WalletTrade[] = []
  const settledAt = prng.int(trades.length)
  let isSettled = false
  for (let from = 0; from < trades.length; ) {
    const to = from + 1 + prng.int(2 * piece)
    const cut = trades.slice(from, to)
    if (late.length === 0 && to < trades.length && prng.chance(0.2)) late = cut
    else await writer.write(prng.chance(0.3) ? [...before, ...cut] : cut, newToken())
    if (late !== cut && prng.chance(0.5)) {
      await writer.write(late, newToken())
      late = []
    }
    if (!isSettled && to > settledAt) {
      await settleMarkets(store, markets)
      isSettled = true
    }
    if (prng.chance(0.4)) await rollUp.pass()
    // Another process takes over and knows only what is stored.
    if (prng.chance(0.2)) ({ writer, rollUp } = startPipeline(store))
    before = cut
    from = to
  }
  await writer.write(late, newToken())
  await rollUpAll(rollUp)
  return walletsKept(store)
}

test('the same trades give the same scores when rolled up from different cuts', async () => {
  const first = await run('one')
  expect(first.length).toBeGreaterThan(45)
  expect(first.filter(({ score }) => score !== noScore).length).toBeGreaterThan(first.length / 2)
  expect(first.reduce((sum, row) => sum + Number(row.trades), 0)).toBe(sidesOf(trades))
  kept = await run('two')
  expect(kept).toEqual(first)
})

const sidesOf = (of: readonly WalletTrade[]): number =>
  of.reduce((sum, { counterparty }) => sum + (counterparty === null ? 1 : 2), 0)

test('the engine’s sums equal the formulas', () => {
  const payouts = new Map(settlementsOf(markets).map((row) => [`${row.venue} ${row.outcomeId}`, row.payoutMicros]))
  const positions = new Map<string, Map<string, Position & { unpriced: boolean }>>()
  const add = (of: WalletTrade, wallet: string, side: 'buy' | 'sell'): void => {
    const mine = positions.get(`${of.venue} ${wallet}`) ?? new Map<string, Position & { unpriced: boolean }>()
    positions.set(`${of.venue} ${wallet}`, mine)
    const payout = payouts.get(`${of.venue} ${of.outcomeId}`)!
    const position = mine.get(of.outcomeId) ?? {
      buyUnits: 0,
      buyCost: 0,
      sellUnits: 0,
      sellCost: 0,
      payout,
      unpriced: false,
    }
    mine.set(of.outcomeId, position)
    const units = Math.round(of.size * 1_000_000)
    const cost = Math.floor(((of.priceMicros ?? 0) * units) / 1_000_000 + 0.5)
    if (of.priceMicros === null) position.unpriced = true
    if (side === 'buy') [position.buyUnits, position.buyCost] = [position.buyUnits + units, position.buyCost + cost]
    else [position.sellUnits, position.sellCost] = [position.sellUnits + units, position.sellCost + cost]
  }
  for (const each of trades) {
    add(each, each.wallet!, each.side)
    if (each.counterparty !== null) add(each, each.counterparty, each.side === 'buy' ? 'sell' : 'buy')
  }
  for (const row of kept) {
    const mine = positions.get(`${row.venue} ${row.wallet}`)!
    const byMarket = Map.groupBy(mine, ([outcomeId]) => outcomeId.replace(/-(yes|no)$/, ''))
    const results = [...byMarket.values()].flatMap((of) => {
      const list = of.map(([, position]) => position)
      return list.some(({ unpriced }) => unpriced) ? [] : (resultOf(list) ?? [])
    })
    const record = results.reduce(withMarket, emptyRecord(Number(row.usd) < Number.MAX_SAFE_INTEGER))
    const { score, factors } = walletScore(record)
    expect({
      settled: row.settled,
      won: row.won,
      score: row.score,
      track: row.track_record,
      discipline: row.discipline,
    }).toEqual({
      settled: record.settled,
      won: record.won,
      score: score === null ? 65_535 : Math.round(score * 10),
      track: factors === null ? 65_535 : Math.round(factors.trackRecord! * 10),
      discipline: factors === null ? 65_535 : Math.round(factors.discipline! * 10),
    })
    if (record.inUsd) expect(row.pnl).toBe(results.reduce((sum, { result }) => sum + result, 0))
  }
})

test('does not count a trade withdrawn by its chain, and counts one whose block returns', async () => {
  await forgetAll(store)
  const { writer, rollUp } = startPipeline(store)
  const tradesOf = async (): Promise<unknown> => {
    await rollUpAll(rollUp)
    return (await walletsKept(store)).map(({ wallet, trades: count }) => [wallet, count])
  }
  await writer.write([trade('stays'), trade('goes', { wallet: '0xb' })], newToken())
  expect(await tradesOf()).toEqual([
    ['0xa', 1],
    ['0xb', 1],
  ])
  // The withdrawal names the outcome by the tape's id, so the log id identifies the trade.
  const gone = { venue: 'rain', outcomeId: 'm1', tradeId: 'goes', at: begun + 10_000 }
  await insertWithdrawals(store, [gone], newToken())
  expect(await tradesOf()).toEqual([
    ['0xa', 1],
    ['0xb', 0],
  ])
  await writer.write([trade('goes', { wallet: '0xb', recvTs: begun + 20_000 })], newToken())
  expect(await tradesOf()).toEqual([
    ['0xa', 1],
    ['0xb', 1],
  ])
})

const clock = systemClock
const every: SmartMoneyQuery = {
  venues: ['rain', 'polymarket'],
  minScore: null,
  market: null,
  wallet: null,
  category: null,
  sinceMs: null,
  after: null,
  limit: 50,
}

test('the feed returns every scored trade once, newest first, for any filter and page size', async () => {
  await forgetAll(store)
  const prng = createPrng('feed')
  const categories = [null, 'bot', 'whale', 'smart', 'fresh', 'fish'] as const
  // Several trades share a time, and several share a transaction.
  const rows = drawTrades({ seed: 'feed', count: 240, wallets: 6, markets: 4, spanMs: dayMs }).map((of, n) => {
    const { priceMicros, size, usd, side, venue, outcomeId, recvTs } = of
    const at = { ts: of.ts - (of.ts % 3_600_000), tradeId: `t${n - (n % 3)}`, outcomeId: `${outcomeId}-${n % 3}` }
    const marketId = outcomeId.split('-')[0]!
    const known = {
      ...at,
      venue,
      marketId,
      wallet: of.wallet!,
      role: 'taker' as const,
      side,
      recvTs,
      priceMicros,
      size,
      usd,
    }
    const verdict = {
      category: categories[prng.int(6)]!,
      walletScore: prng.int(1_000) / 10,
      tradeScore: prng.int(1_000) / 10,
    }
    return { trade: known, verdict: n % 10 === 0 ? null : { ...verdict, size: null, entry: 50, timing: 0 } }
  })
  await insertFeed(store, rows, newToken())
  const goneIds = new Set(['t30', 't33', 't36'])
  for (const each of ['rain', 'polymarket'])
    await insertWithdrawals(
      store,
      [...goneIds].map((tradeId) => ({ venue: each, outcomeId: 'any', tradeId, at: begun + 10 * dayMs })),
      newToken(),
    )
  const record = createTraderRecord(store, clock)
  const filters: Partial<SmartMoneyQuery>[] = [
    {},
    { venues: ['rain'] },
    { minScore: 70 },
    { minScore: 42.1 },
    { market: 'm1' },
    { wallet: rows[1]!.trade.wallet },
    { category: 'smart' },
    { sinceMs: begun + dayMs / 2 },
    { venues: ['polymarket'], minScore: 20, category: 'fish', market: 'm2' },
    { market: 'none' },
  ]
  const keyOf = ({
    ts,
    tradeId,
    venue,
    outcomeId,
  }: {
    ts: number
    tradeId: string
    venue: string
    outcomeId: string | null
  }) => [ts, tradeId, venue, outcomeId].join(' ')
  for (const more of filters) {
    const query = { ...every, ...more }
    const expected = rows
      .filter(({ trade: of, verdict }) => {
        if (verdict === null || goneIds.has(of.tradeId) || !query.venues.includes(of.venue)) return false
        const fits = (wanted: string | null, has: string | null): boolean => wanted === null || wanted === has
        return (
          verdict.tradeScore >= (query.minScore ?? 0) &&
          of.ts >= (query.sinceMs ?? 0) &&
          fits(query.market, of.marketId) &&
          fits(query.wallet, of.wallet) &&
          fits(query.category, verdict.category)
        )
      })
      .map(({ trade: of }) => of)
      .sort(
        (a, b) =>
          b.ts - a.ts || order(b.tradeId, a.tradeId) || order(b.venue, a.venue) || order(b.outcomeId, a.outcomeId),
      )
    const found: string[] = []
    for (let after: SmartMoneyQuery['after'] = null; ; ) {
      const page = await record.listSmartMoney({ ...query, after })
      found.push(...page.map(keyOf))
      const last = page.at(-1)
      if (last === undefined || page.length < query.limit) break
      after = { ts: last.ts, tradeId: last.tradeId, venue: last.venue, outcomeId: last.outcomeId ?? '' }
    }
    expect(found).toEqual(expected.map(keyOf))
  }
  const [row] = await record.listSmartMoney({ ...every, limit: 1 })
  expect(row).toMatchObject({ scoreVersion: 't1', tradeFactors: { size: null, entry: 50, timing: 0 } })
  expect(SmartMoneyTrade.parse(row)).toEqual(row)
})

test('reports its start and the latest recorded trade per venue, and ignores trades dated in the future', async () => {
  await forgetAll(store)
  const record = createTraderRecord(store, clock)
  expect([await record.since(), (await record.freshness()).takenUp]).toEqual([null, new Map()])
  const { writer } = startPipeline(store)
  const ahead = { ts: begun + 61_001, recvTs: begun + 1_000 }
  const trades = [trade('b', { ts: begun + 5_000, recvTs: begun + 9_000 }), trade('a'), trade('ahead', ahead)]
  expect(
    await writer.write([...trades, trade('none', { size: 0 }), trade('p', { venue: 'polymarket' })], newToken()),
  ).toBe(3)
  expect(await record.since()).toBe(begun + 1_000)
  const { takenUp } = await record.freshness()
  expect([...takenUp].sort()).toEqual([
    ['polymarket', begun + 1_000],
    ['rain', begun + 9_000],
  ])
})

test('stores the newest read time per venue only after the trades before it, and ignores times in the future', async () => {
  await forgetAll(store)
  const record = createTraderRecord(store, clock)
  expect((await record.freshness()).lookedUntil).toEqual(new Map())
  const { writer } = startPipeline(store)
  const look = (venue: string, lookedAt: number) => ({ venue, lookedAt })
  const now = clock.now()
  expect(await writer.write([trade('a'), look('rain', now - 9_000), look('rain', now - 20_000)], newToken())).toBe(1)
  expect(await writer.write([look('rain', now - 15_000), look('polymarket', now - 4_000)], newToken())).toBe(0)
  await writer.write([look('myriad', now + 3_600_000)], newToken())
  expect([...(await record.freshness()).lookedUntil].sort()).toEqual([
    ['polymarket', now - 4_000],
    ['rain', now - 9_000],
  ])
  // A batch whose trades could not be written stores no read time either.
  let refuses = true
  const failing: Pick<TapeStore, 'rows' | 'command' | 'insert'> = {
    rows: (...args) => store.rows(...args),
    command: (...args) => store.command(...args),
    insert: async (target, ...rest) => {
      if (refuses && target.table === 'trader_feed') throw new Error('away')
      return store.insert(target, ...rest)
    },
  }
  const second = startPipeline(failing).writer
  const batch = [trade('later'), look('rain', now)]
  const token = newToken()
  await expect(second.write(batch, token)).rejects.toThrow('away')
  expect((await record.freshness()).lookedUntil.get('rain')).toBe(now - 9_000)
  refuses = false
  await second.write(batch, token)
  expect((await record.freshness()).lookedUntil.get('rain')).toBe(now)
})

test('reads pages in time order, without sorting the table for filters that no index supports', async () => {
  await startPipeline(store).writer.write([trade('any')], newToken())
  const filters = [{}, { venues: ['rain'] }, { category: 'smart' as const }, { minScore: 50 }, { sinceMs: begun }]
  for (const filter of filters) {
    const { sql, parameters } = smartMoneySql({ ...every, ...filter }, clock.now())
    const plan = (await store.rows<{ explain: string }>(`EXPLAIN actions = 1 ${sql}`, parameters))
      .map(({ explain }) => explain)
      .join('\n')
    const [there, wanted] = ['Prefix', 'Result'].map((of) => new RegExp(`${of} sort description: (.*)`).exec(plan)?.[1])
    expect([filter, there]).toEqual([filter, 'ts DESC, trade_id DESC, venue DESC, outcome_id DESC'])
    expect([filter, wanted]).toEqual([filter, there])
    // LIMIT WITH TIES would read to the end of the table.
    expect(plan).not.toMatch(/ties/i)
  }
})

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

test('a trade keeps the score of its time, also when it is reported again', async () => {
  await forgetAll(store)
  const { writer, rollUp } = startPipeline(store)
  const record = createTraderRecord(store, clock)
  const won = Array.from({ length: 8 }, (_, n) => trade(`w${n}`, { outcomeId: `m${2 * n}-yes`, ts: begun + n }))
  await writer.write(won, newToken())
  expect(await record.findWallet('rain', '0xa')).toMatchObject({
    score: null,
    refreshState: 'pending',
    refreshedAt: null,
  })
  await rollUpAll(rollUp)
  expect(await record.findWallet('rain', '0xa')).toMatchObject({
    score: null,
    scoreVersion: null,
    factors: null,
    category: 'fresh',
    refreshState: 'pending',
    note: 'a score needs 5 settled markets in the record: 5 are missing',
    stats: { marketsTraded: 8, totalVolumeUsd: 40, winRate: null, realizedPnlUsd: null },
  })
  await settleMarkets(store, 16)
  await rollUpAll(rollUp)
  const scored = await record.findWallet('rain', '0xa')
  expect(scored).toMatchObject({
    scoreVersion: 'w1',
    refreshState: 'current',
    stats: { winRate: 1, realizedPnlUsd: 40 },
  })
  expect(TraderScore.parse(scored)).toEqual(scored)
  const first = trade('first', { outcomeId: 'm9-yes', ts: begun + dayMs })
  await writer.write([first], newToken())
  expect(await record.findWallet('rain', '0xa')).toMatchObject({ refreshState: 'stale', score: scored!.score })
  await rollUpAll(rollUp)
  const lost = (await record.findWallet('rain', '0xa'))!
  expect(lost.score).toBeLessThan(scored!.score!)
  await startPipeline(store).writer.write([first, trade('second', { ts: begun + 2 * dayMs })], newToken())
  expect(await record.listSmartMoney(every)).toMatchObject([
    { tradeId: 'second', walletScoreAtTrade: lost.score },
    { tradeId: 'first', walletScoreAtTrade: scored!.score, categoryAtTrade: scored!.category },
  ])
  expect(await record.listScores({ venues: ['rain', 'polymarket'], limit: 5 })).toMatchObject([{ wallet: '0xa' }])
  expect(await record.listScores({ venues: ['polymarket'], limit: 5 })).toEqual([])
  expect(await record.findWallet('polymarket', '0xa')).toBeNull()
})

test('returns a retryable error when the store does not respond', async () => {
  const hung = { rows: () => new Promise<never>(() => undefined) }
  const manual = new ManualClock()
  const pending = createTraderRecord(hung, manual).findWallet('rain', '0xa')
  manual.advance(answersWithinMs)
  await expect(pending).rejects.toMatchObject({ code: 'HISTORY_UNAVAILABLE' })
})

test('the actor writes trades from the bus, rolls them up, and settles markets that the catalog reports as resolved', async () => {
  await forgetAll(store)
  const bus = createLocalBus({ onError: (error) => expect.unreachable(String(error)) })
  const system = start()
  const over = (n: number) =>
    sampleMarket(`m${n}`, {
      status: 'resolved',
      outcomes: [1, 0].map((price, at) =>
        sampleOutcome(`m${n}`, at === 0 ? 'Yes' : 'No', { outcomeId: `m${n}-${at === 0 ? 'yes' : 'no'}`, price }),
      ),
    })
  const catalog: RecordCatalog = {
    ...placesOf(),
    findMarkets: async (refs) =>
      refs.map(({ venue, marketId }) => ({ venue, market: over(Number(marketId.slice(1))) })),
  }
  const options = { bus, mode: 'local', store, catalog, random: Math.random, clock, log: silentLog } as const
  const traders = await startTraders(system, { ...options, pace: { rollUpMs: 10, settleMs: 10 } })
  for (let n = 0; n < 6; n++)
    bus.publish(
      'walletTrades',
      'rain:m',
      trade(`b${n}`, { outcomeId: `m${n}-yes`, ts: begun + n, counterparty: '0xb' }),
    )
  const record = createTraderRecord(store, clock)
  await vi.waitFor(
    async () => expect(await record.findWallet('rain', '0xb')).toMatchObject({ stats: { winRate: 0 } }),
    {
      timeout: 30_000,
    },
  )
  expect(await record.findWallet('rain', '0xa')).toMatchObject({ stats: { winRate: 1, realizedPnlUsd: 30 } })
  expect(traders.stats()).toMatchObject({ written: 6, settled: 12, failures: 0 })
  await traders.stop()
  await bus.close()
  stop(system)
})
