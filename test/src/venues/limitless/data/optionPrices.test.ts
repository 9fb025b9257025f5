// Prices of both sides of a pool, read from its market row.
import { expect, test } from 'vitest'
import type { Market } from '#schemas/market'
import { normalizeMarket } from '#venues/limitless/data/normalize'
import { optionPrices } from '#venues/limitless/data/optionPrices'
import type { LimitlessMarket } from '#venues/limitless/wire'
import type { PricedPool } from '#venues/optionPrices'
import { fixture, venueOf } from './support.ts'

const row = fixture('pool') as LimitlessMarket
const { slug, address } = row
const context = { urls: {} }
const marketOf = (raw: unknown): Market => normalizeMarket(raw as LimitlessMarket, null)!
const poolOf = (raw: unknown) => optionPrices.poolOf(slug, [marketOf(raw)], context)
const read = (raw: unknown) =>
  optionPrices.poll!.fetch(venueOf({ [`/markets/${slug}`]: () => raw }).context, poolOf(row) as PricedPool)

test('a pool is identified by the slug of its market; a market with an order book has none', () => {
  expect(poolOf(row)).toEqual({
    key: slug,
    address,
    choices: [
      { index: 0, label: 'Yes' },
      { index: 1, label: 'No' },
    ],
    contract: null,
  })
  expect(poolOf({ ...row, status: 'RESOLVED' })).toMatchObject({ choices: [] })
  const clob = marketOf(fixture('market'))
  expect(optionPrices.poolOf(clob.marketId, [clob], context)).toBe('order_book')
  expect(optionPrices.poolOf('another', [marketOf(row)], context)).toBe('not_found')
  expect([optionPrices.rowsOf(slug), optionPrices.rowsOf(`${slug}:yes`), optionPrices.rowsOf(address!)]).toEqual([
    { marketId: slug },
    null,
    null,
  ])
})

test('prices are converted to fractions, and the raw value of the row is kept', async () => {
  expect(await read({ ...row, prices: [42.8, 57.2] })).toEqual([
    { choiceIndex: 0, label: 'Yes', price01: 0.428, rawPrice: '42.8' },
    { choiceIndex: 1, label: 'No', price01: 0.572, rawPrice: '57.2' },
  ])
  expect((await read({ ...row, prices: ['0.5', '0.5'] })).map(({ price01 }) => price01)).toEqual([0.5, 0.5])
})

test('a closed, unpriced or missing pool has no prices; the row of another market is a fault', async () => {
  for (const more of [{ prices: null }, { prices: [1, 1] }, { status: 'RESOLVED' }, { expired: true }])
    expect(await read({ ...row, ...more })).toEqual([])
  const { context: emptyVenue } = venueOf({})
  expect(await optionPrices.poll!.fetch(emptyVenue, poolOf(row) as PricedPool)).toEqual([])
  await expect(read({ ...row, slug: 'another' })).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
})
