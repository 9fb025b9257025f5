import { addDecimals } from '#core/decimal'
import type { CurrencyTotals } from '#schemas/portfolio'

/** Cash, open positions at the middle of their books, and payouts that are not collected. Null: one of them is unknown. */
export function equityOf({
  cashFlow,
  value,
  unclaimed,
}: Pick<CurrencyTotals, 'cashFlow' | 'value' | 'unclaimed'>): string | null {
  if (cashFlow === null || value.mid.unknown > 0) return null
  return addDecimals(addDecimals(cashFlow, value.mid.known), unclaimed)
}
