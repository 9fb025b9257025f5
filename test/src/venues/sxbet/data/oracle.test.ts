// Compares ccxt’s SX Bet (MIT) with ours on the same bytes: books, bets, markets. Known differences and their reasons.
//
// Sizes: ccxt has stakes like the venue, the taker’s on the ask side and cut off at six decimals; ours are contracts of one dollar, which
// equal a maker’s stake divided by its odds. Books: ccxt keeps two offers at one price apart; the venue aggregates, so there are none.
import ccxt from 'ccxt'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalizeEvent, normalizeMarket } from '#venues/sxbet/data/normalize'
import { normalizeBook, normalizeTrade } from '#venues/sxbet/data/tape'
import { SxbetBook, SxbetMarket, SxbetTrade } from '#venues/sxbet/wire'
import { reported, spread, trade, winner } from './rows.ts'

interface Oracle {
  parseSxbetMarket(raw: unknown): {
    id: string
    active: boolean
    expiry?: number
    outcomes: Record<string, unknown>[]
    precision: { price: number }
  }
  parseEvent(id: string, raws: unknown[]): { id: string; title?: string; markets: unknown[] }
  parseSxbetV3BookSides(raw: unknown, isOutcomeOne: boolean): Record<'bids' | 'asks', [number, number][]>
  parseSxbetV3PublicTrade(raw: unknown): Record<'id' | 'timestamp' | 'outcomeId' | 'price' | 'amount' | 'side', unknown>
}
const oracle = new ccxt.prediction.sxbet() as unknown as Oracle
const { marketHash } = spread

const stepUnits = 125_000_000_000_000_000n
const offers = fc.uniqueArray(
  fc.record({ step: fc.integer({ min: 1, max: 799 }), size: fc.integer({ min: 1_000_000, max: 2_000_000_000 }) }),
  { selector: ({ step }) => step, maxLength: 15 },
)
const offerRows = (rows: { step: number; size: number }[]) =>
  rows.map(({ step, size }) => ({ percentageOdds: String(BigInt(step) * stepUnits), size: String(size) }))

test('books: the same prices on both sides of both outcomes, and contracts that cost ccxt’s stakes', () => {
  fc.assert(
    fc.property(offers, offers, (one, two) => {
      const raw = { marketHash, version: '00000060000000012', outcomeOne: offerRows(one), outcomeTwo: offerRows(two) }
      const ours = normalizeBook(SxbetBook.parse(raw), 0)!
      const theirs = oracle.parseSxbetV3BookSides(raw, true)
      const price = (levels: readonly (readonly [number, number])[]) => levels.map(([micros]) => micros / 1e6).sort()
      expect(price(ours.bids)).toEqual(theirs.bids.map(([p]) => p).sort())
      expect(price(ours.asks)).toEqual(theirs.asks.map(([p]) => p).sort())
      for (const side of ['bids', 'asks'] as const) {
        for (const [micros, contracts] of ours[side]) {
          const stake = theirs[side].find(([p]) => p === micros / 1e6)![1]
          // ccxt cuts the taker size off twice, once after a division to twelve decimals: 1e-12 of the largest size, and one base unit.
          expect(Math.abs((contracts * micros) / 1e6 - stake)).toBeLessThan(3e-6)
        }
      }
      const others = oracle.parseSxbetV3BookSides(raw, false)
      expect(price(ours.asks.map(([micros, size]) => [1_000_000 - micros, size]))).toEqual(
        others.bids.map(([p]) => p).sort(),
      )
    }),
    { numRuns: 50 },
  )
})

test('bets: the same id, time, price and side of the outcome bet on', () => {
  for (const isBettingOutcomeOne of [true, false]) {
    const raw = { ...trade, isBettingOutcomeOne }
    const theirs = oracle.parseSxbetV3PublicTrade(raw)
    // ccxt identifies side two by `-2`, side one like the market.
    const outcomeId = `${marketHash}:${String(theirs.outcomeId).endsWith('-2') ? 2 : 1}`
    const ours = normalizeTrade(SxbetTrade.parse(raw), outcomeId)!
    expect([ours.id, ours.timestamp, ours.price, ours.side]).toEqual([
      theirs.id,
      theirs.timestamp,
      theirs.price,
      theirs.side,
    ])
    expect(ours.amount * ours.price!).toBeCloseTo(Number(theirs.amount), 9)
  }
})

test('markets: the same ids, labels, tick, start and state', () => {
  for (const raw of [spread, winner, reported, { ...spread, status: 'INACTIVE' }, { ...spread, gameTime: 0 }]) {
    const theirs = oracle.parseSxbetMarket(raw)
    const ours = normalizeMarket(SxbetMarket.parse(raw))
    expect(ours.marketId).toBe(theirs.id)
    expect(ours.outcomes.map(({ label }) => label)).toEqual(theirs.outcomes.map(({ label }) => label))
    expect(ours.tickSize).toBe(theirs.precision.price)
    expect(ours.resolutionDate).toBe(theirs.expiry === undefined ? undefined : new Date(theirs.expiry).toISOString())
    // ccxt reads no results, so a reported market with status active is active there.
    if (raw !== reported) expect(ours.status === 'active').toBe(theirs.active)
  }
})

test('events: the same fixture with the same title', () => {
  const raws = [spread, winner]
  const theirs = oracle.parseEvent('L18870109', raws)
  const ours = normalizeEvent(raws.map((raw) => SxbetMarket.parse(raw)))
  expect([ours.id, ours.title, ours.markets.length]).toEqual([theirs.id, theirs.title, theirs.markets.length])
})
