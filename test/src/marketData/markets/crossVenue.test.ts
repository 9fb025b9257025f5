// The cross-venue verbs over a real database filled by the real matcher, tested from the HTTP handler.
import { beforeAll, describe, expect, it } from 'vitest'
import { MatcherRuns } from '#actors/matcher/matcherRuns'
import { matchesForbid, matchesPin } from '#cli/matches'
import { systemClock } from '#core/clock'
import { createPostgresCatalog } from '#marketData/catalog/postgresCatalog'
import { titleQuery } from '#marketData/catalog/titleQuery'
import { createPostgresMatches } from '#matching/candidateIndex'
import { insertRun } from '#storage/postgres/runLog'
import { createWorld, keys, liveBook, type World } from '#test/src/server/http/world'
import { type Listed, listMarkets, prizes } from '#test/support/matchCatalog'
import { withPostgres } from '#test/support/postgres'
import { findClusters } from '#test/support/storedClusters'
import { startMatchEngine } from '#workers/matchEngine'

const postgres = withPostgres()
let world: World
const engine = startMatchEngine()
let runs: MatcherRuns
const noBound = { review: async () => undefined, cutoff: () => null }

const ladder: Listed[] = [
  {
    venue: 'kalshi',
    id: 'KXBTCD-26DEC22-T100000',
    title: 'Will the price of Bitcoin be above $100,000 on December 22, 2026?',
    price: 0.8,
  },
  {
    venue: 'polymarket',
    id: '500020',
    title: 'Will the price of Bitcoin be above $100,000 on December 22, 2026?',
    price: 0.7,
  },
  {
    venue: 'polymarket',
    id: '500021',
    title: 'Will the price of Bitcoin be above $110,000 on December 22, 2026?',
    price: 0.5,
  },
].map(
  (row): Listed => ({
    ...row,
    venue: row.venue as Listed['venue'],
    rules: 'It resolves by the CF Benchmarks BRTI at 12:00 ET.',
  }),
)

const fullyListed = [...prizes, ...ladder]

async function matchNow(): Promise<void> {
  const now = systemClock.now()
  await runs.run(await insertRun(postgres.pool, 'matcher.run', now))
}

beforeAll(async () => {
  const { pool } = postgres
  runs = new MatcherRuns({
    pool,
    engine,
    venues: ['polymarket', 'kalshi'],
    bound: noBound,
    feeOf: () => ({ kind: 'none' }),
    clock: systemClock,
  })
  world = createWorld({
    overrides: {
      catalog: createPostgresCatalog(pool, { clock: systemClock }),
      matches: createPostgresMatches(pool, titleQuery),
    },
  })
  await listMarkets(pool, fullyListed)
  return () => engine.stop()
})

const get = async (path: string) => {
  const reply = await world.get(`/api/router/${path}`, { key: keys.builder })
  return { status: reply.status, ...reply.json }
}
const ids = (data: { market: { marketId: string } }[]) => data.map(({ market }) => market.marketId)
const btc = 'kalshi:KXBTCD-26DEC22-T100000'

describe('before the first run', () => {
  it('returns MATCHES_UNAVAILABLE with a retry time, not an empty list', async () => {
    for (const verb of ['fetchMarketMatches', 'fetchEventMatches', 'fetchMatchedMarkets', 'fetchHedges']) {
      const { status, error } = await get(verb)
      expect([status, error.code, error.retryable, error.retryAfter]).toEqual([503, 'MATCHES_UNAVAILABLE', true, 5])
    }
    await matchNow()
    expect((await get('fetchMarketMatches')).status).toBe(200)
  })
})

