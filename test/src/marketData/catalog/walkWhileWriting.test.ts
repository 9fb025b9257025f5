// Paging over a list while the order of every row changes many times between two pages: rows that exist throughout appear exactly once.
import { describe, expect, test } from 'vitest'
import type { Catalog } from '#marketData/catalog/catalog'
import { createPostgresCatalog } from '#marketData/catalog/postgresCatalog'
import type { Event, Series } from '#schemas/market'
import { createWorld, type World } from '#test/src/server/http/world'
import { withPostgres } from '#test/support/postgres'
import { sampleEvent, sampleMarket } from './samples.ts'

const long = process.env.CROSSBOOK_TEST_LONG === '1'
const rounds = long ? 30 : 1
const eventsPerVenue = 12
const perEvent = 2
const venues = ['kalshi', 'polymarket'] as const
const postgres = withPostgres()

/** Numbers in [0, 1), the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Few distinct values and some unknown ones, so that ties and both ends of the order are common. */
function drawnValue(random: () => number): number | null {
  const drawn = Math.floor(random() * 12)
  return drawn === 0 ? null : drawn
}

function eventOf(venue: string, number: number, random: () => number): Event {
  const members = Array.from({ length: perEvent }, (_, i) =>
    sampleMarket(`${venue}-m${number}-${i}`, {
      title: `Will candidate ${i} of district ${number} win?`,
      category: 'Politics',
      volume24h: drawnValue(random),
      liquidity: drawnValue(random),
      sourceExchange: venue,
      sourceMetadata: { createdAt: 1_700_000_000_000 + Math.floor(random() * 9) },
    }),
  )
  return sampleEvent(`${venue}-e${number}`, members, {
    title: `District ${number}: who will win?`,
    volume24h: drawnValue(random),
    category: 'Politics',
    sourceExchange: venue,
  })
}

let version = 0
async function writeSome(catalog: Catalog, random: () => number, share: number): Promise<void> {
  for (const venue of venues) {
    const numbers = Array.from({ length: eventsPerVenue }, (_, number) => number).filter(() => random() < share)
    const events = numbers.map((number) => eventOf(venue, number, random))
    // Rows added during the walk may or may not appear.
    if (random() < 0.1) events.push(sampleEvent(`${venue}-new${version}`, [sampleMarket(`${venue}-new-m${version}`)]))
    await catalog.upsertEvents(venue, events, [], ++version)
  }
}

const expected = {
  markets: venues.flatMap((venue) =>
    Array.from(
      { length: eventsPerVenue * perEvent },
      (_, i) => `${venue}-m${Math.floor(i / perEvent)}-${i % perEvent}`,
    ),
  ),
  events: venues.flatMap((venue) => Array.from({ length: eventsPerVenue }, (_, i) => `${venue}-e${i}`)),
}

const seriesOf = (venue: string, name: string): Series => ({
  id: `${venue}-s${name}`,
  title: `Series ${name}`,
  sourceExchange: venue,
  sourceMetadata: {},
})

/** The list, its parameters, and which of the catalog's search methods it uses. */
const lists: { name: string; params: Record<string, string>; walkFromHits?: number }[] = [
  { name: 'everything active', params: {} },
  { name: 'every status', params: { status: 'all' } },
  { name: 'a category', params: { category: 'politics' } },
  { name: 'titles, found and then sorted', params: { query: 'district' } },
  { name: 'titles, met in order', params: { query: 'district will' }, walkFromHits: 1 },
  { name: 'criteria', params: { filter: '{"category":"politics"}' } },
]
async function walk(
  world: World,
  verb: string,
  params: Record<string, string>,
  between: () => Promise<void>,
): Promise<Map<string, number>> {
  const seen = new Map<string, number>()
  for (let cursor: string | undefined; ; ) {
    const query = new URLSearchParams({ ...params, ...(cursor === undefined ? {} : { cursor }) })
    const { status, json, text } = await world.get(`/api/router/${verb}?${query}`)
    expect(status, text).toBe(200)
    const rows: { id?: string; marketId?: string }[] = Array.isArray(json.data) ? json.data : json.data.data
    for (const row of rows) {
      const id = (row.marketId ?? row.id ?? '').split(':')[1]!
      seen.set(id, (seen.get(id) ?? 0) + 1)
    }
    cursor = json.meta.nextCursor
    if (cursor === undefined) return seen
    await between()
  }
}

