// Searches find what venues write: numbers, names, stems and words with one wrong letter.
import { beforeAll, expect, test } from 'vitest'
import type { CatalogQuery } from '#marketData/catalog/catalog'
import { createPostgresCatalog } from '#marketData/catalog/postgresCatalog'
import { withPostgres } from '#test/support/postgres'
import { sampleEvent, sampleMarket } from './samples.ts'

const postgres = withPostgres()
const titles = {
  btc100: 'Will Bitcoin reach $100,000 by December 31?',
  btc100k: 'Bitcoin above 100k in 2026?',
  btc1m: 'Will BTC hit $1,000,000 before GTA VI?',
  btc150: 'Will Bitcoin reach $150,000?',
  eth: 'Ethereum price on Friday?',
  views: 'Will the video reach 1.5 million views?',
  fed: 'Fed decision in December: cut by 25 bps?',
  reserve: 'Will the Federal Reserve cut interest rates?',
  decision: 'Will the Fed decide on "25 bps decrease" in January?',
  bank: 'Fed decreases interest rates by 50 bps?',
  phillies: 'Philadelphia Phillies vs. New York Mets',
  city: 'Philadelphia vs Atlanta Winner?',
  eagles: 'Philadelphia Eagles win the NFC East?',
  yankees: 'New York Y vs Boston Winner?',
  mets: 'New York M vs Boston Winner?',
  jobs: 'Unemployment rate in November above 4.5%?',
  election: 'Presidential elections in 2028',
  settled: 'Did it rain in Oslo?',
  delisted: 'Was the Oslo game moved?',
}

beforeAll(async () => {
  const catalog = createPostgresCatalog(postgres.pool)
  const status = { settled: 'resolved', delisted: 'closed' } as Record<string, string>
  for (const [id, title] of Object.entries(titles)) {
    const market = sampleMarket(id, { title, sourceExchange: 'kalshi', status: (status[id] ?? 'active') as never })
    await catalog.upsertEvents(
      'kalshi',
      [sampleEvent(`of-${id}`, [market], { title, sourceExchange: 'kalshi' })],
      [],
      1,
    )
  }
})

const search = (query: string, filter: Partial<CatalogQuery['filter']> = {}, options = {}) =>
  createPostgresCatalog(postgres.pool, options).findMarkets({
    filter: { venues: ['kalshi'], status: 'active', query, ...filter },
    sort: 'volume',
    limit: 50,
  })

test.each([
  ['btc', ['btc100', 'btc100k', 'btc150', 'btc1m']],
  ['bitcoin', ['btc100', 'btc100k', 'btc150', 'btc1m']],
  ['bitcoin 100k', ['btc100', 'btc100k']],
  ['bitcoin 100000', ['btc100', 'btc100k']],
  ['btc $100,000', ['btc100', 'btc100k']],
  ['btc $100K', ['btc100', 'btc100k']],
  ['bitcoin 100 thousand', ['btc100', 'btc100k']],
  ['btc 1m', ['btc1m']],
  ['bitcoin 1 million', ['btc1m']],
  ['1500000 views', ['views']],
  ['1.5m view', ['views']],
  ['eth price', ['eth']],
  ['fed rate cut', ['bank', 'decision', 'fed', 'reserve']],
  ['federal reserve rates', ['bank', 'reserve']],
  ['fomc', ['bank', 'decision', 'fed', 'reserve']],
  ['phillies', ['city', 'phillies']],
  ['yankees', ['yankees']],
  ['unemploymnt', ['jobs']],
  ['unemploymetn rate', ['jobs']],
  ['jobless', ['jobs']],
  ['philies', ['phillies']],
  ['election', ['election']],
  ['electing', ['election']],
  ['bitcion', ['btc100', 'btc100k', 'btc150']],
  ['btc 200k', []],
  ['zzzqqq', []],
])('%j finds %j', async (query, ids) => {
  for (const options of [{ walkFromHits: 1_000_000 }, { walkFromHits: 0, walkWithinMs: 20_000 }]) {
    const { rows, total } = await search(query, {}, options)
    expect(rows.map(({ marketId }) => marketId).sort()).toEqual(ids)
    expect(total).toBe(ids.length)
  }
})

test('finds the same in descriptions and in events', async () => {
  const catalog = createPostgresCatalog(postgres.pool)
  const description = 'Resolves to Yes if BTC trades above $250,000.'
  const market = sampleMarket('described', { title: 'Moon?', description, sourceExchange: 'kalshi' })
  await catalog.upsertEvents('kalshi', [sampleEvent('of-described', [market], { sourceExchange: 'kalshi' })], [], 1)
  const { rows } = await search('bitcoin 250k', { searchIn: 'both' })
  expect(rows.map(({ marketId }) => marketId)).toEqual(['described'])
  const events = await catalog.findEvents({
    filter: { venues: ['kalshi'], status: 'active', query: 'btc 150k' },
    sort: 'volume',
    limit: 5,
  })
  expect(events.rows.map(({ id }) => id)).toEqual(['of-btc150'])
})

test('suggests the nearest titles only when nothing is found', async () => {
  expect((await search('btc 200k')).suggestions).toEqual(expect.arrayContaining([titles.btc100, titles.btc100k]))
  expect((await search('presidencial electoral')).suggestions).toEqual([titles.election])
  expect((await search('unemplymnt')).suggestions).toEqual([titles.jobs])
  expect((await search('btc 200k')).suggestions!.length).toBeLessThanOrEqual(5)
  expect(await search('btc')).not.toHaveProperty('suggestions')
  expect((await search('btc 200k', { venues: ['polymarket'] })).suggestions).toEqual([])
})

test('lists settled markets and their events by status', async () => {
  const catalog = createPostgresCatalog(postgres.pool)
  const query = { filter: { venues: ['kalshi'], status: 'resolved' }, sort: 'volume', limit: 50 } as const
  const markets = await catalog.findMarkets(query)
  expect([markets.rows.map(({ marketId }) => marketId), markets.total]).toEqual([['settled'], 1])
  const events = await catalog.findEvents(query)
  expect(events.rows.map(({ id }) => id)).toEqual(['of-settled'])
  expect((await search('oslo', { status: 'resolved' })).rows.map(({ marketId }) => marketId)).toEqual(['settled'])
  expect((await search('oslo', { status: 'closed' })).total).toBe(2)
})

test('sorts volumes in different units by their approximate value in dollars', async () => {
  const catalog = createPostgresCatalog(postgres.pool)
  const counted = (id: string, volume24h: number | null, price: number | null, volumeUnit: string) => {
    const market = sampleMarket(id, { title: `Sorted ${id}?`, sourceExchange: 'kalshi', volume24h })
    const outcomes = market.outcomes.map((outcome) => ({ ...outcome, price }))
    return { ...market, outcomes, sourceMetadata: { volumeUnit } }
  }
  const markets = [
    counted('dollars', 500, 0.5, 'USD'),
    counted('cheap', 10_000, 0.01, 'CONTRACTS'),
    counted('dear', 1_000, 0.9, 'CONTRACTS'),
    counted('unpriced', 1_600, null, 'CONTRACTS'),
    counted('unknown', null, 0.9, 'CONTRACTS'),
  ]
  await catalog.upsertEvents('kalshi', [sampleEvent('of-sorted', markets, { sourceExchange: 'kalshi' })], [], 2)
  const { rows } = await search('sorted')
  expect(rows.map(({ marketId }) => marketId)).toEqual(['dear', 'unpriced', 'dollars', 'cheap', 'unknown'])
})
