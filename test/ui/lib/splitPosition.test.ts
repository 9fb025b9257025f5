import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FeeModel, MarketFees, SettlementFee } from '#schemas/fees'
import type { OrderSizes } from '#venues/venue'
import { type Offers, type Split, splitContracts, splitDollars } from '../../../ui/lib/splitPosition.ts'

const free: MarketFees = { fee: { kind: 'none' }, settlementFee: { kind: 'none' } }
const kalshi: MarketFees = {
  fee: { kind: 'kalshi_quadratic', rate: 0.07, multiplier: 1, rounding: 'cent' },
  settlementFee: { kind: 'none' },
}
const offer = (id: string, fees: MarketFees, ...levels: [price: number, size: number][]): Offers => ({
  id,
  fees,
  asks: levels.map(([price, size]) => ({ price, size })),
  tickSize: 0.01,
  sizes: null,
})

describe('an amount over several venues', () => {
  it('is bought where it is cheapest after fees, not before', () => {
    // 0.07 × 0.5 × 0.5 = 0.0175 a contract.
    const offers = [offer('dear', kalshi, [0.5, 100]), offer('cheap', free, [0.51, 60], [0.52, 100])]
    const split = splitContracts(offers, 100)
    expect(split.shares).toEqual([
      { id: 'cheap', contracts: 60, cost: 30.6, fee: 0, settlementFee: 0, averagePrice: 0.51, isOrder: false },
      { id: 'dear', contracts: 40, cost: 20, fee: 0.7, settlementFee: 0, averagePrice: 0.5, isOrder: false },
    ])
    expect(split).toMatchObject({ contracts: 100, exhausted: false, left: [] })
    expect(split.total).toBeCloseTo(51.3, 9)
  })

  it('includes settlement fees as if the bought outcome wins', () => {
    const taking: MarketFees = { fee: { kind: 'none' }, settlementFee: { kind: 'payout_rate', rate: 0.02 } }
    const split = splitContracts([offer('taking', taking, [0.4, 10]), offer('free', free, [0.41, 10])], 20)
    expect(split.shares.map(({ id, settlementFee }) => [id, settlementFee])).toEqual([
      ['free', 0],
      ['taking', 0.2],
    ])
  })

  it.each<[why: string, offers: Offers]>([
    ['fee not known: no table', offer('x', { ...free, fee: { kind: 'unknown', reason: 'no table' } }, [0.1, 10])],
    [
      'settlement fee not known: not documented',
      offer('x', { ...free, settlementFee: { kind: 'unknown', reason: 'not documented' } }, [0.1, 10]),
    ],
    [
      'fee not known: its rate is out of bounds',
      offer('x', { ...free, fee: { kind: 'quadratic_half_even', rate: 7 } }, [0.1, 10]),
    ],
    ['no live book', { ...offer('x', free), asks: null }],
    ['nothing is offered', offer('x', free)],
  ])('leaves out a venue with the reason: %s', (reason, offers) => {
    const split = splitContracts([offers, offer('free', free, [0.9, 10])], 5)
    expect(split.left).toEqual([{ id: 'x', reason }])
    expect(split.shares.map(({ id }) => id)).toEqual(['free'])
  })

  it('reports when all offers together are not enough', () => {
    expect(splitContracts([offer('free', free, [0.5, 10])], 11)).toMatchObject({ contracts: 10, exhausted: true })
    expect(splitDollars([offer('free', free, [0.5, 10])], 50)).toMatchObject({ contracts: 10, exhausted: true })
  })

  it('of dollars pays fees out of them', () => {
    const split = splitDollars([offer('kalshi', kalshi, [0.5, 1_000])], 51.75)
    expect(split).toMatchObject({ contracts: 100, exhausted: false })
    expect(split.total).toBeCloseTo(51.75, 9)
  })
})

const whole: OrderSizes = { step: 1, minimum: 1 }
const fiveForADollar: OrderSizes = { step: 0.01, minimum: 5, minimumDollars: 1 }
const sized = (sizes: OrderSizes, ...given: Parameters<typeof offer>): Offers => ({ ...offer(...given), sizes })
const bought = ({ shares }: Split) => shares.map(({ id, contracts }) => [id, contracts])

