// Attempts of orders that trigger in this process. Each is prepared before its trigger is committed, so that its execution can be claimed in the
// same transaction.
import type { Clock, Timer } from '#core/clock'
import type { ClaimedTurn } from '#storage/postgres/conditional/claimTriggered'
import type { FiringRow } from '#storage/postgres/conditional/firing'
import type { Claim } from '#storage/postgres/executions/claim'
import { attemptOf, type BegunAttempt, type FireDeps, type FireResult, fire, mayBegin } from './submitTriggered.ts'

/** A lane that reads from its venue may take longer; the trigger of an order does not wait for that response. */
export const prepareWithinMs = 20

export interface EarlyAttempts {
  /** To be committed together with the trigger. Null: not prepared in time, or refused. Never rejects. */
  prepare(turn: ClaimedTurn): Promise<Claim | null>
  fire(turn: ClaimedTurn): Promise<FireResult>
  /**
   * For a trigger that was committed after the store had given up: what was claimed with it is not sent. Returns the order as it is then
   * held, to be fired.
   */
  takeBack(turn: ClaimedTurn): Promise<FiringRow>
}

export function createEarlyAttempts(deps: FireDeps): EarlyAttempts {
  const attempts = new WeakMap<ClaimedTurn, BegunAttempt>()
  return {
    async prepare(turn) {
      const attempt = begin(deps, turn)
      if (attempt === null) return null
      attempts.set(turn, attempt)
      return claimInTime(attempt, deps.clock)
    },
    fire(turn) {
      const attempt = attempts.get(turn)
      return fire(deps, turn.held, turn, attempt === undefined ? null : { attempt, claimed: turn.claimed })
    },
    async takeBack(turn) {
      const { held, claimed } = turn
      const attempt = attempts.get(turn)
      if (attempt === undefined || claimed === null) return held
      await attempt.takeBack(claimed)
      return { ...held, fire_attempts: held.fire_attempts + 1 }
    },
  }
}

/** Null: `fire` decides what happens to the order. */
function begin(deps: FireDeps, { held, execution, artifact }: ClaimedTurn): BegunAttempt | null {
  if (execution === null || !mayBegin(deps, held, execution)) return null
  try {
    return deps.executions.begin(attemptOf(deps, held, execution, artifact))
  } catch (error) {
    // `fire` meets the same error, and records it.
    deps.log.debug({ conditionalId: held.id, err: error }, 'an order was not prepared before its trigger was committed')
    return null
  }
}

async function claimInTime({ claim }: BegunAttempt, clock: Clock): Promise<Claim | null> {
  let timer: Timer | undefined
  const late = new Promise<null>((resolve) => {
    timer = clock.after(prepareWithinMs, () => resolve(null))
  })
  try {
    // A refusal is recorded when it is submitted.
    return await Promise.race([claim.catch(() => null), late])
  } finally {
    timer?.cancel()
  }
}
