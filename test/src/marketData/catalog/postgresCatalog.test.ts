import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import type { Catalog, CatalogFilter, CatalogPageOf, CatalogQuery, CatalogSort } from '#marketData/catalog/catalog'
import { createPostgresCatalog, offsetMax } from '#marketData/catalog/postgresCatalog'
import { writeEvents } from '#marketData/catalog/writeEvents'
import type { Event, Market } from '#schemas/market'
import { withPostgres } from '#test/support/postgres'
import { sampleEvent, sampleMarket, sampleOutcome } from './samples.ts'

const postgres = withPostgres()
let catalog: Catalog

/** For few rows far faster than TRUNCATE, which makes new files for each table and index. */
async function deleteAll(): Promise<void> {
  for (const name of ['markets', 'events', 'outcomes', 'series', 'marks', 'words', 'titles'])
    await postgres.pool.query(`DELETE FROM catalog_${name}`)
}

beforeEach(async () => {
  await deleteAll()
  catalog = createPostgresCatalog(postgres.pool, { totalsMs: 0 })
})

const all: CatalogFilter = { venues: ['kalshi', 'polymarket'] }
const ids = (page: CatalogPageOf<Market>) => page.rows.map((market) => market.marketId)
const find = async (filter: Partial<CatalogFilter>, sort: CatalogSort = 'volume') =>
  ids(await catalog.findMarkets({ filter: { ...all, ...filter }, sort, limit: 100 }))

async function walk<T>(read: (query: CatalogQuery) => Promise<CatalogPageOf<T>>, query: CatalogQuery): Promise<T[]> {
  const rows: T[] = []
  for (let after = query.after; ; ) {
    const page = await read({ ...query, after })
    rows.push(...page.rows)
    if (!page.next) return rows
    expect(page.rows).toHaveLength(query.limit)
    after = page.next
  }
}