describe('fetchMarketMatches', () => {
  it('returns the other venue’s market, its relation to the requested one, and the reasons', async () => {
    const { data, asOf, provenance, meta } = await get(`fetchMarketMatches?marketId=${btc}`)
    expect(ids(data)).toEqual(['polymarket:500020', 'polymarket:500021'])
    expect(data[0]).toMatchObject({
      relation: 'identity',
      confidence: 1,
      polarity: 'same',
      matchScore: 100,
      matchBand: 'verified',
      matchDifferences: [],
      resolutionEquivalence: 'verified',
      override: null,
      market: { sourceExchange: 'polymarket', yes: { price: 0.7 } },
    })
    expect(data[0].clusterId).toMatch(/^c_[0-9a-f]{20}$/)
    expect(data[1]).toMatchObject({ relation: 'subset', matchBand: 'material', clusterId: null })
    expect(data[1].reasoning).toContain('$110000')
    const points = data[1].matchDifferences.reduce((sum: number, each: { points: number }) => sum + each.points, 0)
    expect(points).toBe(100 - data[1].matchScore)
    expect(data[0]).not.toHaveProperty('sourceMarket')
    expect(provenance.source).toBe('matcher')
    expect(meta).toMatchObject({ limit: 50, runId: expect.any(String) })
    expect(Date.parse(asOf)).toBeGreaterThan(0)
  })

  it('reverses the relation when requested from the other side', async () => {
    const { data } = await get('fetchMarketMatches?marketId=polymarket:500021')
    expect(data).toMatchObject([{ relation: 'superset', market: { marketId: btc } }])
  })

  it('finds a market by id without its venue, by slug, by URL, by its own JSON and by cluster', async () => {
    const clusterId = (await get(`fetchMarketMatches?marketId=${btc}`)).data[0].clusterId
    for (const named of [
      'marketId=KXBTCD-26DEC22-T100000',
      `market=${btc}`,
      `market=${encodeURIComponent(JSON.stringify({ marketId: btc, title: 'as it was read' }))}`,
      `url=${encodeURIComponent('https://example.org/event/slug-KXBTCD-26DEC22-T100000?tid=1')}`,
    ])
      expect(ids((await get(`fetchMarketMatches?relation=identity&${named}`)).data), named).toEqual([
        'polymarket:500020',
      ])
    const { data } = await get(`fetchMarketMatches?relation=identity&clusterId=${clusterId}`)
    expect(data).toMatchObject([{ clusterId, sourceMarket: {}, market: {} }])
  })

  it('without a market lists the best pairs, filtered and sorted as requested', async () => {
    const all = (await get('fetchMarketMatches')).data
    expect(all).toHaveLength(4)
    expect(all.every((row: object) => 'sourceMarket' in row)).toBe(true)
    expect(all.map((row: { matchScore: number }) => row.matchScore)).toEqual([100, 100, 100, 55])
    expect((await get('fetchMarketMatches?query=jonas kroll')).data).toHaveLength(1)
    expect((await get('fetchMarketMatches?query=nothing-such')).data).toEqual([])
    expect((await get('fetchMarketMatches?query=%2B%2B')).data).toEqual([])
    expect((await get('fetchMarketMatches?category=POLITICS')).data).toHaveLength(4)
    expect((await get('fetchMarketMatches?category=sports')).data).toEqual([])
    expect((await get('fetchMarketMatches?minConfidence=0.6')).data).toHaveLength(3)
    const wide = (await get('fetchMarketMatches?sort=priceDifference&limit=2')).data
    // 0.8 against 0.5, then 0.8 against 0.7.
    expect(wide.map((row: { relation: string }) => row.relation)).toEqual(['superset', 'identity'])
    expect((await get('fetchMarketMatches?minDifference=0.2')).data).toHaveLength(1)
    expect((await get('fetchMarketMatches?sort=volume&limit=1')).data).toHaveLength(1)
  })

  it('returns prices of the live book, else of the catalog, and none when excluded', async () => {
    const outcome = '1500020'
    world.cache.apply(liveBook('polymarket', outcome, { bids: [[0.61, 5]], asks: [[0.64, 2]] }))
    const path = `fetchMarketMatches?relation=identity&marketId=${btc}`
    expect((await get(path)).data).toMatchObject([{ bestBid: 0.61, bestAsk: 0.64 }])
    expect((await get(`${path}&includePrices=false`)).data).toMatchObject([{ bestBid: null, bestAsk: null }])
    world.cache.apply(liveBook('polymarket', outcome, { bids: [[0.61, 5]], asks: [] }, { state: 'stale' }))
    expect((await get(path)).data).toMatchObject([{ bestBid: null, bestAsk: null }])
  })

  it('rejects unknown names and values with the right code', async () => {
    const code = async (path: string) => (await get(path)).error?.code
    expect(await code('fetchMarketMatches?marketId=kalshi:NONE')).toBe('MARKET_NOT_FOUND')
    expect(await code('fetchMarketMatches?marketId=NONE')).toBe('MARKET_NOT_FOUND')
    expect(await code('fetchMarketMatches?marketId=kalshi:%00')).toMatch(/^MARKET_NOT_FOUND|VALIDATION_ERROR$/)
    expect(await code('fetchMarketMatches?slug=none')).toBe('MARKET_NOT_FOUND')
    expect(await code('fetchMarketMatches?url=https://example.org/')).toBe('MARKET_NOT_FOUND')
    expect(await code('fetchMarketMatches?clusterId=c_none')).toBe('CLUSTER_NOT_FOUND')
    expect(await code('fetchMarketMatches?relation=cousin')).toBe('VALIDATION_ERROR')
    expect(await code('fetchMarketMatches?minConfidence=2')).toBe('VALIDATION_ERROR')
    expect((await world.get(`/api/kalshi/fetchMarketMatches?marketId=${btc}`)).json.error.code).toBe('NOT_SUPPORTED')
  })

  it('returns nothing for a market without a match', async () => {
    expect((await get('fetchMatches?marketId=polymarket:103')).data).toEqual([])
  })
})

