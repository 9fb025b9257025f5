// Volumes of venues that publish only running totals, in the catalog of a real PostgreSQL: from complete windows only,
// across restarts, in lists and sums.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { silentLog } from '#core/log'
import type { Catalog } from '#marketData/catalog/catalog'
import { countDeltas } from '#marketData/catalog/dailyVolumes'
import { createPostgresCatalog } from '#marketData/catalog/postgresCatalog'
import { dayMs, keepEveryMs, reportGapMaxMs } from '#marketData/catalog/runningTotal'
import type { Event } from '#schemas/market'
import { createPool, type Pool } from '#storage/postgres/pool'
import { withPostgres } from '#test/support/postgres'
import { sampleEvent, sampleMarket } from './samples.ts'

const postgres = withPostgres()
const venue = 'limitless'
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const begin = Date.UTC(2026, 10, 20)

const opened = (pool: Pool): Catalog =>
  createPostgresCatalog(pool, { totalsMs: 0, dailyVolumes: new Map([[venue, countDeltas(venue)]]) })
let catalog: Catalog
beforeAll(() => {
  catalog = opened(postgres.pool)
})

let names = 0
let name: string
let now: number
beforeEach(() => {
  name = `e${names++}`
  now = begin
})

type Totals = Readonly<Record<string, number | null>>
const eventOf = (totals: Totals, id = name): Event =>
  sampleEvent(
    id,
    Object.entries(totals).map(([market, volume]) =>
      sampleMarket(`${id}-${market}`, { volume, sourceExchange: venue }),
    ),
    { sourceExchange: venue },
  )
const report = (totals: Totals, by: Catalog = catalog) => by.upsertEvents(venue, [eventOf(totals)], [], now)
const volumeOf = async (market = 'm') => (await catalog.findMarket(venue, `${name}-${market}`))!.volume24h

/**
 * Reports the same totals every 40 minutes for the given time, and ends at the last of these times. Only the last
 * report is written as a full event.
 */
async function keepReporting(totals: Totals, forMs: number): Promise<void> {
  const end = now + forMs
  for (now += 40 * minuteMs; now < end; now += 40 * minuteMs) {
    const of = await countDeltas(venue).at(now)
    await of(postgres.pool, eventOf(totals).markets)
  }
  now = end
  await report(totals)
}

