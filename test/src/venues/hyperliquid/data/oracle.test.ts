// Compares ccxt’s Hyperliquid (MIT) with ours on the same bytes: books, trades, market fields. Known differences and their reasons:
//
// - names: ccxt puts an outcome’s terms into its handle and upper-cases its side names, ours fill the venue’s template and keep its case;
// - end: both read `expiry` of an outcome’s terms; ours also read the times of the question and the template;
// - step: ccxt assumes 0.0001 and four decimals of size, ours use the venue’s 0.00001;
// - quote: ccxt always gives USDH, ours the token of the row;
// - a side that is neither A nor B: ccxt reads a sale, ours unknown; ccxt marks both sides of a trade as makers, ours leave that out;
// - fees: ccxt has constants, ours read the row.
import ccxt from 'ccxt'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalizeMarket } from '#venues/hyperliquid/data/normalize'
import { normalizeBook, normalizeTrade } from '#venues/hyperliquid/data/tape'
import { HyperBook, HyperOutcome, HyperQuestion, HyperTrade } from '#venues/hyperliquid/wire'
import { fixture } from './support.ts'

type Raw = Record<string, unknown>
type Levels = [price: number, size: number][]
interface Oracle {
  parseOutcomeMarket(
    raw: Raw,
    outcome: number,
    question?: Raw,
  ): {
    id: string
    active: boolean
    expiry?: number
    outcomes: { outcomeId: string; label: string }[]
  }
  parsePredictionTrade(raw: Raw, outcome: unknown): Record<'id' | 'timestamp' | 'side' | 'price' | 'amount', unknown>
  fetchOrderBook(outcome: string): Promise<{ bids: Levels; asks: Levels; timestamp: number }>
  loadOutcome(): Promise<void>
  outcome(id: string): unknown
  safeOutcome(id: string): unknown
  safeMarket(): unknown
  publicPostInfo(): Promise<Raw>
}
const oracle = new ccxt.prediction.hyperliquid() as unknown as Oracle
const named = (id: string) => ({ outcome: id, outcomeId: id, id, info: { coinName: id } })
oracle.loadOutcome = async () => undefined
oracle.outcome = named
oracle.safeOutcome = named
oracle.safeMarket = () => undefined

const { outcomes, questions } = fixture('outcome_meta.json') as { outcomes: Raw[]; questions: Raw[] }

test('markets: the same number, coins, sides and end', () => {
  expect(outcomes.length).toBeGreaterThan(5)
  let ends = 0
  for (const raw of outcomes) {
    const spec = HyperOutcome.parse(raw)
    const found = questions.find(({ namedOutcomes }) => (namedOutcomes as number[]).includes(spec.outcome))
    const theirs = oracle.parseOutcomeMarket(raw, spec.outcome, found)
    const question = found === undefined ? null : HyperQuestion.parse(found)
    const ours = normalizeMarket({ spec, question, settled: null }, { templates: new Map(), contexts: new Map() })
    expect([ours.marketId, ours.status === 'active']).toEqual([theirs.id, theirs.active])
    expect(ours.outcomes.map(({ outcomeId, label }) => [outcomeId, label.toUpperCase()])).toEqual(
      theirs.outcomes.map(({ outcomeId, label }) => [outcomeId, label]),
    )
    if (theirs.expiry === undefined) continue
    ends++
    expect(Date.parse(ours.resolutionDate!)).toBe(theirs.expiry)
  }
  expect(ends).toBeGreaterThan(0)
})

const side = fc
  .uniqueArray(
    fc.record({ tick: fc.integer({ min: 1, max: 99_999 }), size: fc.integer({ min: 1, max: 1e9 }), n: fc.nat(9) }),
    { selector: ({ tick }) => tick, maxLength: 20 },
  )
  .map((rows) => rows.map(({ tick, size, n }) => ({ px: (tick / 1e5).toFixed(5), sz: (size / 10).toFixed(1), n })))

test('books: the same levels and time, for recorded and generated books', async () => {
  const same = async (raw: Raw) => {
    oracle.publicPostInfo = async () => raw
    const ours = normalizeBook(HyperBook.parse(raw)!, 0)!
    const theirs = await oracle.fetchOrderBook(ours.bookId)
    const sorted = (rows: readonly (readonly number[])[]) => rows.toSorted(([a], [b]) => a! - b!)
    const micros = (rows: Levels) => sorted(rows.map(([price, size]) => [Math.round(price * 1e6), size]))
    expect([sorted(ours.bids), sorted(ours.asks)]).toEqual([micros(theirs.bids), micros(theirs.asks)])
    expect(ours.eventTs).toBe(theirs.timestamp)
  }
  const book = fixture('l2_book.json') as Raw
  await same(book)
  const made = fc.tuple(side, side).map((levels) => ({ ...book, levels }))
  await fc.assert(fc.asyncProperty(made, same), { numRuns: 40 })
})

test('trades: the same id, time, side, price and size', () => {
  const rows = fixture('recent_trades.json') as Raw[]
  expect(rows.length).toBeGreaterThan(1)
  for (const raw of rows.flatMap((row) => ['A', 'B'].map((way) => ({ ...row, side: way })))) {
    const { id, timestamp, side: taker, price, amount } = oracle.parsePredictionTrade(raw, named('x'))
    expect(normalizeTrade(HyperTrade.parse(raw))).toMatchObject({ id, timestamp, side: taker, price, amount })
  }
})
