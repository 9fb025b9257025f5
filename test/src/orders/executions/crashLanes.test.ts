// Fault 23 for every adapter: a process is killed with -9 while it submits to the lab of the venue, whatever the lab does with the order,
// and a blind retry with the same key places no second order.

import { expect, it } from 'vitest'
import type { SimulatedOrder } from '#lab/engine/orderManager'
import { createPrng } from '#lab/prng'
import { type Doomed, raise } from '#test/support/execution/killedProcess'
import type { DoomedJob } from '#test/support/execution/killedProcess.main'
import { type Table, tableOf } from '#test/support/execution/labTable'
import { executionSuite } from '#test/support/execution/suite'
import { laneCases, laneVenues } from '#test/support/laneCases'
import { seed } from '#test/support/seed'
import type { ExecutionAdapter } from '#venues/lane'
import { type LaneVenue, lanes, statusLanes } from '#venues/registry'

const suite = executionSuite()
const atTheTable = tableOf(suite)
const long = process.env.CROSSBOOK_TEST_LONG === '1'
/** Jobs per process in the long form, where a start costs more than the jobs; each may hold a database connection. */
const jobsMax = 50
const runs = long ? 2_000 : 4
/** More than the number of crash points. */
const placesMax = 34

interface Run {
  job: DoomedJob
  retry(): Promise<void>
  /** Compares the venue's orders with the execution. */
  verify(): Promise<void>
}

const faultKinds = ['none', 'drop', 'vanish', 'reject', 'none'] as const

/** Orders of different sizes, built and ready to be sent, at a venue with a fault for each. */
async function begin(table: Table<LaneVenue>, venue: LaneVenue, count: number, prng: ReturnType<typeof createPrng>) {
  const { here, another, post, accountId } = table
  const { clock, context } = here.world
  const made: Run[] = []
  for (let i = 0; i < count; i++) {
    const n = prng.int(1e9)
    const trader = await another(n)
    const before = trader.orders().length
    const key = `${venue}-${before}-${i}-${n}`
    const order = laneCases[venue].sized(trader.order, 50 + i)
    const built = await post('build', order, key)
    expect(built.status, built.text).toBe(200)
    const { executionId, unsigned } = built.json.data
    const body = await trader.send(unsigned)
    const placed = (): SimulatedOrder[] =>
      trader
        .orders()
        .slice(before)
        .filter(({ hundredths }) => hundredths === (50 + i) * 100)
    made.push({
      job: {
        name: key,
        verb: 'submit',
        key,
        executionId,
        body: body as Record<string, unknown>,
        stopAt: 1 + prng.int(placesMax),
        lab: { venue, urls: context.urls, settings: context.settings, accountId, nowMs: clock.now() },
      },
      async retry() {
        await post(`${executionId}/submit`, body, key)
        expect(placed().length, 'venue orders').toBeLessThanOrEqual(1)
      },
      async verify() {
        const { data } = (await post(`${executionId}/refresh`, trader.read)).json
        const [placedOnce, ...twice] = placed()
        expect(twice).toEqual([])
        // An order that rests at the venue has not failed, and one that does not rest is not acked.
        if (placedOnce !== undefined && data !== undefined) expect(['submitted', 'acked']).toContain(data.status)
        if (placedOnce === undefined && data !== undefined) expect(['submitted', 'failed']).toContain(data.status)
        if (placedOnce !== undefined) expect(data).toBeDefined()
      },
    })
  }
  const fault = faultKinds[prng.int(faultKinds.length)]!
  if (fault !== 'none') here.lab.faults.order({ fault, count: 1 + prng.int(count) })
  return made
}

const raiseHere = (): Doomed =>
  raise({ databaseUrl: suite.pg.url, venueUrl: 'http://127.0.0.1:9', accountId: 'each job has its own' })

async function tryAll(batch: readonly Run[], doomed: Doomed, heal: () => void): Promise<number> {
  const stoppedAt = await doomed.killAmid(batch.map(({ job }) => job))
  heal()
  for (const { job, retry, verify } of batch) {
    const at = stoppedAt.get(job.name) ?? 'at its end'
    try {
      await retry()
      await verify()
    } catch (error) {
      throw new Error(`${job.name}, killed ${at}`, { cause: error })
    }
  }
  return [...stoppedAt.values()].filter((at) => at !== null).length
}

const atTables = (
  venues: readonly LaneVenue[],
  play: (tables: Map<LaneVenue, Table<LaneVenue>>) => Promise<void>,
): Promise<void> => {
  const open = (left: readonly LaneVenue[], tables: Map<LaneVenue, Table<LaneVenue>>): Promise<void> => {
    const [venue, ...rest] = left
    if (venue === undefined) return play(tables)
    return atTheTable(venue, (table) => open(rest, tables.set(venue, table as Table<LaneVenue>)))
  }
  return open(venues, new Map())
}

it('every adapter is tested here, except those that send nothing and state why', () => {
  const others = Object.values<ExecutionAdapter>(lanes).filter(
    ({ slug }) => !(laneVenues as readonly string[]).includes(slug),
  )
  expect(others.map(({ slug, submit, buildsOnly }) => [slug, submit, typeof buildsOnly])).toEqual([
    ['xo', undefined, 'string'],
  ])
  for (const lane of statusLanes) expect(lane).not.toHaveProperty('submit')
})

/** A lab takes a second to open: two adapters per run, others the next day. */
const day = Math.floor(Date.now() / 86_400_000)
const todays = [0, 1].map((i) => laneVenues[(2 * day + i) % laneVenues.length]!)

it.skipIf(long)(
  `seed ${seed}: ${todays}, killed during submit: one venue order at most`,
  async () => {
    const prng = createPrng(`lanes ${seed}`)
    await atTables(todays, async (tables) => {
      const batch: Run[] = []
      for (const [venue, table] of tables) batch.push(...(await begin(table, venue, runs, prng)))
      const dead = await tryAll(batch, raiseHere(), () => {
        for (const { here } of tables.values()) here.lab.faults.recover()
      })
      expect(dead).toBeGreaterThan(0)
    })
  },
  120_000,
)

/** Run at the same time, each on its own tables: while one waits for a process to exit, the other checks. */
const streams = 2

/** How many were killed before their jobs ended. */
async function killOften(venue: LaneVenue, times: number, prng: ReturnType<typeof createPrng>): Promise<number> {
  let dead = 0
  // It starts while the orders of the killed one are checked.
  let next = raiseHere()
  try {
    for (let done = 0; done < times; ) {
      // A new lab now and then, because resting orders accumulate.
      await atTheTable(venue, async (table) => {
        const until = Math.min(times, done + 4 * jobsMax)
        for (; done < until; done += jobsMax) {
          const batch = await begin(table as Table<LaneVenue>, venue, jobsMax, prng)
          const doomed = next
          next = raiseHere()
          dead += await tryAll(batch, doomed, () => table.here.lab.faults.recover())
          table.here.world.clock.advance(200_000)
        }
      })
    }
  } finally {
    await next.kill()
  }
  return dead
}

it.runIf(long).each(laneVenues)(
  `seed ${seed}: %s, killed ${runs} times during submit: one venue order at most`,
  async (venue) => {
    const killed = Array.from({ length: streams }, (_, i) =>
      killOften(venue, runs / streams, createPrng(`${venue} ${seed} ${i}`)),
    )
    const dead = (await Promise.all(killed)).reduce((sum, each) => sum + each, 0)
    expect(dead).toBeGreaterThan(runs / 4)
  },
  3_600_000,
)
