// What a market shows once it has ended.
import { ONE } from '#lib/price'
import type { MarketStatus } from '#schemas/market'

/** Of a market that is over nobody quotes any more, whatever its row still carries. */
export const isQuoted = (status: MarketStatus): boolean =>
  status === 'active' || status === 'inactive' || status === 'unknown'

/** What the first side paid, in micros: its value where the venue says one, else the winner's name. Null where neither is said. */
export function settlementOf(valueMicros: number | null, winner: string | null | undefined): number | null {
  if (valueMicros !== null) return valueMicros
  const side = winner?.toLowerCase()
  return side === 'yes' ? ONE : side === 'no' ? 0 : null
}
