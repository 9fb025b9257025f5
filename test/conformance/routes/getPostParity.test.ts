// The same call by GET, by POST with `args`, and by POST with one object gives the same response, for every verb.
import { beforeEach, describe, expect, it } from 'vitest'
import { surfaceReads } from '#arbitrage/surfaceView'
import { verbs } from '#marketData/markets/verbs'
import { publishedView } from '#test/src/arbitrage/published'
import { createWorld, keys, liveBook, longId, longNoId, type World } from '#test/src/server/http/world'

interface Example {
  exchange: string
  get: string
  args: unknown[]
  named: Record<string, unknown>
}

const book = { bids: [{ price: 0.4, size: 5 }], asks: [{ price: 0.6, size: 5 }] }
const rows = [{ title: 'Yes we can' }, { title: 'Other' }]
const list = (exchange: string, params: Record<string, unknown>, get: string): Example => ({
  exchange,
  get,
  args: [params],
  named: params,
})
const json = (value: unknown) => encodeURIComponent(JSON.stringify(value))

const examples: Readonly<Record<string, Example[]>> = {
  loadMarkets: [{ exchange: 'polymarket', get: 'reload=true', args: [true], named: { reload: true } }],
  fetchMarkets: [
    list(
      'polymarket',
      { limit: 1, tags: ['a'], query: 'happen', sort: 'volume' },
      'limit=1&tags=a&query=happen&sort=volume',
    ),
    list('router', { outcomeId: longId }, `outcomeId=${longId}`),
    list(
      'polymarket',
      { filter: { price: { outcome: 'yes', min: 0.4 } } },
      `filter=${json({ price: { outcome: 'yes', min: 0.4 } })}`,
    ),
    list('polymarket', { filter: 'happen', tags: 'a' }, 'filter=happen&tags=a'),
    { exchange: 'router', get: '', args: [], named: {} },
  ],
  fetchArbitrage: [
    list(
      'router',
      { limit: 3, minEdge: -5, venues: ['kalshi', 'polymarket'], contracts: 2.5 },
      'limit=3&minEdge=-5&venues=kalshi,polymarket&contracts=2.5',
    ),
    list('router', { compat: true, minSpread: -1 }, 'compat=true&minSpread=-1'),
    { exchange: 'kalshi', get: '', args: [], named: {} },
  ],
  fetchMarketsPaginated: [list('router', { limit: 1 }, 'limit=1')],
  fetchMarket: [
    list('kalshi', { marketId: 'KXBTC-26' }, 'marketId=KXBTC-26'),
    list('kalshi', { slug: 'none' }, 'slug=none'),
  ],
  fetchEvents: [list('router', { series: 'kalshi:s1', limit: 5 }, 'series=kalshi:s1&limit=5')],
  fetchEventsPaginated: [list('router', { limit: 1 }, 'limit=1')],
  fetchEvent: [list('router', { eventId: 'kalshi:event-KXBTC-26' }, 'eventId=kalshi:event-KXBTC-26')],
  fetchSeries: [list('kalshi', { id: 's1' }, 'id=s1'), list('router', { id: 'kalshi:s1' }, 'id=kalshi:s1')],
  fetchOrderBook: [
    {
      exchange: 'polymarket',
      get: `outcomeId=${longId}&limit=1`,
      args: [longId, 1],
      named: { outcomeId: longId, limit: 1 },
    },
    { exchange: 'polymarket', get: `id=${longId}`, args: [longId], named: { id: longId } },
    {
      exchange: 'kalshi',
      get: 'outcomeId=KXBTC-26&side=no',
      args: ['KXBTC-26', 'no'],
      named: { outcomeId: 'KXBTC-26', side: 'no' },
    },
    {
      exchange: 'polymarket',
      get: 'outcomeId=0xabc&outcome=no',
      args: ['0xabc', null, { outcome: 'no' }],
      named: { outcomeId: '0xabc', outcome: 'no' },
    },
    {
      exchange: 'polymarket',
      get: `outcomeId=${longId}&since=2026-01-01T00:00:00Z&until=1790000000000`,
      args: [longId, undefined, { since: 1_767_225_600_000, until: '2026-09-21T14:13:20Z' }],
      named: { outcomeId: longId, since: '2026-01-01', until: 1_790_000_000_000 },
    },
  ],
  fetchOrderBooks: [
    {
      exchange: 'polymarket',
      get: `outcomeIds=${longId},77`,
      args: [[longId, '77']],
      named: { outcomeIds: [longId, '77'] },
    },
    {
      exchange: 'polymarket',
      get: `outcomeIds=[${longId},77]`,
      args: [[longId, '77']],
      named: { outcomeIds: [longId, '77'] },
    },
    {
      exchange: 'router',
      get: `outcomeIds=polymarket:${longId}&outcomeIds=kalshi:KXBTC-26`,
      args: [[`polymarket:${longId}`, 'kalshi:KXBTC-26']],
      named: { outcomeIds: [`polymarket:${longId}`, 'kalshi:KXBTC-26'] },
    },
  ],
  fetchTrades: [
    {
      exchange: 'polymarket',
      get: `id=${longId}&limit=2`,
      args: [longId, { limit: 2 }],
      named: { outcomeId: longId, limit: 2 },
    },
    { exchange: 'kalshi', get: 'outcomeId=KXBTC-26', args: ['KXBTC-26'], named: { outcomeId: 'KXBTC-26' } },
  ],
  fetchOHLCV: [
    {
      exchange: 'polymarket',
      get: `id=${longId}&resolution=1h`,
      args: [longId, { resolution: '1h' }],
      named: { outcomeId: longId, resolution: '1h' },
    },
  ],
  fetchMarketMatches: [
    list(
      'router',
      { marketId: 'kalshi:KXBTC-26', relation: 'identity', minConfidence: 0.5, limit: 3 },
      'marketId=kalshi:KXBTC-26&relation=identity&minConfidence=0.5&limit=3',
    ),
    list('router', { market: { marketId: 'kalshi:KXBTC-26' } }, `market=${json({ marketId: 'kalshi:KXBTC-26' })}`),
    list('router', { query: 'happen', sort: 'volume' }, 'query=happen&sort=volume'),
    { exchange: 'kalshi', get: '', args: [], named: {} },
  ],
  fetchMatches: [list('router', { market: '0xabc' }, 'market=0xabc')],
  fetchEventMatches: [
    list('router', { event: 'polymarket:event-0xabc' }, 'event=polymarket:event-0xabc'),
    { exchange: 'router', get: '', args: [], named: {} },
  ],
  compareMarketPrices: [
    list('router', { marketId: '0xabc', includePrices: false }, 'marketId=0xabc&includePrices=false'),
  ],
  fetchRelatedMarkets: [
    list('router', { marketId: '0xabc', relations: ['subset'] }, 'marketId=0xabc&relations=subset'),
  ],
  fetchHedges: [list('router', { clusterId: 'c_none' }, 'clusterId=c_none')],
  fetchMatchedMarkets: [
    list(
      'router',
      { minDifference: 0, relations: 'identity,complement' },
      'minDifference=0&relations=identity,complement',
    ),
  ],
  fetchMatchedPrices: [{ exchange: 'router', get: '', args: [], named: {} }],
  getExecutionPrice: [
    {
      exchange: 'kalshi',
      get: `orderBook=${json(book)}&side=buy&amount=2`,
      args: [book, 'buy', 2],
      named: { orderBook: book, side: 'buy', amount: 2 },
    },
  ],
  getExecutionPriceDetailed: [
    {
      exchange: 'router',
      get: `orderBook=${json(book)}&side=sell&amount=9.5`,
      args: [book, 'sell', 9.5],
      named: { orderBook: book, side: 'sell', amount: 9.5 },
    },
  ],
  filterMarkets: [
    {
      exchange: 'kalshi',
      get: `markets=${json(rows)}&criteria=yes`,
      args: [rows, 'yes'],
      named: { markets: rows, criteria: 'yes' },
    },
    {
      exchange: 'kalshi',
      get: `markets=${json(rows)}&criteria=${json({ text: 'yes' })}`,
      args: [rows, { text: 'yes' }],
      named: { markets: rows, criteria: { text: 'yes' } },
    },
  ],
  filterEvents: [
    {
      exchange: 'kalshi',
      get: `events=${json(rows)}&criteria=other`,
      args: [rows, 'other'],
      named: { events: rows, criteria: 'other' },
    },
  ],
  has: [{ exchange: 'Polymarket', get: '', args: [], named: {} }],
  close: [{ exchange: 'router', get: '', args: [], named: {} }],
}

