// Title searches run in two ways, depending on how common the words are. Both must return the same pages.
import { beforeAll, expect, test } from 'vitest'
import type { CatalogPosition, CatalogQuery } from '#marketData/catalog/catalog'
import { type CatalogOptions, createPostgresCatalog } from '#marketData/catalog/postgresCatalog'
import { expansionsMax } from '#storage/postgres/catalog/lexemes'
import { withPostgres } from '#test/support/postgres'
import { sampleEvent, sampleMarket } from './samples.ts'

const postgres = withPostgres()
const markets = 3_000
const perEvent = 50
/** More than the number of hits. */
const never = 1_000_000
const colours = ['red', 'green', 'blue']
const market = (index: number, more: object = {}) =>
  sampleMarket(`m${index}`, {
    title: `Will ${colours[index % 3]} win race ${index % 7}?`,
    // Ties and unknown values, with the rare word last in the order.
    volume24h: index % 5 === 0 ? null : index % 40,
    liquidity: markets - index,
    status: index % 11 === 0 ? 'closed' : 'active',
    ...more,
  })

beforeAll(async () => {
  const catalog = createPostgresCatalog(postgres.pool)
  for (const venue of ['kalshi', 'polymarket']) {
    for (let from = 0; from < markets; from += perEvent) {
      const members = Array.from({ length: perEvent }, (_, i) => market(from + i, { sourceExchange: venue }))
      await catalog.upsertEvents(venue, [sampleEvent(`e${from}`, members, { sourceExchange: venue })], [], 1)
    }
  }
})

async function walk(options: CatalogOptions, query: Omit<CatalogQuery, 'limit'>, limit: number): Promise<string[]> {
  const catalog = createPostgresCatalog(postgres.pool, options)
  const seen: string[] = []
  for (let after: CatalogPosition | null | undefined; after !== null; ) {
    const page = await catalog.findMarkets({ ...query, limit, ...(after === undefined ? {} : { after }) })
    seen.push(...page.rows.map(({ sourceExchange, marketId }) => `${sourceExchange}:${marketId}`))
    after = page.next
  }
  return seen
}

const venues = ['kalshi', 'polymarket']
test.each([
  [{ filter: { venues, query: 'red', status: 'active' }, sort: 'volume' }],
  [{ filter: { venues, query: 'win 3' }, sort: 'liquidity' }],
  [{ filter: { venues: ['kalshi'], query: 'WIL blu', status: 'closed' }, sort: 'newest' }],
  [{ filter: { venues, query: 'nothing', status: 'active' }, sort: 'volume' }],
] as const)('rare or common, %j returns the same list in the same order', async (query) => {
  const found = await walk({ walkFromHits: never }, query, 97)
  const walked = await walk({ walkFromHits: 0, walkWithinMs: 20_000 }, query, 97)
  expect(walked).toEqual(found)
  expect(new Set(found).size).toBe(found.length)
  const { rows } = await postgres.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM catalog_markets WHERE venue = ANY($1) AND ($2::boolean IS NULL OR active = $2)
       AND doc->>'title' ~* ALL($3)`,
    [
      query.filter.venues,
      'status' in query.filter ? query.filter.status === 'active' : null,
      query.filter.query.split(' ').map((word) => `\\m${word}`),
    ],
  )
  expect(found).toHaveLength(rows[0]!.n)
})

test('returns the right page after giving up a walk that finds no hit in time', async () => {
  const query = { filter: { venues, query: 'red', status: 'active' }, sort: 'liquidity' } as const
  const found = await walk({ walkFromHits: never }, query, 500)
  expect(await walk({ walkFromHits: 0, walkWithinMs: 1 }, query, 500)).toEqual(found)
})

test('updates sort and filter values of a row in searches, too', async () => {
  const catalog = createPostgresCatalog(postgres.pool, { totalsMs: 0 })
  const search = async (options: CatalogOptions) => {
    const page = await createPostgresCatalog(postgres.pool, { totalsMs: 0, ...options }).findMarkets({
      filter: { venues, query: 'green race', status: 'active' },
      sort: 'volume',
      limit: 1,
    })
    return [page.rows[0]!.marketId, page.total] as const
  }
  const [, before] = await search({})
  const write = (more: object, asOf: number) =>
    catalog.upsertEvents(
      'kalshi',
      [sampleEvent('e1', [market(1, { sourceExchange: 'kalshi', ...more })], { sourceExchange: 'kalshi' })],
      [],
      asOf,
    )
  await write({ volume24h: 9_999 }, 2)
  for (const walkFromHits of [0, never]) expect(await search({ walkFromHits })).toEqual(['m1', before])
  await write({ volume24h: 9_999, status: 'closed' }, 3)
  for (const walkFromHits of [0, never]) {
    const [first, total] = await search({ walkFromHits })
    expect(first).not.toBe('m1')
    expect(total).toBe(before - 1)
  }
  await write({ title: 'Will purple win?', volume24h: 9_999 }, 4)
  for (const walkFromHits of [0, never])
    expect(await walk({ walkFromHits }, { filter: { venues, query: 'purple' }, sort: 'volume' }, 5)).toEqual([
      'kalshi:m1',
    ])
})

test('finds titles and ids that are too long for an index entry', async () => {
  const long = Array.from({ length: 400 }, (_, i) => `verbose${i}`).join(' ')
  const members = [
    sampleMarket('long-title', { title: long, sourceExchange: 'kalshi', volume24h: 3 }),
    sampleMarket(`long-id-${'x'.repeat(1_980)}`, {
      title: 'Is verbose7 short?',
      sourceExchange: 'kalshi',
      volume24h: 2,
    }),
    sampleMarket('short', { title: 'Is verbose7 short, too?', sourceExchange: 'kalshi', volume24h: 1 }),
  ]
  const catalog = createPostgresCatalog(postgres.pool)
  await catalog.upsertEvents('kalshi', [sampleEvent('long', members, { sourceExchange: 'kalshi' })], [], 6)
  const query = { filter: { venues, query: 'verbose7' }, sort: 'volume' } as const
  for (const walkFromHits of [0, never])
    expect(await walk({ walkFromHits, walkWithinMs: 20_000 }, query, 2)).toEqual(
      members.map(({ marketId }) => `kalshi:${marketId}`),
    )
})

test('finds prefixes in titles that share them, whether few, many or new', async () => {
  const one = createPostgresCatalog(postgres.pool)
  const other = createPostgresCatalog(postgres.pool)
  const write = (ids: readonly string[], title: (id: string) => string) => {
    const members = ids.map((id) => sampleMarket(id, { title: title(id), sourceExchange: 'kalshi' }))
    return one.upsertEvents('kalshi', [sampleEvent(`of-${ids[0]}`, members, { sourceExchange: 'kalshi' })], [], 5)
  }
  const search = async (query: string): Promise<string[]> => {
    const { rows } = await other.findMarkets({ filter: { venues, query }, sort: 'volume', limit: 100 })
    return rows.map(({ marketId }) => marketId).sort()
  }
  const many = Array.from({ length: expansionsMax + 5 }, (_, i) => `zebra${String(i).padStart(2, '0')}`)
  await write(many.slice(0, 3), (id) => `The ${id} runs`)
  expect(await search('zebr')).toEqual(many.slice(0, 3))
  await write(many.slice(3), (id) => `The ${id} runs`)
  expect(await search('zebr run')).toEqual(many)
  expect(await search('zebra07 t')).toEqual(['zebra07'])
  expect(await search('zebras')).toEqual([])
})
