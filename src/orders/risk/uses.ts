// How much of its limits an account uses now. What depends on the order (its cost, its price, its outcome) has no use of its own.
import { randomUUID } from 'node:crypto'
import { addDecimals, compareDecimals } from '#core/decimal'
import type { RiskInputs, RiskSubject } from '#orders/executions/ports'
import type { RiskLimitUse } from '#schemas/riskLimits'
import { scopeOf } from '#storage/postgres/risk/checkLimits'
import type { RiskLimitRow } from '#storage/postgres/risk/limits'
import type { RiskUse } from '#storage/postgres/risk/usage'
import { positionLossOf, sumOf } from './decide.ts'
import { readInputs } from './inputs.ts'
import type { RiskDeps } from './ports.ts'
import { limitOf } from './rows.ts'

/** Of the account and of this key. */
export async function readLimitUses(
  deps: RiskDeps,
  { accountId, keyId }: { accountId: string; keyId: string },
): Promise<RiskLimitUse[]> {
  const limits = (await deps.store.list(accountId)).filter(({ key_id }) => key_id === null || key_id === keyId)
  if (limits.length === 0) return []
  const scopes = limits.map(scopeOf)
  const nothing = noOrder(accountId, keyId)
  const portfolioLimits = limits.filter(({ kind }) => kind === 'dailyLoss' || kind === 'exposure')
  const [uses, counts, inputs] = await Promise.all([
    deps.store.readUse(nothing, scopes),
    deps.store.readOrderCounts(accountId, scopes),
    portfolioLimits.length === 0 ? null : readInputs(deps, nothing, portfolioLimits),
  ])
  return limits.map((limit, n) => ({
    ...limitOf(limit),
    used: usedOf(limit, { use: uses[n]!.before, count: counts[n]!, inputs }),
  }))
}

interface Figures {
  use: RiskUse
  count: number
  inputs: RiskInputs | null
}

function usedOf(limit: RiskLimitRow, { use, count, inputs }: Figures): string | null {
  switch (limit.kind) {
    case 'openNotional':
      return use.openUsd
    case 'openOrders':
      return String(use.openOrders)
    case 'orderRate':
      return String(count)
    case 'dailyLoss': {
      const loss = inputs === null ? null : sumOf(inputs.dayLoss, limit.venue)
      return loss !== null && compareDecimals(loss, '0') < 0 ? '0' : loss
    }
    case 'exposure': {
      const held = inputs === null ? null : positionLossOf(inputs, limit)
      return held === null || use.openUsdWhole === null ? null : addDecimals(held, use.openUsdWhole)
    }
    case 'notional':
    case 'position':
    case 'priceCollar':
      return null
  }
}

/** For reads of what is used without one. */
const noOrder = (accountId: string, keyId: string): RiskSubject => ({
  id: randomUUID(),
  accountId,
  keyId,
  venue: '',
  targetId: null,
  keptRef: null,
  marketId: null,
  outcomeId: null,
  isBuy: null,
  size: null,
  notionalUsd: null,
  price: null,
  onlyReduces: false,
})
