// Compares ccxt’s Limitless (MIT) with ours on the same bytes: books, trades, market fields. Known differences and their reasons:
//
// - outcomes: ccxt identifies them by token, ours by market and side (token ids have no distinct format); ours carry the token too;
// - price step: ccxt assumes 0.001 for pools too, ours is null;
// - volume: ccxt reports the venue’s lifetime figure as a day’s, ours as lifetime;
// - trades: ccxt drops those of the other token, ours convert them; ccxt identifies a trade by its transaction, which may hold several;
// - fees: ccxt has 2 % everywhere, which differs from the venue’s table.
import ccxt from 'ccxt'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalizeMarket } from '#venues/limitless/data/normalize'
import { normalizeBook, normalizeTrade } from '#venues/limitless/data/tape'
import { LimitlessBook, LimitlessMarket, LimitlessTrade } from '#venues/limitless/wire'
import { fixture } from './support.ts'

type Levels = [price: number, size: number][]
interface OracleOutcome {
  outcomeId: string
  label: string
  active: boolean
  winner?: boolean
  settleFraction?: number
}
interface Oracle {
  parseMarket(raw: unknown): {
    id: string
    active: boolean
    resolved: boolean
    expiry: number
    precision: { price: number }
    outcomes: OracleOutcome[]
  }
  parsePredictionTrade(
    raw: unknown,
    outcome: OracleOutcome,
  ): Record<'id' | 'timestamp' | 'side' | 'price' | 'amount', unknown>
  fetchOrderBook(outcome: string): Promise<{ bids: Levels; asks: Levels }>
  loadOutcome(): Promise<void>
  outcome(id: string): unknown
  limitlessPublicGetMarketsSlugOrderbook(): Promise<unknown>
}
const oracle = new ccxt.prediction.limitless() as unknown as Oracle
oracle.loadOutcome = async () => undefined
oracle.outcome = (id) => ({ outcome: id, outcomeId: id, info: { slug: 'x', outcomeLabel: id } })

const clob = fixture('market') as Record<string, unknown>
const { yes, no } = clob.tokens as { yes: string; no: string }

test.each([
  ['as recorded', {}],
  ['expired', { expired: true }],
  ['locked', { status: 'LOCKED' }],
  ['resolved for YES', { status: 'RESOLVED', expired: true, winningOutcomeIndex: 0 }],
  ['resolved for NO', { status: 'RESOLVED', expired: true, winningOutcomeIndex: 1 }],
])('a market %s: the same id, end, step, tokens, state and winner', (_name, more) => {
  const raw = { ...clob, ...more }
  const theirs = oracle.parseMarket(raw)
  const ours = normalizeMarket(LimitlessMarket.parse(raw), null)!
  expect([ours.marketId, Date.parse(ours.resolutionDate!), ours.tickSize]).toEqual([
    theirs.id,
    theirs.expiry,
    theirs.precision.price,
  ])
  expect([ours.status === 'active', ours.status === 'resolved']).toEqual([theirs.active, theirs.resolved])
  expect(ours.outcomes.map(({ metadata }) => metadata!.tokenId)).toEqual(
    theirs.outcomes.map(({ outcomeId }) => outcomeId),
  )
  if (theirs.resolved)
    expect(ours.outcomes.map(({ price }) => price)).toEqual(theirs.outcomes.map(({ settleFraction }) => settleFraction))
})

const side = fc.uniqueArray(
  fc.record({ tick: fc.integer({ min: 1, max: 999 }), size: fc.integer({ min: 1, max: 1e12 }) }),
  {
    selector: ({ tick }) => tick,
    maxLength: 20,
  },
)
const books = fc.record({ bids: side, asks: side }).map(({ bids, asks }) => {
  const rows = (levels: typeof bids) => levels.map(({ tick, size }) => ({ price: tick / 1_000, size, side: 'BUY' }))
  return { ...(fixture('orderbook') as object), bids: rows(bids), asks: rows(asks) }
})

test('books: the same levels, recorded and generated, YES and NO', async () => {
  const same = async (raw: unknown) => {
    oracle.limitlessPublicGetMarketsSlugOrderbook = async () => raw
    const ours = normalizeBook('x:yes', LimitlessBook.parse(raw), 0)!
    const levels = (rows: typeof ours.bids, isNo = false) =>
      rows.map(([micros, size]) => [isNo ? 1_000_000 - micros : micros, size]).sort(([a], [b]) => a! - b!)
    const theirs = (rows: Levels) =>
      rows.map(([price, size]) => [Math.round(price * 1e6), size]).sort(([a], [b]) => a! - b!)
    const [ofYes, ofNo] = [await oracle.fetchOrderBook('yes'), await oracle.fetchOrderBook('no')]
    expect([levels(ours.bids), levels(ours.asks)]).toEqual([theirs(ofYes.bids), theirs(ofYes.asks)])
    expect([levels(ours.asks, true), levels(ours.bids, true)]).toEqual([theirs(ofNo.bids), theirs(ofNo.asks)])
  }
  await same(fixture('orderbook'))
  await fc.assert(fc.asyncProperty(books, same), { numRuns: 40 })
})

test('trades: the same time, side, price and size of their token, and an id that contains the transaction', () => {
  const { events } = fixture('events') as { events: Record<string, unknown>[] }
  const outcomes = oracle.parseMarket(clob).outcomes
  const rows = events.flatMap((row) =>
    [yes, no].flatMap((tokenId) => [0, 1].map((taker) => ({ ...row, tokenId, side: taker }))),
  )
  expect(rows).toHaveLength(12)
  for (const raw of rows) {
    const theirs = oracle.parsePredictionTrade(raw, outcomes.find(({ outcomeId }) => outcomeId === raw.tokenId)!)
    const ours = normalizeTrade(LimitlessTrade.parse(raw), { id: 'x', isNo: raw.tokenId === no }, { yes, no })!
    expect([ours.timestamp, ours.side, ours.price, ours.amount]).toEqual([
      theirs.timestamp,
      theirs.side,
      theirs.price,
      theirs.amount,
    ])
    expect(ours.id.split(':')[0]).toBe(theirs.id)
  }
})
