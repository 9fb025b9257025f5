// The daily jobs with real tables: what is collected, by which process, and how failures are handled.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { start, stop } from '#actors/system'
import { type GatherPorts, gather, readWithinMs } from '#actors/venueMetrics/collect'
import { retryBaseMs } from '#actors/venueMetrics/step'
import { spawnVenueMetrics } from '#actors/venueMetrics/venueMetricsActor'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { findLatestMetrics } from '#storage/postgres/venueMetrics/findLatestMetrics'
import { holdMetricJob, releaseMetricJob, writeMetrics } from '#storage/postgres/venueMetrics/jobLease'
import { withPostgres } from '#test/support/postgres'
import type { PublishedMetric } from '#venues/venue'

const pg = withPostgres()
const system = start()
afterAll(() => stop(system))

const published: PublishedMetric[] = [
  { metric: 'openInterest', value: 12.5, unit: 'USD', scope: 'venue', read: 'GET /oi' },
]
const soon = { timeout: 20_000, interval: 5 }
let clock: ManualClock
let venue: string
let fails: Set<string>
let calls: string[]
beforeEach(() => {
  clock = new ManualClock(Date.parse('2026-11-23T12:00:00Z'))
  venue = `v-${randomUUID()}`
  fails = new Set()
  calls = []
})

function portsOf(holder: string, more: Partial<GatherPorts> = {}): GatherPorts {
  const recordCall = async <T>(what: string, value: T): Promise<T> => {
    calls.push(what)
    if (fails.has(what)) throw new Error(`${what} is away`)
    return value
  }
  return {
    hold: () => holdMetricJob(pg.pool, venue, holder),
    release: () => releaseMetricJob(pg.pool, venue, holder),
    write: ({ part, day }, metrics) =>
      writeMetrics(pg.pool, { venue, holder, part, day, recordedAt: new Date(clock.now()) }, metrics),
    fetchPublished: () => recordCall('venue', published),
    countOpen: () => recordCall('catalog', 7),
    tape: {
      since: () => recordCall('since', '2026-11-21'),
      count: (day) => recordCall(`tape ${day}`, Number(day.slice(-2))),
    },
    ...more,
  }
}
const collect = (ports: GatherPorts) =>
  gather({ venue, ports, clock, log: silentLog, stopped: new AbortController().signal })
const storedMetrics = async () =>
  (await findLatestMetrics(pg.pool, venue)).map(({ metric, day, value, unit, source, scope }) =>
    [metric, day, value, unit, source, scope].join(' '),
  )

