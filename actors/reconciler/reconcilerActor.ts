// Asks the venues of credential-free lanes about executions in flight, so that nobody has to. What it learns is written as a refresh would.
import type { ActorSystemRef } from '#actors/runtime/nact'
import { spawnStepper } from '#actors/runtime/spawnStepper'
import { type ArmedLane, canBeAsked, type ExecutionsDeps, readAndFold } from '#executions/index'
import type { Clock, Timer } from '#lib/clock'
import type { Log } from '#lib/log'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import {
  initialReconcilerState,
  type ReconcilerEffect,
  type ReconcilerMessage,
  type ReconcilerPace,
  stepReconciler,
} from './step.ts'

/** Rows of one look, and how many venues' answers are waited for at once. */
const rowsPerLook = 200
const askedAtOnce = 8
/** An order that stays as it is is asked about again after as long as it has stood, within these. */
const restMinMs = 2_000
const restMaxMs = 300_000
/** Executions remembered between looks; the one asked longest ago is forgotten first. */
const rememberedMax = 10_000

export interface ReconcilerOptions {
  store: Pick<ExecutionsDeps['store'], 'listOpen' | 'move' | 'find' | 'listFillsOf'>
  lanes: ReadonlyMap<string, ArmedLane>
  pace: ReconcilerPace
  clock: Clock
  log: Log
}

export function spawnReconciler(system: ActorSystemRef, options: ReconcilerOptions): { stop(): Promise<void> } {
  const { store, lanes, pace, clock, log } = options
  const abort = new AbortController()
  const venues = [...lanes.values()].flatMap(({ lane }) => (lane.refresh?.credentialFree ? [lane.slug] : []))
  const restsUntil = new Map<string, number>()
  let timer: Timer | null = null
  let looking: Promise<void> = Promise.resolve()

  const look = async (): Promise<void> => {
    const now = clock.now()
    if (venues.length === 0) return
    const open = await store.listOpen(venues, new Date(now - restMinMs), rowsPerLook)
    const queue = open.filter((row) => canBeAsked(row) && (restsUntil.get(row.id) ?? 0) <= now)
    const ask = async (): Promise<void> => {
      for (let row = queue.shift(); row !== undefined && !abort.signal.aborted; row = queue.shift()) await askAbout(row)
    }
    await Promise.all(Array.from({ length: askedAtOnce }, ask))
  }

  /** One venue's trouble is that row's: the others are asked all the same. */
  const askAbout = async (row: ExecutionRow): Promise<void> => {
    const armed = lanes.get(row.venue)
    if (armed?.lane.refresh === undefined) return
    const standsMs = clock.now() - row.updated_at.getTime()
    restsUntil.delete(row.id)
    restsUntil.set(row.id, clock.now() + Math.min(restMaxMs, Math.max(restMinMs, standsMs)))
    if (restsUntil.size > rememberedMax) restsUntil.delete(restsUntil.keys().next().value!)
    try {
      const credentials = armed.lane.refresh.body.parse({})
      const caller = { accountId: row.account_id, signal: abort.signal }
      await readAndFold({ store, clock }, caller, armed, row, credentials)
    } catch (error) {
      log.warn({ executionId: row.id, venue: row.venue, err: error }, 'an execution could not be reconciled')
    }
  }

  const perform = (effect: ReconcilerEffect): void => {
    if (effect.kind === 'dueIn') {
      timer?.cancel()
      timer = clock.after(effect.delayMs, () => actor.tell({ kind: 'due' }))
      return
    }
    looking = look().then(
      () => actor.tell({ kind: 'looked', ok: true }),
      (error: unknown) => {
        log.warn({ err: error }, 'executions in flight could not be looked at')
        actor.tell({ kind: 'looked', ok: false })
      },
    )
  }
  const actor = spawnStepper(
    system,
    {
      name: 'reconciler',
      initial: initialReconcilerState,
      step: (state, message: ReconcilerMessage) => stepReconciler(pace, state, message),
      perform,
      start: { kind: 'start' },
      restart: () => timer?.cancel(),
    },
    { clock, log },
  )
  return {
    async stop() {
      actor.stop()
      abort.abort()
      await looking
      timer?.cancel()
    },
  }
}
