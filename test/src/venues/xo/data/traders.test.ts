import { expect, it } from 'vitest'
import type { Market } from '#schemas/market'
import { answeringVenue } from '#test/support/answeringVenue'
import { traders } from '#venues/xo/data/traders'

const market = {
  marketId: '42',
  slug: 'a-market',
  outcomes: [
    { outcomeId: '42.yes', label: 'Yes' },
    { outcomeId: '42.no', label: 'No' },
  ],
} as unknown as Market
const page = { limit: 5, after: null }
const row = (more: Record<string, unknown> = {}) => ({
  ...{
    id: 9,
    transactionHash: '0x1',
    executedAt: '2026-09-20T10:00:00Z',
    activityType: 'USER_TRADE',
    positionType: 'SELL',
  },
  ...{ outcome: { title: 'No' }, priceAtExecution: 250_000, volumeInUSD: '12.5', user: { username: 'ada' } },
  ...more,
})
const venueServing = (ids: number[], rows: unknown[]) => {
  const venue = answeringVenue('xo', ['DATA'])
  venue.answer = ({ path }) =>
    path.endsWith('/activity')
      ? { body: { data: rows, meta: { hasNextPage: false } } }
      : { body: { data: { id: 5, markets: ids.map((id) => ({ market: { id } })) } } }
  return venue
}

it('an event’s trades belong to a market only if it is the only one of the event', async () => {
  const { context, requests } = venueServing([42], [row(), row({ activityType: 'LIQUIDITY_ADDED' })])
  const { rows } = await traders.fetchTrades!(context, market, page)
  expect(rows).toMatchObject([
    {
      tradeId: '9',
      outcomeId: '42.no',
      side: 'sell',
      price: 0.25,
      amount: null,
      usdSize: 12.5,
      wallet: null,
      displayName: 'ada',
    },
  ])
  expect(requests.map(({ path }) => path)).toEqual(['/api/v1/events/slug/a-market', '/api/v1/events/5/activity'])
  for (const ids of [[41], [42, 43], []]) {
    expect((await traders.fetchTrades!(venueServing(ids, [row()]).context, market, page)).rows).toEqual([])
  }
})

it('missing or invalid values are null', async () => {
  const odd = row({ outcome: null, priceAtExecution: 2_000_000, volumeInUSD: null, positionType: 'MERGE', user: null })
  const { rows } = await traders.fetchTrades!(venueServing([42], [odd]).context, market, page)
  expect(rows).toMatchObject([{ outcomeId: null, price: null, usdSize: null, side: null }])
  expect(rows[0]).not.toHaveProperty('displayName')
})