describe('a pass', () => {
  it('collects everything that is due, and nothing twice', async () => {
    const ports = portsOf('one')
    expect(await collect(ports)).toEqual({ kind: 'complete', waitMs: 12 * 3_600_000 })
    expect(await storedMetrics()).toEqual([
      'catalogOpenMarkets 2026-11-23 7 MARKETS catalog catalog',
      'openInterest 2026-11-23 12.5 USD venue venue',
      'tapedTrades 2026-11-22 22 TRADES tape tape',
    ])
    expect(calls).toEqual(['since', 'venue', 'catalog', 'tape 2026-11-21', 'tape 2026-11-22'])
    calls = []
    await collect(ports)
    expect(calls).toEqual([])
  })

  it('continues with the other parts when one fails, and repeats only that one afterwards', async () => {
    fails = new Set(['venue', 'tape 2026-11-21'])
    const ports = portsOf('one')
    expect(await collect(ports)).toEqual({ kind: 'incomplete' })
    expect(await storedMetrics()).toEqual(['catalogOpenMarkets 2026-11-23 7 MARKETS catalog catalog'])
    fails.clear()
    calls = []
    expect((await collect(ports)).kind).toBe('complete')
    expect(calls).toEqual(['since', 'venue', 'tape 2026-11-21', 'tape 2026-11-22'])
  })

  it('retries a catalog that was not walked yet, and does not record it as zero', async () => {
    const ports = portsOf('one', { countOpen: async () => null })
    expect(await collect(ports)).toEqual({ kind: 'incomplete' })
    expect((await storedMetrics()).join()).not.toContain('catalogOpenMarkets')
  })

  it('records no figure for a day without tape, and does not retry it', async () => {
    const ports = portsOf('one', {
      tape: { since: async () => '2026-11-20', count: async (day) => (day === '2026-11-21' ? 3 : null) },
    })
    expect((await collect(ports)).kind).toBe('complete')
    expect((await storedMetrics()).at(-1)).toBe('tapedTrades 2026-11-21 3 TRADES tape tape')
  })

  it('records only taped trades for days that were missed', async () => {
    const ports = portsOf('one')
    await collect(ports)
    clock.advance(3 * 86_400_000)
    calls = []
    await collect(ports)
    expect(calls).toEqual(['since', 'venue', 'catalog', 'tape 2026-11-23', 'tape 2026-11-24', 'tape 2026-11-25'])
    const { rows } = await pg.pool.query(
      'SELECT day::text, metric FROM venue_metrics WHERE venue = $1 ORDER BY metric, day',
      [venue],
    )
    const daysOf = (metric: string) => rows.filter((row) => row.metric === metric).map(({ day }) => day.slice(-2))
    expect(daysOf('openInterest')).toEqual(['23', '26'])
    expect(daysOf('catalogOpenMarkets')).toEqual(['23', '26'])
    expect(daysOf('tapedTrades')).toEqual(['21', '22', '23', '24', '25'])
  })

  it('gives up on a venue that does not respond in time, and leaves no timer', async () => {
    const ports = portsOf('one', {
      fetchPublished: (signal) =>
        new Promise((_, reject) => {
          calls.push('venue')
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
        }),
    })
    const collecting = collect(ports)
    await vi.waitFor(() => expect(calls).toContain('venue'))
    clock.advance(readWithinMs)
    expect(await collecting).toEqual({ kind: 'incomplete' })
    expect(clock.pendingCount).toBe(0)
    expect((await storedMetrics()).join()).toContain('catalogOpenMarkets')
  })
})

describe('several processes', () => {
  it('let one collect while it runs, and another continue after it', async () => {
    let answer: () => void = () => undefined
    const slow = portsOf('one', {
      fetchPublished: () =>
        new Promise((resolve) => {
          calls.push('one')
          answer = () => resolve(published)
        }),
    })
    const first = collect(slow)
    await vi.waitFor(() => expect(calls).toContain('one'))
    expect(await collect(portsOf('two'))).toEqual({ kind: 'elsewhere' })
    answer()
    expect((await first).kind).toBe('complete')
    calls = []
    expect((await collect(portsOf('two'))).kind).toBe('complete')
    expect(calls).toEqual([])
  })

  it('write nothing after losing the job', async () => {
    expect(await holdMetricJob(pg.pool, venue, 'frozen')).toEqual({ venue: null, catalog: null, tape: null })
    await pg.pool.query('UPDATE venue_metric_jobs SET expires_at = clock_timestamp() WHERE venue = $1', [venue])
    expect(await holdMetricJob(pg.pool, venue, 'living')).not.toBeNull()
    const late = { venue, holder: 'frozen', part: 'venue', day: '2026-11-23', recordedAt: new Date() } as const
    expect(await writeMetrics(pg.pool, late, published)).toBe(false)
    expect(await storedMetrics()).toEqual([])
    await releaseMetricJob(pg.pool, venue, 'frozen')
    expect(await holdMetricJob(pg.pool, venue, 'third')).toBeNull()
  })
})

it('collects immediately, again after a failure, and then once a day; stopping it leaves no timer', async () => {
  fails.add('venue')
  const job = spawnVenueMetrics(system, { venue, ports: portsOf('one'), clock, log: silentLog })
  await vi.waitFor(() => expect(clock.pendingCount).toBe(1), soon)
  fails.clear()
  clock.advance(retryBaseMs)
  await vi.waitFor(async () => expect((await storedMetrics()).join()).toContain('openInterest 2026-11-23'), soon)
  await vi.waitFor(() => expect(clock.pendingCount).toBe(1), soon)
  for (let hours = 0; hours < 13; hours++) {
    clock.advance(3_600_000)
    await vi.waitFor(() => expect(clock.pendingCount).toBe(1), soon)
  }
  expect((await storedMetrics()).join()).toContain('openInterest 2026-11-24')
  await job.stop()
  expect(clock.pendingCount).toBe(0)
})
