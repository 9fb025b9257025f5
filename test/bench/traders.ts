// Benches of trader data: one page of the smart money feed out of ten million trades, and trades per second written and rolled up.

import { systemClock } from '#core/clock'
import { createPrng } from '#lab/prng'
import type { TapeStore } from '#storage/clickhouse/client'
import { openTestTape } from '#test/support/clickhouse'
import { begun, drawTrades, newToken, rollUpAll, settleMarkets, startPipeline } from '#test/support/traders/recordWorld'
import type { SmartMoneyQuery } from '#traders/index'
import { createTraderRecord } from '#traders/record/index'
import { type Bench, type BenchResult, figure, fullOrShort } from './bench.ts'

const tradesTaped = fullOrShort(10_000_000, 20_000)
const pagesPerQuery = fullOrShort(60, 3)
/** Pages of each query that do not count. */
const warmUpPages = fullOrShort(5, 1)
const spanMs = 30 * 86_400_000
const wallets = 200_000
const markets = 20_000
const venues = ['polymarket', 'limitless', 'myriad', 'hyperliquid', 'rain'] as const

/** A few wallets and markets have most of the trades. One in ten is of a wallet without a score. */
const fillFeed = (from: number, count: number): string => `
INSERT INTO trader_feed
SELECT ${begun} + intDiv(number * ${spanMs}, ${tradesTaped}) AS ts, lower(hex(cityHash64(number))) AS trade_id,
  ['polymarket', 'limitless', 'myriad', 'hyperliquid', 'rain'][1 + cityHash64(number, 1) % 5] AS venue,
  concat(market_id, if(number % 2 = 0, '-yes', '-no')) AS outcome_id,
  concat('m', toString(toUInt32(pow(cityHash64(number, 2) % 1000000 / 1000000, 3) * ${markets}))) AS market_id,
  concat('0x', leftPad(lower(hex(toUInt32(pow(cityHash64(number, 3) % 1000000 / 1000000, 3) * ${wallets}))), 40, '0')) AS wallet,
  if(cityHash64(number, 4) % 3 = 0, 'sell', 'buy') AS side, toInt64(cityHash64(number, 5) % 2000), toUInt32(10000 * (1 + cityHash64(number, 6) % 99)),
  cityHash64(number, 7) % 1000000000, cityHash64(number, 7) % 500000000, cityHash64(number, 8) % 10 != 0 AS judged,
  ['none', 'bot', 'whale', 'smart', 'fresh', 'fish'][1 + least(5, toUInt32(pow(cityHash64(wallet) % 1000 / 1000, 2) * 6))] AS category,
  toUInt16(cityHash64(wallet, 1) % 1001), if(judged, toUInt16(cityHash64(number, 9) % 501 + cityHash64(number, 10) % 501), 65535),
  500, 500, 65535
FROM numbers(${from}, ${count})`

const walletOf = (n: number): string => `0x${n.toString(16).padStart(40, '0')}`

const every: SmartMoneyQuery = {
  venues,
  minScore: null,
  market: null,
  wallet: null,
  category: null,
  sinceMs: null,
  after: null,
  limit: 101,
}

async function fill(store: TapeStore): Promise<void> {
  const step = Math.min(1_000_000, tradesTaped)
  for (let from = 0; from < tradesTaped; from += step) await store.command(fillFeed(from, step))
}

const at = (sorted: readonly number[], share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN

async function benchFeed(): Promise<BenchResult[]> {
  const tape = await openTestTape()
  try {
    await fill(tape.store)
    const record = createTraderRecord(tape.store, systemClock)
    const prng = createPrng('feed bench')
    const filterCases: [name: string, (n: number) => Partial<SmartMoneyQuery>][] = [
      ['no filter', () => ({})],
      ['one venue', () => ({ venues: ['rain'] })],
      ['minScore 95', () => ({ minScore: 95 })],
      ['minScore 99.9', () => ({ minScore: 99.9 })],
      ['category', () => ({ category: 'smart' })],
      ['a busy market', (n) => ({ market: `m${n % 20}` })],
      ['a quiet market', () => ({ market: `m${markets - 1 - prng.int(100)}` })],
      ['a busy wallet', (n) => ({ wallet: walletOf(n % 20) })],
      ['a quiet wallet', () => ({ wallet: walletOf(wallets - 1 - prng.int(100)) })],
      [
        'all filters',
        (n) => ({ venues: ['rain'], minScore: 50, category: 'smart', market: `m${n % 20}`, wallet: walletOf(n % 50) }),
      ],
      ['no results', () => ({ wallet: 'nobody' })],
    ]
    const results: BenchResult[] = []
    for (const [name, of] of filterCases) {
      const times: number[] = []
      for (let n = -warmUpPages; n < pagesPerQuery; n++) {
        // Any page between the newest and the oldest.
        const after = n % 3 === 0 ? null : { ts: begun + prng.int(spanMs), tradeId: '', venue: '', outcomeId: '' }
        const query = { ...every, ...of(Math.abs(n)), after }
        const before = performance.now()
        await record.listSmartMoney(query)
        if (n >= 0) times.push(performance.now() - before)
      }
      times.sort((a, b) => a - b)
      results.push(
        figure('traders.feed', `${name}: a page of 100 out of ${tradesTaped} trades, p95`, 'ms', at(times, 0.95)),
      )
      results.push(figure('traders.feed', `${name}: median`, 'ms', at(times, 0.5)))
    }
    return results
  } finally {
    await tape.close()
  }
}

const tradesPerSecond = fullOrShort(5_000, 200)
const secondsWritten = fullOrShort(20, 2)
const earlierTrades = fullOrShort(60_000, 2_000)

/** Earlier data of some size, so that days and wallets can be computed. */
async function benchRollUp(): Promise<BenchResult[]> {
  const tape = await openTestTape()
  try {
    const { store } = tape
    const trades = drawTrades({
      seed: 'bench',
      count: earlierTrades + secondsWritten * tradesPerSecond,
      wallets: 20_000,
      markets: 2_000,
      spanMs: 86_400_000,
    })
    const { writer, rollUp } = startPipeline(store)
    const step = Math.min(10_000, earlierTrades)
    for (let from = 0; from < earlierTrades; from += step)
      await writer.write(trades.slice(from, from + step), newToken())
    await settleMarkets(store, 1_000)
    await rollUpAll(rollUp)
    let [writing, rolling] = [0, 0]
    const begunAt = performance.now()
    for (let second = 0; second < secondsWritten; second++) {
      const from = earlierTrades + second * tradesPerSecond
      const before = performance.now()
      await writer.write(trades.slice(from, from + tradesPerSecond), newToken())
      writing += performance.now() - before
      if (second % 2 === 0) continue
      const rollUpStart = performance.now()
      await rollUpAll(rollUp)
      rolling += performance.now() - rollUpStart
    }
    const wholeMs = performance.now() - begunAt
    const count = secondsWritten * tradesPerSecond
    return [
      figure('traders.rollUp', 'written and rolled up, one after another', 'trades/s', (count / wholeMs) * 1_000),
      figure('traders.rollUp', 'written', 'trades/s', (count / writing) * 1_000),
      figure('traders.rollUp', 'rolled up, every two seconds of trades', 'trades/s', (count / rolling) * 1_000),
    ]
  } finally {
    await tape.close()
  }
}

export const benches: readonly Bench[] = [
  { name: 'traders.feed', run: benchFeed },
  { name: 'traders.rollUp', run: benchRollUp },
]
