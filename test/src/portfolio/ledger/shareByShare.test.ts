// Whole shares, each with its own exact cost as a fraction: the same history as a ledger counts it, without any
// rounding.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toUnits } from '#core/decimal'
import type { FillEntry } from '#portfolio/ledger/entry'
import { casesOf } from '#test/support/shortRuns'
import { buy, foldOne, sell } from './entries.ts'

interface Fraction {
  over: bigint
  under: bigint
}

function fraction(over: bigint, under = 1n): Fraction {
  let [divisor, rest] = [under, over < 0n ? -over : over]
  while (rest !== 0n) [divisor, rest] = [rest, divisor % rest]
  return { over: over / divisor, under: under / divisor }
}

const add = (a: Fraction, b: Fraction): Fraction => fraction(a.over * b.under + b.over * a.under, a.under * b.under)
const subtract = (a: Fraction, b: Fraction): Fraction => add(a, fraction(-b.over, b.under))
const divide = (a: Fraction, by: number): Fraction => fraction(a.over, a.under * BigInt(by))

interface Count {
  realized: Fraction
  cost: Fraction
}

/** One share after the other: below zero they are short. */
function count(fills: readonly FillEntry[]): { average: Count; fifo: Count; quantity: number } {
  const average: Count = { realized: fraction(0n), cost: fraction(0n) }
  const fifo: Count = { realized: fraction(0n), cost: fraction(0n) }
  const lots: Fraction[] = []
  let quantity = 0
  for (const { side, size, cash } of fills) {
    const step = side === 'buy' ? 1 : -1
    // Paid for a share; below zero: received.
    const price = divide(fraction(BigInt(step) * toUnits(cash!, 0)), Number(size))
    for (let share = 0; share < Number(size); share++) {
      if (quantity * step < 0) {
        const cost = divide(average.cost, Math.abs(quantity))
        average.cost = subtract(average.cost, cost)
        average.realized = subtract(average.realized, add(price, cost))
        fifo.realized = subtract(fifo.realized, add(price, lots.shift()!))
      } else {
        average.cost = add(average.cost, price)
        lots.push(price)
      }
      quantity += step
    }
  }
  fifo.cost = lots.reduce(add, fraction(0n))
  return { average, fifo, quantity }
}

/** Each fill may round a few times, by one unit of 18 places. */
function expectNear(text: string | null, exact: Fraction, fills: number): void {
  const difference = toUnits(text!, 18) * exact.under - exact.over * 10n ** 18n
  const allowed = BigInt(4 * fills) * exact.under
  expect(difference <= allowed && -difference <= allowed, `${text} is not ${exact.over} / ${exact.under}`).toBe(true)
}

const fills = fc
  .array(
    fc.record({
      side: fc.constantFrom('buy' as const, 'sell' as const),
      size: fc.integer({ min: 1, max: 4 }),
      cash: fc.nat(5),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((drafts) =>
    drafts.map(({ side, size, cash }, i) => (side === 'buy' ? buy : sell)(i, String(size), String(cash))),
  )

it('costs and gains are those of single shares', () => {
  fc.assert(
    fc.property(fills, (entries) => {
      const { position } = foldOne(entries)
      const { average, fifo, quantity } = count(entries)
      expect(position.quantity).toBe(String(quantity))
      expectNear(position.costBasis, average.cost, entries.length)
      expectNear(position.realizedPnl, average.realized, entries.length)
      expectNear(position.costBasisFifo, fifo.cost, entries.length)
      expectNear(position.realizedPnlFifo, fifo.realized, entries.length)
    }),
    { numRuns: casesOf(100_000, 200) },
  )
})
