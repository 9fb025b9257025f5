// The order of a stored fill, as far as an adapter's readFill looks at it.
import type { FilledOrder, OrderTerms } from '#venues/lane'

/** Default: a purchase of ten YES, with an empty artifact. */
export const filledOrder = (terms: Partial<OrderTerms> = {}, given: Partial<FilledOrder> = {}): FilledOrder => ({
  intent: 'order',
  unsigned: {},
  submittedArtifact: null,
  bounds: {},
  owner: null,
  terms: {
    marketId: 'market',
    outcomeId: 'outcome',
    outcomeSide: 'YES',
    isBuy: true,
    price: '0.5',
    size: '10',
    ...terms,
  },
  ...given,
})
