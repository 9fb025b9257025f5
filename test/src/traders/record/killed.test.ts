// The trader record maintained by real processes: killed with -9 at any statement, and two of them at once.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { systemClock } from '#core/clock'
import { createPrng } from '#lab/prng'
import type { WalletTrade } from '#schemas/topics'
import { openTape, type TapeStore } from '#storage/clickhouse/client'
import { insertFeed } from '#storage/clickhouse/traderInsert'
import { insertWithdrawals } from '#storage/clickhouse/withdrawalInsert'
import { type ClickhouseServer, startClickhouseServer } from '#test/support/clickhouseHttpServer'
import { Keeper, type KeeperWork } from '#test/support/traders/keeper'
import {
  dayMs,
  drawTrades,
  forgetAll,
  newToken,
  rollUpAll,
  settleMarkets,
  startPipeline,
  type TradesOptions,
  walletsKept,
} from '#test/support/traders/recordWorld'
import type { SmartMoneyQuery, TraderRecord } from '#traders/index'
import { createTraderRecord } from '#traders/record/index'

const isLong = process.env.CROSSBOOK_TEST_LONG === '1'
vi.setConfig({ testTimeout: isLong ? 1_800_000 : 120_000 })
const seed = process.env.CROSSBOOK_TEST_SEED ?? 'killed'
const markets = 6

let server: ClickhouseServer
let store: TapeStore
beforeAll(async () => {
  server = await startClickhouseServer()
  store = await openTape({ url: server.url, dataDir: '' })
}, 60_000)
afterAll(async () => {
  vi.resetConfig()
  await store?.close()
  await server?.stop()
})

/** Processes that survived, for reuse in the next test. */
const alive: Keeper[] = []
const raise = (): Keeper => new Keeper(server.url)
const moments = ['before', 'during', 'after'] as const
const plain = (rows: Record<string, unknown>[]) => rows.map(({ made_from: _, ...row }) => row)

async function writtenOnce(table: 'trader_trades' | 'trader_feed', key: string): Promise<[n: number, once: number]> {
  const [counted] = await store.rows<{ n: number; once: number }>(
    `SELECT count() AS n, uniqExact(${key}) AS once FROM ${table} FORMAT JSONEachRow`,
  )
  return [counted!.n, counted!.once]
}

async function unkilled(drawn: TradesOptions): Promise<{ wallets: Record<string, unknown>[]; sides: number }> {
  await forgetAll(store)
  await settleMarkets(store, markets)
  const { writer, rollUp } = startPipeline(store)
  await writer.write(drawTrades(drawn), newToken())
  await rollUpAll(rollUp)
  const [sides] = await writtenOnce('trader_trades', 'ts, trade_id, role')
  return { wallets: plain(await walletsKept(store)), sides }
}

test('a process killed with -9 at any statement neither loses nor duplicates a trade', async () => {
  const prng = createPrng(seed)
  const [cuts, perCut] = isLong ? [12, 60] : [1, 60]
  const drawn = { seed, count: cuts * perCut, wallets: 8, markets, spanMs: 1.2 * dayMs }
  const whole = await unkilled(drawn)
  expect(whole.wallets.some(({ score }) => score !== 65_535)).toBe(true)

  await forgetAll(store)
  await settleMarkets(store, markets)
  let deaths = 0
  // The next one starts while this one works.
  let [keeper, next] = [raise(), raise()]
  for (let cut = 0; cut < cuts; cut++) {
    const step = isLong ? 1 : 6
    let token = newToken()
    let ends = false
    for (let dieAt = 1 + prng.int(step); !ends; dieAt += step) {
      const moment = moments[(dieAt + cut) % moments.length]!
      const cutOf = { from: cut * perCut, to: (cut + 1) * perCut, token }
      const work: KeeperWork = { drawn, cuts: [cutOf], rollsUp: true, dieAt, moment }
      // Over Kafka a cut is redelivered unchanged while the engine may still run the dead process's last statement;
      // later a venue reports it again.
      if (moment !== 'during' && prng.chance(0.5)) token = newToken()
      ends = await keeper.work(work)
      if (ends) continue
      deaths++
      await keeper.kill()
      ;[keeper, next] = [next, raise()]
    }
  }
  alive.push(keeper, next)
  expect(deaths).toBeGreaterThanOrEqual(isLong ? 100 : 2)
  await rollUpAll(startPipeline(store).rollUp)
  expect(await writtenOnce('trader_feed', 'ts, trade_id, venue, outcome_id')).toEqual([drawn.count, drawn.count])
  // A crash between the two tables leaves duplicates in the first one, which count once.
  const [, sides] = await writtenOnce('trader_trades', 'ts, trade_id, role')
  expect(sides).toBe(whole.sides)
  expect(plain(await walletsKept(store))).toEqual(whole.wallets)
})

