// Queries the venues of lanes without credentials about executions in flight, so that their owners do not have to. Results are written as a
// refresh would write them.
import { spawnActor } from '#actors/runtime/spawnActor'
import type { Supervisor } from '#actors/runtime/supervisor'
import { Cache } from '#core/cache'
import type { Clock, Timer } from '#core/clock'
import { Fault } from '#core/fault'
import type { Log } from '#core/log'
import { type ConditionalAdapter, type ExecutionsDeps, isQueryable, readOrderChain } from '#orders/executions/index'
import { isPaperAccount } from '#schemas/paper'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import type { OpenMark } from '#storage/postgres/executions/findExecutions'
import {
  initialReconcilerState,
  type ReconcilerEffect,
  type ReconcilerMessage,
  type ReconcilerPace,
  stepReconciler,
} from './step.ts'

/**
 * Each poll takes a venue's newest rows, most of which are due, and the next part of a walk over all of them: however many long-lived
 * orders there are, a new one is seen immediately and an old one eventually.
 */
const newestPerLook = 200
const walkedPerLook = 200
/** Concurrent venue requests. */
const requestsAtOnce = 8
/** After this many consecutive failures a venue gets no more requests until the next poll: it must not delay the others. */
const troublesMax = 3
/** An unchanged order is queried again after as long as it has been unchanged, within these bounds. */
const restMinMs = 2_000
const restMaxMs = 300_000
/** Executions remembered between polls. */
const cachedMax = 10_000

export interface ReconcilerOptions {
  store: Pick<
    ExecutionsDeps['store'],
    | 'listOpen'
    | 'move'
    | 'find'
    | 'findFamily'
    | 'listFillsOf'
    | 'findRivals'
    | 'findCanceledAt'
    | 'markAccount'
    | 'recordSighting'
  >
  lanes: ReadonlyMap<string, ConditionalAdapter>
  pace: ReconcilerPace
  clock: Clock
  log: Log
}

export function spawnReconciler(parent: Supervisor, options: ReconcilerOptions): { stop(): Promise<void> } {
  const { store, lanes, pace, clock, log } = options
  const abort = new AbortController()
  const venues = [...lanes.values()].flatMap(({ lane }) => (lane.refresh?.credentialFree ? [lane.slug] : []))
  /** Executions queried recently. */
  const resting = new Cache<true>(cachedMax, { clock })
  const walkedTo = new Map<string, OpenMark>()
  let timer: Timer | null = null
  let looking: Promise<void> = Promise.resolve()

  const look = async (): Promise<void> => {
    const now = clock.now()
    const open = (await Promise.all(venues.map((venue) => openAt(venue, new Date(now - restMinMs))))).flat()
    // The paper exchange moves the executions of paper accounts by itself, and no venue has them.
    const queue = open.filter(
      (row) => !isPaperAccount(row.account_id) && isQueryable(row) && resting.get(row.id) === undefined,
    )
    const troubles = new Map<string, number>()
    const queryQueued = async (): Promise<void> => {
      for (let row = queue.shift(); row !== undefined && !abort.signal.aborted; row = queue.shift()) {
        if ((troubles.get(row.venue) ?? 0) >= troublesMax) continue
        const reached = await query(row)
        troubles.set(row.venue, reached ? 0 : (troubles.get(row.venue) ?? 0) + 1)
      }
    }
    await Promise.all(Array.from({ length: requestsAtOnce }, queryQueued))
  }

  const openAt = async (venue: string, untouchedSince: Date): Promise<ExecutionRow[]> => {
    const newest = await store.listOpen({ venue, untouchedSince, limit: newestPerLook, from: 'newest' })
    // There are no others.
    if (newest.length < newestPerLook) return newest
    const from = walkedTo.get(venue) ?? null
    const walked = await store.listOpen({ venue, untouchedSince, limit: walkedPerLook, from })
    const last = walked.at(-1)
    if (last === undefined || walked.length < walkedPerLook) walkedTo.delete(venue)
    else walkedTo.set(venue, { updatedAt: last.updated_at, id: last.id })
    const seen = new Set(newest.map(({ id }) => id))
    return [...newest, ...walked.filter(({ id }) => !seen.has(id))]
  }

  /** A failure concerns one row only: the others are still queried. False: the venue could not be reached. */
  const query = async (row: ExecutionRow): Promise<boolean> => {
    const armed = lanes.get(row.venue)
    if (armed?.lane.refresh === undefined) return true
    const unchangedMs = clock.now() - row.updated_at.getTime()
    resting.set(row.id, true, Math.min(restMaxMs, Math.max(restMinMs, unchangedMs)))
    try {
      const credentials = armed.lane.refresh.body.parse({})
      const caller = { accountId: row.account_id, signal: abort.signal }
      await readOrderChain({ store, clock }, caller, armed, row, credentials, { readsFamily: false })
      return true
    } catch (error) {
      log.warn({ executionId: row.id, venue: row.venue, err: error }, 'failed to reconcile an execution')
      return !(error instanceof Fault && error.code === 'NETWORK_ERROR')
    }
  }

  const perform = (effect: ReconcilerEffect): void => {
    if (effect.kind === 'dueIn') {
      timer?.cancel()
      timer = clock.after(effect.delayMs, () => actor.send({ kind: 'due' }))
      return
    }
    looking = look().then(
      () => actor.send({ kind: 'looked', ok: true }),
      (error: unknown) => {
        log.warn({ err: error }, 'failed to check executions in flight')
        actor.send({ kind: 'looked', ok: false })
      },
    )
  }
  const actor = spawnActor(
    parent,
    {
      name: 'reconciler',
      initial: initialReconcilerState,
      step: (state, message: ReconcilerMessage) => stepReconciler(pace, state, message),
      perform,
      start: { kind: 'start' },
      release: () => timer?.cancel(),
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
