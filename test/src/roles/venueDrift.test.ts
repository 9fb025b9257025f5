import { afterEach, beforeEach, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createMetrics } from '#roles/metrics'
import { driftFieldsMax, VenueDrift } from '#roles/venueDrift'
import { type StatusBoard, startVenueStatus } from '#roles/venueStatus'
import { driftListedMax, jobReportMs } from '#schemas/topics'
import { getStatus } from '#server/http/routes/getStatus'
import type { SystemDeps } from '#server/http/routes/ports'
import type { Bus } from '#storage/bus/bus'
import { createLocalBus } from '#storage/bus/local'

const clock = new ManualClock(Date.UTC(2026, 10, 29))
let bus: Bus
let board: StatusBoard
beforeEach(async () => {
  bus = createLocalBus({
    onError: (error) => {
      throw error
    },
  })
  board = await startVenueStatus(bus, ['kalshi'], clock)
})
afterEach(async () => {
  await board.stop()
  await bus.close()
})

/** Records log lines. */
function listeningLog() {
  const lines: { level: string; fields: object }[] = []
  const level = (name: string) => (fields: object) => void lines.push({ level: name, fields })
  return { lines, log: { ...silentLog, info: level('info'), warn: level('warn') } }
}

it('is counted by venue, field and kind, and logged once', async () => {
  const { lines, log } = listeningLog()
  const drift = new VenueDrift({ clock, log })
  const metrics = createMetrics()
  drift.measure(metrics)
  const stop = drift.start(bus)
  for (let n = 0; n < 3; n++) drift.note('kalshi', 'volume', 'unreadable')
  drift.note('kalshi', 'events.colour', 'unknown')
  clock.advance(1_000)
  drift.note('kalshi', 'volume', 'unreadable')
  clock.advance(60_000)
  stop()
  const { text } = await metrics.text()
  metrics.stop()
  expect(text).toContain('crossbook_venue_drift_total{venue="kalshi",field="volume",kind="unreadable"} 4')
  expect(text).toContain('crossbook_venue_drift_total{venue="kalshi",field="events.colour",kind="unknown"} 1')
  expect(lines).toEqual([
    { level: 'warn', fields: { venue: 'kalshi', kind: 'unreadable', fields: ['volume'] } },
    { level: 'info', fields: { venue: 'kalshi', kind: 'unknown', fields: ['events.colour'] } },
  ])
})

it('names a limited number of fields and groups the rest', () => {
  const drift = new VenueDrift({ clock, log: silentLog })
  for (let n = 0; n < 10_000; n++) drift.note('kalshi', `field${n}`, 'unknown')
  drift.note('kalshi', 'field3', 'missing')
  drift.note('kalshi', 'later', 'unreadable')
  const listed = drift.listed('kalshi')
  expect(listed).toHaveLength(driftListedMax)
  expect(listed[0]).toMatchObject({ field: 'other', kind: 'unreadable', count: 1 })
  expect(listed[1]).toMatchObject({ field: 'field3', kind: 'missing' })
  for (let n = 0; n < 10_000; n++) drift.note('kalshi', 'x'.repeat(1_000) + n, 'mistyped')
  expect(drift.listed('kalshi')[1]).toMatchObject({ field: 'other', kind: 'mistyped', count: 10_000 })
  expect(driftFieldsMax).toBeLessThan(1_000)
})

it('of all processes is in the status of its venue, with first and last time, until they stop reporting', async () => {
  const health = board.venues()[0]!
  const listed = async (): Promise<unknown> => {
    const system = {
      lab: false,
      venueHealth: () => [health],
      job: board.job,
      drift: board.drift,
      dependencies: () => ({}),
    }
    const answer = await getStatus.handle({} as never, { clock, system } as unknown as SystemDeps)
    return (answer as { data: { venues: { drift: unknown }[] } }).data.venues[0]!.drift
  }
  expect(await listed()).toEqual([])
  const firstAt = new Date(clock.now()).toISOString()
  const [one, two] = [new VenueDrift({ clock, log: silentLog }), new VenueDrift({ clock, log: silentLog })]
  const stops = [one.start(bus), two.start(bus)]
  one.note('kalshi', 'status', 'unreadable')
  clock.advance(2_000)
  two.note('kalshi', 'status', 'unreadable')
  two.note('kalshi', 'title', 'missing')
  const lastAt = new Date(clock.now()).toISOString()
  clock.advance(1_000)
  expect(await listed()).toEqual([
    { field: 'status', kind: 'unreadable', count: 2, firstAt, lastAt },
    { field: 'title', kind: 'missing', count: 1, firstAt: lastAt, lastAt },
  ])
  // Reports are repeated for gateways that start later.
  clock.advance(10 * jobReportMs)
  expect(await listed()).toHaveLength(2)
  for (const stop of stops) stop()
  clock.advance(10 * jobReportMs)
  expect(await listed()).toEqual([])
})
