import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FeeModel, MarketFees, SettlementFee } from '#schemas/fees'
import { type Offers, type Split, splitContracts, splitDollars } from '../../../ui/lib/split.ts'

const free: MarketFees = { fee: { kind: 'none' }, settlementFee: { kind: 'none' } }
const kalshi: MarketFees = {
  fee: { kind: 'kalshi_quadratic', rate: 0.07, multiplier: 1, rounding: 'cent' },
  settlementFee: { kind: 'none' },
}
const offer = (id: string, fees: MarketFees, ...levels: [price: number, size: number][]): Offers => ({
  id,
  fees,
  asks: levels.map(([price, size]) => ({ price, size })),
})

describe('an amount over several venues', () => {
  it('is bought where it is cheapest after fees, not before', () => {
    // 0.07 × 0.5 × 0.5 = 0.0175 a contract.
    const offers = [offer('dear', kalshi, [0.5, 100]), offer('cheap', free, [0.51, 60], [0.52, 100])]
    const split = splitContracts(offers, 100)
    expect(split.shares).toEqual([
      { id: 'cheap', contracts: 60, cost: 30.6, fee: 0, settlementFee: 0, averagePrice: 0.51 },
      { id: 'dear', contracts: 40, cost: 20, fee: 0.7, settlementFee: 0, averagePrice: 0.5 },
    ])
    expect(split).toMatchObject({ contracts: 100, exhausted: false, left: [] })
    expect(split.total).toBeCloseTo(51.3, 9)
  })

  it('counts what settling takes as if what is bought wins', () => {
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
      'settlement fee not known: not said',
      offer('x', { ...free, settlementFee: { kind: 'unknown', reason: 'not said' } }, [0.1, 10]),
    ],
    [
      'fee not known: its rate is out of bounds',
      offer('x', { ...free, fee: { kind: 'quadratic_half_even', rate: 7 } }, [0.1, 10]),
    ],
    ['no live book', { id: 'x', fees: free, asks: null }],
    ['nothing is offered', offer('x', free)],
  ])('leaves out a venue and says why: %s', (reason, offers) => {
    const split = splitContracts([offers, offer('free', free, [0.9, 10])], 5)
    expect(split.left).toEqual([{ id: 'x', reason }])
    expect(split.shares.map(({ id }) => id)).toEqual(['free'])
  })

  it('says when all that is offered is not enough', () => {
    expect(splitContracts([offer('free', free, [0.5, 10])], 11)).toMatchObject({ contracts: 10, exhausted: true })
    expect(splitDollars([offer('free', free, [0.5, 10])], 50)).toMatchObject({ contracts: 10, exhausted: true })
  })

  it('of dollars pays fees out of them', () => {
    const split = splitDollars([offer('kalshi', kalshi, [0.5, 1_000])], 51.75)
    expect(split).toMatchObject({ contracts: 100, exhausted: false })
    expect(split.total).toBeCloseTo(51.75, 9)
  })
})

const rate = fc.integer({ min: 0, max: 100_000 }).map((n) => n / 1e6)
const fee: fc.Arbitrary<FeeModel> = fc.oneof(
  fc.constant<FeeModel>({ kind: 'none' }),
  fc.constant<FeeModel>({ kind: 'unknown', reason: 'nobody says' }),
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
  .map((all) => all.map((each, i): Offers => ({ id: `venue ${i}`, ...each })))
const contracts = fc.integer({ min: 1, max: 200_000 }).map((n) => n / 100)

const known = (given: readonly Offers[], { left }: Split) =>
  given.filter(({ id }) => !left.some((one) => one.id === id))
const sizeOf = (given: readonly Offers[]) =>
  given.reduce((sum, { asks }) => sum + (asks ?? []).reduce((s, l) => s + l.size, 0), 0)

describe('whatever is offered, a split', () => {
  it('buys what was asked for or all there is, of no venue more than it offers', () => {
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

  it('never buys where fees are not known', () => {
    fc.assert(
      fc.property(offers, contracts, (given, wanted) => {
        const { shares, left } = splitContracts(given, wanted)
        const unknown = given.filter(({ fees }) => fees.fee.kind === 'unknown').map(({ id }) => id)
        expect(left.map(({ id }) => id)).toEqual(expect.arrayContaining(unknown))
        for (const { id } of shares) expect(unknown).not.toContain(id)
      }),
    )
  })

  it('costs no more than the same amount at any one venue, but for the rounding of fees', () => {
    fc.assert(
      fc.property(offers, contracts, (given, wanted) => {
        const split = splitContracts(given, wanted)
        for (const one of known(given, split)) {
          const alone = splitContracts([one], wanted)
          if (alone.exhausted) continue
          // A cent a level at the most.
          const rounding = 0.01 * (1 + given.reduce((sum, { asks }) => sum + (asks?.length ?? 0), 0))
          expect(split.total).toBeLessThanOrEqual(alone.total + rounding)
        }
      }),
    )
  })

  it('of dollars spends at most these, and not a hundredth of a contract fewer than it could', () => {
    fc.assert(
      fc.property(offers, fc.integer({ min: 1, max: 50_000 }), (given, cents) => {
        const split = splitDollars(given, cents / 100)
        expect(split.total).toBeLessThanOrEqual(cents / 100 + 1e-9)
        if (split.exhausted) return
        expect(splitContracts(given, split.contracts + 0.01).total).toBeGreaterThan(cents / 100)
      }),
    )
  })
})
