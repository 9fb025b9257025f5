// The most that an account's positions can lose together, whatever their markets turn out to be: what hedges within a group of related
// markets guarantee is credited. For limits of the exposure.
import { formatAmount, parseAmount } from '../ledger/amounts.ts'
import { capitalUsed } from './concentration.ts'
import { evaluateSafely } from './evaluate.ts'
import { readExposure } from './exposure.ts'
import { moneyOf } from './money.ts'
import type { ExposureDeps } from './ports.ts'

/**
 * USD, below zero for a certain profit; null: a cost is unknown, an amount is not in dollars, or fills are missing that should be stored by
 * now, or what was exchanged is unknown.
 */
export async function worstLoss(deps: ExposureDeps, accountId: string): Promise<string | null> {
  const { journal, groups, held, budget } = await readExposure(deps, accountId)
  if (journal.unreadable.length > 0 || journal.unreadableExchanges.length > 0) return null
  let loss = 0n
  for (const order of journal.unexplained) {
    if (order.atRisk === null || (order.atRisk !== '0' && moneyOf([order]) !== 'USD')) return null
    loss += parseAmount(order.atRisk)
  }
  for (const { key, money, capital } of groups) {
    const cost = capitalUsed(capital)
    if (money !== 'USD' || cost === null) return null
    const { worst } = await evaluateSafely(key.group, key.holdings, held.own, budget)
    loss += cost - worst
    await budget.nextTurn()
  }
  return formatAmount(loss)
}
