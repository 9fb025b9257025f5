// The most that an account's positions can lose together, whatever their markets turn out to be: what hedges within a group of related
// markets guarantee is credited. For limits of the exposure.
import { formatAmount } from '../ledger/amounts.ts'
import { capitalUsed } from './concentration.ts'
import { evaluateSafely } from './evaluate.ts'
import { readExposure } from './exposure.ts'
import type { ExposureDeps } from './ports.ts'

/** USD, below zero for a certain profit; null: a cost is unknown, or an amount is not in dollars. */
export async function worstLoss(deps: ExposureDeps, accountId: string): Promise<string | null> {
  const { groups, held, budget } = await readExposure(deps, accountId)
  let loss = 0n
  for (const { key, money, capital } of groups) {
    const cost = capitalUsed(capital)
    if (money !== 'USD' || cost === null) return null
    const { worst } = await evaluateSafely(key.group, key.holdings, held.own, budget)
    loss += cost - worst
    await budget.nextTurn()
  }
  return formatAmount(loss)
}