describe('reading', () => {
  test('returns a market exactly as it was written', async () => {
    const market = sampleMarket('m1', {
      volume24h: 0,
      liquidity: 1234.5678,
      tags: ['Crypto'],
      category: 'Finance',
      resolutionDate: '2026-12-31T00:00:00.000Z',
      sourceMetadata: { nested: { list: [1, null, 'x'] } },
    })
    await catalog.upsertEvents('polymarket', [sampleEvent('e1', [market])], [], 1_000)
    expect(await catalog.findMarket('polymarket', 'm1')).toEqual({ ...market, eventId: 'e1' })
    expect(await catalog.findMarket('kalshi', 'm1')).toBeNull()
    expect(await catalog.findMarket('polymarket', 'm\0')).toBeNull()
    const both = [
      { venue: 'polymarket', marketId: 'm1' },
      { venue: 'kalshi', marketId: 'm1' },
    ]
    expect([...(await catalog.findMarketsByIds(both))]).toEqual([['polymarket:m1', { ...market, eventId: 'e1' }]])
  })

  test('returns an event with all of its markets in the venue’s order, whatever their status', async () => {
    const markets = ['b', 'c', 'a'].map((id, i) => sampleMarket(id, { status: i === 1 ? 'resolved' : 'active' }))
    await catalog.upsertEvents('polymarket', [sampleEvent('e1', markets), sampleEvent('e2', [])], [], 1_000)
    const page = await catalog.findEvents({ filter: { ...all, status: 'active' }, sort: 'volume', limit: 10 })
    expect(page.rows.map((event) => [event.id, event.markets.map((market) => market.marketId)])).toEqual([
      ['e1', ['b', 'c', 'a']],
    ])
    expect(page.rows[0]).toEqual(sampleEvent('e1', markets))
    const inactive = await catalog.findEvents({ filter: { ...all, status: 'closed' }, sort: 'volume', limit: 10 })
    expect(inactive.rows.map((event) => event.id)).toEqual(['e2'])
  })

  test('finds every market of the venue with an outcome id, and no market that dropped it', async () => {
    const shared = (id: string) =>
      sampleMarket(id, { outcomes: [sampleOutcome(id, 'Yes', { outcomeId: '7'.repeat(77) })] })
    await catalog.upsertEvents('polymarket', [sampleEvent('e1', [shared('m1'), shared('m2')])], [], 1_000)
    await catalog.upsertEvents('kalshi', [sampleEvent('e1', [shared('k1')])], [], 1_000)
    const rows = await catalog.findOutcomes('polymarket', '7'.repeat(77))
    expect(rows.map((row) => [row.venue, row.market.marketId, row.outcome.marketId])).toEqual([
      ['polymarket', 'm1', 'm1'],
      ['polymarket', 'm2', 'm2'],
    ])
    await catalog.upsertEvents('polymarket', [sampleEvent('e1', [sampleMarket('m1')])], [], 2_000)
    expect(await catalog.findOutcomes('polymarket', '7'.repeat(77))).toHaveLength(1)
    expect(await catalog.findOutcomes('polymarket', 'nobody')).toEqual([])
  })

  test('answers a thousand concurrent outcome lookups, known or not, while all connections but one are taken', async () => {
    await catalog.upsertEvents('polymarket', [sampleEvent('e1', [sampleMarket('m1'), sampleMarket('m2')])], [], 1_000)
    const holders = await Promise.all(
      Array.from({ length: postgres.pool.options.max - 1 }, () => postgres.pool.connect()),
    )
    try {
      const ids = Array.from({ length: 1_000 }, (_, i) =>
        i % 100 === 0 ? `m${1 + ((i / 100) % 2)}:Yes` : `unknown ${i}`,
      )
      const found = await Promise.all(ids.map((id) => catalog.findOutcomes('polymarket', id)))
      expect(found.map((rows) => rows.map(({ outcome }) => outcome.outcomeId))).toEqual(
        ids.map((id) => (id.startsWith('m') ? [id] : [])),
      )
    } finally {
      for (const holder of holders) holder.release()
    }
  })

  test('finds series by id, slug, part of the title and recurrence', async () => {
    const series = (id: string, title: string, recurrence: string) => ({
      id,
      title,
      slug: `slug-${id}`,
      recurrence,
      sourceExchange: 'kalshi',
      sourceMetadata: {},
    })
    await catalog.upsertEvents(
      'kalshi',
      [],
      [series('BTC', 'Bitcoin hourly', 'hourly'), series('FED', 'Fed decision', 'monthly')],
      1,
    )
    const find = async (query: object) =>
      (await catalog.findSeries({ venues: ['kalshi'], limit: 10, offset: 0, ...query })).rows.map((row) => row.id)
    expect(await find({})).toEqual(['BTC', 'FED'])
    expect(await find({ id: 'FED' })).toEqual(['FED'])
    expect(await find({ slug: 'slug-BTC' })).toEqual(['BTC'])
    expect(await find({ query: 'COIN' })).toEqual(['BTC'])
    expect(await find({ recurrence: 'Monthly' })).toEqual(['FED'])
    expect(await find({ venues: ['polymarket'] })).toEqual([])
    expect(await find({ offset: 1, limit: 1 })).toEqual(['FED'])
    await catalog.upsertEvents('kalshi', [], [series('FED', 'Fed decision', 'monthly')], 9)
    const asOf = async (query: object) =>
      (await catalog.findSeries({ venues: ['kalshi'], limit: 10, offset: 0, ...query })).asOf
    expect([await asOf({}), await asOf({ id: 'FED' }), await asOf({ id: 'none' })]).toEqual([1, 9, null])
  })
})

