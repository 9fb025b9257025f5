// Compares ccxt’s Kalshi (MIT) with ours on the same bytes: books, trades, market fields. Known differences and their reasons:
//
// - end: ccxt takes the latest expiration, ours the expected one; ours also carry the latest;
// - step: ccxt takes the first range’s, ours the finest (a market may be finer near 0 and 1);
// - resolved: ccxt accepts a result that is not paid yet (`determined`, `disputed`), ours are `closed` until it is paid;
// - trades of NO: ccxt gives the price of YES with the side of NO, ours the price of NO;
// - liquidity: ccxt passes on the venue’s deprecated constant, ours is null;
// - fees: ccxt has 7 % everywhere, ours read the series.
import { readFileSync } from 'node:fs'
import ccxt from 'ccxt'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalizeBook, normalizeMarket, normalizeTrade } from '#venues/kalshi/data/normalize'
import { KalshiBook, KalshiMarket, KalshiTrade } from '#venues/kalshi/wire'
import * as recordings from '../fixtures.ts'

type Raw = Record<string, unknown>
type Levels = [price: number, size: number][]
interface OracleOutcome {
  outcomeId: string
  outcome: string
  label: string
  info: { ticker: string; volume?: number; openInterest?: number }
  settleFraction?: number
}
interface Oracle {
  parseMarket(raw: Raw): {
    id: string
    active: boolean
    resolved: boolean
    expiry?: number
    precision: { price: number }
    outcomes: OracleOutcome[]
  }
  parsePredictionTrade(
    raw: Raw,
    outcome: OracleOutcome,
  ): Record<'id' | 'timestamp' | 'side' | 'price' | 'amount', unknown>
  fetchOrderBook(outcome: string): Promise<{ bids: Levels; asks: Levels }>
  loadOutcome(): Promise<void>
  outcome(id: string): Pick<OracleOutcome, 'outcome' | 'outcomeId' | 'label' | 'info'>
  kalshiPublicGetMarketsTickerOrderbook(): Promise<Raw>
}
const oracle = new ccxt.prediction.kalshi() as unknown as Oracle
oracle.loadOutcome = async () => undefined
oracle.outcome = (label) => ({ outcome: label, outcomeId: label, label, info: { ticker: 'KXTEST-26-A' } })

const fixture = (name: string): Raw =>
  JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8'))
const [linear, deci] = fixture('markets').markets as [Raw, Raw]
const paid = { status: 'finalized', settlement_ts: '2026-06-13T00:00:00Z' }

function expectSame(raw: Raw): void {
  const theirs = oracle.parseMarket(raw)
  const ours = normalizeMarket(KalshiMarket.parse(raw), { event: null, series: null })
  expect(ours.marketId).toBe(theirs.id)
  expect(ours.outcomes.map(({ outcomeId }) => outcomeId)).toEqual(theirs.outcomes.map(({ outcomeId }) => outcomeId))
  expect(ours.outcomes.map(({ label }) => label.toUpperCase())).toEqual(theirs.outcomes.map(({ label }) => label))
  expect(ours.status === 'active', String(raw.status)).toBe(theirs.active)
  const { volume, openInterest } = theirs.outcomes[0]!.info
  expect([ours.volume, ours.openInterest]).toEqual([volume ?? null, openInterest ?? null])
  // The latest expiration, which ours carry in addition to the expected one.
  if (raw.expiration_time === raw.latest_expiration_time && theirs.expiry !== undefined)
    expect(Date.parse(String(ours.sourceMetadata.latestExpirationTime))).toBe(theirs.expiry)
  const ranges = raw.price_ranges as unknown[] | undefined
  if (ranges?.length === 1) expect(ours.tickSize).toBe(theirs.precision.price)
  if (ours.status === 'resolved') {
    expect(theirs.resolved).toBe(true)
    const fractions = theirs.outcomes.map(({ settleFraction }) => settleFraction)
    if (!fractions.includes(undefined)) expect(ours.outcomes.map(({ price }) => price)).toEqual(fractions)
  } else if (theirs.resolved) expect(['determined', 'disputed', 'amended', 'closed']).toContain(raw.status)
}

test.each([
  ['as recorded', linear],
  ['of tenths of a cent, as recorded', deci],
  ['that is paused', { ...linear, status: 'inactive' }],
  ['that is closed', { ...linear, status: 'closed' }],
  ['whose result is not paid yet', { ...linear, status: 'determined', result: 'yes' }],
  ['paid for YES', { ...linear, ...paid, result: 'yes', settlement_value_dollars: '1.0000' }],
  ['paid for NO', { ...deci, ...paid, result: 'no', settlement_value_dollars: '0.0000' }],
])('a market %s: the same ids, sides, state, totals, step and winner', (_name, raw) => expectSame(raw))

test.skipIf(!recordings.recorded)(
  `every recorded market of today's form (${recordings.recorded ? 'in ../shared' : recordings.absent})`,
  () => {
    const rows = recordings.marketsNow()
    expect(rows.length).toBeGreaterThan(100)
    for (const raw of rows) if (raw.market_type === 'binary') expectSame(raw)
  },
)

const side = fc
  .uniqueArray(fc.record({ tick: fc.integer({ min: 1, max: 999 }), cents: fc.integer({ min: 1, max: 1e9 }) }), {
    selector: ({ tick }) => tick,
    maxLength: 20,
  })
  .map((rows) => rows.map(({ tick, cents }) => [(tick / 1_000).toFixed(4), (cents / 100).toFixed(2)]))

test('books: the same levels of YES and of NO, recorded and generated', async () => {
  const same = async (raw: Raw) => {
    oracle.kalshiPublicGetMarketsTickerOrderbook = async () => raw
    const ours = normalizeBook('KXTEST-26-A', KalshiBook.parse(raw.orderbook_fp), 0)!
    const sorted = (rows: readonly (readonly number[])[]) => rows.toSorted(([a], [b]) => a! - b!)
    const own = (rows: typeof ours.bids, isNo = false) =>
      sorted(rows.map(([micros, size]) => [isNo ? 1_000_000 - micros : micros, size]))
    const theirs = (rows: Levels) => sorted(rows.map(([price, size]) => [Math.round(price * 1e6), size]))
    const [yes, no] = [await oracle.fetchOrderBook('YES'), await oracle.fetchOrderBook('NO')]
    expect([own(ours.bids), own(ours.asks)]).toEqual([theirs(yes.bids), theirs(yes.asks)])
    expect([own(ours.asks, true), own(ours.bids, true)]).toEqual([theirs(no.bids), theirs(no.asks)])
  }
  await same(fixture('orderbook'))
  const made = fc.record({ yes_dollars: side, no_dollars: side }).map((book) => ({ orderbook_fp: book }))
  await fc.assert(fc.asyncProperty(made, same), { numRuns: 40 })
})

test('trades: the same id, time, size and side; the price is that of the requested side', () => {
  const outcomes = oracle.parseMarket(linear).outcomes
  const rows = fixture('trades').trades as Raw[]
  expect(rows).toHaveLength(3)
  for (const raw of rows) {
    for (const [index, outcome] of outcomes.entries()) {
      const theirs = oracle.parsePredictionTrade(raw, outcome)
      const ours = normalizeTrade(KalshiTrade.parse(raw), outcome.outcomeId, index === 1)!
      expect([ours.id, ours.timestamp, ours.amount, ours.side]).toEqual([
        theirs.id,
        theirs.timestamp,
        theirs.amount,
        theirs.side,
      ])
      expect(ours.price).toBe(Number(index === 0 ? theirs.price : raw.no_price_dollars))
    }
  }
})
