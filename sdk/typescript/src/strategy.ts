// What a strategy is: one function that runs unchanged in a backtest, on a paper account and live. `crossbook backtest` and `crossbook run`
// call it; nothing here runs by itself.
import type { Client } from './client.ts'

/** The time of the strategy: that of the tape in a backtest. */
export interface StrategyClock {
  /** Epoch milliseconds. */
  now(): number
  /** At least one millisecond. Resolves early when the run ends. */
  sleep(ms: number): Promise<void>
}

export interface StrategyContext {
  client: Client
  clock: StrategyClock
  /** Kept in the report of a backtest, with the time. */
  log(message: string, data?: Readonly<Record<string, unknown>>): void
  /** Aborted when the run ends: the strategy returns soon after. */
  signal: AbortSignal
  /** Values of `--param name=value`. */
  params: Readonly<Record<string, string>>
  /** Markets the run is about, as given. */
  markets: readonly { readonly venue: string; readonly marketId: string }[]
  /** In [0,1): deterministic by the seed of a backtest. */
  random(): number
  /**
   * The body of the submit of a build: signatures and credentials of the venue, which the runner holds. Empty in a backtest and on a paper
   * account.
   */
  authorize(built: { venue: string; executionId?: string; unsigned?: unknown }): Promise<Record<string, string>>
  /** The wallet that owns orders, at venues whose builds take one; null: none is configured. */
  owner: string | null
}

export type Strategy = (context: StrategyContext) => Promise<void>
