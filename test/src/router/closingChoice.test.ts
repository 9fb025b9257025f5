import { expect, it } from 'vitest'
import { bestClosing, type ClosingChoice } from '#router/closingChoice'

const complete = (paid: number, isWhole = true): ClosingChoice => ({ mode: 'complete', isWhole, paid })
const unwind = (paid: number, isWhole = true): ClosingChoice => ({ mode: 'unwind', isWhole, paid })

it.each<[string, ClosingChoice[], number | null, 'complete' | 'unwind']>([
  ['the payout less its cost, where that is more', [complete(550), unwind(-380)], 1_000, 'complete'],
  ['the proceeds now, where they are more', [complete(900), unwind(-380)], 1_000, 'unwind'],
  [
    'a sale where the payout is not known, even if fees cost more than it brings',
    [complete(1), unwind(20)],
    null,
    'unwind',
  ],
  ['what can be filled', [complete(1), unwind(-380, false)], null, 'complete'],
  ['the only one', [complete(1, false)], null, 'complete'],
])('takes %s', (_what, choices, payout, mode) => {
  expect(bestClosing(choices, payout).mode).toBe(mode)
})
