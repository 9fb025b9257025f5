// Compares ccxt’s Myriad (MIT) with ours on the same bytes: books, trades, markets. Known differences and their reasons.
//
// Pools: ccxt puts 9,999 shares a tenth of a cent either side of the price, which is not tradable; ours uses the contract’s formula, so
// only the mid price is compared. Ids: ccxt omits the model, which distinguishes a pool from an order book of the same number.
import ccxt from 'ccxt'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalizeMarket } from '#venues/myriad/data/normalize'
import { normalizeAction, normalizeBook } from '#venues/myriad/data/tape'
import { MyriadAction, MyriadBook, MyriadMarket } from '#venues/myriad/wire'
import { action, book, pool } from './rows.ts'

interface Oracle {
  parseWeiOrderBook(raw: unknown, outcome: string): Record<'bids' | 'asks', [number, number][]>
  parsePredictionTrade(raw: unknown): Record<'id' | 'timestamp' | 'price' | 'amount' | 'side', unknown>
  parseMyriadMarket(raw: unknown): {
    id: string
    active: boolean
    resolved: boolean
    executionModel: string
    marketType: string
    quote: string
    expiry?: number
    outcomes: { id: string; label: string; settleFraction?: number; info: { outcomePrice: number } }[]
  }
}
const oracle = new ccxt.prediction.myriad() as unknown as Oracle

test('books: the same prices and sizes', () => {
  const level = fc.tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max: 10_000_000 }))
  const levels = fc.uniqueArray(level, { selector: ([price]) => price, maxLength: 20 })
  fc.assert(
    fc.property(levels, levels, (bids, asks) => {
      const wei = (rows: typeof bids) =>
        rows.map(([price, size]) => [`${price}${'0'.repeat(15)}`, `${size}${'0'.repeat(16)}`])
      const raw = { bids: wei(bids), asks: wei(asks) }
      const theirs = oracle.parseWeiOrderBook(raw, 'x')
      const ours = normalizeBook('56:ob:1:0', MyriadBook.parse(raw), 0)!
      const sorted = (rows: readonly (readonly [number, number])[]) => rows.toSorted(([a], [b]) => a - b)
      for (const side of ['bids', 'asks'] as const) {
        expect(sorted(ours[side].map(([micros, size]) => [micros / 1e6, size]))).toEqual(sorted(theirs[side]))
      }
    }),
    { numRuns: 50 },
  )
})

test('trades of pools: the same time, side, price and shares', () => {
  for (const raw of [action, { ...action, action: 'sell', shares: 250, value: 100 }]) {
    const theirs = oracle.parsePredictionTrade(raw)
    const ours = normalizeAction(MyriadAction.parse(raw), '56:amm:218:0')!
    expect([ours.timestamp, ours.side, ours.price, ours.amount]).toEqual([
      theirs.timestamp,
      theirs.side,
      theirs.price,
      theirs.amount,
    ])
    // A transaction may hold several actions, so our id also contains outcome and shares.
    expect(ours.id.split(':')[0]).toBe(theirs.id)
  }
})

test('markets: the same labels, states, collateral and prices', () => {
  const resolved = { ...pool, state: 'resolved', resolvedOutcomeId: '1' }
  for (const raw of [pool, book, resolved, { ...pool, state: 'closed' }]) {
    const theirs = oracle.parseMyriadMarket(raw)
    const ours = normalizeMarket(MyriadMarket.parse(raw))
    const [networkId, , id] = ours.marketId.split(':')
    expect(`${networkId}:${id}`).toBe(theirs.id)
    expect(ours.outcomes.map(({ label }) => label)).toEqual(theirs.outcomes.map(({ label }) => label))
    expect(ours.status === 'active').toBe(theirs.active)
    expect(ours.status === 'resolved').toBe(theirs.resolved)
    const { executionModel, marketType, collateral } = ours.sourceMetadata
    expect([executionModel, marketType, collateral]).toEqual([theirs.executionModel, theirs.marketType, theirs.quote])
    expect(ours.resolutionDate).toBe(new Date(theirs.expiry!).toISOString())
    for (const [n, { price }] of ours.outcomes.entries()) {
      const { settleFraction, info } = theirs.outcomes[n]!
      expect(price).toBeCloseTo(settleFraction ?? info.outcomePrice, 6)
    }
  }
})