describe('the related verbs', () => {
  it('compareMarketPrices returns only identical markets, with the price of the requested one', async () => {
    const { data, meta } = await get(`compareMarketPrices?marketId=${btc}`)
    expect(data).toMatchObject([
      { venue: 'polymarket', relation: 'identity', market: { marketId: 'polymarket:500020' } },
    ])
    expect(meta.source).toEqual({ venue: 'kalshi', marketId: btc, bestBid: null, bestAsk: null })
    const browsed = (await get('compareMarketPrices')).data
    expect(browsed.map((row: { relation: string }) => row.relation)).toEqual(['identity', 'identity', 'identity'])
    expect(browsed.every((row: object) => 'sourceMarket' in row)).toBe(true)
    expect((await get(`compareMarketPrices?marketId=${btc}&relation=subset`)).error.code).toBe('VALIDATION_ERROR')
  })

  it('fetchRelatedMarkets and fetchHedges return implications in either direction, and no equal market', async () => {
    for (const verb of ['fetchRelatedMarkets', 'fetchHedges'])
      expect((await get(`${verb}?marketId=${btc}`)).data).toMatchObject([
        {
          relation: 'subset',
          relationBand: 'verified',
          relationReason: 'YES here implies YES of the requested market',
          hedges: [{ held: 'yes', buy: 'no', least: 1, most: 2 }],
          market: { marketId: 'polymarket:500021' },
        },
      ])
    expect((await get(`fetchHedges?marketId=${btc}&relation=superset`)).data).toEqual([])
  })

  it('fetchMatchedMarkets sorts pairs by price difference', async () => {
    const { data } = await get('fetchMatchedMarkets')
    expect(data.map((row: { priceDifference: number }) => row.priceDifference)).toEqual([0.1, 0, 0])
    expect(data[0]).toMatchObject({
      venueA: 'kalshi',
      venueB: 'polymarket',
      priceA: 0.8,
      priceB: 0.7,
      relation: 'identity',
      marketA: { marketId: btc },
      marketB: { marketId: 'polymarket:500020' },
    })
    expect((await get('fetchMatchedPrices?minDifference=0.05')).data).toHaveLength(1)
    expect((await get('fetchMatchedPrices?relations=superset,subset')).data).toMatchObject([{ relation: 'superset' }])
  })

  it('fetchEventMatches groups a market’s matches under the other venue’s event', async () => {
    const { data } = await get('fetchEventMatches?eventId=kalshi:event-KXKROLL-27-MK')
    expect(data).toMatchObject([
      {
        event: { id: 'polymarket:event-101', markets: [{ marketId: 'polymarket:101' }] },
        marketMatches: [{ market: { marketId: 'polymarket:101' }, sourceMarket: { marketId: 'kalshi:KXKROLL-27-MK' } }],
      },
    ])
    expect(data[0]).not.toHaveProperty('sourceEvent')
    const browsed = (await get('fetchEventMatches?relation=identity')).data
    expect(browsed).toHaveLength(3)
    expect(browsed.every((row: object) => 'sourceEvent' in row)).toBe(true)
    expect((await get('fetchEventMatches?event=none')).error.code).toBe('EVENT_NOT_FOUND')
  })
})

