import { expect, it } from 'vitest'
import type { Market } from '#schemas/market'
import { type Answer, answeringVenue } from '#test/support/answeringVenue'
import { traders } from '#venues/limitless/data/traders'
import { idsOf } from '#venues/limitless/ids'
import type { VenueContext } from '#venues/venueContext'

const account = `0x${'ab'.repeat(20)}`
const [yes, no] = idsOf('a-market')
const market = {
  marketId: 'a-market',
  outcomes: [{ outcomeId: yes }, { outcomeId: no }],
  sourceMetadata: { tokens: { yes: '1', no: '2' } },
} as unknown as Market
const fetchers = {
  trades: (context: VenueContext) => traders.fetchTrades!(context, market, { limit: 5, after: null }),
  holders: (context: VenueContext) => traders.fetchHolders!(context, market, 5),
  leaders: (context: VenueContext) =>
    traders.leaderboard!.fetch(context, { by: 'volume', window: 'all', limit: 5 }).then(({ rows }) => rows),
}

it.each<[keyof typeof fetchers, Answer]>([
  ['trades', { status: 404, body: {} }],
  ['holders', { status: 404, body: {} }],
  ['holders', { body: { yes: { data: [null, 5] } } }],
  ['leaders', { body: { data: [null, { account: 'nobody' }] } }],
])('a fully unreadable response is an outage: %s %j', async (what, answer) => {
  const venue = answeringVenue('limitless')
  venue.answer = () => answer
  await expect(fetchers[what](venue.context)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
})

it('an unreadable row is skipped and does not shift the rank of others', async () => {
  const venue = answeringVenue('limitless')
  venue.answer = () => ({ body: { data: [null, { account, totalVolume: '5' }] } })
  expect(await fetchers.leaders(venue.context)).toMatchObject([{ wallet: account, rank: 2, volumeUsd: 5 }])
  venue.answer = () => ({ body: { yes: { data: [{ user: account, contractsFormatted: 2 }, null] }, no: { data: [] } } })
  expect(await fetchers.holders(venue.context)).toEqual([
    { wallet: account, outcomeId: yes, shares: 2, usdValue: null },
  ])
})
