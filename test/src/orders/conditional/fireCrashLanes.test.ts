// Conditional orders at the labs of venues that allow hosted submits: a process is killed with -9 at every statement of trigger, claim,
// fire and settle and around the relay, while another one keeps running and the lab injects faults. At most one venue order each,
// a final status that matches the lab, and none left unfinished.

import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { SimulatedOrder } from '#lab/engine/orderManager'
import { createPrng } from '#lab/prng'
import { canFireHosted } from '#orders/executions/signatures'
import { type DoomedFire, raiseFire } from '#test/support/conditional/killedFire'
import { expireLeases, recoverOnce, verifyHistory } from '#test/support/conditional/killedFires'
import {
  armAtLab,
  type HostedVenue,
  injectFaults,
  type LabOrder,
  type LabScene,
  openLabScene,
  type Prng,
  startLiveProcess,
} from '#test/support/conditional/labScene'
import { type Table, tableOf } from '#test/support/execution/labTable'
import { executionSuite } from '#test/support/execution/suite'
import { seed } from '#test/support/seed'
import { lanes } from '#venues/registry'

const suite = executionSuite()
const atTheTable = tableOf(suite)
const long = process.env.CROSSBOOK_TEST_LONG === '1'
/** Whether a query can prove that an order never arrived; otherwise its owner has to resolve it. */
const provesAbsence: Record<HostedVenue, boolean> = { hyperliquid: true, pascal: false }
const venues = Object.keys(provesAbsence) as HostedVenue[]
const kills = Number(process.env.CROSSBOOK_TEST_KILLS ?? 5_000)
/** Per process; most hold a database connection. */
const ordersMax = long ? 90 : 10
const connectionsMax = long ? 90 : 10
const batchesOfALab = 4
/** More than the number of crash points. */
const placesMax = { trigger: 9, claim: 18, fire: 74, both: 88 }
const dayMs = 86_400_000
const oftenMet = [
  'fired: rests',
  'fired: partly filled',
  'fired: filled',
  'fired: forgotten',
  'fire_failed: null',
  'superseded: null',
]

/** Returns where it stopped. */
async function killProcess(
  scene: LabScene,
  prng: Prng,
  batch: readonly LabOrder[],
  doomed: DoomedFire,
): Promise<string[]> {
  const { here, accountId } = scene.table
  const { clock, context } = here.world
  const nowMs = clock.now()
  const places = await doomed.killAmid(
    {
      databaseUrl: suite.pg.url,
      venueUrl: 'http://127.0.0.1:9',
      nowMs,
      // Some leases expire while their holder still works: the live process takes over.
      leaseMs: prng.int(4) === 0 ? 1 : 60_000,
      connectionsMax,
      triggers: batch.map(({ id }) => {
        if (prng.int(5) < 2) return { id, fires: true, stopAt: 1 + prng.int(placesMax.both) }
        return { id, stopAt: prng.int(6) === 0 ? 1 + prng.int(placesMax.trigger) : 0 }
      }),
      claimStopsAt: prng.int(8) === 0 ? 1 + prng.int(placesMax.claim) : 0,
      // Earlier points are more likely, because many orders end early.
      firesStopAt: batch.map(() => 1 + prng.int(1 + prng.int(placesMax.fire))),
      lab: { venue: scene.venue, urls: context.urls, settings: context.settings, accountId, nowMs },
    },
    () => startLiveProcess(scene),
  )
  return places.filter((at) => at !== null)
}

/** Recovery at a venue without faults. Afterwards no late copy of a request is accepted. */
async function recover(scene: LabScene, batch: readonly LabOrder[]): Promise<void> {
  const { lab, world } = scene.table.here
  lab.faults.recover()
  for (let round = 0; round < 24; round++) {
    if (await recoverOnce(scene, batch)) return
    if (round > 2) world.clock.advance(round === 3 ? 2 * dayMs + 120_000 : 60_000)
    if (round > 4 && !provesAbsence[scene.venue]) await resolveLeft(scene, batch)
  }
}

/** The owner resolves what cannot be queried: the order never arrived, or it is gone. */
async function resolveLeft({ table, taken }: LabScene, batch: readonly LabOrder[]): Promise<void> {
  const { rows } = await suite.pg.pool.query<{ id: string }>(
    `SELECT id FROM executions WHERE id = ANY ($1::uuid[]) AND status = 'submitted'`,
    [batch.map(({ executionId }) => executionId)],
  )
  const left = new Set(rows.map(({ id }) => id))
  for (const { executionId, hundredths } of batch) {
    if (!left.has(executionId)) continue
    const outcome = taken.some((order) => order.hundredths === hundredths) ? 'canceled' : 'failed'
    await table.post(`${executionId}/resolve`, { outcome, reason: 'looked at the venue' }, randomUUID())
  }
}

