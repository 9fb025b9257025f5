import { expect, test } from 'vitest'
import type { Market } from '#schemas/market'
import { manifests, registry } from '#venues/registry'
import type { VenueManifest } from '#venues/venue'
import { orderSizesOf } from '../../../ui/lib/orderSizes.ts'

const sizesOf = (venue: string, sourceMetadata: Record<string, unknown> = {}) =>
  manifests.find(({ slug }) => slug === venue)!.data.orderSizes?.({ sourceMetadata } as Pick<Market, 'sourceMetadata'>)

test.each([
  ['kalshi', {}, { step: 1, minimum: 1 }],
  ['gemini', {}, { step: 1, minimum: 1 }],
  ['pascal', {}, { step: 1, minimum: 1 }],
  ['novig', {}, { step: 0.01, minimum: 0.01 }],
  ['polymarket', { minOrderSize: 5 }, { step: 0.01, minimum: 5, minimumDollars: 1 }],
  ['polymarket', {}, null],
  ['polymarket_us', { minimumTradeQty: '0.5' }, { step: 0.5, minimum: 0.5 }],
  ['polymarket_us', {}, null],
  // "Order must have minimum value of $10.", in both interpretations.
  ['hyperliquid', {}, { step: 1, minimum: 1, minimumDollars: 10, minimumOtherDollars: 10 }],
  ['sxbet', {}, { step: 0.01, minimum: 0.01, minimumDollars: 1 }],
  ['predictfun', {}, { step: 0.01, minimum: 0.01, minimumDollars: 1 }],
])('%s with row %o accepts orders of %o', (venue, row, sizes) => {
  expect(sizesOf(venue, row)).toEqual(sizes)
})

test.each([
  // Amounts are cut to four digits, so the size step depends on the price.
  'opinion',
  'limitless',
  'myriad',
  'rain',
  'xo',
  'pred',
  'predictstreet',
])('%s publishes no order sizes', (venue) => {
  expect(sizesOf(venue)).toBeUndefined()
})

test.each<VenueManifest>(Object.values(registry))('the dashboard follows the same rule for $slug', ({ slug, data }) => {
  for (const sourceMetadata of [{ minOrderSize: 5, minimumTradeQty: '0.1' }, {}])
    expect(orderSizesOf({ sourceExchange: slug, sourceMetadata })).toEqual(
      data.orderSizes?.({ sourceMetadata }) ?? null,
    )
})
