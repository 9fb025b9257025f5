// The statements of conditional orders behind one interface. A database that cannot answer is EXEC_UNAVAILABLE within two seconds.
//
// One lock order everywhere, so that two transactions never deadlock:
//
//   idempotency key ─► an account's arming, close to its limit ─► halts ─► OCO group's row ─► conditional rows, by id ─► execution's row ─► spend caps
//
// One exception: an order's claim that is committed with its trigger locks the key after the order's row. Only fires use such a key, and each of
// its locks is waited for 50 ms at most; the halts are locked already.
//
// Which operation locks what: arming, a submit, a reservation, a discard, a report, a claim of firing and its settling lock the group first. A
// trigger, a cancellation and an expiry lock their own row only, and never wait for a group after it. Whatever starts an attempt (a reservation, a
// submit, a claim of firing) locks the order's row, so under that row's lock the state of attempts is accurate.
//
// For the evaluator (triggers):
// - `mark()` first, then `listArmed` page by page until a page is short: the whole armed set. Then `changedSince(mark)` every second or less: page by
//   page until one is short; the next round starts at the mark of this round's first page. It returns every order whose row was written by a
//   transaction that an earlier round could not see, including those no longer armed (`status`); a row can come twice, none is missed, whatever the
//   commit order. There is no NOTIFY.
// - `trigger(decisions, at)` moves those that are still armed and not expired at `at`, each with its evidence, event and webhook rows, in one
//   transaction; it returns the rows that moved. Of two competing processes the slower one gets none. Siblings of a group stay as they are: a
//   group is decided by what fires, not by what triggers (docs/decisions/0038). `triggerUnlessRecalled` is the evaluator's variant: a decision
//   withdrawn meanwhile rolls it back, and processes that fire orders lease and claim them in the same transaction (claimTriggered.ts).
//
// For the fire loop (hosted mode):
// - `claimFiring({ owner, leaseMs, limit, at })`: `triggered` orders become `firing`, and `firing` ones whose lease lapsed, or whose retry is due,
//   are taken over. A group has one attempt at a time; an order that waits for a sibling's attempt is simply not due. Leases run on the database's
//   clock. Everything below takes the `lease` of the claimed row and returns null or false once another process has it.
// - `readArtifact` returns the sealed bytes, `src/orders/conditional/artifactEncryption.ts` opens them with `(id, executionId)`. `submitExecution` takes
//   `fire: { conditionalId, lease, attempt }` and the key `cond:<id>:<attempt>`; its claim counts the attempt under the lease and the order's
//   lock (`beginAttempt`), and rejects all others with CONDITIONAL_ATTEMPT_CONFLICT.
// - `postpone` releases it until `afterMs` from now: before another attempt, or before an unknown outcome is checked again. It stays
//   `firing`.
// - `settleFire` ends it. `fired` supersedes the living siblings and erases their artifacts in the same statement; if a sibling has fired meanwhile,
//   by its owner's report, it is superseded itself. After `fire_failed` the siblings go on. An execution that is `built` was never sent: it may be
//   tried again; `submitted` is an unknown outcome; anything with a venue reference was accepted.
// - An order that is `firing` does not expire by itself: past `expires_at` the fire loop fails it, unless something was sent.
//
// - `rearm` releases one that was not sent, to be watched again; `rearmStale` those that waited as `triggered` until their evidence was stale.
//
// For the sweep: `expireDue({ limit, at, after })` expires what is armed or triggered past its time, a page at a time; locked rows are skipped.

import { asUnavailable, inTransaction, orTimeout, type Pool, type Queryable, type TransactionOptions } from '../pool.ts'
import { Rollback } from '../rollback.ts'
import { findStillArmed, listActiveHalts } from './blockedOrders.ts'
import {
  type CancelRequest,
  type CancelResult,
  cancelConditional,
  findOwnerOf,
  type Report,
  type ReportResult,
  reportConditional,
  VenueRefTaken,
} from './cancelAndReport.ts'
import type { ClaimedTurn } from './claimTriggered.ts'
import type { ConditionalRow } from './conditionalRow.ts'
import { type Expiries, expireAccepted, expireOrders, findOverdue, type Overdue } from './expire.ts'
import * as find from './find.ts'
import * as firing from './firing.ts'
import { type ArmLimits, type ArmResult, armConditional, type NewConditional } from './insertArmed.ts'
import { moveConditionals } from './moveConditionals.ts'
import { findWinner, isLockNotAvailable } from './ocoGroups.ts'
import { type Rearming, rearmFiring, rearmStale } from './rearmStale.ts'
import { type FiringEnd, settleFiring } from './recordResult.ts'
import { saveBests, type TrailBest } from './trailBests.ts'
import type { ConditionalSteps } from './transitions.ts'
import { type TriggerDecision, type TriggerOptions, triggerAndLease } from './trigger.ts'
import { type DummyOrder, type WarmupOptions, type WarmupResult, warmUpFire } from './warmup.ts'

