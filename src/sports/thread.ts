// The job's interface to the engine, wherever it runs. Everything is transferred in pieces, so that neither side is blocked by a large
// copy.
import type { SportsInput } from '#matching/read/games/input'
import type { FixtureRecord, SportsTotals } from './records.ts'

export type SportsPiece = { kind: 'changed'; records: FixtureRecord[] } | { kind: 'removed'; ids: string[] }

export interface SportsThread {
  /** Before anything else of a pass: starts a thread if there is none. */
  begin(): Promise<void>
  /** Earlier placements: once, before the first markets. */
  remember(placed: readonly { key: string; fixtureId: string }[]): Promise<void>
  /** New and changed markets. */
  put(inputs: readonly SportsInput[]): Promise<void>
  drop(keys: readonly string[]): Promise<void>
  /** `today`: days since 1970. The changed fixtures follow by `pieces`. */
  run(today: number): Promise<SportsTotals>
  /** What runs have changed since `written` was last called, once per run. */
  pieces(): AsyncIterable<SportsPiece>
  written(): Promise<void>
  /** Increments with every restarted thread, which has lost everything put before. */
  readonly generation: number
  stop(): Promise<void>
}