describe('a window', () => {
  test('is unknown until a day is complete, and then the rise since the total of a day ago', async () => {
    await report({ m: 1_000 })
    await keepReporting({ m: 1_000 }, 10 * hourMs)
    await keepReporting({ m: 1_250.5 }, dayMs - 10 * hourMs - minuteMs)
    const unknown = { volume24h: null, volume24hSource: 'derived_cumulative' }
    expect(await catalog.findMarket(venue, `${name}-m`)).toMatchObject(unknown)
    now += minuteMs
    await report({ m: 1_300.5 })
    expect(await catalog.findMarket(venue, `${name}-m`)).toMatchObject({
      volume24h: 300.5,
      volume24hSource: 'derived_cumulative',
      volume: 1_300.5,
    })
  })

  test('moves on: volume from more than a day ago is no longer included', async () => {
    await report({ m: 10 })
    await keepReporting({ m: 15 }, 2 * hourMs)
    await keepReporting({ m: 18 }, dayMs - 2 * hourMs)
    expect(await volumeOf()).toBe(8)
    await keepReporting({ m: 18 }, 2 * hourMs)
    expect(await volumeOf()).toBe(3)
    await keepReporting({ m: 18 }, dayMs)
    expect(await volumeOf()).toBe(0)
  })

  test('without a trade is zero', async () => {
    await report({ m: 0 })
    await keepReporting({ m: 0 }, dayMs)
    expect(await volumeOf()).toBe(0)
  })

  test('survives a restart, and a stop shorter than the maximum gap', async () => {
    await report({ m: 10 })
    await keepReporting({ m: 20 }, dayMs - hourMs)
    now += hourMs
    const pool = createPool({ url: postgres.url, log: silentLog })
    try {
      await report({ m: 24 }, opened(pool))
    } finally {
      await pool.end()
    }
    expect(await volumeOf()).toBe(14)
  })

  test('starts again after a gap, and is unknown for a day', async () => {
    await report({ m: 10 })
    await keepReporting({ m: 10 }, dayMs)
    expect(await volumeOf()).toBe(0)
    now += reportGapMaxMs + minuteMs
    await report({ m: 11 })
    expect(await volumeOf()).toBeNull()
    await keepReporting({ m: 12 }, dayMs - minuteMs)
    expect(await volumeOf()).toBeNull()
    now += minuteMs
    await report({ m: 12 })
    expect(await volumeOf()).toBe(1)
  })

  test('ignores a total that drops for a moment, and starts again when it stays lower', async () => {
    await report({ m: 100 })
    await keepReporting({ m: 110 }, dayMs)
    now += 5 * minuteMs
    await report({ m: 90 })
    expect(await volumeOf()).toBe(10)
    now += 5 * minuteMs
    await report({ m: 112 })
    expect(await volumeOf()).toBe(12)
    await keepReporting({ m: 90 }, reportGapMaxMs + keepEveryMs)
    expect(await volumeOf()).toBeNull()
    await keepReporting({ m: 95 }, dayMs)
    expect(await volumeOf()).toBe(5)
  })

  test('adds nothing when the clock goes back, and continues when it advances', async () => {
    await report({ m: 10 })
    await keepReporting({ m: 20 }, dayMs)
    const { now: before } = { now }
    now -= hourMs
    await report({ m: 30 })
    expect(await volumeOf()).toBe(10)
    now = before + 10 * minuteMs
    await report({ m: 30 })
    expect(await volumeOf()).toBe(20)
  })

  test('keeps a bounded number of totals, however often the venue is walked', async () => {
    const id = `${name}-m`
    const walk = async (total: number) => {
      const of = await countDeltas(venue).at(now)
      return (await of(postgres.pool, [sampleMarket(id, { volume: total })])).get(id)
    }
    let rise: number | undefined
    for (let total = 0; total <= 26 * 12; total++) {
      rise = await walk(total)
      now += 5 * minuteMs
    }
    const { rows } = await postgres.pool.query<{ kept: number; bytes: number }>(
      'SELECT cardinality(at) AS kept, pg_column_size(t.*) AS bytes FROM catalog_running_totals t WHERE id = $1',
      [id],
    )
    expect(rows[0]!.kept).toBeLessThanOrEqual(dayMs / keepEveryMs + 2)
    expect(rows[0]!.bytes).toBeLessThan(2_000)
    // One every five minutes, plus up to a quarter of an hour before the day.
    expect(rise).toBeGreaterThanOrEqual(288)
    expect(rise).toBeLessThanOrEqual(291)
  })
})