describe('filters', () => {
  beforeEach(async () => {
    await catalog.upsertEvents(
      'polymarket',
      [
        sampleEvent(
          'e1',
          [
            sampleMarket('p1', {
              title: 'Will Bitcoin hit $100k?',
              category: 'Crypto',
              tags: ['BTC', 'Price'],
              volume24h: 5,
            }),
            sampleMarket('p2', {
              title: 'Pokémon movie?',
              description: 'About bitcoin too',
              slug: 'pokemon',
              volume24h: 0,
            }),
          ],
          { seriesId: 's1' },
        ),
        sampleEvent('e2', [sampleMarket('p3', { status: 'resolved', tags: ['price'], volume24h: 7 })]),
      ],
      [],
      1_000,
    )
    await catalog.upsertEvents('kalshi', [sampleEvent('e1', [sampleMarket('k1', { status: 'inactive' })])], [], 2_000)
  })

  test('treats inactive and closed as everything that is not active; without a status any matches', async () => {
    expect(await find({ status: 'active' })).toEqual(['p1', 'p2'])
    expect(await find({ status: 'inactive' })).toEqual(['p3', 'k1'])
    expect(await find({ status: 'closed' })).toEqual(['p3', 'k1'])
    expect(await find({ status: 'all' })).toEqual(['p3', 'p1', 'p2', 'k1'])
    expect(await find({})).toEqual(['p3', 'p1', 'p2', 'k1'])
  })

  test('matches words by prefix, all of them, without case or accents, in the given text', async () => {
    expect(await find({ query: 'bitco' })).toEqual(['p1'])
    expect(await find({ query: '100K will' })).toEqual(['p1'])
    expect(await find({ query: 'bitcoin pokemon' })).toEqual([])
    expect(await find({ query: 'POKE' })).toEqual(['p2'])
    expect(await find({ query: 'bitcoin', searchIn: 'description' })).toEqual(['p2'])
    expect(await find({ query: 'bitcoin', searchIn: 'both' })).toEqual(['p1', 'p2'])
    expect(await find({ query: '   ' })).toHaveLength(4)
    expect(await find({ query: "?'):*&|!" })).toEqual([])
  })

  test('applies every other filter alone and combined', async () => {
    expect(await find({ category: 'crypto' })).toEqual(['p1'])
    expect(await find({ tags: ['PRICE', 'nothing'] })).toEqual(['p3', 'p1'])
    expect(await find({ tags: [] })).toEqual([])
    expect(await find({ slug: 'pokemon' })).toEqual(['p2'])
    expect(await find({ marketId: 'k1' })).toEqual(['k1'])
    expect(await find({ outcomeId: 'p2:No' })).toEqual(['p2'])
    expect(await find({ eventId: 'e1' })).toEqual(['p1', 'p2', 'k1'])
    expect(await find({ seriesId: 's1' })).toEqual(['p1', 'p2'])
    expect(await find({ venues: ['kalshi'], eventId: 'e1' })).toEqual(['k1'])
    expect(await find({ tags: ['price'], status: 'active', query: 'bitcoin', eventId: 'e1' })).toEqual(['p1'])
    expect(await find({ marketId: "x' OR 1=1 --" })).toEqual([])
    expect(await find({ marketId: 'p1\0' })).toEqual([])
    expect(await find({ venues: [] })).toEqual([])
  })

  test('finds events by their own fields and by their markets', async () => {
    const events = async (filter: Partial<CatalogFilter>) =>
      (await catalog.findEvents({ filter: { ...all, ...filter }, sort: 'volume', limit: 10 })).rows.map(
        (event) => `${event.sourceExchange}/${event.id}/${event.markets.length}`,
      )
    expect(await events({ marketId: 'p2' })).toEqual(['polymarket/e1/2'])
    expect(await events({ outcomeId: 'p3:Yes' })).toEqual(['polymarket/e2/1'])
    expect(await events({ eventId: 'e2' })).toEqual(['polymarket/e2/1'])
    expect(await events({ slug: 'event-e2' })).toEqual(['polymarket/e2/1'])
    expect(await events({ seriesId: 's1' })).toEqual(['polymarket/e1/2'])
    expect(await events({ query: 'event e2' })).toEqual(['polymarket/e2/1'])
    expect(await events({ venues: ['polymarket'], status: 'active' })).toEqual(['polymarket/e1/2'])
  })

  test('has a total for the filter, whatever the page, and the asOf of the oldest row on the page', async () => {
    const page = await catalog.findMarkets({ filter: all, sort: 'volume', limit: 1 })
    expect(page).toMatchObject({ total: 4, asOf: 1_000 })
    expect((await catalog.findMarkets({ filter: { ...all, venues: ['kalshi'] }, sort: 'volume', limit: 5 })).asOf).toBe(
      2_000,
    )
    const empty = await catalog.findMarkets({ filter: { ...all, slug: 'no' }, sort: 'volume', limit: 5 })
    expect(empty).toEqual({ rows: [], positions: [], next: null, total: 0, asOf: null })
  })

  test('counts a total once for a walk, and again after a write', async () => {
    const clock = new ManualClock()
    const kept = createPostgresCatalog(postgres.pool, { clock, totalsMs: 5_000 })
    const total = async () => (await kept.findMarkets({ filter: all, sort: 'volume', limit: 1 })).total
    expect(await total()).toBe(4)
    await catalog.upsertEvents('kalshi', [sampleEvent('e9', [sampleMarket('k9')])], [], 3_000)
    expect(await total()).toBe(4)
    clock.advance(5_001)
    expect(await total()).toBe(5)
    await kept.upsertEvents('kalshi', [sampleEvent('e8', [sampleMarket('k8')])], [], 3_000)
    expect(await total()).toBe(6)
  })
})

