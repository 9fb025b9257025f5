// The claim of an execution: its key is bound and it becomes `submitted`, in one transaction, before anything is sent. Any obstacle rolls all of it
// back.
import { systemClock } from '#core/clock'
import { Fault } from '#core/fault'
import { checkSubmit, type GateRefusal, lockConditional } from '../conditional/blockingConditions.ts'
import { beginAttempt, type SubmitLease } from '../conditional/firing.ts'
import { type HaltRow, haltOf } from '../halts/halts.ts'
import { inTransaction, type Pool, type Queryable } from '../pool.ts'
import { checkClaim, findLimits, type RiskCheck, type RiskObstacle } from '../risk/checkLimits.ts'
import { Rollback } from '../rollback.ts'
import { claimKey } from './claimKey.ts'
import type { ExecutionRow } from './executionRow.ts'
import { changeConflict, lockFamily } from './findOrderChain.ts'
import { type Move, moveExecution } from './moveExecution.ts'
import { findReplaced, type ReplacementConflict, replacementConflict } from './replacements.ts'
import { endReservation, findBlocker } from './reservations.ts'
import { releaseUnsentReservations, reserveShortfall } from './spendReservations.ts'

export interface Claim {
  accountId: string
  key: string
  bodySha256: Buffer
  reservationId: string | null
  /** It changes an order, and is checked against that order's other changes. */
  isChange: boolean
  /** The venue whose halts stop it; null: it cancels or settles, which halts do not stop. */
  tradesAt: string | null
  move: Move
  /** For a conditional order's own fire. */
  fire?: SubmitLease | undefined
  /** The account's risk limits; absent: none is checked, as for a cancellation. */
  risk?: RiskCheck | undefined
}

export type ClaimResult =
  | { kind: 'claimed'; row: ExecutionRow }
  /** The key was already bound. */
  | { kind: 'taken' }
  /** The execution is not what the caller saw: another attempt was faster. */
  | { kind: 'moved' }
  | { kind: 'reservation' }
  /** For a change: the outcome of another change of the order is unknown, or one was accepted since this was built. */
  | { kind: 'in_doubt' }
  | { kind: 'outgrown' }
  /** For an order that replaces another one. */
  | { kind: ReplacementConflict }
  /** Another attempt holds a live reservation. */
  | { kind: 'held' }
  /** Its spend reservation was released, and the cap has nothing left. */
  | { kind: 'spend_cap' }
  /** Trading is halted there. */
  | { kind: 'halted'; halt: HaltRow }
  | RiskObstacle
  | Behind

/** A conditional order behind the execution does not allow this. */
export interface Behind {
  kind: 'behind'
  why: GateRefusal
}

/** An order was armed since, which the transaction has not locked. */
export const armedSince: Behind = { kind: 'behind', why: 'armed' }

/** `withinMs`: for each statement, and for all of them. */
export async function claimExecution(pool: Pool, claim: Claim, withinMs: number): Promise<ClaimResult> {
  const startedAt = systemClock.monotonic()
  const attempt = (isGated: boolean): Promise<ClaimResult> =>
    inTransaction(
      pool,
      async (client) => {
        const row = await claimIn(client, claim, { isGated })
        // Each step was in time but the total was not: the caller is getting an error, and nothing would relay what is committed now.
        if (systemClock.monotonic() - startedAt > withinMs)
          throw new Fault('EXEC_UNAVAILABLE', 'the claim took too long')
        return { kind: 'claimed', row } as const
      },
      // After a commit with unknown outcome nothing is relayed: the outcome is looked up, and the claim is reverted if it was committed too
      // late.
      { statementTimeoutMs: withinMs, resolvesUnknownCommit: true },
    ).catch(blockerIn)
  // If a conditional order is behind the execution, it is locked first; most executions have none and pay nothing for it.
  let isGated = false
  let result = await attempt(isGated)
  if (result.kind === 'behind' && claim.fire === undefined) {
    isGated = true
    result = await attempt(isGated)
  }
  if (result.kind !== 'spend_cap' || !(await releaseUnsentReservations(pool, [claim.accountId], claim.move.at)))
    return result
  return attempt(isGated)
}