describe('fetchOrderBook on router', () => {
  const kalshi = 'KXBTCD-26DEC22-T100000'
  beforeAll(() => {
    world.cache.apply(
      liveBook('kalshi', kalshi, {
        bids: [
          [0.6, 0.1],
          [0.58, 1],
        ],
        asks: [[0.62, 5]],
      }),
    ) // prettier-ignore
    world.cache.apply(
      liveBook('polymarket', '1500020', {
        bids: [[0.6, 0.2]],
        asks: [
          [0.59, 2],
          [0.62, 1],
        ],
      }),
    ) // prettier-ignore
    world.cache.apply(liveBook('polymarket', '2500020', { bids: [[0.41, 2]], asks: [[0.4, 0.2]] }))
  })

  it('sums equal prices across venues with the same question', async () => {
    const { data, meta, provenance } = await get(`fetchOrderBook?outcomeId=kalshi:${kalshi}`)
    expect(data.bids).toEqual([
      { price: 0.6, size: 0.3 },
      { price: 0.58, size: 1 },
    ])
    expect(data.asks).toEqual([
      { price: 0.59, size: 2 },
      { price: 0.62, size: 6 },
    ])
    expect(meta.failed).toEqual([])
    expect(meta.merged.map(({ venue }: { venue: string }) => venue)).toEqual(['kalshi', 'polymarket'])
    expect(provenance.source).toBe('service-live')
    const no = (await get(`fetchOrderBook?outcomeId=kalshi:${kalshi}&side=no&limit=1`)).data
    expect(no.bids).toEqual([{ price: 0.41, size: 2 }])
    expect(no.asks).toEqual([{ price: 0.4, size: 0.3 }])
  })

  it('returns the same book for its cluster, and the venue’s own book with merged=false', async () => {
    const clusterId = (await get(`fetchMarketMatches?relation=identity&marketId=${btc}`)).data[0].clusterId
    const merged = (await get(`fetchOrderBook?outcomeId=kalshi:${kalshi}`)).data
    expect((await get(`fetchOrderBook?outcomeId=${clusterId}`)).data).toEqual(merged)
    expect((await get(`fetchOrderBook?outcomeId=${clusterId}&side=no`)).data.bids).toHaveLength(2)
    const own = await get(`fetchOrderBook?outcomeId=kalshi:${kalshi}&merged=false`)
    expect(own.data.asks).toEqual([{ price: 0.62, size: 5 }])
    expect((await get('fetchOrderBook?outcomeId=c_00000000000000000000')).error.code).toBe('CLUSTER_NOT_FOUND')
    const venue = await world.get(`/api/kalshi/fetchOrderBook?outcomeId=${kalshi}`, { key: keys.builder })
    expect(venue.json.data.asks).toEqual([{ price: 0.62, size: 5 }])
  })

  it('leaves out a venue that cannot respond and names it', async () => {
    world.cache.apply(liveBook('polymarket', '1500020', { bids: [], asks: [] }, { state: 'stale' }))
    const { data, meta } = await get(`fetchOrderBook?outcomeId=kalshi:${kalshi}`)
    expect(data.asks).toEqual([{ price: 0.62, size: 5 }])
    expect(meta.failed).toEqual([{ venue: 'polymarket', outcomeId: '1500020', code: 'OUTCOME_NOT_FOUND' }])
  })

  it('stays a single book without matches, and when matches cannot be read', async () => {
    world.cache.apply(liveBook('kalshi', 'KXMEAD-27', { bids: [[0.3, 5]], asks: [] }))
    const alone = await get('fetchOrderBook?outcomeId=kalshi:KXMEAD-27')
    expect(alone.data.bids).toEqual([{ price: 0.3, size: 5 }])
    expect(alone).not.toHaveProperty('meta')
  })
})

