// The statements about credits behind one interface, each in its transaction; a database that cannot answer is PLATFORM_UNAVAILABLE within two
// seconds.
import { asUnavailable, inTransaction, type Pool, type Queryable } from '../pool.ts'
import { extendLease } from './extendLease.ts'
import { type Allowances, findAllowance, grantMonthly } from './grantMonthlyAllowance.ts'
import { lockAccount } from './lockAccount.ts'
import { pruneEmpty, sweepLeases } from './releaseExpiredLeases.ts'
import { forceSettle, type Settlement, settle } from './settleUsage.ts'
import { type LeaseRequest, takeLease } from './takeLease.ts'
import { findUsage } from './usage.ts'

export interface CreditState {
  /** Then nothing else is limited or tracked. */
  unlimited: boolean
  balance: number
  held: number
  /** `YYYY-MM-01`, null if nothing was ever included. */
  includedMonth: string | null
  includedCredits: number
}

/** The statement timeout is shorter than that of the caller: a later commit would be unexpected for a caller that retries. */
const statementTimeoutMs = 1_500

export type CreditStore = ReturnType<typeof createCreditStore>

export function createCreditStore(pool: Pool) {
  const run = <T>(work: (db: Queryable) => Promise<T>): Promise<T> =>
    asUnavailable('PLATFORM_UNAVAILABLE', inTransaction(pool, work, { statementTimeoutMs }))
  return {
    takeLease: (wish: LeaseRequest) => run((db) => takeLease(db, wish)),
    extendLease: (wish: Parameters<typeof extendLease>[1]) =>
      asUnavailable('PLATFORM_UNAVAILABLE', extendLease(pool, wish)),
    async settle(settlement: Settlement) {
      const settled = await asUnavailable('PLATFORM_UNAVAILABLE', settle(pool, settlement))
      return settled ?? run((db) => forceSettle(db, settlement))
    },
    sweep: () =>
      run(async (db) => {
        await pruneEmpty(db)
        return sweepLeases(db)
      }),
    /** Grants this month's included credits first, so that a fresh account sees what it has. */
    creditState: (accountId: string, { month, allowances }: { month: string; allowances: Allowances }) =>
      run(async (db): Promise<CreditState> => {
        const locked = await lockAccount(db, accountId)
        const best = await findAllowance(db, accountId, allowances)
        if (best === null || best.credits === null) return { unlimited: best !== null, ...locked }
        const { plan, credits } = best
        return { unlimited: false, ...(await grantMonthly(db, accountId, locked, { plan, credits, month })) }
      }),
    usage: (query: Parameters<typeof findUsage>[1]) => asUnavailable('PLATFORM_UNAVAILABLE', findUsage(pool, query)),
  }
}
