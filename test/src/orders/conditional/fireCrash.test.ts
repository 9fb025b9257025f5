// Processes are killed with -9 at every statement of trigger, lease (separate, and together with the trigger), fire, settle
// and re-arm, at a venue with every failure: at most one venue order for each, and none left unfinished.

import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { Fault } from '#core/fault'
import { createPrng } from '#lab/prng'
import { withRetry } from '#orders/executions/retryWrite'
import { killFiring } from '#test/support/conditional/killedFire'
import { armDirectly, inBatches, recoverOnce, verifyHistory } from '#test/support/conditional/killedFires'
import { signedLane } from '#test/support/conditional/signedLane'
import { openSubmitFixture, sealedText } from '#test/support/conditional/submitFixture'
import { executionSuite } from '#test/support/execution/suite'
import type { VenueMode } from '#test/support/execution/venue'
import { seed } from '#test/support/seed'

const { pg, worldOf } = executionSuite()
const long = process.env.CROSSBOOK_TEST_LONG === '1'
const runs = Number(process.env.CROSSBOOK_TEST_RUNS ?? (long ? 10_000 : 16))
/** Run at the same time. One in the short form, where starting a process takes most of the time. */
const processes = long ? 2 : 1
/** Per process; most hold a database connection. */
const firesMax = long ? 64 : 16
const connectionsMax = long ? 48 : 16
/** More than the number of crash points. */
const placesMax = { trigger: 9, claim: 18, fire: 70, both: 84, rearm: 20, sweep: 4 }
const modes: readonly VenueMode[] = [
  'accept',
  'accept',
  'drop',
  'drop',
  'late',
  'forget',
  'reject',
  'refuse',
  'limit',
  'fill',
]
const dayMs = 86_400_000

interface Run {
  id: string
  order: string
  group: string | null
  mode: VenueMode
}

type Scene = Awaited<ReturnType<typeof scene>>
type Prng = ReturnType<typeof createPrng>

async function scene() {
  const clock = new ManualClock(Date.now())
  const world = await worldOf({ clock, lanes: [signedLane()] })
  return { ...(await openSubmitFixture(pg.pool, world)), clock, world, venue: world.venue }
}

/** Half of them in groups of two. */
async function begin({ book, world, venue, clock }: Scene, prng: Prng, count: number): Promise<Run[]> {
  const groups = Array.from({ length: count }, (_, i) => (i % 4 < 2 ? null : Math.floor(i / 4)))
  const names = new Map(groups.map((group) => [group, randomUUID()]))
  return inBatches(groups, async (group) => {
    const mode = modes[prng.int(modes.length)]!
    const ocoGroupId = group === null ? null : names.get(group)!
    const key = randomUUID()
    const { executionId, unsigned } = await withRetry(async () => {
      const { json } = await world.build(key)
      if (json.success !== true) throw new Fault(json.error.code, json.error.message)
      return json.data
    })
    venue.orderModes.set(unsigned.id, mode)
    const [at, expiresAt] = [new Date(clock.now()), new Date(clock.now() + dayMs)]
    const over = { executionId, venue: 'novig', artifact: sealedText(), ocoGroupId, at, expiresAt }
    return { id: await armDirectly(book, over), order: unsigned.id as string, group: ocoGroupId, mode }
  })
}

/** Some are re-armed instead. */
function diesFiring(prng: Prng): { firesStopAt: number[]; rearmed: number[] } {
  const rearmed = Array.from({ length: firesMax }, (_, i) => i).filter(() => prng.int(4) === 0)
  const placesOf = (i: number): number => (rearmed.includes(i) ? placesMax.rearm : placesMax.fire)
  return { firesStopAt: Array.from({ length: firesMax }, (_, i) => 1 + prng.int(placesOf(i))), rearmed }
}

/** Processes that share the work and are killed. Returns where each stopped. */
async function killProcesses({ venue, clock }: Scene, prng: Prng, batch: readonly Run[]): Promise<string[]> {
  const all = Array.from({ length: processes }, (_, turn) =>
    killFiring({
      databaseUrl: pg.url,
      venueUrl: venue.url,
      nowMs: clock.now(),
      // Some leases expire while their holder still works: the other process takes over from a live one.
      leaseMs: prng.int(3) === 0 ? 60_000 : 1,
      connectionsMax,
      triggers: batch
        .filter((_, i) => i % processes === turn)
        .map(({ id }) => {
          if (prng.int(5) < 2) return { id, fires: true, stopAt: 1 + prng.int(placesMax.both) }
          return { id, stopAt: prng.int(4) === 0 ? 1 + prng.int(placesMax.trigger) : 0 }
        }),
      claimStopsAt: prng.int(8) === 0 ? 1 + prng.int(placesMax.claim) : 0,
      ...diesFiring(prng),
      ...(prng.int(4) === 0 ? { sweepStopsAt: prng.int(1 + placesMax.sweep) } : {}),
    }),
  )
  return (await Promise.all(all)).flat().filter((at) => at !== null)
}

/** Recovery by processes that keep running. The venue behaves again; late requests arrive before a late copy would be refused. */
async function recover(fixture: Scene, batch: readonly Run[]): Promise<void> {
  const { venue, clock } = fixture
  for (const { order, mode } of batch) if (mode === 'limit') venue.orderModes.set(order, 'accept')
  for (let round = 0; round < 24; round++) {
    if (await recoverOnce(fixture, batch)) return
    if (round > 0) venue.release()
    if (round > 1) clock.advance(120_000)
  }
}

async function verify(fixture: Scene, batch: readonly Run[]): Promise<void> {
  const placed = Map.groupBy(fixture.venue.placed, (order) => order)
  const groups = new Map<string, number>()
  for (const { id, order, group } of batch) {
    const count = placed.get(order)?.length ?? 0
    if (group !== null) groups.set(group, (groups.get(group) ?? 0) + count)
    expect(count, 'venue orders').toBeLessThanOrEqual(1)
    const { status } = await verifyHistory(fixture, id)
    expect(count === 1 ? ['fired'] : ['fire_failed', 'superseded']).toContain(status)
  }
  for (const count of groups.values()) expect(count, 'orders of a group').toBeLessThanOrEqual(1)
}

describe('conditional orders whose processes are killed with -9', () => {
  it(`seed ${seed}: ${runs} orders end with at most one venue order each, and none is left unfinished`, async () => {
    const prng = createPrng(`fire ${seed}`)
    const given = await scene()
    let dead = 0
    const places = new Set<string>()
    for (let done = 0; done < runs; done += processes * firesMax) {
      const batch = await begin(given, prng, Math.min(processes * firesMax, runs - done))
      const deaths = long ? 1 + prng.int(2) : 1
      for (let n = 0; n < deaths; n++) {
        const stoppedAt = await killProcesses(given, prng, batch)
        dead += stoppedAt.length
        for (const at of stoppedAt) places.add(at)
      }
      await recover(given, batch)
      await verify(given, batch)
      given.venue.placed.length = 0
      given.venue.orderModes.clear()
    }
    if (process.env.CROSSBOOK_TEST_PLACES === '1')
      process.stdout.write(`${[...places].toSorted().join('\n')}\n${dead}\n`)
    // With few runs the number is random.
    expect(dead).toBeGreaterThan(long ? runs / 4 : 0)
    if (long)
      for (const way of ['trigger and fire', 'rearm', 'sweep']) expect([...places].join('\n')).toContain(`${way}: `)
  }, 1_800_000)
})
