// The statements of executions behind one interface; a database that cannot answer is EXEC_UNAVAILABLE within two seconds.
//
// Trading statements check halts before they lock any row: a key ─► halts ─► rows. Checked later, a waiting halt could deadlock. Among the
// rows, conditional orders come before the execution: conditional/store.ts has the complete order, and the one exception to it.
import type { LapseResult } from '#schemas/cancelAfter'
import type { JsonObject } from '#schemas/executions'
import {
  checkDiscard,
  checkReservation,
  type GateRefusal,
  isStillBehind,
  lockConditional,
} from '../conditional/blockingConditions.ts'
import { findLatestOf } from '../conditional/find.ts'
import {
  deleteHalt,
  type HaltCommand,
  type HaltRow,
  haltLockTimeoutMs,
  haltOf,
  insertHalt,
  listHalts,
} from '../halts/halts.ts'
import { asUnavailable, inTransaction, orTimeout, type Pool } from '../pool.ts'
import { Rollback } from '../rollback.ts'
import { createAccountMarks } from './accountFingerprints.ts'
import {
  type BulkRequest,
  bindBulkRequest,
  type CancelAllRequest,
  type CancelScope,
  type CancelSelection,
  countUnselected,
  selectCancelAll,
} from './bulkRequests.ts'
import * as cancelAfter from './cancelAfter.ts'
import { armedSince, type Behind, type Claim, type ClaimResult, claimExecution } from './claim.ts'
import { type ClaimedKey, claimKey, recordOutcome, recordUnknown } from './claimKey.ts'
import type { ExecutionRow } from './executionRow.ts'
import * as find from './findExecutions.ts'
import { findLookalikeOrders, type RivalsQuery } from './findLookalikeOrders.ts'
import { findFamily, lockFamily } from './findOrderChain.ts'
import { findFillsOf, findOrders, findUnresolved, type OrderFilter, type UnresolvedFilter } from './findOrders.ts'
import { createGroupInsert } from './groupInsert.ts'
import type { NewExecution } from './insertExecutions.ts'
import { type Move, moveExecution } from './moveExecution.ts'
import { isEnd, isRevived, isTaken, moveReserved } from './moveReserved.ts'
import { type Observation, recordObservation } from './recordObservation.ts'
import { findReplacement, insertReplacement, type NewReplacement } from './replacements.ts'
import {
  endReservation,
  findReservation,
  hasLiveReservation,
  insertReservation,
  lockExecution,
  type NewReservation,
  type ReservationRow,
} from './reservations.ts'
import { findTargetReservation } from './spendReservations.ts'

export type DiscardResult = { kind: 'discarded'; row: ExecutionRow } | { kind: 'moved' } | { kind: 'held' } | Behind

export type ReserveResult =
  | { kind: 'reserved'; row: ReservationRow }
  /** Another attempt holds a live one. */
  | { kind: 'held' }
  | { kind: 'halted'; halt: HaltRow }
  | Behind

export type ResolveResult = { kind: 'resolved'; row: ExecutionRow } | { kind: 'taken' | 'moved' }

