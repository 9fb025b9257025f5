import { expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { sendJobReports } from '#roles/jobReports'
import { startVenueStatus } from '#roles/venueStatus'
import { type JobReport, jobReportMs } from '#schemas/topics'
import { getStatus } from '#server/http/routes/getStatus'
import type { SystemDeps } from '#server/http/routes/ports'
import { createLocalBus } from '#storage/bus/local'

const failing: JobReport = {
  job: 'catalog',
  venue: 'kalshi',
  state: 'rowsLost',
  reason: '30 rows of the last catalog walk could not be read',
  at: 5_000,
}

it('shows the report of a job in the status of its venue until it changes or stops', async () => {
  const clock = new ManualClock(10_000)
  const bus = createLocalBus({
    onError: (error) => {
      throw error
    },
  })
  const early = sendJobReports(bus, clock)
  early.report(failing)
  // A gateway that starts later receives the next repetition.
  const board = await startVenueStatus(bus, ['kalshi'], clock)
  const health = { ...board.venues()[0]!, connection: 'idle' as const, reason: null }
  const getStatusData = async () => {
    const system = {
      lab: false,
      venueHealth: () => [health],
      job: board.job,
      drift: board.drift,
      dependencies: () => ({}),
    }
    const answer = await getStatus.handle({} as never, { clock, system } as unknown as SystemDeps)
    return (answer as { data: { venues: object[]; matcher: object } }).data
  }
  expect((await getStatusData()).venues[0]).toMatchObject({
    connection: 'idle',
    reason: null,
    catalog: { state: 'unknown' },
  })
  clock.advance(jobReportMs)
  const { reason } = failing
  expect((await getStatusData()).venues[0]).toMatchObject({
    connection: 'degraded',
    reason,
    catalog: { state: 'rowsLost', reason, asOf: '1970-01-01T00:00:05.000Z' },
  })
  early.report({ job: 'matcher', venue: null, state: 'failing', reason: 'the last run failed: x', at: 6_000 })
  early.report({ ...failing, state: 'ok', reason: null })
  expect((await getStatusData()).matcher).toMatchObject({ state: 'failing', reason: 'the last run failed: x' })
  expect((await getStatusData()).venues[0]).toMatchObject({
    connection: 'idle',
    reason: null,
    catalog: { state: 'ok' },
  })
  early.stop()
  clock.advance(5 * jobReportMs)
  expect((await getStatusData()).matcher).toMatchObject({ state: 'unknown' })
  await board.stop()
  await bus.close()
})