const keyOf = ({
  ts,
  tradeId,
  venue,
  outcomeId,
}: Pick<WalletTrade, 'ts' | 'tradeId' | 'venue'> & { outcomeId: string | null }) =>
  [ts, tradeId, venue, outcomeId].join(' ')

/** The whole feed, newest first. */
async function walk(record: TraderRecord, limit: number): Promise<string[]> {
  const keys: string[] = []
  for (let after: SmartMoneyQuery['after'] = null; ; ) {
    const page = await record.listSmartMoney({
      venues: ['rain', 'polymarket'],
      ...{ minScore: null, market: null, wallet: null, category: null, sinceMs: null, after, limit },
    })
    keys.push(...page.map(keyOf))
    const last = page.at(-1)
    if (last === undefined || page.length < limit) return keys
    after = { ts: last.ts, tradeId: last.tradeId, venue: last.venue, outcomeId: last.outcomeId! }
  }
}

test('while two processes write the same trades at once, paging skips no existing trade and returns none twice', async () => {
  const count = isLong ? 8_000 : 80
  const limit = isLong ? 100 : 9
  const pieces = isLong ? 6 : 3
  const drawn = { seed: `${seed} two`, count, wallets: 6, markets, spanMs: dayMs }
  const whole = await unkilled(drawn)
  await forgetAll(store)
  await settleMarkets(store, markets)
  const trades = drawTrades(drawn)
  // All wallets are scored after the first quarter; of the rest, every second trade exists before paging begins.
  const quarter = count / 4
  const { writer, rollUp } = startPipeline(store)
  await writer.write(trades.slice(0, quarter), newToken())
  await rollUpAll(rollUp)
  const rest = trades.slice(quarter)
  const there = rest.filter((_, n) => n % 2 === 1)
  await writer.write(there, newToken())

  const keepers = [alive.pop() ?? raise(), alive.pop() ?? raise()]
  const piece = (count - quarter) / pieces
  const ends = keepers.map((keeper) => {
    const cuts = Array.from({ length: pieces }, (_, n) => quarter + n * piece)
    const work = cuts.map((from) => ({ from, to: from + piece, step: 2, token: newToken() }))
    return keeper.work({ drawn, cuts: work, rollsUp: true, dieAt: 0, moment: 'before' })
  })
  let isWritten = false
  const written = Promise.all(ends).finally(() => {
    isWritten = true
  })
  const record = createTraderRecord(store, systemClock)
  const isThere = new Set(there.map(keyOf))
  const due = there.map(keyOf).toReversed()
  while (!isWritten) {
    const walked = await walk(record, limit)
    expect(walked.filter((key) => isThere.has(key))).toEqual(due)
    expect(new Set(walked).size).toBe(walked.length)
  }
  expect(await written).toEqual([true, true])
  await Promise.all(keepers.map((keeper) => keeper.kill()))
  expect(await walk(record, limit)).toEqual(rest.map(keyOf).toReversed())
  await rollUpAll(startPipeline(store).rollUp)
  expect(plain(await walletsKept(store))).toEqual(whole.wallets)
})

test('returns a trade once when the feed contains it twice, on any page, including one that was withdrawn and recorded again', async () => {
  await forgetAll(store)
  const verdict = { category: null, walletScore: 60, size: null, entry: 50, timing: null }
  const rows = drawTrades({ seed, count: 4, wallets: 2, markets, spanMs: dayMs }).map((of) => ({
    ...{ ...of, marketId: 'm', wallet: of.wallet!, role: 'taker' as const },
  }))
  // The third was withdrawn with its block and recorded again in another.
  const back = rows[2]!
  const gone = { venue: back.venue, outcomeId: 'any', tradeId: back.tradeId, at: back.recvTs + 10 }
  await insertWithdrawals(store, [gone], newToken())
  for (const [tradeScore, later] of [
    [40, 0],
    [80, 20],
  ] as const) {
    const recorded = rows.map((of) => ({ ...of, recvTs: of.recvTs + (of === back ? later : 0) }))
    await insertFeed(
      store,
      recorded.map((of) => ({ trade: of, verdict: { ...verdict, tradeScore } })),
      newToken(),
    )
  }
  const record = createTraderRecord(store, systemClock)
  const due = rows.map(keyOf).toReversed()
  for (const limit of [1, 2, 3, 9]) expect(await walk(record, limit)).toEqual(due)
})
