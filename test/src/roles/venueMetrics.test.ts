// Which venues have a daily metrics job, and what it collects, according to their manifests.
import { afterAll, expect, it, vi } from 'vitest'
import { start, stop } from '#actors/system'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { startVenueMetrics } from '#roles/venueMetrics'
import type { TapeStore } from '#storage/clickhouse/client'
import { finishRun, insertRun } from '#storage/postgres/runLog'
import { findLatestMetrics } from '#storage/postgres/venueMetrics/findLatestMetrics'
import { withPostgres } from '#test/support/postgres'
import { gemini } from '#venues/gemini/index'
import { kalshiDemo } from '#venues/kalshi/demo'
import { novig } from '#venues/novig/index'
import { polymarket } from '#venues/polymarket/index'
import type { VenueManifest } from '#venues/venue'
import type { VenueContext } from '#venues/venueContext'

const pg = withPostgres()
const system = start()
afterAll(() => stop(system))

it('collects the venue’s own figures, its catalog and its tape where available, and never those of the sandbox', async () => {
  const clock = new ManualClock(Date.parse('2026-11-23T12:00:00Z'))
  const { signal } = new AbortController()
  const running = (manifest: VenueManifest, body: unknown = {}) => ({
    manifest,
    context: {
      venue: manifest.slug,
      http: { request: async () => ({ status: 200, headers: {}, body }) },
      clock,
      log: silentLog,
      urls: manifest.urls,
      credentials: null,
      signal,
    } satisfies VenueContext,
  })
  const tape = {
    // The statement without a venue reads retention; nothing expired.
    rows: async (sql: string, parameters?: { venue: string }) => {
      if (parameters === undefined) return []
      return sql.includes('min(')
        ? [{ since: String(Date.parse('2026-11-22T05:00:00Z')) }]
        : [{ trades: String(parameters.venue.length), anything: 1 }]
    },
  } as unknown as TapeStore
  for (const venue of ['polymarket', 'gemini', 'novig', 'kalshi-demo'])
    await finishRun(pg.pool, await insertRun(pg.pool, 'ingest', 0), {
      finishedAt: clock.now(),
      ok: true,
      counts: { venue },
    })
  const response = { data: [{ condition_id: 'GLOBAL', value: 3 }] }
  const venues = [running(polymarket, response), running(gemini), running(novig), running(kalshiDemo)]
  const jobs = startVenueMetrics(() => system, { pool: pg.pool, tape, venues, clock, log: silentLog })
  expect([...jobs.keys()]).toEqual(['polymarket', 'gemini', 'novig'])
  await vi.waitFor(() => expect(clock.pendingCount).toBe(jobs.size), { timeout: 20_000, interval: 5 })
  const stored = await findLatestMetrics(pg.pool, null)
  expect(stored.map(({ venue, metric, day, value }) => [venue, metric, day, value].join(' '))).toEqual([
    'gemini catalogOpenMarkets 2026-11-23 0',
    'gemini tapedTrades 2026-11-22 6',
    // Its trades are not recorded.
    'novig catalogOpenMarkets 2026-11-23 0',
    'polymarket catalogOpenMarkets 2026-11-23 0',
    'polymarket openInterest 2026-11-23 3',
    'polymarket tapedTrades 2026-11-22 10',
  ])
  await Promise.all([...jobs.values()].map((job) => job.stop()))
  expect(clock.pendingCount).toBe(0)
})
