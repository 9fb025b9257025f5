// Fault 23: a process is killed with -9 at every await of every step, and a blind retry never duplicates anything.

import { describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { createPrng } from '#lab/prng'
import { killAmid } from '#test/support/execution/killedProcess'
import type { VenueMode } from '#test/support/execution/venue'
import { createExecutionWorld } from '#test/support/execution/world'
import { withPostgres } from '#test/support/postgres'
import { seed } from '#test/support/seed'
import { createPlots, type Plot, plots, type Run, writesAlone } from './crashPlots.ts'

const pg = withPostgres()
const long = process.env.CROSSBOOK_TEST_LONG === '1'
/** Jobs per process; each may hold a database connection. */
const jobsMax = 16

async function withPlots<T>(work: (given: ReturnType<typeof stage>) => Promise<T>): Promise<T> {
  const clock = new ManualClock(Date.now())
  const world = await createExecutionWorld(pg.pool, { clock })
  try {
    return await work(stage(world, clock))
  } finally {
    await world.close()
  }
}

function stage(world: Awaited<ReturnType<typeof createExecutionWorld>>, clock: ManualClock) {
  const { begin } = createPlots(world, pg.pool, (ms) => clock.advance(ms))
  const where = { databaseUrl: pg.url, venueUrl: world.venue.url, accountId: world.accountId }
  return {
    begin,
    kill: (deaths: readonly { run: Run; stopAt: number }[], words?: number) =>
      killAmid(
        where,
        deaths.map(({ run, stopAt }) => ({ ...run.job, stopAt })),
        words,
      ),
    async verify(run: Run, stoppedAt: string): Promise<void> {
      // Reset the refusals that earlier runs counted for these credentials.
      world.circuit().accepted()
      try {
        await run.verify(await run.retry())
      } catch (error) {
        throw new Error(`${run.name}, killed ${stoppedAt}`, { cause: error })
      }
    },
  }
}

describe('fault 23: killed with -9, a blind retry with the same key', () => {
  const outcomes: Readonly<Record<string, readonly VenueMode[]>> = { submit: ['accept', 'drop'], build: ['accept'] }
  /** Every crash point in the long form; otherwise every fourth one, with a different start each day. */
  const stride = long ? 1 : 4
  const firstPlace = long ? 1 : 1 + (Math.floor(Date.now() / 86_400_000) % stride)
  let places = 0
  it.each(plots.flatMap((plot) => (outcomes[plot.split(':')[0]!] ?? ['accept']).map((mode) => [plot, mode] as const)))(
    '%s (%s): never duplicates an order, a fill or an event, at whichever await the process was killed',
    async (plot, mode) => {
      await withPlots(async ({ begin, kill, verify }) => {
        const seen: string[] = []
        const perProcess = writesAlone(plot) ? 1 : jobsMax
        for (let ended = false, stopAt = firstPlace; !ended; stopAt += perProcess * stride) {
          const deaths = await Promise.all(
            Array.from({ length: perProcess }, async (_, i) => ({
              run: await begin(plot, mode),
              stopAt: stopAt + i * stride,
            })),
          )
          const stoppedAt = await kill(deaths)
          for (const { run } of deaths) {
            const at = stoppedAt.get(run.name) ?? null
            if (at === null) ended = true
            else seen.push(at)
            await verify(run, at ?? 'at its end')
          }
        }
        places += seen.length
        expect(seen.length, seen.join('\n')).toBeGreaterThanOrEqual(4 / stride)
      })
    },
    120_000,
  )
  it(`covered more than ${100 / stride} crash points`, () => {
    expect(places).toBeGreaterThan(100 / stride)
  })
})

describe('fault 23: killed again and again', () => {
  const runs = long ? 2_400 : 16
  it(`seed ${seed}: any step with any venue behavior, killed once, twice or three times in a row with one key`, async () => {
    await withPlots(async ({ begin, kill, verify }) => {
      const prng = createPrng(`crash ${seed}`)
      const shared = plots.filter((plot) => !writesAlone(plot))
      const modes: readonly VenueMode[] = ['accept', 'drop', 'forget', 'reject', 'refuse']
      let dead = 0
      for (let done = 0; done < runs; done += jobsMax) {
        const batch = await Promise.all(
          Array.from({ length: jobsMax }, (_, i) => {
            const plot: Plot = i === 0 ? plots[prng.int(plots.length)]! : shared[prng.int(shared.length)]!
            return begin(plot, modes[prng.int(modes.length)]!)
          }),
        )
        const stoppedAt = new Map<string, string[]>(batch.map(({ name }) => [name, []]))
        for (let round = 1 + prng.int(3); round > 0; round--) {
          const reports = await kill(batch.map((run) => ({ run, stopAt: 1 + prng.int(34) })))
          for (const [name, at] of reports) {
            if (at !== null) dead++
            stoppedAt.get(name)!.push(at ?? 'at its end')
          }
        }
        for (const run of batch) await verify(run, stoppedAt.get(run.name)!.join(', then '))
      }
      expect(dead).toBeGreaterThan(runs / 4)
    })
  }, 1_800_000)
})

describe('fault 23: killed under load', () => {
  const storms = long ? 40 : 1
  it.each(['build', 'submit:order'] as const)(
    '%s: of 24 concurrent requests, some of which share a statement, each is complete or absent',
    async (plot) => {
      await withPlots(async ({ begin, kill, verify }) => {
        for (let storm = 0; storm < storms; storm++) {
          const batch: Run[] = []
          for (let i = 0; i < 24; i++) batch.push(await begin(plot, i % 2 === 0 ? 'accept' : 'drop'))
          const ended = await kill(
            batch.map((run) => ({ run, stopAt: 0 })),
            1 + (storm % 12),
          )
          for (const run of batch) await verify(run, ended.has(run.name) ? 'at its end' : 'somewhere')
        }
      })
    },
    600_000,
  )
})
