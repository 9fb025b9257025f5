// The fastest path of a hosted order from its trigger to its relay: prepared before it triggers, and claimed together with the trigger in one
// transaction (src/storage/postgres/conditional/triggerAndClaim.ts). On any obstacle the order stays armed for the slower path.
import type { Timer } from '#core/clock'
import type { FiringClaim, FiringRow } from '#storage/postgres/conditional/firing'
import type { ConditionalStore } from '#storage/postgres/conditional/store'
import type { TriggerAndClaim, TriggerDecision } from '#storage/postgres/conditional/triggerAndClaim'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import { attemptOf, type FireDeps, type PreparedSubmit } from './submitTriggered.ts'

/** A lane that reads from its venue may take longer; no other trigger waits for that response. */
export const prepareWithinMs = 20

export interface FastPathDeps extends Omit<FireDeps, 'store'> {
  store: Pick<ConditionalStore, 'triggerAndClaim'>
}

export interface FastPathSlot {
  lease: FiringClaim
  isRecalled(): boolean
  /**
   * A claim without an answer that turned out to have committed. Call `takeBack` before its turn: it is not sent as
   * claimed.
   */
  late(held: FiringRow, takeBack: () => Promise<void>): void
}

/** Null: it takes the slower path. */
export async function submitImmediately(
  deps: FastPathDeps,
  decision: TriggerDecision,
  { lease, isRecalled, late }: FastPathSlot,
): Promise<{ held: FiringRow; send(): Promise<ExecutionRow> } | null> {
  const { store, log } = deps
  const conditionalId = decision.id
  let ready: PreparedSubmit | null = null
  const made = await store.triggerAndClaim(decision, {
    lease,
    isRecalled,
    async prepare(turn) {
      ready = await readyInTime(deps, turn).catch((error: unknown) => {
        log.debug({ conditionalId, err: error }, 'an order that triggers could not be prepared before')
        return null
      })
      return ready?.claim ?? null
    },
    late: ({ held, row }) => late(held, () => ready!.takeBack(row)),
  })
  if (made.kind === 'claimed') return { held: made.held, send: () => ready!.send(made.row) }
  log.debug({ conditionalId, why: made.kind }, 'an order that triggers is not claimed along with it')
  return null
}

/** Null: not in time. The lane's pending request to its venue continues, and the slower path uses the response if the lane caches it. */
async function readyInTime(
  deps: FastPathDeps,
  { held, execution, artifact }: TriggerAndClaim,
): Promise<PreparedSubmit | null> {
  if (execution === null) return null
  let timer: Timer | undefined
  const late = new Promise<null>((resolve) => {
    timer = deps.clock.after(prepareWithinMs, () => resolve(null))
  })
  const ready = deps.executions.ready(attemptOf(deps, held, execution, artifact))
  ready.catch(() => undefined)
  try {
    return await Promise.race([ready, late])
  } finally {
    timer?.cancel()
  }
}
