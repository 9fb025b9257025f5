import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  categoryOf,
  edgeOf,
  emptyRecord,
  type MarketResult,
  type Position,
  resultOf,
  settledMin,
  tradeScore,
  type WalletHabits,
  walletScore,
  withMarket,
} from '#traders/scores/index'
import '#test/support/seed'

const bought = (shares: number, price: number, payout: 0 | 1, more: Partial<Position> = {}): Position => ({
  buyUnits: shares * 1_000_000,
  buyCost: Math.round(shares * price * 1_000_000),
  sellUnits: 0,
  sellCost: 0,
  payout: payout * 1_000_000,
  ...more,
})
const recordOf = (markets: readonly (MarketResult | null)[]) =>
  markets.flatMap((market) => market ?? []).reduce(withMarket, emptyRecord())
const many = (count: number, of: (n: number) => Position): (MarketResult | null)[] =>
  Array.from({ length: count }, (_, n) => resultOf([of(n)]))

describe('the result of a market', () => {
  it('is proceeds and payout minus cost; per share it is the surprise', () => {
    expect(resultOf([bought(100, 0.4, 1)])).toEqual({
      result: 60_000_000,
      stake: 40_000_000,
      surprise: 600_000,
      information: 240_000,
    })
    expect(resultOf([bought(100, 0.4, 0)])).toMatchObject({ result: -40_000_000, surprise: -400_000 })
    const half = bought(100, 0.4, 0, { sellUnits: 50_000_000, sellCost: 30_000_000 })
    expect(resultOf([half])).toMatchObject({ result: -10_000_000, stake: 40_000_000 })
  })

  it('of shares sold without a purchase is that of the other side', () => {
    const sold = { buyUnits: 0, buyCost: 0, sellUnits: 100_000_000, sellCost: 40_000_000, payout: 0 }
    expect(resultOf([sold])).toMatchObject({ result: 40_000_000, stake: 60_000_000, information: 240_000 })
    expect(resultOf([{ ...sold, payout: 1_000_000 }])).toMatchObject({ result: -60_000_000, stake: 60_000_000 })
  })

  it('is null when nothing was at stake', () => {
    expect(resultOf([])).toBeNull()
    expect(resultOf([bought(100, 1, 1)])).toBeNull()
    expect(resultOf([bought(0, 0.5, 1)])).toBeNull()
  })

  it('at a correct price has no surprise on average, whatever the price', () => {
    for (const price of [0.02, 0.3, 0.5, 0.9, 0.99]) {
      const [won, lost] = [resultOf([bought(100, price, 1)])!, resultOf([bought(100, price, 0)])!]
      expect(Math.abs(won.surprise * price + lost.surprise * (1 - price))).toBeLessThan(1)
    }
  })
})