describe('order and pages', () => {
  test('returns the greatest first, unknown last, ties by venue and id, with offset and cursor alike', async () => {
    const market = (id: string, volume24h: number | null, more: Partial<Market> = {}) =>
      sampleMarket(id, { volume24h, ...more })
    await catalog.upsertEvents(
      'polymarket',
      [sampleEvent('e', [market('b', 5), market('a', 5), market('z', null), market('y', 0), market('x', 1e15)])],
      [],
      1,
    )
    await catalog.upsertEvents(
      'kalshi',
      [sampleEvent('e', [market('k', 5), market('A', null), market('m', 0.1)])],
      [],
      1,
    )
    const order = ['x', 'k', 'a', 'b', 'm', 'y', 'A', 'z']
    expect(await find({})).toEqual(order)
    for (const limit of [1, 2, 3, 8]) {
      const walked = await walk((query) => catalog.findMarkets(query), { filter: all, sort: 'volume', limit })
      expect(walked.map((row) => row.marketId)).toEqual(order)
      const byOffset = await catalog.findMarkets({ filter: all, sort: 'volume', limit, offset: 3 })
      expect(ids(byOffset)).toEqual(order.slice(3, 3 + limit))
    }
  })

  test('sorts newest by the venue’s opening time', async () => {
    const opened = (id: string, sourceMetadata: Record<string, unknown>) => sampleMarket(id, { sourceMetadata })
    await catalog.upsertEvents(
      'polymarket',
      [
        sampleEvent('e', [
          opened('old', { createdAt: '2025-01-01T00:00:00Z' }),
          opened('unknown', { createdAt: 'soon' }),
          opened('epoch', { createdAt: '1970-01-01T00:00:00Z' }),
          opened('new', { open_time: '2026-01-01T00:00:00Z' }),
        ]),
      ],
      [],
      1,
    )
    expect(await find({}, 'newest')).toEqual(['new', 'old', 'epoch', 'unknown'])
  })

  test('returns exactly the rows of a plain sort for any filter, sort and page size', async () => {
    const value = fc.constantFrom(null, 0, 0.1, 1, 2, 1e-9, 123456.789)
    const row = fc.record({
      venue: fc.constantFrom('kalshi', 'polymarket', 'opinion'),
      id: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABZ0129-_:é√'),
      volume24h: value,
      liquidity: value,
      active: fc.boolean(),
      tag: fc.constantFrom('x', 'y'),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(row, { selector: (r) => `${r.venue}/${r.id}`, maxLength: 40 }),
        fc.constantFrom('volume', 'liquidity') as fc.Arbitrary<'volume' | 'liquidity'>,
        fc.constantFrom('active', 'closed', 'all') as fc.Arbitrary<'active' | 'closed' | 'all'>,
        fc.subarray(['kalshi', 'polymarket', 'opinion'], { minLength: 1 }),
        fc.option(fc.constantFrom('x', 'y'), { nil: undefined }),
        fc.boolean(),
        fc.integer({ min: 1, max: 7 }),
        async (rows, sort, status, venues, tag, narrow, limit) => {
          await deleteAll()
          for (const venue of new Set(rows.map((r) => r.venue))) {
            const markets = rows
              .filter((r) => r.venue === venue)
              .map(({ id, volume24h, liquidity, active, tag }) =>
                sampleMarket(id, {
                  volume24h,
                  liquidity,
                  tags: [tag],
                  status: active ? 'active' : 'resolved',
                  sourceExchange: venue,
                }),
              )
            await catalog.upsertEvents(venue, [sampleEvent('e', markets)], [], 1)
          }
          const column = sort === 'volume' ? 'volume24h' : 'liquidity'
          const rank = (v: number | null) => (v === null ? Number.POSITIVE_INFINITY : -v)
          const expected = rows
            .filter((r) => venues.includes(r.venue) && (tag === undefined || r.tag === tag))
            .filter((r) => status === 'all' || r.active === (status === 'active'))
            .sort(
              (a, b) =>
                Math.sign(rank(a[column]) - rank(b[column]) || 0) ||
                Buffer.compare(Buffer.from(a.venue), Buffer.from(b.venue)) ||
                Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)),
            )
            .map((r) => `${r.venue}/${r.id}`)
          const filter: CatalogFilter = { venues, status, ...(tag && { tags: [tag] }), ...(narrow && { eventId: 'e' }) }
          const walked = await walk((query) => catalog.findMarkets(query), { filter, sort, limit })
          expect(walked.map((market) => `${market.sourceExchange}/${market.marketId}`)).toEqual(expected)
          const { total } = await catalog.findMarkets({ filter, sort, limit })
          expect(total).toBe(expected.length)
        },
      ),
      { numRuns: 60 },
    )
  })

  test('rejects an offset that is too deep and points to the cursor', async () => {
    const query = { filter: all, sort: 'volume' as const }
    await expect(catalog.findMarkets({ ...query, limit: 1, offset: offsetMax + 1 })).rejects.toMatchObject({
      code: 'CATALOG_QUERY_TOO_BROAD',
    })
    await expect(catalog.findMarkets({ ...query, limit: 0 })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    await expect(catalog.findMarkets({ ...query, limit: 1e9 })).rejects.toMatchObject({
      code: 'CATALOG_QUERY_TOO_BROAD',
    })
  })

  test('returns the most active markets of a venue first, without closed ones', async () => {
    const markets = [1, 3, 2].map((volume24h) => sampleMarket(`m${volume24h}`, { volume24h }))
    const closed = sampleMarket('closed', { volume24h: 9, status: 'closed' })
    await catalog.upsertEvents('polymarket', [sampleEvent('e', [...markets, closed])], [], 1)
    expect((await catalog.findMostActiveMarkets('polymarket', 2)).map((market) => market.marketId)).toEqual([
      'm3',
      'm2',
    ])
  })
})