export interface Triggered {
  /** Those that moved. */
  rows: ConditionalRow[]
  turns: ClaimedTurn[]
  /** Those that were locked: their state is unknown, and they must be retried. */
  held: string[]
  /** Those that stay armed and must qualify again: a halt, or a sibling's attempt with unknown outcome. */
  stopped: string[]
}

export interface Recall extends TriggerOptions {
  /** True if the decision was withdrawn: called when everything is written but not committed; if true, nothing is committed. */
  isRecalled(): boolean
  /** The caller got a timeout error, but the transaction was committed. */
  late(made: Triggered): void
}

/** An order behind the same execution was locked at that moment; the next try sees its outcome. */
const armTriesMax = 5

/** `onChanged`: what was written, if anything, is committed. */
export function createConditionalStore(pool: Pool, steps: ConditionalSteps, onChanged: () => void = () => undefined) {
  const orUnavailable = <T>(work: Promise<T>): Promise<T> => asUnavailable('EXEC_UNAVAILABLE', work)
  const notified = <T>(result: T): T => {
    onChanged()
    return result
  }
  /** The statement timeout is shorter than that of the caller. */
  const statementTimeoutMs = 1_500
  const patient = { statementTimeoutMs, resolvesUnknownCommit: true }
  /**
   * Used where no order's lock is waited for: if another lock on one of them is held, the others are not held up by it for
   * long.
   */
  const passing = { ...patient, settings: { lock_timeout: 250 } }
  /** A warm-up shares the lock of halts: a process that freezes in one must not block a halt. */
  const brief = { statementTimeoutMs, settings: { idle_in_transaction_session_timeout: 1_000 } }
  const together = <T>(
    work: (client: Queryable) => Promise<T>,
    options: TransactionOptions = { statementTimeoutMs },
  ): Promise<T> =>
    inTransaction(pool, work, options)
      .then(notified)
      .catch((error: unknown) => {
        if (error instanceof Rollback) return error.result as T
        throw error
      })

  const nullIfLocked = (error: unknown): null => {
    if (isLockNotAvailable(error)) return null
    throw error
  }

  const triggerOf = ({ id, evidence }: TriggerDecision) => ({ id, step: steps.trigger, evidence })

  const arm = async (wanted: NewConditional, limits: ArmLimits, triesLeft = armTriesMax): Promise<ArmResult> => {
    try {
      return await together((client) => armConditional(client, steps, wanted, limits))
    } catch (error) {
      const { constraint } = error as { constraint?: unknown }
      if (constraint !== 'conditional_orders_living' || triesLeft <= 1) throw error
      return arm(wanted, limits, triesLeft - 1)
    }
  }

  const claimFiring = async (claim: firing.FiringClaim): Promise<firing.FiringRow[]> => {
    // The usual case costs one index look-up.
    const due = await firing.findDue(pool, claim)
    if (due.length === 0) return []
    // Together if some are grouped: otherwise those would wait until there are no ungrouped ones left.
    if (due.every(firing.isOutsideOcoGroup)) return notified(await firing.claimAlone(pool, steps, due, claim))
    return together((client) => firing.claimDue(client, steps, due, claim))
  }

  const expireDue = async (query: { limit: number; at: Date; after?: Overdue | null }): Promise<Expiries> => {
    const { limit, at, after = null } = query
    const overdue = await findOverdue(pool, { limit, at, after })
    const next = overdue.length < limit ? null : overdue.at(-1)!
    const ids = overdue.filter(({ accepted }) => !accepted).map(({ id }) => id)
    const ended = ids.length === 0 ? [] : await together((client) => expireOrders(client, steps, { ids, at }))
    for (const { id, accepted } of overdue) {
      if (!accepted) continue
      const row = await together((client) => expireAccepted(client, steps, { id, at })).catch(nullIfLocked)
      if (row !== null) ended.push(row)
    }
    return { ended, next }
  }

  return {
    arm: (wanted: NewConditional, limits: ArmLimits) => orUnavailable(arm(wanted, limits)),
    find: (accountId: string, id: string) => orUnavailable(find.findConditional(pool, accountId, id)),
    findLatestOf: (executionId: string) => orUnavailable(find.findLatestOf(pool, executionId)),
    findKey: (accountId: string, kind: 'arm' | 'cancel', key: string) =>
      orUnavailable(find.findConditionalKey(pool, accountId, kind, key)),
    list: (filter: find.ConditionalFilter) => orUnavailable(find.listConditionals(pool, filter)),
    listEvents: (id: string) => orUnavailable(find.listEvents(pool, id)),
    cancel: (request: CancelRequest): Promise<CancelResult> =>
      orUnavailable(together((client) => cancelConditional(client, steps, request))),
    report: (report: Report): Promise<ReportResult> =>
      orUnavailable(
        together((client) => reportConditional(client, steps, report)).catch(async (error: unknown) => {
          if (!(error instanceof VenueRefTaken)) throw error
          return { kind: 'taken', executionId: await findOwnerOf(pool, report) } as const
        }),
      ),

    trigger: (decisions: readonly TriggerDecision[], at: Date): Promise<ConditionalRow[]> =>
      orUnavailable(together((client) => moveConditionals(client, decisions.map(triggerOf), at))),
    /**
     * Like `trigger`, unless a decision is withdrawn, and without waiting: locked ones are skipped. Those in hosted mode that can be fired
     * now are leased in the same transaction, and one that is prepared is claimed in it.
     */
    triggerUnlessRecalled: (decisions: readonly TriggerDecision[], recall: Recall): Promise<Triggered | null> =>
      orTimeout(
        'EXEC_UNAVAILABLE',
        (isGivenUp) =>
          together(async (client): Promise<Triggered | null> => {
            const { at, isRecalled } = recall
            const { rows, turns } = await triggerAndLease(client, steps, decisions, recall)
            const moved = new Set(rows.map(({ id }) => id))
            const left = decisions.map(({ id }) => id).filter((id) => !moved.has(id))
            const still = left.length === 0 ? [] : await findStillArmed(client, left, at)
            if (isGivenUp() || isRecalled()) throw new Rollback(null)
            const held = still.filter(({ stopped }) => !stopped).map(({ id }) => id)
            const stopped = still.filter((one) => one.stopped).map(({ id }) => id)
            return { rows, turns, held, stopped }
          }, passing),
        (made) => {
          if (made !== null) recall.late(made)
        },
      ),
    saveBests: (bests: readonly TrailBest[], at: Date) => orUnavailable(saveBests(pool, bests, at)),
    mark: () => orUnavailable(find.changeMark(pool)),
    listActiveHalts: () => orUnavailable(listActiveHalts(pool)),
    listArmedOf: (ids: readonly string[]) => orUnavailable(find.listArmedOf(pool, ids)),
    listArmed: (query: { after: string | null; limit: number }) => orUnavailable(find.listArmed(pool, query)),
    changedSince: (query: Parameters<typeof find.changedSince>[1]) => orUnavailable(find.changedSince(pool, query)),

    claimFiring: (claim: firing.FiringClaim) => orUnavailable(claimFiring(claim)),
    readArtifact: (id: string, lease: firing.FiringLease) => orUnavailable(firing.readArtifact(pool, id, lease)),
    findWinner: (of: Parameters<typeof findWinner>[1]) => orUnavailable(findWinner(pool, of)),
    postpone: (pause: firing.Pause) =>
      orUnavailable(
        pause.isUnknown === true
          ? inTransaction(pool, (client) => firing.postponeFiring(client, pause), { statementTimeoutMs })
          : firing.postponeFiring(pool, pause),
      ),
    rearm: (back: Rearming) => orUnavailable(together((client) => rearmFiring(client, steps, back))),
    rearmStale: (query: { limit: number; at: Date }) =>
      orUnavailable(
        rearmStale(pool, steps, query).then((rows) => {
          if (rows.length > 0) onChanged()
          return rows
        }),
      ),
    settleFire: (end: FiringEnd) => orUnavailable(together((client) => settleFiring(client, steps, end))),

    /** Triggers, leases and claims a dummy order on one connection, and rolls it back: nothing is written. */
    warmUp: (dummy: DummyOrder, given: WarmupOptions): Promise<WarmupResult> =>
      orUnavailable(together<WarmupResult>((client) => warmUpFire(client, steps, dummy, given), brief)),

    expireDue: (query: { limit: number; at: Date; after?: Overdue | null }) => orUnavailable(expireDue(query)),
  }
}

export type ConditionalStore = ReturnType<typeof createConditionalStore>