/** What the lab did with an order; null if it never accepted it. */
type Truth = 'rests' | 'partly filled' | 'filled' | 'forgotten' | null

/** For a forgotten order the lab may or may not have confirmed it. */
const ends = (truth: Truth): string[] => {
  if (truth === null) return ['fire_failed', 'superseded']
  return truth === 'forgotten' ? ['fired', 'fire_failed'] : ['fired']
}
const executionEnds: Readonly<Record<string, readonly string[]>> = {
  fired: ['acked', 'filled', 'canceled'],
  fire_failed: ['built', 'failed'],
  superseded: ['built'],
}

/** Each final status that occurred, with what the lab did. */
async function verify(scene: LabScene, batch: readonly LabOrder[]): Promise<string[]> {
  const { table, taken } = scene
  const known = new Set(table.trader.orders())
  const groups = new Map<string, string[]>()
  const met: string[] = []
  for (const { id, executionId, hundredths, group } of batch) {
    const [placed, ...twice] = taken.filter((order) => order.hundredths === hundredths)
    expect(twice.length, `${id}: venue orders`).toBe(0)
    const truth = placed === undefined ? null : known.has(placed) ? truthOf(placed) : 'forgotten'
    const { status, last_error } = await verifyHistory(scene, id)
    expect(ends(truth), `${id}: ${truth} at the lab; last: ${last_error}`).toContain(status)
    const { rows } = await suite.pg.pool.query('SELECT status FROM executions WHERE id = $1', [executionId])
    expect(executionEnds[status], `${id} ${status}`).toContain(rows[0].status)
    met.push(`${status}: ${truth}`)
    if (group !== null) groups.set(group, [...(groups.get(group) ?? []), status])
  }
  for (const statuses of groups.values()) {
    const count = (wanted: string) => statuses.filter((status) => status === wanted).length
    expect(count('fired'), `${statuses}`).toBeLessThanOrEqual(1)
    if (count('superseded') > 0) expect(count('fired'), `${statuses}`).toBe(1)
  }
  return met
}

const truthOf = ({ status, filledHundredths }: SimulatedOrder): Truth => {
  if (status === 'filled') return 'filled'
  return filledHundredths > 0 ? 'partly filled' : 'rests'
}

interface Deaths {
  /** The end of each order. */
  met: string[]
  /** Where the stopped ones stopped. */
  places: string[]
}

async function killBatch(scene: LabScene, prng: Prng): Promise<Deaths> {
  // The process starts while the orders are built.
  const first = raiseFire()
  try {
    const batch = await armAtLab(scene, prng, ordersMax)
    injectFaults(scene, prng, ordersMax)
    const places = await killProcess(scene, prng, batch, first)
    if (long) {
      await expireLeases(scene, batch)
      places.push(...(await killProcess(scene, prng, batch, raiseFire())))
    }
    await recover(scene, batch)
    return { met: await verify(scene, batch), places }
  } finally {
    await first.kill()
  }
}

async function killOften(venue: HostedVenue, times: number, prng: Prng): Promise<Deaths> {
  const [met, places]: [string[], string[]] = [[], []]
  while (places.length < times) {
    await atTheTable(venue, async (table) => {
      const scene = await openLabScene(suite.pg.pool, venue, table as Table<HostedVenue>)
      // A new lab now and then: each batch advances the clock by days.
      for (let n = 0; n < batchesOfALab && places.length < times; n++) {
        const deaths = await killBatch(scene, prng)
        met.push(...deaths.met)
        places.push(...deaths.places)
        for (const order of table.trader.orders()) scene.table.here.withdraw(order)
        scene.taken.length = 0
      }
    })
  }
  return { met, places }
}

describe('conditional orders at labs whose processes are killed with -9', () => {
  const todays = long ? venues : [venues[Math.floor(Date.now() / dayMs) % venues.length]!]
  it.each(todays)(
    `seed ${seed}: %s: orders end as at the lab, with at most one venue order each, and none is left unfinished`,
    async (venue) => {
      const { submit, refresh } = lanes[venue]
      expect([canFireHosted({ submit }), refresh?.credentialFree]).toEqual([true, true])
      const { met, places } = await killOften(venue, long ? kills : 1, createPrng(`${venue} ${seed}`))
      if (process.env.CROSSBOOK_TEST_PLACES === '1') {
        const names = [...new Set([...places, ...met])].toSorted()
        process.stdout.write(`${names.join('\n')}\n${venue}: ${places.length} killed, ${met.length} orders\n`)
      }
      if (long) expect(met).toEqual(expect.arrayContaining(oftenMet))
    },
    3_600_000,
  )
})