describe('writing', () => {
  const versions = async () => {
    const { rows } = await postgres.pool.query<{ id: string; version: string }>(
      'SELECT id, xmin::text AS version FROM catalog_markets ORDER BY id',
    )
    return Object.fromEntries(rows.map((row) => [row.id, row.version]))
  }

  test('rewrites only rows whose content changed, while asOf advances for all', async () => {
    const event = (price: number) =>
      sampleEvent('e', [sampleMarket('same'), sampleMarket('changes', { liquidity: price })])
    const counts = await catalog.upsertEvents('polymarket', [event(1)], [], 1_000)
    expect(counts).toEqual({ events: 1, markets: 2, outcomes: 4 })
    const before = await versions()
    expect(await catalog.upsertEvents('polymarket', [event(2)], [], 2_000)).toEqual(counts)
    const after = await versions()
    expect(after.same).toBe(before.same)
    expect(after.changes).not.toBe(before.changes)
    expect((await catalog.findMarkets({ filter: all, sort: 'volume', limit: 9 })).asOf).toBe(2_000)
  })

  test('keeps the newest asOf, in whatever order and however concurrently versions arrive', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ asOf: fc.integer({ min: 1, max: 6 }), count: fc.integer({ min: 1, max: 4 }) }), {
          minLength: 1,
          maxLength: 12,
        }),
        fc.boolean(),
        async (writes, together) => {
          await deleteAll()
          // The content depends on asOf only, so that equal times are equal versions.
          const write = ({ asOf, count }: { asOf: number; count: number }) => {
            const markets = Array.from({ length: count }, (_, i) =>
              sampleMarket(`m${i}`, {
                title: `Version ${asOf % 3}`,
                outcomes: [sampleOutcome(`m${i}`, `o${asOf % 3}`)],
              }),
            )
            return catalog.upsertEvents('polymarket', [sampleEvent('e', markets)], [], asOf)
          }
          if (together) await Promise.all(writes.map(write))
          else for (const one of writes) await write(one)
          for (let i = 0; i < 4; i++) {
            const newest = Math.max(0, ...writes.filter((one) => one.count > i).map((one) => one.asOf))
            const market = await catalog.findMarket('polymarket', `m${i}`)
            expect(market?.title).toBe(newest === 0 ? undefined : `Version ${newest % 3}`)
            const outcomes = await catalog.findOutcomes('polymarket', `m${i}:o${newest % 3}`)
            expect(outcomes).toHaveLength(newest === 0 ? 0 : 1)
            const found = await find({ query: `version ${newest % 3}`, marketId: `m${i}` })
            expect(found).toHaveLength(newest === 0 ? 0 : 1)
          }
        },
      ),
      { numRuns: 40 },
    )
  })

  test('counts a row repeated within one batch once, with its last version', async () => {
    const first = sampleEvent('e', [sampleMarket('m', { title: 'first' }), sampleMarket('m', { title: 'second' })])
    const last = sampleEvent('e', [sampleMarket('m', { title: 'last' })], { title: 'last' })
    expect(await catalog.upsertEvents('polymarket', [first, last], [], 1)).toEqual({
      events: 1,
      markets: 1,
      outcomes: 2,
    })
    expect((await catalog.findMarket('polymarket', 'm'))?.title).toBe('last')
  })

  test('repairs text that PostgreSQL cannot store', async () => {
    const market = sampleMarket('m', {
      title: 'cut \ud83d',
      description: 'a\0b',
      sourceMetadata: { note: '\udc00 \\u0000' },
    })
    await catalog.upsertEvents('polymarket', [sampleEvent('e', [market])], [], 1)
    expect(await catalog.findMarket('polymarket', 'm')).toMatchObject({
      title: 'cut \ufffd',
      description: 'ab',
      sourceMetadata: { note: '\ufffd \\u0000' },
    })
  })

  test('lets writers of the same rows in opposite order wait for each other without failing', async () => {
    const names = Array.from({ length: 30 }, (_, i) => `m${i}`)
    const batch = (order: string[], asOf: number): [Event[], number] => [
      order.map((id) => sampleEvent(`e-${id}`, [sampleMarket(id, { liquidity: asOf })])),
      asOf,
    ]
    const rounds = Array.from({ length: 12 }, (_, i) => batch(i % 2 ? names : names.toReversed(), i))
    await Promise.all(rounds.map(([events, asOf]) => catalog.upsertEvents('polymarket', events, [], asOf)))
    expect((await catalog.findMarket('polymarket', 'm7'))?.liquidity).toBe(11)
  })
})