describe('events and lists', () => {
  test('sum up the known volumes in an event, and report whether some are missing', async () => {
    const stored = async () =>
      (await catalog.findEvents({ filter: { venues: [venue], eventId: name }, sort: 'volume', limit: 1 })).rows[0]!
    await report({ a: 10, b: 5, c: null })
    expect(await stored()).toMatchObject({ volume24h: null, volume24hSource: { sources: [], partial: true } })
    await keepReporting({ a: 12.5, b: 6, c: null }, dayMs)
    expect(await stored()).toMatchObject({
      volume24h: 3.5,
      volume24hSource: { sources: ['derived_cumulative'], partial: true },
    })
    expect(await volumeOf('c')).toBeNull()
  })

  test('sort by volume, and paging stays consistent while it changes', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e']
    const totals = (of: (i: number) => number) => Object.fromEntries(ids.map((id, i) => [id, of(i)]))
    await report(totals(() => 0))
    await keepReporting(
      totals((i) => i),
      dayMs,
    )
    const query = { filter: { venues: [venue], eventId: name }, sort: 'volume' as const, limit: 2 }
    const first = await catalog.findMarkets(query)
    expect(first.rows.map(({ volume24h }) => volume24h)).toEqual([4, 3])
    now += 20 * minuteMs
    await report(totals((i) => 10 - i))
    const second = await catalog.findMarkets({ ...query, after: first.next! })
    const third = await catalog.findMarkets({ ...query, after: second.next! })
    const walked = [first, second, third].flatMap(({ rows }) => rows.map(({ marketId }) => marketId))
    expect(walked).toEqual(['e', 'd', 'c', 'b', 'a'].map((id) => `${name}-${id}`))
    const { rows } = await catalog.findMarkets({ ...query, limit: 5 })
    expect(rows.map(({ volume24h }) => volume24h)).toEqual([10, 9, 8, 7, 6])
  })

  test('clear the volume of an unlisted market in the list and in the sum, and keep its asOf', async () => {
    await report({ gone: 0, here: 0 })
    await keepReporting({ gone: 4, here: 6 }, dayMs)
    const reportedAt = now
    const query = { filter: { venues: [venue], eventId: name }, sort: 'volume' as const, limit: 5 }
    expect((await catalog.findEvents(query)).rows[0]).toMatchObject({ volume24h: 10 })
    await keepReporting({ here: 7 }, reportGapMaxMs + minuteMs)
    expect(await volumeOf('gone')).toBe(4)
    expect(await catalog.forgetVolumes(venue, now)).toBeGreaterThanOrEqual(1)
    const { rows } = await catalog.findMarkets(query)
    expect(rows.map(({ marketId, volume24h }) => [marketId, volume24h])).toEqual([
      [`${name}-here`, 1],
      [`${name}-gone`, null],
    ])
    expect(rows[1]!.volume24hSource).toBe('derived_cumulative')
    expect((await catalog.findEvents(query)).rows[0]).toMatchObject({
      volume24h: 1,
      volume24hSource: { sources: ['derived_cumulative'], partial: true },
    })
    expect((await catalog.findMarkets({ ...query, filter: { ...query.filter, marketId: `${name}-gone` } })).asOf).toBe(
      reportedAt,
    )
    expect(await catalog.forgetVolumes(venue, now)).toBe(0)
    expect(await catalog.forgetVolumes('polymarket', now)).toBe(0)
  })

  test('keep the volumes of a venue that publishes them', async () => {
    const event = sampleEvent('own', [sampleMarket('own-m', { volume24h: 7, volume: 9 })], { volume24h: 8 })
    await catalog.upsertEvents('polymarket', [event], [], now)
    expect(await catalog.findMarket('polymarket', 'own-m')).toMatchObject({ volume24h: 7 })
  })
})

/** Numbers in [0, 1), the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

test('compared with all reported totals the window is never shorter than a day, never much longer, and never spans a gap', async () => {
  const seed = 20_261_122
  const random = randomOf(seed)
  const markets = Array.from({ length: 40 }, (_, i) => ({
    id: `${name}-${i}`,
    reports: [] as [at: number, total: number][],
    total: 0,
    rate: random() ** 4,
  }))
  const volumes = countDeltas(venue)
  let known = 0
  for (let walk = 0; walk < 250; walk++) {
    now += Math.round((1 + random() * 12) * minuteMs)
    // Sometimes a market is missing for a while.
    const named = markets.filter((_, i) => (i + walk) % 97 > (i % 5) * 3)
    for (const market of named) {
      if (random() < market.rate) market.total += Math.floor(random() * 100)
      market.reports.push([now, market.total])
    }
    const of = await volumes.at(now)
    const rises = await of(
      postgres.pool,
      named.map(({ id, total }) => sampleMarket(id, { volume: total })),
    )
    for (const { id, reports, total } of named) {
      const at = (ms: number) => reports.findLast(([time]) => time <= ms)
      const dayAgo = at(now - dayMs)
      const before = at((dayAgo?.[0] ?? 0) - keepEveryMs)
      const since = reports.filter(([time]) => time >= (dayAgo?.[0] ?? Infinity))
      const gap = since.reduce((most, [time], i) => Math.max(most, time - (since[i - 1]?.[0] ?? time)), 0)
      const rise = rises.get(id)
      const context = `seed ${seed}, walk ${walk}, market ${id}`
      if (dayAgo === undefined || gap > reportGapMaxMs) expect(rise, context).toBeUndefined()
      if (rise === undefined) continue
      known++
      expect(rise, context).toBeGreaterThanOrEqual(total - dayAgo![1])
      expect(rise, context).toBeLessThanOrEqual(total - (before?.[1] ?? 0))
    }
  }
  expect(known).toBeGreaterThan(500)
}, 60_000)