describe('a split in orders that venues take', () => {
  it('buys whole contracts where a venue requires them, and the rest elsewhere', () => {
    const offers = [sized(whole, 'whole', free, [0.4, 104.81]), sized(fiveForADollar, 'fine', free, [0.5, 1_000])]
    expect(bought(splitContracts(offers, 150.5))).toEqual([
      ['whole', 104],
      ['fine', 46.5],
    ])
    const dollars = splitDollars(offers, 100)
    expect(bought(dollars)).toEqual([
      ['whole', 104],
      ['fine', 116.8],
    ])
    expect(dollars.total).toBe(100)
    expect(bought(splitDollars([offers[0]!], 1.1))).toEqual([['whole', 2]])
  })

  it('fills the requested amount, although another venue then gives up part of its share', () => {
    const offers = [sized({ ...fiveForADollar }, 'fine', free, [0.3, 33.33]), sized(whole, 'whole', free, [0.4, 500])]
    expect(bought(splitContracts(offers, 100))).toEqual([
      ['fine', 33],
      ['whole', 67],
    ])
  })

  it('leaves out a venue whose share is below its smallest order, or raises it to that, whichever is cheaper', () => {
    const dear = sized(fiveForADollar, 'few', free, [0.3, 3], [0.9, 50])
    const cheap = sized(fiveForADollar, 'few', free, [0.3, 3], [0.41, 50])
    const other = sized(whole, 'whole', free, [0.4, 500])
    const without = splitContracts([dear, other], 10)
    expect(bought(without)).toEqual([['whole', 10]])
    expect(without.left).toEqual([
      { id: 'few', reason: 'its share would be below the smallest order: 5 contracts and $1' },
    ])
    expect(bought(splitContracts([cheap, other], 10))).toEqual([
      ['few', 5],
      ['whole', 5],
    ])
  })

  it('counts a smallest order in dollars, at its price and at the other answer’s', () => {
    const tenDollars: OrderSizes = { step: 1, minimum: 1, minimumDollars: 10, minimumOtherDollars: 10 }
    const offers = [sized(tenDollars, 'ten', free, [0.8, 1_000])]
    expect(splitDollars(offers, 39).contracts).toBe(0)
    expect(bought(splitDollars(offers, 41))).toEqual([['ten', 51]])
    expect(splitContracts(offers, 49).left).toHaveLength(1)
    expect(bought(splitContracts(offers, 50))).toEqual([['ten', 50]])
  })

  it('does not blame the books where the amount is too small', () => {
    expect(splitDollars([sized(whole, 'whole', free, [0.4, 10])], 0.3)).toMatchObject({
      contracts: 0,
      exhausted: false,
    })
    expect(splitContracts([sized(fiveForADollar, 'fine', free, [0.4, 10])], 2)).toMatchObject({
      contracts: 0,
      exhausted: false,
    })
    expect(splitContracts([sized(whole, 'whole', free, [0.4, 10.5])], 20)).toMatchObject({
      contracts: 10,
      exhausted: true,
    })
  })

  it('reports where the order rules are unknown', () => {
    const split = splitContracts([offer('unknown', free, [0.4, 1]), sized(whole, 'whole', free, [0.5, 10])], 5)
    expect(split.shares.map(({ id, isOrder }) => [id, isOrder])).toEqual([
      ['unknown', false],
      ['whole', true],
    ])
  })
})

const rate = fc.integer({ min: 0, max: 100_000 }).map((n) => n / 1e6)
const fee: fc.Arbitrary<FeeModel> = fc.oneof(
  fc.constant<FeeModel>({ kind: 'none' }),
  fc.constant<FeeModel>({ kind: 'unknown', reason: 'not documented' }),
  rate.map((r): FeeModel => ({ kind: 'kalshi_quadratic', rate: r, multiplier: 1, rounding: 'cent' })),
  rate.map((r): FeeModel => ({ kind: 'kalshi_quadratic', rate: r, multiplier: 1, rounding: 'centicent' })),
  rate.map((r): FeeModel => ({ kind: 'quadratic_half_even', rate: r })),
  fc
    .tuple(rate, fc.integer({ min: 1, max: 2 }))
    .map(([r, exponent]): FeeModel => ({ kind: 'polymarket_curve', rate: r, exponent })),
)
const settlementFee: fc.Arbitrary<SettlementFee> = fc.oneof(
  fc.constant<SettlementFee>({ kind: 'none' }),
  fc
    .constantFrom<'payout_rate' | 'profit_rate'>('payout_rate', 'profit_rate')
    .map((kind): SettlementFee => ({ kind, rate: 0.02 })),
)
const asks = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: 50_000 })), {
    selector: ([cents]) => cents,
    maxLength: 6,
  })
  .map((levels) =>
    levels.toSorted(([a], [b]) => a - b).map(([cents, size]) => ({ price: cents / 100, size: size / 100 })),
  )
const offers = fc
  .array(fc.record({ asks, fees: fc.record({ fee, settlementFee }) }), { minLength: 1, maxLength: 4 })
  .map((all) => all.map((each, i): Offers => ({ id: `venue ${i}`, tickSize: 0.01, sizes: null, ...each })))
const contracts = fc.integer({ min: 1, max: 200_000 }).map((n) => n / 100)

const known = (given: readonly Offers[], { left }: Split) =>
  given.filter(({ id }) => !left.some((one) => one.id === id))
const sizeOf = (given: readonly Offers[]) =>
  given.reduce((sum, { asks }) => sum + (asks ?? []).reduce((s, l) => s + l.size, 0), 0)

