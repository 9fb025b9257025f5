import { expect, it } from 'vitest'
import { isRiskReducing } from '#orders/executions/isRiskReducing'
import type { LaneExecution, OrderTerms } from '#venues/lane'

const terms = (given: Partial<OrderTerms> = {}): OrderTerms => ({
  marketId: 'm',
  outcomeId: 'o',
  outcomeSide: 'YES',
  isBuy: true,
  price: '0.50',
  size: '10',
  ...given,
})
const execution = (intent: LaneExecution['intent'], own: OrderTerms | null, current: OrderTerms | null) =>
  ({ intent, terms: own, target: current === null ? null : { terms: current } }) as LaneExecution

it.each<[string, LaneExecution, boolean]>([
  ['a cancellation', execution('cancel', null, terms()), true],
  ['an order', execution('order', terms(), null), false],
  ['fewer contracts', execution('modify', terms({ size: '9' }), terms()), true],
  ['more contracts', execution('modify', terms({ size: '10.01' }), terms()), false],
  ['a buy at a lower price', execution('modify', terms({ price: '0.49' }), terms()), true],
  ['a buy at a higher price', execution('modify', terms({ price: '0.51', size: '1' }), terms()), false],
  [
    'a sale at a higher price',
    execution('modify', terms({ isBuy: false, price: '0.6' }), terms({ isBuy: false })),
    true,
  ],
  [
    'a sale at a lower price',
    execution('modify', terms({ isBuy: false, price: '0.4' }), terms({ isBuy: false })),
    false,
  ],
  ['a modification with unknown terms', execution('modify', terms(), null), false],
])('%s', (_, given, expected) => {
  expect(isRiskReducing(given)).toBe(expected)
})
