// The statements of risk limits behind one interface; a database that cannot answer is EXEC_UNAVAILABLE within two seconds.
import { findAccountById } from '../accounts/findAccount.ts'
import { haltLockTimeoutMs } from '../halts/halts.ts'
import { findKeyById } from '../keys/findKey.ts'
import { asUnavailable, type Pool } from '../pool.ts'
import { checkLimits, findLimits, type RiskCheck, type RiskObstacle } from './checkLimits.ts'
import { type DayStart, findDailyLossAccounts, keepDayStarts, pruneDayStarts } from './dayStarts.ts'
import {
  listRiskLimits,
  type RiskLimitChange,
  type RiskLimitRow,
  type RiskLimitScope,
  removeRiskLimit,
  setRiskLimit,
} from './limits.ts'
import { readOrderCounts } from './orderRate.ts'
import { type RiskOrder, readRiskUse, type ScopeUse, type UsageScope } from './usage.ts'

export function createRiskStore(pool: Pool) {
  const orUnavailable = <T>(work: Promise<T>, withinMs?: number): Promise<T> =>
    asUnavailable('EXEC_UNAVAILABLE', work, withinMs === undefined ? {} : { withinMs })
  /** Outside a claim: nothing is locked, and the order is not counted. */
  const check = async (risk: RiskCheck): Promise<RiskObstacle | null> =>
    checkLimits(pool, risk, await findLimits(pool, risk.order), { counts: false })

  return {
    check: (risk: RiskCheck) => orUnavailable(check(risk)),
    list: (accountId: string | null) => orUnavailable(listRiskLimits(pool, accountId)),
    readUse: (order: RiskOrder, scopes: readonly UsageScope[]): Promise<ScopeUse[]> =>
      orUnavailable(readRiskUse(pool, order, scopes)),
    readOrderCounts: (accountId: string, scopes: readonly UsageScope[]) =>
      orUnavailable(readOrderCounts(pool, accountId, scopes)),
    set: (change: RiskLimitChange): Promise<RiskLimitRow> =>
      orUnavailable(setRiskLimit(pool, change), 2 * haltLockTimeoutMs),
    remove: (change: RiskLimitScope & { by: string; at: Date }) => orUnavailable(removeRiskLimit(pool, change)),
    findAccount: (id: string) => orUnavailable(findAccountById(pool, id)),
    findKey: (id: string) => orUnavailable(findKeyById(pool, id)),
    keepDayStarts: (figures: { accountId: string; at: Date; starts: readonly DayStart[] }) =>
      orUnavailable(keepDayStarts(pool, figures)),
    findDailyLossAccounts: () => orUnavailable(findDailyLossAccounts(pool)),
    pruneDayStarts: (at: Date) => orUnavailable(pruneDayStarts(pool, at)),
  }
}

export type RiskStore = ReturnType<typeof createRiskStore>
