// Compares ccxt’s Polymarket (MIT) with ours on the same bytes: books, trades, market fields. Known differences and their reasons:
//
// - ids: ccxt identifies a market by its condition, ours by Gamma’s number; ours also carry the condition. Outcomes have the same tokens;
// - state: for ccxt every active market that is not closed trades, ours are `inactive` while the venue takes no orders; ccxt calls closed
//   markets resolved, ours are so once the venue reports it or the prices are final;
// - step: ccxt assumes 0.01 when the row has none, ours is null;
// - a trade’s id: both use the transaction; ours number the fills of one transaction;
// - fees: ccxt always has 0, ours read the row.
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import ccxt from 'ccxt'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sharedFixture } from '#test/support/fixtures'
import { normalizeMarket } from '#venues/polymarket/data/normalize'
import { normalizeBook, normalizeTrades } from '#venues/polymarket/data/tape'
import { ClobBook, DataTrade, GammaMarket } from '#venues/polymarket/wire'
import { renamedTrade } from '../support.ts'

type Raw = Record<string, unknown>
type Levels = [price: number, size: number][]
interface Oracle {
  parseEventToMarkets(event: Raw): {
    id: string
    active: boolean
    resolved: boolean
    expiry?: number
    precision: { price: number }
    outcomes: { outcomeId: string; label: string; price?: number; settleFraction?: number }[]
  }[]
  parsePredictionTrade(raw: Raw): Record<'id' | 'timestamp' | 'side' | 'price' | 'amount' | 'outcomeId', unknown>
  fetchOrderBook(outcome: string): Promise<{ bids: Levels; asks: Levels; timestamp: number }>
  loadOutcome(id: string): Promise<{ outcomeId: string }>
  clobPublicGetBook(): Promise<Raw>
}
const oracle = new ccxt.prediction.polymarket() as unknown as Oracle
oracle.loadOutcome = async (outcomeId) => ({ outcomeId })

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8'))
const recorded = (name: string): string | null => sharedFixture(`polymarket/rest/${name}`)
const latest = recorded('polymarket_latest.json.gz')
const closed = recorded('gamma_closed_markets_600.json.gz')
const tape = recorded('api_trades.json.gz')
const unzipped = (path: string): unknown => JSON.parse(gunzipSync(readFileSync(path)).toString())
const absent = 'needs ../shared/fixtures/polymarket next to this checkout'

/** False: ccxt leaves out markets without tokens. */
function expectSame(raw: Raw): boolean {
  const [theirs] = oracle.parseEventToMarkets({ slug: 'x', markets: [raw] })
  const ours = normalizeMarket(GammaMarket.parse(raw))
  if (theirs === undefined) {
    expect(ours.outcomes).toEqual([])
    return false
  }
  expect([ours.contractAddress, ours.marketId]).toEqual([theirs.id, raw.id])
  expect(ours.outcomes.map(({ outcomeId, label }) => [outcomeId, label])).toEqual(
    theirs.outcomes.map(({ outcomeId, label }) => [outcomeId, label]),
  )
  if (theirs.expiry !== undefined) {
    const resolutionAt = Date.parse(ours.resolutionDate!)
    // A market that resolved early did so when it closed; ccxt reports the scheduled date.
    if (ours.status === 'resolved') expect(resolutionAt).toBeLessThanOrEqual(theirs.expiry)
    else expect(resolutionAt).toBe(theirs.expiry)
  }
  expect(ours.tickSize ?? 0.01).toBe(theirs.precision.price)
  if (ours.status === 'active') expect(theirs.active).toBe(true)
  else if (theirs.active) expect(raw.acceptingOrders ?? false).toBe(false)
  if (ours.status === 'resolved') expect(theirs.resolved).toBe(true)
  else if (theirs.resolved) expect(ours.status).not.toBe('active')
  for (const [index, { price, settleFraction }] of theirs.outcomes.entries()) {
    const { price: own } = ours.outcomes[index]!
    if (ours.status !== 'resolved') expect(own).toBe(price ?? null)
    // For ccxt a market with a split payout has no winner.
    else if (settleFraction !== undefined && own !== null) expect(own).toBeCloseTo(settleFraction, 2)
  }
  return true
}

