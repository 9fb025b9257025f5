import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDecimals, compareDecimals, fromUnits, multiplyDecimals } from '#core/decimal'
import { exactPaperFee, type PaperFeeModel, paperFeesOf, purchaseReserve, roundPaperFee } from '#paper/accounts/fees'
import type { FeeModel } from '#schemas/fees'

const kalshi: FeeModel = { kind: 'kalshi_quadratic', rate: 0.07, multiplier: 1, rounding: 'cent' }
const models: FeeModel[] = [
  kalshi,
  { kind: 'quadratic_half_even', rate: 0.05 },
  { kind: 'polymarket_curve', rate: 0.25, exponent: 2 },
  { kind: 'none' },
  { kind: 'unknown', reason: 'unpublished', atMost: { kind: 'cheaper_side', rate: 0.05 } },
  { kind: 'unknown', reason: 'unpublished', atMost: { kind: 'notional', rate: 0.03 } },
  { kind: 'unknown', reason: 'unpublished', atMost: { kind: 'quadratic', rate: 0.04 } },
  { kind: 'unknown', reason: 'unpublished' },
]
const takerOnly = (taker: FeeModel): PaperFeeModel => ({ taker, makerRate: null })

describe('exactPaperFee', () => {
  it('is rate × contracts × p × (1 − p) for a taker at a quadratic venue', () => {
    expect(exactPaperFee(takerOnly(kalshi), { price: '0.6', size: '10', liquidity: 'taker' })).toBe('0.168')
  })

  it('is zero for a maker, unless the market names a rate for makers', () => {
    const question = { price: '0.5', size: '100', liquidity: 'maker' } as const
    expect(exactPaperFee(takerOnly(kalshi), question)).toBe('0')
    const named = paperFeesOf({ sourceMetadata: { fees: { makerRate: 0.0175 } } }, kalshi)
    expect(exactPaperFee(named, question)).toBe('0.4375')
  })

  it('is the most that a taker can pay where only that is published, and nothing where nothing is', () => {
    const question = { price: '0.8', size: '10', liquidity: 'taker' } as const
    const cheaper = models[4]!
    expect(exactPaperFee(takerOnly(cheaper), question)).toBe('0.1')
    expect(exactPaperFee(takerOnly(models[7]!), question)).toBe('0')
  })

  it('uses the rate that the market names for makers, as text', () => {
    const fees = paperFeesOf({ sourceMetadata: { fees: { maker: '0.01', taker: '0.05' } } }, models[4]!)
    expect(exactPaperFee(fees, { price: '0.3', size: '10', liquidity: 'maker' })).toBe('0.03')
  })
})

describe('purchaseReserve', () => {
  const micros = (from: number, to: number) => fc.integer({ min: from, max: to }).map((n) => fromUnits(BigInt(n), 6))

  it('covers every sequence of fills within the limit', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...models),
        fc.constantFrom(null, 0.01),
        micros(1, 999_999),
        fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), micros(1, 5_000_000), fc.boolean()), {
          minLength: 1,
          maxLength: 6,
        }),
        (taker, makerRate, limit, fills) => {
          const model = { taker, makerRate }
          const size = fills.reduce((sum, [, part]) => addDecimals(sum, part), '0')
          let exact = '0'
          let cost = '0'
          for (const [share, part, isTaker] of fills) {
            const price = fromUnits(BigInt(Math.floor(Number(limit) * 1e6 * share)), 6)
            exact = addDecimals(
              exact,
              exactPaperFee(model, { price, size: part, liquidity: isTaker ? 'taker' : 'maker' }),
            )
            cost = addDecimals(cost, multiplyDecimals(price, part))
          }
          const paid = addDecimals(cost, roundPaperFee(model, exact))
          const held = purchaseReserve(model, { price: limit, size, hasFills: false })
          expect(compareDecimals(paid, held), `${paid} of ${held}`).toBeLessThanOrEqual(0)
        },
      ),
    )
  })
})
