// Venue-wide metrics, published only when an answer contains them in full.
import { describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { type BuiltVenue, builtVenues } from '#schemas/venues'
import { registry } from '#venues/registry'
import type { VenueManifest } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'

const manifests: Readonly<Record<string, VenueManifest>> = registry

/** Answers by path, or by the `type` of a POST. */
async function figures(venue: BuiltVenue, answers: Record<string, unknown>) {
  const context: VenueContext = {
    venue,
    http: {
      request: async ({ url, body }) => {
        const answerKey = (body as { type?: string } | undefined)?.type ?? new URL(url).pathname
        return answerKey in answers
          ? { status: 200, headers: {}, body: answers[answerKey] }
          : { status: 404, headers: {}, body: {} }
      },
    },
    clock: new ManualClock(),
    log: silentLog,
    urls: Object.fromEntries(Object.keys(manifests[venue]!.urls).map((name) => [name, 'http://localhost'])),
    credentials: null,
    signal: new AbortController().signal,
  }
  const metrics = await manifests[venue]!.data.fetchMetrics!(context)
  return metrics.map(({ metric, value, unit, scope }) => [metric, value, unit, scope].join(' '))
}

it('only venues with documented metrics publish them', () => {
  const publishing = builtVenues.filter((venue) => manifests[venue]!.data.fetchMetrics !== undefined)
  expect(publishing.toSorted()).toEqual([
    'hyperliquid',
    'kalshi',
    'limitless',
    'myriad',
    'opinion',
    'pascal',
    'polymarket',
  ])
})

describe('polymarket', () => {
  const of = (data: unknown[]) => figures('polymarket', { '/v2/oi': { data } })

  it('publishes open interest over all markets, also when it is zero', async () => {
    expect(await of([{ condition_id: 'GLOBAL', value: 98_765_432.1 }])).toEqual(['openInterest 98765432.1 USD venue'])
    expect(await of([{ condition_id: 'GLOBAL', value: 0 }])).toEqual(['openInterest 0 USD venue'])
  })
  it('does not publish the figure of a single market', async () => {
    expect(await of([{ condition_id: '0x1', value: 5 }])).toEqual([])
    expect(await of([{ condition_id: 'GLOBAL', value: null }])).toEqual([])
    expect(await of([])).toEqual([])
  })
})

describe('kalshi', () => {
  const of = (series: unknown[], more = {}) => figures('kalshi', { '/series': { series, ...more } })

  it('publishes the contracts of all its series', async () => {
    expect(
      await of([
        { ticker: 'A', volume_fp: '10.50' },
        { ticker: 'B', volume_fp: 2 },
      ]),
    ).toEqual(['volume 12.5 CONTRACTS listed'])
  })
  it('publishes nothing if one series lacks a figure or the list is empty; an incomplete list is a fault', async () => {
    expect(await of([{ volume_fp: '1' }, { ticker: 'B' }])).toEqual([])
    expect(await of([])).toEqual([])
    await expect(of([{ volume_fp: '1' }], { cursor: 'more' })).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })
})

describe('hyperliquid', () => {
  const outcome = (n: number, more = {}) => ({
    outcome: n,
    name: 'n',
    description: 'd',
    sideSpecs: [{ name: 'Yes' }, { name: 'No' }],
    quoteToken: 'USDC',
    ...more,
  })
  const context = (coin: string, dayNtlVlm?: string) => ({ coin, dayNtlVlm })
  const of = (outcomes: unknown[], contexts: unknown[], questions: unknown[] = []) =>
    figures('hyperliquid', { outcomeMeta: { outcomes, questions }, spotMetaAndAssetCtxs: [{}, contexts] })
  const both = [
    context('@1', '7'),
    context('#10', '1.5'),
    context('#11', '2'),
    context('#20', '3'),
    context('#21', '0'),
  ]

  it('publishes the number of open outcomes and their volume, without fallbacks', async () => {
    const question = { question: 1, name: 'q', description: 'd', fallbackOutcome: 2, namedOutcomes: [1] }
    expect(await of([outcome(1), outcome(2)], both)).toEqual([
      'openMarkets 2 MARKETS listed',
      'volume24h 6.5 USDC listed',
    ])
    expect(await of([outcome(1), outcome(2)], both, [question])).toEqual([
      'openMarkets 1 MARKETS listed',
      'volume24h 3.5 USDC listed',
    ])
  })
  it('publishes no volume if one coin has none or one pays in another token', async () => {
    expect(await of([outcome(1), outcome(3)], both)).toEqual(['openMarkets 2 MARKETS listed'])
    expect(await of([outcome(1)], [context('#10', '1')])).toEqual(['openMarkets 1 MARKETS listed'])
    expect(await of([outcome(1), outcome(2, { quoteToken: 'USDH' })], both)).toEqual(['openMarkets 2 MARKETS listed'])
  })
  it('an unreadable row in the list is a fault', async () => {
    await expect(of([outcome(1), { no: 'outcome' }], both)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })
})

describe('pascal', () => {
  const market = (symbol: string, more = {}) => ({
    symbol,
    open_interest: '10',
    resolution: null,
    stats: { last_24h: { taker_buy_volume: '1.25', taker_sell_volume: '1' } },
    ...more,
  })
  const of = (data: unknown[]) => figures('pascal', { '/api/v1/markets': { status: 'success', data } })

  it('publishes open markets, open interest and volume', async () => {
    expect(await of([market('A.B'), market('A.C', { resolution: '1.0', open_interest: '5' })])).toEqual([
      'openMarkets 1 MARKETS listed',
      'openInterest 10 CONTRACTS listed',
      'volume24h 4.5 USD listed',
    ])
  })
  it('publishes no incomplete sum', async () => {
    expect(await of([market('A.B', { open_interest: null })])).toEqual([
      'openMarkets 1 MARKETS listed',
      'volume24h 2.25 USD listed',
    ])
    expect(await of([market('A.B', { stats: null })])).toEqual([
      'openMarkets 1 MARKETS listed',
      'openInterest 10 CONTRACTS listed',
    ])
    expect(await of([market('A.B', { resolution: undefined })])).toEqual(['volume24h 2.25 USD listed'])
  })
})

it.each([
  ['limitless', '/markets/active', { data: [], totalMarketsCount: 38 }, { data: [] }],
  ['opinion', '/market', { errno: 0, errmsg: '', result: { list: [], total: 38 } }, { errno: 0, result: { list: [] } }],
  [
    'myriad',
    '/markets',
    { data: [], pagination: { page: 1, hasNext: true, total: 38 } },
    { data: [], pagination: { page: 1, hasNext: true } },
  ],
] as const)(
  '%s publishes the length of its list, if the answer has it',
  async (venue, path, withTotal, withoutTotal) => {
    expect(await figures(venue, { [path]: withTotal })).toEqual(['openMarkets 38 MARKETS venue'])
    expect(await figures(venue, { [path]: withoutTotal })).toEqual([])
  },
)