const settled = fixture('gamma_market') as Raw
const open = { ...settled, closed: false, umaResolutionStatus: '', outcomePrices: '["0.152", "0.848"]' }
test.each([
  ['settled for NO, as recorded', settled],
  ['settled for YES', { ...settled, outcomePrices: '["1", "0"]' }],
  ['that trades', { ...open, acceptingOrders: true }],
  ['that takes no orders', open],
  ['closed and undecided', { ...open, closed: true }],
])('a market %s: the same condition, tokens, end, step, prices and state', (_name, raw) => {
  expect(expectSame(raw)).toBe(true)
})

test.skipIf(latest === null || closed === null)(
  `800 recorded markets (${latest === null ? absent : 'open and closed'})`,
  () => {
    const rows = [...(unzipped(latest!) as { markets: Raw[] }).markets, ...(unzipped(closed!) as Raw[])]
    expect(rows).toHaveLength(800)
    expect(rows.filter(expectSame).length).toBeGreaterThan(700)
  },
)

const side = fc
  .uniqueArray(fc.record({ tick: fc.integer({ min: 1, max: 999 }), size: fc.integer({ min: 1, max: 1e9 }) }), {
    selector: ({ tick }) => tick,
    maxLength: 20,
  })
  .map((rows) => rows.map(({ tick, size }) => ({ price: String(tick / 1_000), size: String(size / 100) })))

test('books: the same levels and time, recorded and generated', async () => {
  const same = async (raw: Raw) => {
    oracle.clobPublicGetBook = async () => raw
    const ours = normalizeBook(ClobBook.parse(raw), 0)
    const theirs = await oracle.fetchOrderBook(String(raw.asset_id))
    const sorted = (rows: readonly (readonly number[])[]) => rows.toSorted(([a], [b]) => a! - b!)
    const micros = (rows: Levels) => sorted(rows.map(([price, size]) => [Math.round(price * 1e6), size]))
    expect([sorted(ours.bids), sorted(ours.asks)]).toEqual([micros(theirs.bids), micros(theirs.asks)])
    expect(ours.eventTs).toBe(theirs.timestamp)
  }
  const book = fixture('clob_book') as Raw
  await same(book)
  const made = fc.record({ bids: side, asks: side }).map((sides) => ({ ...book, ...sides }))
  await fc.assert(fc.asyncProperty(made, same), { numRuns: 40 })
})

function expectSameTrades(rows: readonly Raw[]): void {
  for (const token of new Set(rows.map(({ asset }) => String(asset)))) {
    const own = rows.filter(({ asset }) => asset === token)
    const ours = normalizeTrades(
      own.map((row) => DataTrade.parse(renamedTrade(row))),
      token,
    )
    const converted = ours.map(({ id, timestamp, side, price, amount, outcomeId }) =>
      JSON.stringify([id.split(':')[0], timestamp, side, price, amount, outcomeId]),
    )
    const theirs = own.map((row) => {
      const { id, timestamp, side, price, amount, outcomeId } = oracle.parsePredictionTrade(row)
      return JSON.stringify([id, timestamp, side, price, amount, outcomeId])
    })
    expect([...new Set(converted)].sort()).toEqual([...new Set(theirs)].sort())
  }
}

test('trades: the same transaction, time, side, price and size', () => {
  expectSameTrades(fixture('data_trades') as Raw[])
})

test.skipIf(tape === null)(`3,100 recorded trades (${tape === null ? absent : 'of crypto markets'})`, () => {
  const rows = unzipped(tape!) as Raw[]
  expect(rows).toHaveLength(3_100)
  expectSameTrades(rows)
})
