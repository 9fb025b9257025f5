import { expect, it } from 'vitest'
import { type HeldMarket, settlementsOf } from '#portfolio/journal/settlements'
import type { Market } from '#schemas/market'
import { executionVenues } from '#schemas/venues'
import { marketOf } from '#test/src/server/http/world'
import { lanes } from '#venues/registry'

const at = (text: string): number => Date.parse(text)
const nowMs = at('2026-11-30T00:00:00Z')

const market: HeldMarket = {
  venue: 'kalshi',
  marketId: 'M',
  currency: 'USD',
  outcomeIds: new Set(['M', 'M-NO']),
  lastAt: at('2026-11-02T00:00:00Z'),
  redeemedAt: null,
}
const resolved = (extra: Partial<Market> = {}): Market =>
  marketOf('kalshi', 'M', ['M', 'M-NO'], { status: 'resolved', ...extra })

function settle(found: Market, held: Partial<HeldMarket> = {}, reportedAt: number | null = null) {
  return settlementsOf(new Map([['kalshi:M', { ...market, ...held }]]), {
    markets: new Map([['kalshi:M', found]]),
    reportedAt: new Map(reportedAt === null ? [] : [['kalshi:M', reportedAt]]),
    nowMs,
  })
}

it.each([
  [
    'the venue’s time',
    resolved({ sourceMetadata: { settlementTime: '2026-11-10T00:00:00Z' } }),
    {},
    '2026-11-10T00:00:00Z',
    'venue',
  ],
  [
    'the market’s date',
    resolved({ resolutionDate: '2026-11-11T00:00:00.000Z' }),
    {},
    '2026-11-11T00:00:00Z',
    'resolutionDate',
  ],
  [
    'the last report, where the date is only planned',
    resolved({ resolutionDate: '2027-01-01T00:00:00.000Z' }),
    {},
    '2026-11-20T00:00:00Z',
    'catalogUpdate',
  ],
  [
    'the last trade, which came after the date',
    resolved({ resolutionDate: '2026-11-01T00:00:00.000Z' }),
    {},
    '2026-11-02T00:00:00Z',
    'lastTrade',
  ],
  [
    'the redemption, which came before the last report',
    resolved(),
    { redeemedAt: at('2026-11-15T00:00:00Z') },
    '2026-11-15T00:00:00Z',
    'redemption',
  ],
] as const)('settles at %s', (_, found, held, time, source) => {
  const { times, entries } = settle(found, held, at('2026-11-20T00:00:00Z'))
  expect(times).toEqual([{ venue: 'kalshi', marketId: 'M', at: at(time), source }])
  expect(entries.map((entry) => [entry.id, entry.at, entry.value, entry.paysItself])).toEqual([
    ['settlement:kalshi:M:M', at(time), '0.42', true],
    ['settlement:kalshi:M:M-NO', at(time), '0.58', true],
  ])
})

it('counts a payout as received where the venue pays by itself, and as to be redeemed where it can be redeemed', () => {
  const redeemable = Object.values(lanes).flatMap(({ slug, redeem }) => (redeem === undefined ? [] : [slug]))
  expect(redeemable.toSorted()).toEqual(['limitless', 'myriad', 'opinion', 'polymarket', 'predictfun', 'rain'])
  for (const venue of executionVenues) {
    const { entries } = settle(resolved(), { venue })
    expect(
      entries.map(({ paysItself }) => paysItself),
      venue,
    ).toEqual(Array(2).fill(!redeemable.includes(venue)))
  }
})

it('settles nothing of a market that is not resolved, or whose payouts are unknown', () => {
  expect(settle(resolved({ status: 'closed' }))).toEqual({ entries: [], times: [] })
  const { outcomes } = resolved()
  const unknown = resolved({ outcomes: outcomes.map((outcome) => ({ ...outcome, price: null })) })
  expect(settle(unknown)).toEqual({ entries: [], times: [] })
})

it('settles only the outcomes that the account traded', () => {
  const { entries } = settle(resolved(), { outcomeIds: new Set(['M-NO']) })
  expect(entries.map(({ outcomeId }) => outcomeId)).toEqual(['M-NO'])
})