describe('an outage', () => {
  test('returns CATALOG_UNAVAILABLE while the database does not respond in time, and recovers afterwards', async () => {
    await catalog.upsertEvents('polymarket', [sampleEvent('e', [sampleMarket('m')])], [], 1)
    const holder = await postgres.pool.connect()
    await holder.query('BEGIN')
    await holder.query('LOCK TABLE catalog_markets IN ACCESS EXCLUSIVE MODE')
    const refused = { code: 'CATALOG_UNAVAILABLE', retryAfterSeconds: 1 }
    const reads = [
      catalog.findMarkets({ filter: all, sort: 'volume', limit: 1 }),
      catalog.findEvents({ filter: all, sort: 'volume', limit: 1 }),
      catalog.findMarket('polymarket', 'm'),
      catalog.findOutcomes('polymarket', 'm:Yes'),
    ]
    for (const read of reads) await expect(read).rejects.toMatchObject(refused)
    await holder.query('ROLLBACK')
    holder.release()
    expect(await find({})).toEqual(['m'])
  })

  test('does not make readers wait for a writer in the middle of its transaction', async () => {
    await catalog.upsertEvents('polymarket', [sampleEvent('e', [sampleMarket('m', { volume24h: 1 })])], [], 1)
    const writer = await postgres.pool.connect()
    await writer.query('BEGIN')
    await writeEvents(writer, 'polymarket', [sampleEvent('e', [sampleMarket('m', { volume24h: 2 })])], [], 2)
    expect((await catalog.findMarket('polymarket', 'm'))?.volume24h).toBe(1)
    expect(await find({ query: 'will', status: 'active' })).toEqual(['m'])
    await writer.query('COMMIT')
    writer.release()
    expect((await catalog.findMarket('polymarket', 'm'))?.volume24h).toBe(2)
  })
})
