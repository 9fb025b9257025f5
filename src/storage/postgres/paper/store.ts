// The statements of paper accounts behind two interfaces: that of the gateways, which a database that cannot answer turns into EXEC_UNAVAILABLE
// within two seconds, and that of the paper exchange, which retries by itself.
import { createNotifier } from '../orderChanges/notify.ts'
import { asUnavailable, inTransaction, isOutage, type Pool, type Queryable } from '../pool.ts'
import { type DepositResult, depositPaper, type PaperDeposit, type PaperReset, resetPaperAccount } from './account.ts'
import { findPaperAccount } from './accounts.ts'
import { type Applied, applyPaperEvents, type OrderEvents, type PaperRules } from './apply.ts'
import {
  type CancelResult,
  type ModifyResult,
  modifyPaperOrder,
  type OrderRef,
  type PaperModification,
  requestPaperCancel,
} from './change.ts'
import * as find from './findPaper.ts'
import { fencePaperLease, holdPaperLease, type PaperLease, releasePaperLease } from './lease.ts'
import { paperChannel } from './notify.ts'
import type { PaperFillRow, PaperOrderRow } from './orderRow.ts'
import { type NewPaperOrder, type PlaceResult, placePaperOrder } from './place.ts'
import { findRedeemed, type RedeemResult, type ResolvedPaperMarket, redeemPaper, settlePaperMarket } from './settle.ts'
import { settleUnplaced } from './unplaced.ts'

/** Shorter than the caller's. */
const statementTimeoutMs = 1_500
/** Of the exchange, which no caller waits for. */
const batchTimeoutMs = 10_000

/** `onChanged`: executions were moved. */
export function createPaperStore(pool: Pool, rules: PaperRules, onChanged: () => void = () => undefined) {
  const orUnavailable = <T>(work: Promise<T>): Promise<T> => asUnavailable('EXEC_UNAVAILABLE', work)
  const notify = createNotifier(pool, paperChannel)
  /** The exchange reads its orders again. */
  const notified = <T>(result: T): T => {
    notify()
    return result
  }
  const transact = <T>(work: (db: Queryable) => Promise<T>): Promise<T> =>
    orUnavailable(inTransaction(pool, work, { statementTimeoutMs }))

  return {
    findAccount: (accountId: string) => orUnavailable(findPaperAccount(pool, accountId)),
    listBalances: (accountId: string) => orUnavailable(find.listBalances(pool, accountId)),
    listPositions: (accountId: string) => orUnavailable(find.listPositions(pool, accountId)),
    countWorking: (accountId: string) => orUnavailable(find.countWorking(pool, accountId)),
    findOrder: (
      accountId: string,
      by: { executionId: string } | { venue: string; ref: string },
    ): Promise<PaperOrderRow | null> => orUnavailable(find.findPaperOrder(pool, accountId, by)),
    listOrders: (query: find.PaperOrdersQuery) => orUnavailable(find.listPaperOrders(pool, query)),
    listFills: (query: find.PaperFillsQuery) => orUnavailable(find.listPaperFills(pool, query)),
    listFillsOf: (executionId: string): Promise<PaperFillRow[]> =>
      orUnavailable(find.listFillsOfPaperOrder(pool, executionId)),
    findRedeemed: (executionId: string) => orUnavailable(findRedeemed(pool, executionId)),
    /** The market of a redemption, as its summary names it. */
    findRedemption: (accountId: string, executionId: string) =>
      orUnavailable(findRedemption(pool, accountId, executionId)),
    place: (order: NewPaperOrder): Promise<PlaceResult> =>
      transact((db) => placePaperOrder(db, order)).then((result) =>
        result.kind === 'placed' ? notified(result) : result,
      ),
    cancel: (wanted: OrderRef): Promise<CancelResult> =>
      transact((db) => requestPaperCancel(db, wanted)).then(notified),
    modify: (wanted: PaperModification): Promise<ModifyResult> =>
      transact((db) => modifyPaperOrder(db, wanted)).then(notified),
    redeem: (market: ResolvedPaperMarket, of: { accountId: string; executionId: string }): Promise<RedeemResult> =>
      transact((db) => redeemPaper(db, market, of)),
    deposit: (deposit: PaperDeposit): Promise<DepositResult> => transact((db) => depositPaper(db, deposit)),
    async reset(reset: PaperReset): Promise<void> {
      await transact((db) => resetPaperAccount(db, rules, reset)).then(notified)
      onChanged()
    },
  }
}

export type PaperStore = ReturnType<typeof createPaperStore>

async function findRedemption(
  db: Queryable,
  accountId: string,
  executionId: string,
): Promise<{ marketId: string | null } | null> {
  const { rows } = await db.query<{ market_id: string | null }>(
    `SELECT summary->'outcome'->>'marketId' AS market_id FROM executions WHERE id = $1 AND account_id = $2 AND intent = 'redeem'`,
    [executionId, accountId],
  )
  return rows[0] === undefined ? null : { marketId: rows[0].market_id }
}

/** The events themselves cannot be stored, and nothing of the batch was. */
export class PaperEventsRefused extends Error {
  constructor(cause: unknown) {
    super('events of paper orders could not be stored', { cause })
    this.name = 'PaperEventsRefused'
  }
}

/** Its statements throw the errors of the database. Writes are refused with `PaperLeaseLost` when another process has the lease. */
export function createPaperExchangeStore(pool: Pool, rules: PaperRules, onChanged: () => void = () => undefined) {
  const fenced = <T>(lease: PaperLease, work: (db: Queryable) => Promise<T>): Promise<T> =>
    inTransaction(
      pool,
      async (db) => {
        await fencePaperLease(db, lease)
        return work(db)
      },
      { statementTimeoutMs: batchTimeoutMs },
    )
  return {
    hold: (holder: string, term: number | null) => holdPaperLease(pool, holder, term),
    release: (lease: PaperLease) => releasePaperLease(pool, lease),
    listWorking: (page: { after: string; limit: number }) => find.listWorkingOrders(pool, page),
    listHeldMarkets: (after: { venue: string; marketId: string } | null, limit: number) =>
      find.listHeldMarkets(pool, after, limit),
    /** Throws `PaperEventsRefused`; after any other error it is unknown whether the batch was stored. */
    async apply(lease: PaperLease, batch: readonly OrderEvents[]): Promise<Applied> {
      const applied = await fenced(lease, async (db) => {
        try {
          return await applyPaperEvents(db, rules, batch)
        } catch (error) {
          throw isOutage(error) ? error : new PaperEventsRefused(error)
        }
      })
      if (applied.moved > 0) onChanged()
      return applied
    },
    /** Accounts that were paid. */
    settle: (lease: PaperLease, market: ResolvedPaperMarket, limit: number): Promise<number> =>
      fenced(lease, (db) => settlePaperMarket(db, market, limit)),
    /** Ends executions that were submitted before `before` and of which nothing more is recorded. */
    async settleUnplaced(lease: PaperLease, query: { before: Date; now: Date; limit: number }): Promise<number> {
      const moved = await fenced(lease, (db) => settleUnplaced(db, rules.moveUnplaced, query))
      if (moved > 0) onChanged()
      return moved
    },
  }
}

export type PaperExchangeStore = ReturnType<typeof createPaperExchangeStore>
