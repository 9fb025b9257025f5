// Quotes, results and dates of markets that have ended.
import { ONE } from '#core/price'
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

/** Times of a market, ISO; undefined when the venue does not report them. */
export interface ResolutionTimes {
  resolved?: string | undefined
  closed?: string | undefined
  expected?: string | undefined
}

/**
 * When a market resolves, ISO: as expected, or when it did if that was earlier. Without a time of its result, an ended market's is the end of its
 * trading.
 */
export function resolutionDateOf(
  status: MarketStatus,
  { resolved, closed, expected }: ResolutionTimes,
): string | undefined {
  const planned = expected ?? closed
  const actual = status === 'resolved' ? (resolved ?? closed) : undefined
  if (planned === undefined || actual === undefined) return planned ?? actual
  return [actual, planned].sort()[0]
}
