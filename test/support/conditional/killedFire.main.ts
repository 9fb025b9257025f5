// A compute process that will be killed: it triggers orders, takes leases and works on each order it holds; each of these tasks
// blocks forever at one of its awaits, or ends. It prints one line when it has triggered, and another one with the places
// when all tasks are blocked or have ended.
import { createInterface } from 'node:readline'
import { ManualClock } from '#core/clock'
import { createCursorCodec } from '#core/cursor'
import { silentLog } from '#core/log'
import { createEarlyAttempts } from '#orders/conditional/earlyAttempts'
import { fire } from '#orders/conditional/submitTriggered'
import { conditionalSteps } from '#orders/conditional/transitions'
import { CredentialBreaker, createFiredExecutions } from '#orders/executions/index'
import type { ExecutionsDeps } from '#orders/executions/ports'
import { triggerEvidenceTtlMs } from '#schemas/conditional'
import { createConditionalStore } from '#storage/postgres/conditional/store'
import { createExecutionStore } from '#storage/postgres/executions/store'
import { createPool } from '#storage/postgres/pool'
import { mortally, mortalPool } from '#test/support/execution/mortal'
import { armAtLab, type LabOfJob, mortalContextAt } from '#test/support/execution/mortalLane'
import { signedLane } from './signedLane.ts'
import { openSeal } from './submitFixture.ts'

export interface DoomedWork {
  databaseUrl: string
  venueUrl: string
  /** The fixed time of the world's clock, epoch ms. */
  nowMs: number
  leaseMs: number
  connectionsMax: number
  /** `fires`: leased with its trigger and submitted, unless it blocks before. */
  triggers: readonly { id: string; stopAt: number; fires?: boolean }[]
  /** For taking leases. */
  claimStopsAt: number
  /** That many orders are taken, one for each. */
  firesStopAt: readonly number[]
  /** Indexes of those that are re-armed when nothing was sent. */
  rearmed?: readonly number[]
  /** Of the sweep that re-arms triggered orders; undefined: no sweep. */
  sweepStopsAt?: number
  /** An adapter with its lab; default: the test adapter at the test venue. */
  lab?: LabOfJob
}

const work = await new Promise<DoomedWork>((resolve) => {
  createInterface({ input: process.stdin }).once('line', (line) => resolve(JSON.parse(line) as DoomedWork))
})
const context = mortalContextAt(work.venueUrl)
const clock = new ManualClock(work.nowMs)
const { armed } =
  work.lab === undefined
    ? { armed: { lane: signedLane(), context: (signal: AbortSignal) => ({ ...context(signal), clock }) } }
    : await armAtLab(work.lab, context)
const pool = mortalPool(createPool({ url: work.databaseUrl, log: silentLog, connectionsMax: work.connectionsMax }))
const store = createConditionalStore(pool, conditionalSteps)
const executions: ExecutionsDeps = {
  breaker: new CredentialBreaker(clock),
  store: createExecutionStore(pool),
  knownLanes: [armed.lane],
  lanes: new Map([[armed.lane.slug as string, armed]]),
  cursors: createCursorCodec(Buffer.alloc(32)),
  clock,
  log: silentLog,
  newId: () => crypto.randomUUID(),
}
const deps = {
  store,
  executions: createFiredExecutions(executions, { blocks: () => false, signal: new AbortController().signal }),
  seal: openSeal,
  clock,
  log: silentLog,
  random: Math.random,
}

/** Where it blocked; null if it ended, in any way. */
const stoppedAt = (stopAt: number, job: () => Promise<unknown>): Promise<string | null> =>
  new Promise((resolve) => {
    const end = (): void => resolve(null)
    mortally(stopAt, resolve, () => job().then(end, end))
  })

const at = new Date(work.nowMs)
async function triggerAndFire(id: string, hasTriggered: () => void): Promise<void> {
  const claim = { owner: crypto.randomUUID(), leaseMs: work.leaseMs, limit: 1, at }
  const attempts = createEarlyAttempts(deps)
  const given = { at, claim, prepare: attempts.prepare, isRecalled: () => false, late: () => undefined }
  const { turns } = (await store.triggerUnlessRecalled([{ id, evidence: { book: 1 } }], given))!
  hasTriggered()
  for (const turn of turns) await attempts.fire(turn)
}

/** `over`: it has triggered, or never will. */
const triggers = work.triggers.map(({ id, stopAt, fires }) => {
  const { promise: over, resolve } = Promise.withResolvers<void>()
  const place = stoppedAt(stopAt, () =>
    fires === true ? triggerAndFire(id, resolve) : store.trigger([{ id, evidence: { book: 1 } }], at),
  )
  const labelled = place.then((where) => (where === null || fires !== true ? where : `trigger and fire: ${where}`))
  return { over: Promise.race([over, place]), place: labelled }
})
await Promise.all(triggers.map(({ over }) => over))
process.stdout.write('"triggered"\n')
const places: (string | null)[] = []
const named = (what: string, where: string | null): string | null => (where === null ? null : `${what}: ${where}`)
if (work.sweepStopsAt !== undefined) {
  const old = new Date(work.nowMs + triggerEvidenceTtlMs + 1)
  const sweep = (): Promise<unknown> => store.rearmStale({ limit: work.firesStopAt.length, at: old })
  places.push(named('sweep', await stoppedAt(work.sweepStopsAt, sweep)))
}
if (work.firesStopAt.length > 0) {
  let held: Awaited<ReturnType<typeof store.claimFiring>> = []
  const claim = { owner: crypto.randomUUID(), leaseMs: work.leaseMs, limit: work.firesStopAt.length, at }
  places.push(
    await stoppedAt(work.claimStopsAt, async () => {
      held = await store.claimFiring(claim)
    }),
  )
  const turn = async (row: (typeof held)[number], i: number): Promise<string | null> => {
    const isRearmed = work.rearmed?.includes(i) === true
    const where = await stoppedAt(work.firesStopAt[i]!, () => fire(isRearmed ? { ...deps, seal: null } : deps, row))
    return isRearmed ? named('rearm', where) : where
  }
  places.push(...(await Promise.all(held.map(turn))))
}
places.push(...(await Promise.all(triggers.map(({ place }) => place))))
process.stdout.write(`${JSON.stringify(places)}\n`)