/** `onChanged`: status changes and fills written, if any, are committed. */
export function createExecutionStore(pool: Pool, onChanged: () => void = () => undefined) {
  const orUnavailable = <T>(work: Promise<T>): Promise<T> => asUnavailable('EXEC_UNAVAILABLE', work)
  /** The statement timeout is shorter than that of the caller: a claim committed later would record a relay that never started. */
  const statementTimeoutMs = 1_500

  const notified = <T>(result: T): T => {
    onChanged()
    return result
  }

  const insert = createGroupInsert(pool, { patienceMs: statementTimeoutMs })

  const marks = createAccountMarks(pool)

  return {
    markAccount: (name: string) => orUnavailable(marks(name)),
    findCanceledAt: (id: string) => orUnavailable(find.findCanceledAt(pool, id)),
    find: (accountId: string, id: string) => orUnavailable(find.findExecution(pool, accountId, id)),
    findByVenueRef: (order: { accountId: string; venue: string; venueRef: string }) =>
      orUnavailable(find.findByVenueRef(pool, order)),
    findKeyUse: (accountId: string, kind: find.KeyKind, key: string) =>
      orUnavailable(find.findKeyUse(pool, accountId, kind, key)),
    insert: (wanted: NewExecution) => orUnavailable(insert(wanted)),
    /** `late`: the caller got a timeout error, but the claim was committed. Nothing relays it. */
    claim: ({ late, ...claim }: Claim & { late(row: ExecutionRow): void }): Promise<ClaimResult> =>
      orTimeout(
        'EXEC_UNAVAILABLE',
        () => claimExecution(pool, claim, statementTimeoutMs).then(notified),
        (result) => {
          if (result.kind === 'claimed') late(result.row)
        },
      ),
    /** Withdraws what was not sent, unless a right to send it is held. */
    discard(move: Move): Promise<DiscardResult> {
      const work = inTransaction(
        pool,
        async (client): Promise<DiscardResult> => {
          const behind = await lockConditional(client, move.id)
          const why = checkDiscard(behind)
          if (why !== null) return { kind: 'behind', why }
          await lockExecution(client, move.id)
          if (!(await isStillBehind(client, move.id, behind))) return armedSince
          if (await hasLiveReservation(client, move.id, move.at)) return { kind: 'held' }
          const row = await moveExecution(client, move)
          return row === null ? { kind: 'moved' } : { kind: 'discarded', row }
        },
        { statementTimeoutMs },
      )
      return orUnavailable(work.then(notified))
    },
    findFamily: (id: string) => orUnavailable(findFamily(pool, id)),
    findRivals: (query: RivalsQuery) => orUnavailable(findLookalikeOrders(pool, query)),
    findTargetReservation: (targetId: string) => orUnavailable(findTargetReservation(pool, targetId)),
    move(move: Move, outcome?: ClaimedKey & { outcome: JsonObject }): Promise<ExecutionRow | null> {
      if (outcome === undefined && !isRevived(move) && !isTaken(move) && !isEnd(move))
        return orUnavailable(moveExecution(pool, move).then(notified))
      const work = inTransaction(
        pool,
        async (client) => {
          const row = await moveReserved(client, move)
          // Not moved: the transaction may already have failed, and the relay's result is recorded separately.
          if (row === null) throw new Rollback({ kind: 'moved' })
          if (outcome !== undefined) await recordOutcome(client, outcome)
          return row
        },
        { statementTimeoutMs },
      ).catch(async (error: unknown) => {
        if (!(error instanceof Rollback)) throw error
        if (outcome !== undefined) await recordOutcome(pool, outcome)
        return null
      })
      return orUnavailable(work.then(notified))
    },
    /** Binds the key and moves, in one transaction. */
    resolve(claim: { accountId: string; key: string; bodySha256: Buffer; move: Move }): Promise<ResolveResult> {
      const { accountId, key, bodySha256, move } = claim
      const work = inTransaction(
        pool,
        async (client): Promise<ResolveResult> => {
          const bound = { accountId, kind: 'resolve', key, bodySha256, executionId: move.id, at: move.at } as const
          if (!(await claimKey(client, bound))) return { kind: 'taken' }
          if (isEnd(move)) await lockFamily(client, move.id)
          const row = await moveExecution(client, move)
          if (row === null) throw new Rollback({ kind: 'moved' })
          return { kind: 'resolved', row }
        },
        { statementTimeoutMs },
      ).catch((error: unknown): ResolveResult => {
        if (error instanceof Rollback) return { kind: 'moved' }
        throw error
      })
      return orUnavailable(work.then(notified))
    },
    recordSighting: (sighting: Observation) => orUnavailable(recordObservation(pool, sighting)),
    recordOutcome: (relayed: ClaimedKey & { outcome: object }) => orUnavailable(recordOutcome(pool, relayed)),
    recordUnknown: (relayed: ClaimedKey & { id: string; known: string }) => orUnavailable(recordUnknown(pool, relayed)),
    list: (filter: find.ExecutionFilter) => orUnavailable(find.listExecutions(pool, filter)),
    listOpen: (query: find.OpenQuery) => orUnavailable(find.listOpenExecutions(pool, query)),
    listFills: (query: { accountId: string; venue: string; after: string | null; limit: number }) =>
      orUnavailable(find.listFills(pool, query)),
    listFillsOf: (executionId: string) => orUnavailable(find.listFillsOf(pool, executionId)),
    listOrders: (filter: OrderFilter) => orUnavailable(findOrders(pool, filter)),
    listUnresolved: (filter: UnresolvedFilter) => orUnavailable(findUnresolved(pool, filter)),
    listFillsOfOrders: (query: { executionIds: readonly string[]; most: number }) =>
      orUnavailable(findFillsOf(pool, query)),
    /** False: the key belongs to another request. */
    bindBulk: (request: BulkRequest) => orUnavailable(bindBulkRequest(pool, request)),
    /** Null: the key belongs to another request. */
    selectCancelAll: (request: CancelAllRequest) => orUnavailable(selectCancelAll(pool, request)),
    countUnselected: (scope: CancelScope, selection: CancelSelection) =>
      orUnavailable(countUnselected(pool, scope, selection)),
    setCancelAfter: (wanted: cancelAfter.NewCancelAfter) =>
      orUnavailable(
        inTransaction(pool, (client) => cancelAfter.setCancelAfter(client, wanted), { statementTimeoutMs }),
      ),
    endCancelAfter: (accountId: string) =>
      orUnavailable(
        inTransaction(pool, (client) => cancelAfter.endCancelAfter(client, accountId), { statementTimeoutMs }),
      ),
    readCancelAfter: (accountId: string) => orUnavailable(cancelAfter.readCancelAfter(pool, accountId)),
    takeLapsed: (options: { limit: number; leaseMs: number }) => orUnavailable(cancelAfter.takeLapsed(pool, options)),
    finishLapse: (lease: cancelAfter.LapseLease, end: { result: LapseResult; at: Date }) =>
      orUnavailable(
        inTransaction(pool, (client) => cancelAfter.finishLapse(client, lease, end), { statementTimeoutMs }),
      ),
    postponeLapse: (lease: cancelAfter.LapseLease, delayMs: number) =>
      orUnavailable(cancelAfter.postponeLapse(pool, lease, delayMs)),
    findReplacement: (accountId: string, key: string) => orUnavailable(findReplacement(pool, accountId, key)),
    insertReplacement: (wanted: NewReplacement) => orUnavailable(insertReplacement(pool, wanted)),
    /** Why execution `id` belongs to its conditional order alone; null if no open one is behind it. */
    findBehind: (id: string): Promise<GateRefusal | null> => orUnavailable(findLatestOf(pool, id).then(checkDiscard)),
    reserve(wanted: NewReservation, tradesAt: string | null): Promise<ReserveResult> {
      const { executionId, at } = wanted
      const work = inTransaction(
        pool,
        async (client): Promise<ReserveResult> => {
          const halt = tradesAt === null ? null : await haltOf(client, wanted.accountId, tradesAt)
          if (halt !== null) return { kind: 'halted', halt }
          const behind = await lockConditional(client, executionId)
          const why = await checkReservation(client, behind, at)
          if (why !== null) return { kind: 'behind', why }
          await lockExecution(client, executionId)
          if (!(await isStillBehind(client, executionId, behind))) return armedSince
          // A right to submit ends with the order behind it.
          const until = Math.min(wanted.expiresAt.getTime(), behind?.expires_at.getTime() ?? Number.POSITIVE_INFINITY)
          const given = { ...wanted, expiresAt: new Date(until) }
          const row = await insertReservation(client, given, behind?.id ?? null)
          return row === null ? { kind: 'held' } : { kind: 'reserved', row }
        },
        { statementTimeoutMs },
      )
      return orUnavailable(work)
    },
    findReservation: (accountId: string, id: string) => orUnavailable(findReservation(pool, accountId, id)),
    releaseReservation: (id: string, at: Date) => orUnavailable(endReservation(pool, { id, to: 'released', at })),
    /** Resolves once every claim that began before it has ended. False: it was already halted. */
    halt: (word: HaltCommand) =>
      asUnavailable('EXEC_UNAVAILABLE', insertHalt(pool, word), { withinMs: 2 * haltLockTimeoutMs }),
    resume: (word: HaltCommand) => orUnavailable(deleteHalt(pool, word)),
    listHalts: (accountId: string) => orUnavailable(listHalts(pool, accountId)),
  }
}
