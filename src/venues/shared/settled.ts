// Quotes and results of markets that have ended.
import { ONE } from '#lib/price'
import type { MarketStatus } from '#schemas/market'

/** An ended market has no quotes, whatever its row still contains. */
export const isQuoted = (status: MarketStatus): boolean =>
  status === 'active' || status === 'inactive' || status === 'unknown'

/**
 * Payout of the first side, in micros: its value if the venue reports one, otherwise from the winner's name. Null when neither is
 * reported.
 */
export function settlementOf(valueMicros: number | null, winner: string | null | undefined): number | null {
  if (valueMicros !== null) return valueMicros
  const side = winner?.toLowerCase()
  return side === 'yes' ? ONE : side === 'no' ? 0 : null
}