describe('operator overrides', () => {
  it('appear in responses after the next run', async () => {
    const { pool } = postgres
    await matchesForbid(pool, btc, 'polymarket:500020', { reason: 'another index', by: 'ann' })
    await matchesPin(pool, 'kalshi:KXMEAD-27', 'polymarket:103', { reason: 'opposite', by: 'ann', polarity: 'inverse' })
    await matchNow()
    expect(ids((await get(`fetchMarketMatches?marketId=${btc}`)).data)).toEqual(['polymarket:500021'])
    const [pinned] = (await get('fetchMarketMatches?marketId=kalshi:KXMEAD-27')).data
    expect(pinned).toMatchObject({ relation: 'complement', polarity: 'inverse', confidence: 1, override: 'pinned' })
    expect(pinned.reasoning).toBe('pinned by an operator: opposite')
    expect((await findClusters(pool)).clusters).toHaveLength(3)
    // The NO of one is the YES of the other.
    world.clock.advance(10_000)
    world.cache.apply(liveBook('kalshi', 'KXMEAD-27', { bids: [[0.3, 5]], asks: [[0.35, 5]] }))
    world.cache.apply(liveBook('polymarket', '2103', { bids: [[0.3, 1]], asks: [[0.36, 1]] }))
    const { data } = await get('fetchOrderBook?outcomeId=kalshi:KXMEAD-27')
    expect(data.bids).toEqual([{ price: 0.3, size: 6 }])
    expect(data.asks).toHaveLength(2)
  })
})

describe('hedges by relation', () => {
  beforeAll(async () => {
    await listMarkets(postgres.pool, [
      { venue: 'kalshi', id: 'KXFELD-27-AF', event: 'feld', title: 'Will Ada Finch win the 2027 Feld Medal?' },
      { venue: 'kalshi', id: 'KXFELD-27-IB', event: 'feld', title: 'Will Iris Boyd win the 2027 Feld Medal?' },
      { venue: 'polymarket', id: '601', event: 'feld', title: 'Will Ada Finch win the 2027 Feld Medal?' },
      { venue: 'polymarket', id: '602', event: 'feld', title: 'Will Tom Quill win the 2027 Feld Medal?' },
      { venue: 'kalshi', id: 'KXMOSS-27', title: 'Will Moss remain CEO of Corwin through December 31, 2027?' },
      { venue: 'polymarket', id: '603', title: 'Will Moss be out as CEO of Corwin by December 31, 2027?' },
    ])
    await matchNow()
  })

  const rows = async (path: string) => {
    const { data } = await get(path)
    return data.map((row: { market: { marketId: string } }) => ({ ...row, market: row.market.marketId }))
  }

  it('rivals of one contest exclude each other: NO of one with NO of the other', async () => {
    const [first, ...more] = await rows('fetchHedges?marketId=kalshi:KXFELD-27-IB')
    expect(first).toMatchObject({
      relation: 'disjoint',
      relationBand: 'verified',
      relationReason: 'YES here and YES of the requested market exclude each other',
      hedges: [{ held: 'no', buy: 'no', least: 1, most: 2 }],
    })
    expect(first.market).toBe('polymarket:601')
    // No venue lists Iris Boyd and Tom Quill together.
    expect(more).toEqual([])
    expect(first.matchDifferences.length).toBeGreaterThan(0)
    expect(await rows('fetchHedges?marketId=kalshi:KXFELD-27-IB&relation=complement')).toEqual([])
  })

  it('an opposite market hedges each side with the same side', async () => {
    expect(await rows('fetchHedges?marketId=kalshi:KXMOSS-27')).toMatchObject([
      {
        market: 'polymarket:603',
        relation: 'complement',
        relationBand: 'verified',
        hedges: [
          { held: 'yes', buy: 'yes', least: 1, most: 1 },
          { held: 'no', buy: 'no', least: 1, most: 1 },
        ],
      },
    ])
  })

  it('fetchRelatedMarkets returns them on request, and never equal markets', async () => {
    expect(await rows('fetchRelatedMarkets?marketId=kalshi:KXFELD-27-AF')).toEqual([])
    expect(await rows('fetchRelatedMarkets?marketId=kalshi:KXFELD-27-AF&relation=disjoint')).toMatchObject([
      { market: 'polymarket:602' },
    ])
    expect((await get(`fetchHedges?marketId=${btc}&relation=identity`)).error.code).toBe('VALIDATION_ERROR')
  })
})
