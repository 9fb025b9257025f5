import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { Fault } from '#core/fault'
import { createWorld, eventOf, longId, marketOf, type World } from '#test/src/server/http/world'

let world: World
beforeEach(() => {
  world = createWorld()
})
const ids = (rows: { marketId: string }[]) => rows.map((row) => row.marketId)

function fill(count: number, venue = 'kalshi'): void {
  world.catalog.events.length = 0
  for (let i = 0; i < count; i++) {
    const id = `M${String(i).padStart(4, '0')}`
    world.catalog.events.push(
      eventOf(venue, [
        marketOf(venue, id, [`${id}-Y`, `${id}-N`], {
          volume24h: i % 7 === 0 ? null : i % 5,
          title: i % 3 === 0 ? 'other' : 'fizz',
        }),
      ]),
    )
  }
}

async function walk(
  path: string,
  params: Record<string, string>,
  between?: (page: number) => void,
): Promise<{ seen: string[]; sizes: number[]; last: unknown }> {
  const seen: string[] = []
  const sizes: number[] = []
  let cursor: string | undefined
  for (let page = 0; ; page++) {
    const query = new URLSearchParams({ ...params, ...(cursor === undefined ? {} : { cursor }) })
    const { status, json, text } = await world.get(`${path}?${query}`)
    expect(status, text).toBe(200)
    seen.push(...ids(json.data.data))
    sizes.push(json.data.data.length)
    cursor = json.data.nextCursor
    if (cursor === undefined) return { seen, sizes, last: json }
    between?.(page)
  }
}

describe('lists', () => {
  it('come from the catalog with asOf, total and shortcuts, without venue requests', async () => {
    const { json } = await world.get('/api/polymarket/fetchMarkets')
    expect(json).toMatchObject({
      asOf: new Date(world.clock.now() - 1_000).toISOString(),
      provenance: { source: 'catalog' },
      meta: { total: 1, limit: 100 },
    })
    expect(json.data[0].yes.outcomeId).toBe(longId)
    expect(json.data[0].no.label).toBe('No')
    expect(world.venues.get('polymarket')!.requests).toEqual([])
  })

  it('keep unknown values null and never turn them into zero', async () => {
    const { data } = (await world.get('/api/kalshi/fetchMarkets')).json
    expect([data[0].volume24h, data[0].openInterest]).toEqual([null, null])
  })

  it('on the router have the venue in every id, and those ids find the rows again', async () => {
    const { data } = (await world.get('/api/router/fetchMarkets')).json
    expect(ids(data).toSorted()).toEqual(['kalshi:KXBTC-26', 'polymarket:0xabc'])
    for (const row of data) {
      expect(row.eventId).toBe(`${row.sourceExchange}:event-${row.marketId.split(':')[1]}`)
      expect(row.outcomes[0].marketId).toBe(row.marketId)
      const market = (await world.get(`/api/router/fetchMarket?marketId=${row.marketId}`)).json.data
      expect(market).toEqual(row)
      const event = (await world.get(`/api/router/fetchEvent?eventId=${row.eventId}`)).json.data
      expect([event.id, event.markets[0].marketId, event.seriesId]).toEqual([
        row.eventId,
        row.marketId,
        `${row.sourceExchange}:s1`,
      ])
    }
  })

  it('are narrowed to one venue on the router, and only there', async () => {
    expect(ids((await world.get('/api/router/fetchMarkets?exchange=kalshi')).json.data)).toEqual(['kalshi:KXBTC-26'])
    expect((await world.get('/api/router/fetchMarkets?sourceExchange=smarkets')).json.error.code).toBe(
      'EXCHANGE_NOT_AVAILABLE',
    )
    expect((await world.get('/api/kalshi/fetchMarkets?sourceExchange=polymarket')).json.error.code).toBe(
      'VALIDATION_ERROR',
    )
    expect((await world.get('/api/router/fetchMarkets?marketId=kalshi:X&eventId=polymarket:Y')).json).toMatchObject({
      data: [],
      meta: { total: 0 },
    })
  })

  it('show active rows unless one is looked up by id', async () => {
    world.catalog.events.push(eventOf('kalshi', [marketOf('kalshi', 'OLD', ['OLD', 'OLD-NO'], { status: 'closed' })]))
    expect(ids((await world.get('/api/kalshi/fetchMarkets')).json.data)).toEqual(['KXBTC-26'])
    expect(ids((await world.get('/api/kalshi/fetchMarkets?status=closed')).json.data)).toEqual(['OLD'])
    expect((await world.get('/api/kalshi/fetchMarket?marketId=OLD')).json.data.status).toBe('closed')
  })

  it('request a market missing in the catalog from the venue, and return 404 when it is unknown there, too', async () => {
    const venue = world.venues.get('kalshi')!
    venue.markets.set('FRESH', marketOf('kalshi', 'FRESH', ['FRESH', 'FRESH-NO']))
    const fresh = (await world.get('/api/router/fetchMarket?marketId=kalshi:FRESH')).json
    expect([fresh.data.marketId, fresh.provenance.source]).toEqual(['kalshi:FRESH', 'venue-rest'])
    expect((await world.get('/api/kalshi/fetchMarket?marketId=NONE')).json.error).toMatchObject({
      code: 'MARKET_NOT_FOUND',
      exchange: 'kalshi',
    })
    expect((await world.get('/api/kalshi/fetchEvent?slug=none')).json.error).toMatchObject({ code: 'EVENT_NOT_FOUND' })
    expect((await world.get('/api/kalshi/fetchSeries?id=none')).json.data).toEqual([])
  })

  it('return 503 while the catalog is down, also for streamed responses', async () => {
    world.catalog.failure = new Fault('CATALOG_UNAVAILABLE', 'the catalog is down', { retryAfterSeconds: 2 })
    for (const verb of ['fetchMarkets', 'loadMarkets', 'fetchEvents', 'fetchSeries', 'fetchMarketsPaginated']) {
      const reply = await world.get(`/api/router/${verb}`)
      expect([reply.status, reply.json.error.code, reply.headers['retry-after']]).toEqual([
        503,
        'CATALOG_UNAVAILABLE',
        '2',
      ])
    }
  })

  it('clamp a large limit and report it; reject an offset beyond the maximum, and an offset together with a cursor', async () => {
    expect((await world.get('/api/kalshi/fetchMarkets?limit=50000')).json.meta.limit).toBe(1_000)
    for (const query of [
      'offset=100001',
      'page=2000&limit=1000',
      'limit=0',
      'cursor=x&offset=1',
      'sort=best',
      'tags=',
      'status=odd',
    ]) {
      expect((await world.get(`/api/kalshi/fetchMarkets?${query}`)).json.error.code, query).toBe('VALIDATION_ERROR')
    }
    fill(25)
    const second = (await world.get('/api/kalshi/fetchMarkets?limit=10&page=2')).json.data
    expect(second).toEqual((await world.get('/api/kalshi/fetchMarkets?limit=10&offset=10')).json.data)
  })
})