/** The obstacle that rolled back a claim. */
function blockerIn(error: unknown): ClaimResult {
  if (error instanceof Rollback) return error.result as ClaimResult
  if ((error as { constraint?: unknown }).constraint === 'spend_cap') return { kind: 'spend_cap' }
  throw error
}

/** Within a transaction, which any obstacle rolls back. `isGated`: the conditional order behind the execution is locked and checked first. */
export async function claimIn(
  client: Queryable,
  claim: Claim,
  { isGated = false }: { isGated?: boolean } = {},
): Promise<ExecutionRow> {
  const { accountId, key, bodySha256, reservationId, isChange, tradesAt, move, fire, risk } = claim
  const { id: executionId, at } = move
  // Pipelined, and checked in order: an obstacle also rolls back the statements after it.
  const bound = sent(claimKey(client, { accountId, kind: 'submit', key, bodySha256, executionId, at }))
  const halting = sent(tradesAt === null ? nothing : haltOf(client, accountId, tradesAt))
  const begun = sent(countAttempt(client, claim))
  const refuse = async (): Promise<void> => {
    if (!(await bound)) throw undo({ kind: 'taken' })
    const halt = await halting
    if (halt !== null) throw undo({ kind: 'halted', halt })
    if (!(await begun)) throw undo({ kind: 'behind', why: 'attempt' })
  }
  if (isGated) {
    await refuse()
    await passGate(client, move, { reserved: reservationId !== null })
  }
  // First, as in any end of a family member, so that the two never deadlock.
  const locked = sent(isChange ? lockFamily(client, executionId) : nothing)
  // The move locks the row; reservations wait for it.
  const moved = sent(moveExecution(client, move))
  const hindering = sent(findBlocker(client, executionId, at))
  const replacing = sent(findReplaced(client, executionId))
  const limiting = sent(risk === undefined ? noLimits : findLimits(client, risk.order))
  await refuse()
  await locked
  const row = await moved
  if (row === null) throw undo({ kind: 'moved' })
  const { conditional, reserved } = await hindering
  if (conditional && !isGated && fire === undefined) throw undo(armedSince)
  if (reservationId === null) {
    if (reserved) throw undo({ kind: 'held' })
  } else if (!(await endReservation(client, { id: reservationId, to: 'consumed', at })))
    throw undo({ kind: 'reservation' })
  const conflict = row.intent === 'modify' ? await changeConflict(client, row.id) : null
  if (conflict !== null) throw undo({ kind: conflict })
  const replacesId = await replacing
  const hindrance = replacesId === null ? null : await replacementConflict(client, { orderId: executionId, replacesId })
  if (hindrance !== null) throw undo({ kind: hindrance })
  const limits = await limiting
  // Its lock is behind every row lock that other claims wait for.
  const obstacle = risk === undefined ? null : await checkClaim(client, risk, limits)
  if (obstacle !== null) throw undo(obstacle)
  await reserveShortfall(client, row, at)
  return row
}

/** Also true for a claim that is not an attempt to fire. */
const countAttempt = async (client: Queryable, { fire, move: { id, at } }: Claim): Promise<boolean> =>
  fire === undefined || beginAttempt(client, id, fire, at)

const nothing = Promise.resolve(null)
const noLimits = Promise.resolve([])

const undo = (result: ClaimResult): Rollback<ClaimResult> => new Rollback(result)

/** For a statement in flight while others are checked: if one of those throws, its result is never awaited. */
function sent<T>(statement: Promise<T>): Promise<T> {
  statement.catch(() => undefined)
  return statement
}

async function passGate(client: Queryable, { id, at }: Move, { reserved }: { reserved: boolean }): Promise<void> {
  const why = await checkSubmit(client, await lockConditional(client, id), { reserved, at })
  if (why !== null) throw undo({ kind: 'behind', why })
}
