// Redeemable shares that the account's journal has.
import { compareDecimals } from '#core/decimal'
import type { AccountPortfolio, MarkedPosition } from '../ports.ts'
import type { HeldShares } from './rows.ts'

export const redeemableInJournal = ({ positions, asOf }: AccountPortfolio): HeldShares[] =>
  positions.flatMap((position) => heldShares(position, asOf) ?? [])

/** Null: nothing is to be collected. A resolved market without known payouts may pay. */
function heldShares(position: MarkedPosition, asOf: number): HeldShares | null {
  const { venue, marketId, outcomeId, currency, quantity, settlement, marketStatus } = position
  const base = { venue, marketId, outcomeId, currency, provenance: 'journal', asOf } as const
  if (settlement !== null) {
    const { unclaimed, value } = settlement
    const pays = compareDecimals(unclaimed, '0') > 0 && compareDecimals(value, '0') > 0
    return pays ? { ...base, quantity: unclaimed, payout: value } : null
  }
  if (marketStatus !== 'resolved' || compareDecimals(quantity, '0') <= 0) return null
  return { ...base, quantity, payout: null }
}
