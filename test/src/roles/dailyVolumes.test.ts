// The manifest alone determines how daily volumes are computed: they are written with the catalog walks, and delisted markets lose theirs.
import { afterAll, describe, expect, test, vi } from 'vitest'
import { type RunLogRow, spawnCatalogIngest } from '#actors/catalogIngest/catalogIngestActor'
import { start, stop } from '#actors/system'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createPostgresCatalog } from '#marketData/catalog/postgresCatalog'
import { dailyVolumesOf, derivedFullWalkEveryMs } from '#roles/dailyVolumes'
import type { TapeStore } from '#storage/clickhouse/client'
import { sampleEvent, sampleMarket } from '#test/src/marketData/catalog/samples'
import { withPostgres } from '#test/support/postgres'
import { gemini } from '#venues/gemini/index'
import type { VenueManifest } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'

const postgres = withPostgres()
const system = start()
afterAll(() => stop(system))
const clock = new ManualClock(Date.UTC(2026, 10, 20))
const minuteMs = 60_000
const dayMs = 1_440 * minuteMs

type Volume24h = VenueManifest['volume24h']
const manifestOf = (volume24h: Volume24h, more: Partial<VenueManifest['data']> = {}): VenueManifest => ({
  ...gemini,
  volume24h,
  data: { ...gemini.data, ...more },
})
const volumesOf = (volume24h: Volume24h, tape: TapeStore | null = null) =>
  dailyVolumesOf({ venues: [{ manifest: manifestOf(volume24h) }], tape, clock, log: silentLog }).get('gemini')

describe('according to the manifest', () => {
  test('leaves volumes to a venue that publishes them, or that has none', () => {
    expect(volumesOf({ source: 'venue', unit: 'USD' })).toBeUndefined()
    expect(volumesOf(false)).toBeUndefined()
  })

  test('derives them from running totals, or from the tape if there is one', async () => {
    expect(volumesOf({ source: 'derived_cumulative', unit: 'USD' })).toMatchObject({ source: 'derived_cumulative' })
    expect(volumesOf({ source: 'derived_tape', unit: 'USD' })).toBeUndefined()
    const [market] = [sampleMarket('m')]
    const books = market!.outcomes.map(({ outcomeId }) => gemini.data.bookRef(outcomeId, 'm')?.bookId ?? outcomeId)
    const store = {
      rows: async () => books.map((outcomeId) => ({ outcomeId, paid: 2.5, unpriced: 0 })),
    } as unknown as TapeStore
    const volumes = volumesOf({ source: 'derived_tape', unit: 'USD' }, store)!
    expect(volumes.source).toBe('derived_tape')
    const of = await volumes.at(clock.now())
    expect((await of(postgres.pool, [market!])).get('m')).toBe(2.5 * new Set(books).size)
  })
})

test('fills the window over catalog walks, also across a restart of the job, and clears the volume of a delisted market', async () => {
  let listed = [sampleMarket('stays', { volume: 0 }), sampleMarket('leaves', { volume: 0 })]
  const venue = manifestOf(
    { source: 'derived_cumulative', unit: 'CONTRACTS' },
    {
      async *walkCatalog() {
        yield { events: [sampleEvent('e', listed)], series: [] }
      },
      fetchEvent: async () => {
        throw new Error('not now')
      },
    },
  )
  const runs: RunLogRow[] = []
  const spawn = () => {
    const dailyVolumes = dailyVolumesOf({ venues: [{ manifest: venue }], tape: null, clock, log: silentLog })
    return spawnCatalogIngest(system, {
      venue,
      context: {} as VenueContext,
      catalog: createPostgresCatalog(postgres.pool, { clock, dailyVolumes }),
      pace: { intervalMs: 30 * dayMs, fullEveryMs: derivedFullWalkEveryMs },
      clock,
      log: silentLog,
      recordRun: async (row) => void runs.push(row),
      onWritten: () => undefined,
    })
  }
  const ran = (count: number) =>
    vi.waitFor(() => expect(runs.length).toBeGreaterThanOrEqual(count), { timeout: 20_000, interval: 5 })
  const walk = async () => {
    const before = runs.length
    clock.advance(40 * minuteMs)
    job.actor.send({ kind: 'due' })
    await ran(before + 1)
  }
  let job = spawn()
  await ran(1)
  listed = listed.map((market) => ({ ...market, volume: 6 }))
  for (let walked = 0; walked < 20; walked++) await walk()
  await job.stop()
  job = spawn()
  await ran(22)
  for (let walked = 0; walked < 16; walked++) await walk()
  const read = createPostgresCatalog(postgres.pool, { clock })
  expect(await read.findMarket('gemini', 'leaves')).toMatchObject({
    volume24h: 6,
    volume24hSource: 'derived_cumulative',
  })
  listed = listed.slice(0, 1)
  await walk()
  expect(await read.findMarket('gemini', 'leaves')).toMatchObject({ volume24h: 6 })
  await walk()
  expect(await read.findMarket('gemini', 'leaves')).toMatchObject({ volume24h: null })
  expect(await read.findMarket('gemini', 'stays')).toMatchObject({ volume24h: 0 })
  await job.stop()
})