describe('w1', () => {
  it('gives no score below the minimum sample', () => {
    expect(walletScore(recordOf(many(settledMin - 1, () => bought(10, 0.5, 1))))).toEqual({
      score: null,
      factors: null,
    })
    expect(walletScore(recordOf(many(settledMin, () => bought(10, 0.5, 1)))).score).not.toBeNull()
  })

  it('does not let a few lucky markets beat a long record', () => {
    const long = walletScore(recordOf(many(300, (n) => bought(100, 0.5, n % 20 < 11 ? 1 : 0)))).score!
    expect(walletScore(recordOf(many(3, () => bought(100, 0.5, 1)))).score).toBeNull()
    for (const lucky of [many(5, () => bought(100, 0.5, 1)), many(5, (n) => bought(100, 0.05, n < 1 ? 1 : 0))])
      expect(walletScore(recordOf(lucky)).score!).toBeLessThan(long)
  })

  it('shrinks small samples toward the middle, and large ones hardly', () => {
    const edges = [5, 20, 100, 1_000].map((count) =>
      edgeOf(recordOf(many(count, (n) => bought(10, 0.5, n % 5 < 3 ? 1 : 0)))),
    )
    expect(edges).toEqual(edges.toSorted((a, b) => a - b))
    // Three of five at even odds are 0.4 in log odds.
    expect(edges[0]!).toBeLessThan(0.05)
    expect(edges[3]!).toBeGreaterThan(0.36)
  })

  it('rises neither by buying favourites nor by buying long shots', () => {
    const favourites = walletScore(recordOf(many(300, (n) => bought(100, 0.95, n % 20 < 19 ? 1 : 0))))
    const longShots = walletScore(recordOf(many(300, (n) => bought(100, 0.05, n % 20 < 1 ? 1 : 0))))
    expect(favourites.factors!.trackRecord).toBeCloseTo(50, 0)
    expect(longShots.factors!.trackRecord).toBeCloseTo(50, 0)
  })

  it('treats one stake that outweighs all others as a lack of discipline', () => {
    const even = walletScore(recordOf(many(40, (n) => bought(100, 0.5, n % 2 ? 1 : 0)))).factors!
    const wild = walletScore(recordOf(many(40, (n) => bought(n === 0 ? 100_000 : 10, 0.5, n % 2 ? 1 : 0)))).factors!
    expect(even.discipline!).toBeGreaterThan(80)
    expect(wild.discipline!).toBeLessThan(15)
  })

  it('omits the scale factor when the currency is not dollars', () => {
    const record = { ...recordOf(many(20, () => bought(100, 0.5, 1))), inUsd: false }
    expect(walletScore(record).factors!.scale).toBeNull()
    expect(walletScore(record).score).not.toBeNull()
  })

  it('keeps the score and every factor between 0 and 100 for any trades', () => {
    const position = fc.record({
      buyUnits: fc.nat(10 ** 12),
      buyCost: fc.nat(10 ** 12),
      sellUnits: fc.nat(10 ** 12),
      sellCost: fc.nat(10 ** 12),
      payout: fc.nat(1_000_000),
    })
    fc.assert(
      fc.property(fc.array(fc.array(position, { maxLength: 3 }), { maxLength: 40 }), (markets) => {
        const { score, factors } = walletScore(recordOf(markets.map(resultOf)))
        for (const value of score === null ? [] : [score, ...Object.values(factors!)]) {
          expect(value).toBeGreaterThanOrEqual(0)
          expect(value).toBeLessThanOrEqual(100)
        }
      }),
    )
  })
})

describe('t1', () => {
  const trade = {
    walletScore: 80,
    usd: 100,
    usualUsd: 100,
    side: 'buy',
    price: 0.5,
    ts: 0,
    closesAt: 3 * 86_400_000,
  } as const

  it('weighs the trader, the relative size, the remaining profit and the timing', () => {
    expect(tradeScore(trade)).toEqual({ score: 65, factors: { walletScore: 80, size: 50, entry: 50, timing: 50 } })
    expect(tradeScore({ ...trade, usd: 800 }).factors.size).toBe(100)
    expect(tradeScore({ ...trade, usd: 12.5 }).factors.size).toBe(0)
    expect(tradeScore({ ...trade, price: 0.97 }).factors.entry).toBe(3)
    expect(tradeScore({ ...trade, side: 'sell', price: 0.97 }).factors.entry).toBe(97)
    expect(tradeScore({ ...trade, ts: trade.closesAt }).factors.timing).toBe(0)
  })

  it('uses the middle for unknown inputs and reports the factor as null', () => {
    const unknown = { ...trade, walletScore: null, usd: null, price: null, closesAt: null }
    expect(tradeScore(unknown)).toEqual({
      score: 50,
      factors: { walletScore: null, size: null, entry: null, timing: null },
    })
  })
})

describe('categories', () => {
  const habits: WalletHabits = {
    score: 55,
    trades: 20,
    activeDays: 10,
    spanMs: 40 * 86_400_000,
    settled: 8,
    volumeUsd: 400,
  }

  it.each([
    ['bot', { trades: 1_000, activeDays: 10, score: 90 }],
    ['smart', { score: 70, volumeUsd: 2_000_000 }],
    ['whale', { volumeUsd: 1_000_000 }],
    ['whale', { volumeUsd: 100_000 }],
    ['fresh', { score: null, settled: 4, spanMs: 13 * 86_400_000 }],
    ['fish', { score: 39.9 }],
    [null, {}],
    [null, { score: null, settled: 4 }],
    [null, { volumeUsd: null }],
  ] as const)('%s', (category, of) => {
    expect(categoryOf({ ...habits, ...of })).toBe(category)
  })
})
