// What venues say of themselves, figure by figure: told only where an answer says it whole.
import { describe, expect, it } from 'vitest'
import { ManualClock } from '#lib/clock'
import { silentLog } from '#lib/log'
import { type BuiltVenue, builtVenues } from '#schemas/venues'
import { registry } from '#venues/registry'
import type { VenueContext, VenueManifest } from '#venues/venue'

const manifests: Readonly<Record<string, VenueManifest>> = registry

/** Answers by the path, or by the `type` of a POST. */
async function figures(venue: BuiltVenue, answers: Record<string, unknown>) {
  const context: VenueContext = {
    venue,
    http: {
      request: async ({ url, body }) => {
        const asked = (body as { type?: string } | undefined)?.type ?? new URL(url).pathname
        return asked in answers
          ? { status: 200, headers: {}, body: answers[asked] }
          : { status: 404, headers: {}, body: {} }
      },
    },
    clock: new ManualClock(),
    log: silentLog,
    urls: Object.fromEntries(Object.keys(manifests[venue]!.urls).map((name) => [name, 'http://localhost'])),
    credentials: null,
    signal: new AbortController().signal,
  }
  const told = await manifests[venue]!.data.fetchMetrics!(context)
  return told.map(({ metric, value, unit, scope }) => [metric, value, unit, scope].join(' '))
}

it('venues of which nothing is documented say nothing of themselves', () => {
  const saying = builtVenues.filter((venue) => manifests[venue]!.data.fetchMetrics !== undefined)
  expect(saying.toSorted()).toEqual(['hyperliquid', 'kalshi', 'limitless', 'myriad', 'opinion', 'pascal', 'polymarket'])
})

describe('polymarket', () => {
  const of = (data: unknown[]) => figures('polymarket', { '/v2/oi': { data } })

  it('says its open interest over all markets, a zero as a fact', async () => {
    expect(await of([{ condition_id: 'GLOBAL', value: 98_765_432.1 }])).toEqual(['openInterest 98765432.1 USD venue'])
    expect(await of([{ condition_id: 'GLOBAL', value: 0 }])).toEqual(['openInterest 0 USD venue'])
  })
  it('of one market says nothing of the venue', async () => {
    expect(await of([{ condition_id: '0x1', value: 5 }])).toEqual([])
    expect(await of([{ condition_id: 'GLOBAL', value: null }])).toEqual([])
    expect(await of([])).toEqual([])
  })
})

describe('kalshi', () => {
  const of = (series: unknown[], more = {}) => figures('kalshi', { '/series': { series, ...more } })

  it('says the contracts of all its series', async () => {
    expect(
      await of([
        { ticker: 'A', volume_fp: '10.50' },
        { ticker: 'B', volume_fp: 2 },
      ]),
    ).toEqual(['volume 12.5 CONTRACTS listed'])
  })
  it('says nothing where one series has no figure, or the list has none; a list that goes on is a fault', async () => {
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

  it('says how many outcomes are open and what was traded of them; a fallback is nobody’s market', async () => {
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
  it('says no volume where one coin has none, or where one pays in another token', async () => {
    expect(await of([outcome(1), outcome(3)], both)).toEqual(['openMarkets 2 MARKETS listed'])
    expect(await of([outcome(1)], [context('#10', '1')])).toEqual(['openMarkets 1 MARKETS listed'])
    expect(await of([outcome(1), outcome(2, { quoteToken: 'USDH' })], both)).toEqual(['openMarkets 2 MARKETS listed'])
  })
  it('a list with a row that cannot be read is a fault', async () => {
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

  it('says what is open, held and traded', async () => {
    expect(await of([market('A.B'), market('A.C', { resolution: '1.0', open_interest: '5' })])).toEqual([
      'openMarkets 1 MARKETS listed',
      'openInterest 10 CONTRACTS listed',
      'volume24h 4.5 USD listed',
    ])
  })
  it('says no sum with a hole in it', async () => {
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
] as const)('%s says how long its list is, or nothing', async (venue, path, said, unsaid) => {
  expect(await figures(venue, { [path]: said })).toEqual(['openMarkets 38 MARKETS venue'])
  expect(await figures(venue, { [path]: unsaid })).toEqual([])
})