describe('a split over any offers', () => {
  it('buys the requested amount or everything offered, of no venue more than it offers', () => {
    fc.assert(
      fc.property(offers, contracts, (given, wanted) => {
        const split = splitContracts(given, wanted)
        const available = sizeOf(known(given, split))
        expect(split.contracts).toBeCloseTo(Math.min(wanted, available), 4)
        expect(split.exhausted).toBe(available < wanted - 1e-9)
        for (const share of split.shares)
          expect(share.contracts).toBeLessThanOrEqual(sizeOf(given.filter(({ id }) => id === share.id)) + 1e-6)
      }),
    )
  })

  it('never buys where fees are unknown', () => {
    fc.assert(
      fc.property(offers, contracts, (given, wanted) => {
        const { shares, left } = splitContracts(given, wanted)
        const unknown = given.filter(({ fees }) => fees.fee.kind === 'unknown').map(({ id }) => id)
        expect(left.map(({ id }) => id)).toEqual(expect.arrayContaining(unknown))
        for (const { id } of shares) expect(unknown).not.toContain(id)
      }),
    )
  })

  it('costs no more than the same amount at any one venue, except for the rounding of fees', () => {
    fc.assert(
      fc.property(offers, contracts, (given, wanted) => {
        const split = splitContracts(given, wanted)
        for (const one of known(given, split)) {
          const alone = splitContracts([one], wanted)
          if (alone.exhausted) continue
          // At most a cent per level.
          const rounding = 0.01 * (1 + given.reduce((sum, { asks }) => sum + (asks?.length ?? 0), 0))
          expect(split.total).toBeLessThanOrEqual(alone.total + rounding)
        }
      }),
    )
  })

  it('of dollars spends at most these, and not a hundredth of a contract fewer than possible', () => {
    fc.assert(
      fc.property(offers, fc.integer({ min: 1, max: 50_000 }), (given, cents) => {
        const split = splitDollars(given, cents / 100)
        expect(split.total).toBeLessThanOrEqual(cents / 100 + 1e-9)
        if (split.exhausted) return
        expect(splitContracts(given, split.contracts + 0.01).total).toBeGreaterThan(cents / 100)
      }),
    )
  })

  it('consists of valid orders, and is as cheap as any other such split, except for the price of one contract', () => {
    fc.assert(
      fc.property(smallOffers, fc.integer({ min: 1, max: 12 }), (given, wanted) => {
        const split = splitContracts(given, wanted)
        for (const { id, contracts, cost } of split.shares) {
          const { step, minimum, minimumDollars = 0 } = given.find((one) => one.id === id)!.sizes!
          expect(Math.abs(contracts / step - Math.round(contracts / step))).toBeLessThan(1e-9)
          expect(contracts).toBeGreaterThanOrEqual(minimum)
          expect(cost).toBeGreaterThanOrEqual(minimumDollars)
        }
        const cheapest = cheapestOf(given, wanted)
        if (cheapest === null) expect(split.contracts).toBeLessThan(wanted)
        else {
          expect(split.contracts).toBeCloseTo(wanted, 9)
          expect(split.total).toBeLessThanOrEqual(cheapest + 1)
        }
        const dollars = splitDollars(given, split.total)
        expect(dollars.total).toBeLessThanOrEqual(split.total + 1e-9)
        expect(dollars.contracts).toBeGreaterThan(split.contracts - given.length)
      }),
    )
  })
})

const smallSizes = fc.constantFrom<OrderSizes>(
  { step: 1, minimum: 1 },
  { step: 0.5, minimum: 2.5, minimumDollars: 1 },
  { step: 0.5, minimum: 0.5 },
)
const smallOffers = fc
  .array(
    fc.record({
      sizes: smallSizes,
      asks: fc
        .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: 10 })), {
          selector: ([cents]) => cents,
          minLength: 1,
          maxLength: 3,
        })
        .map((levels) =>
          levels.toSorted(([a], [b]) => a - b).map(([cents, halves]) => ({ price: cents / 100, size: halves / 2 })),
        ),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((all) => all.map((each, i): Offers => ({ id: `venue ${i}`, tickSize: 0.01, fees: free, ...each })))

/** Of all splits into halves of a contract that are valid orders; null: there is none. */
function cheapestOf([first, ...others]: readonly Offers[], wanted: number): number | null {
  if (first === undefined) return wanted === 0 ? 0 : null
  let cheapest: number | null = null
  for (let contracts = 0; contracts <= wanted; contracts += 0.5) {
    const cost = costOf(first, contracts)
    const rest = cost === null ? null : cheapestOf(others, wanted - contracts)
    if (cost !== null && rest !== null && (cheapest === null || cost + rest < cheapest)) cheapest = cost + rest
  }
  return cheapest
}

function costOf({ asks, sizes }: Offers, contracts: number): number | null {
  if (contracts === 0) return 0
  const { step, minimum, minimumDollars = 0 } = sizes!
  let [left, cost] = [contracts, 0]
  for (const { price, size } of asks!) {
    cost += price * Math.min(size, left)
    left -= Math.min(size, left)
  }
  const isOrder = contracts % step === 0 && contracts >= minimum && cost >= minimumDollars - 1e-9
  return left === 0 && isOrder ? cost : null
}
