// Trades, restricted to what was requested.
import type { Trade } from '#schemas/marketData'
import type { TradesQuery } from '../../venue.ts'

/** Both ends included. */
export const isInRange = ({ timestamp }: Pick<Trade, 'timestamp'>, { startMs, endMs }: TradesQuery): boolean =>
  timestamp >= (startMs ?? 0) && timestamp <= (endMs ?? Number.POSITIVE_INFINITY)

/** The taker's side seen from the other outcome: who bought YES sold NO. */
export const otherSide = (side: Trade['side']): Trade['side'] =>
  side === 'buy' ? 'sell' : side === 'sell' ? 'buy' : side