describe('cursor walks', () => {
  it('neither repeat nor skip, at any page size', async () => {
    fill(300)
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 120 }),
        fc.constantFrom('volume', 'liquidity'),
        async (limit, sort) => {
          const { seen } = await walk('/api/kalshi/fetchMarketsPaginated', { limit: String(limit), sort })
          expect(new Set(seen).size).toBe(300)
          expect(seen).toHaveLength(300)
        },
      ),
      { numRuns: 20 },
    )
  })

  it('keep their position while rows are added', async () => {
    fill(100)
    const { seen } = await walk('/api/kalshi/fetchMarketsPaginated', { limit: '9' }, (page) => {
      world.catalog.events.push(eventOf('kalshi', [marketOf('kalshi', `NEW${page}`, ['a', 'b'], { volume24h: 1_000 })]))
    })
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.filter((id) => id.startsWith('M'))).toHaveLength(100)
  })

  it('filter before paging: full pages to the end, each row once', async () => {
    fill(700)
    const filter = JSON.stringify({ text: 'FIZZ', volume24h: { min: 1 } })
    const wanted = world.catalog.markets.filter((market) => market.title === 'fizz' && (market.volume24h ?? 0) >= 1)
    const { seen, sizes, last } = await walk('/api/kalshi/fetchMarketsPaginated', { limit: '11', filter })
    expect(seen.toSorted()).toEqual(ids(wanted).toSorted())
    expect(sizes.slice(0, -1).every((size) => size === 11)).toBe(true)
    expect(last).toMatchObject({ data: { totalUnknown: true } })
  })

  it('reject a filter that matches almost nothing instead of returning short pages', async () => {
    fill(500)
    const page = world.catalog.findMarkets.bind(world.catalog)
    // An endless catalog: the walk must stop by itself.
    world.catalog.findMarkets = async (query) => ({
      ...(await page(query)),
      next: { sortValue: 9, venue: 'a', id: 'a', versions: {} },
    })
    const reply = await world.get('/api/kalshi/fetchMarkets?filter=nothing-like-this')
    expect([reply.status, reply.json.error.code]).toEqual([400, 'CATALOG_QUERY_TOO_BROAD'])
  })

  it('accept a cursor only for the list, sort and filters it was created for, and only unmodified', async () => {
    fill(30)
    const first = (await world.get('/api/kalshi/fetchMarketsPaginated?limit=5')).json.data.nextCursor as string
    const status = async (path: string) => (await world.get(path)).json
    expect((await status(`/api/kalshi/fetchMarketsPaginated?limit=7&cursor=${first}`)).success).toBe(true)
    for (const path of [
      `/api/kalshi/fetchMarketsPaginated?sort=liquidity&cursor=${first}`,
      `/api/kalshi/fetchMarketsPaginated?query=x&cursor=${first}`,
      `/api/router/fetchMarketsPaginated?cursor=${first}`,
      `/api/kalshi/fetchEventsPaginated?cursor=${first}`,
      `/api/kalshi/fetchMarketsPaginated?cursor=${first.slice(0, -2)}`,
      '/api/kalshi/fetchMarketsPaginated?cursor=x',
    ]) {
      expect((await status(path)).error.code, path).toBe('VALIDATION_ERROR')
    }
    await fc.assert(
      fc.asyncProperty(fc.nat(first.length - 1), fc.constantFrom(...'ABCDabcd0189-_'), async (at, letter) => {
        fc.pre(first[at] !== letter)
        const changed = first.slice(0, at) + letter + first.slice(at + 1)
        expect((await status(`/api/kalshi/fetchMarketsPaginated?limit=5&cursor=${changed}`)).error.code).toBe(
          'VALIDATION_ERROR',
        )
      }),
      { numRuns: 300 },
    )
  })
})

it('loadMarkets streams every active market once, by id', async () => {
  fill(1_203)
  const { json } = await world.post('/api/kalshi/loadMarkets', { args: [true] })
  expect(Object.keys(json.data)).toHaveLength(1_203)
  expect(json.data.M0001.marketId).toBe('M0001')
  expect(json).toMatchObject({ success: true, provenance: { source: 'catalog' } })
  world.catalog.events.length = 0
  expect((await world.get('/api/kalshi/loadMarkets')).json).toMatchObject({ data: {}, asOf: null })
})