let world: World
beforeEach(() => {
  world = createWorld({ overrides: { arbitrage: surfaceReads(publishedView(7).view) } })
  world.cache.apply(
    liveBook('polymarket', longId, {
      bids: [
        [0.41, 5],
        [0.4, 9],
      ],
      asks: [
        [0.44, 2],
        [0.45, 8],
      ],
    }),
  )
  world.cache.apply(liveBook('polymarket', longNoId, { bids: [[0.56, 2]], asks: [[0.59, 5]] }))
  world.cache.apply(liveBook('kalshi', 'KXBTC-26', { bids: [[0.3, 5]], asks: [[0.34, 2]] }))
  const venue = world.venues.get('polymarket')!
  venue.trades = [1, 2, 3].map((id) => ({
    id: String(id),
    timestamp: 1_789_999_999_000,
    price: 0.4,
    amount: id,
    side: 'buy' as const,
    outcomeId: longId,
  }))
  venue.candles = [{ timestamp: 1_789_999_200_000, open: 0.4, high: 0.5, low: 0.3, close: 0.45, volume: null }]
})

it('every verb has an example here', () => {
  expect(Object.keys(examples).toSorted()).toEqual(verbs.map((verb) => verb.name).toSorted())
})

describe.each(Object.entries(examples))('%s', (verb, cases) => {
  it.each(cases.map((example, index) => [index, example] as const))(
    'returns the same by every convention, case %i',
    async (_, example) => {
      const path = `/api/${example.exchange}/${verb}`
      const get = await world.get(`${path}?${example.get}`, { key: keys.builder })
      const positional = await world.post(path, { args: example.args }, { key: keys.builder })
      const named = await world.post(path, example.named, { key: keys.builder })
      const seen = ({ status, json: { success, data, asOf, provenance, meta, error } }: typeof get) => ({
        status,
        success,
        data,
        asOf,
        provenance,
        meta,
        code: error?.code,
      })
      expect(seen(positional)).toEqual(seen(get))
      expect(seen(named)).toEqual(seen(get))
      if (get.status === 200) {
        expect(get.json).toHaveProperty('asOf')
        expect(get.json.provenance.source).toBeTypeOf('string')
        expect(get.json).toHaveProperty('data')
      } else expect([404, 501]).toContain(get.status)
    },
  )
})
