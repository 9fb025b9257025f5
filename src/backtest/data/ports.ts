// Where a backtest reads markets and the tape.
import type { EmittedFrame } from '#history/paced/sources'
import type { MarketHistory } from '#history/tape'
import type { Market } from '#schemas/market'

export interface BacktestData {
  /** By the id of a market, or of one of its outcomes; null: unknown. */
  findMarket(venue: string, id: string): Promise<Market | null>
  tape: Pick<MarketHistory, 'replay'>
  /** In time order, each at its beginning, or that of the window. */
  gaps(taped: TapedOutcome, window: { sinceMs: number; untilMs: number }): Promise<EmittedFrame[]>
  close(): Promise<void>
}

export interface TapedOutcome {
  venue: string
  outcomeId: string
  marketId: string
}