const wrong = (seen: ReadonlyMap<string, number>, existing: readonly string[]) => ({
  missed: existing.filter((id) => !seen.has(id)),
  repeated: [...seen].filter(([, times]) => times > 1).map(([id]) => id),
})
const nothing = { missed: [], repeated: [] }

/** A cursor works under both names of a list, page by page. */
const verbs = {
  markets: ['fetchMarketsPaginated', 'fetchMarkets'],
  events: ['fetchEvents', 'fetchEventsPaginated'],
} as const

describe.each(['markets', 'events'] as const)('%s', (rows) => {
  for (const sort of ['volume', 'liquidity', 'newest']) {
    test.each(lists)(`paged by ${sort} while all of them are written: $name`, async ({ params, walkFromHits }) => {
      const catalog = createPostgresCatalog(postgres.pool, walkFromHits === undefined ? {} : { walkFromHits })
      const world = createWorld({ overrides: { catalog } })
      for (let round = 0; round < rounds; round++) {
        const random = randomOf(version + 1)
        // Rows added in earlier rounds would make each walk longer than the last.
        await postgres.pool.query(
          'TRUNCATE catalog_markets, catalog_events, catalog_outcomes, catalog_marks, catalog_words, catalog_titles, catalog_past_ranks',
        )
        await writeSome(catalog, random, 1)
        const limit = String(Math.ceil(expected[rows].length * (long ? 0.1 + random() / 2 : 0.3)))
        const seen = await walk(world, verbs[rows][round % 2]!, { ...params, sort, limit }, async () => {
          for (let i = Math.floor(random() * 2); i >= 0; i--) await writeSome(catalog, random, 0.3 + random())
        })
        expect(wrong(seen, expected[rows])).toEqual(nothing)
      }
    })
  }
})

test('rejects a walk that took too long instead of skipping rows, and continues one that did not', async () => {
  const catalog = createPostgresCatalog(postgres.pool, { walksKeptMs: 0 })
  const page = await catalog.findMarkets({ filter: { venues }, sort: 'volume', limit: 5 })
  const goOn = () => catalog.findMarkets({ filter: { venues }, sort: 'volume', limit: 5, after: page.next! })
  const random = randomOf(1)
  await writeSome(catalog, random, 1)
  const second = await goOn()
  expect(second.rows).toHaveLength(5)
  for (let i = 0; i < 2; i++) await writeSome(catalog, random, 1)
  await expect(goOn()).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  const { rows } = await postgres.pool.query(
    'SELECT count(*)::int AS kept FROM catalog_past_ranks p JOIN catalog_versions v USING (venue) WHERE p.until <= v.oldest',
  )
  expect(rows).toEqual([{ kept: 0 }])
})

test('pages through fetchSeries while series are added', async () => {
  const catalog = createPostgresCatalog(postgres.pool)
  const world = createWorld({ overrides: { catalog } })
  const names = Array.from({ length: 30 }, (_, i) => `m${i}`)
  const write = async (some: readonly string[]) => {
    for (const venue of venues) {
      const rows = some.map((name) => seriesOf(venue, name))
      await catalog.upsertEvents(venue, [], rows, ++version)
    }
  }
  await write(names)
  let came = 0
  const seen = await walk(world, 'fetchSeries', { limit: '7' }, () => write([`a${came++}`, `z${came}`]))
  const existing = venues.flatMap((venue) => names.map((name) => `${venue}-s${name}`))
  expect(wrong(seen, existing)).toEqual(nothing)
})
