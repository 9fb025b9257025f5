// What the job asks of the engine, wherever it runs. Everything goes across in pieces, so that neither side is held up by a copy.
import type { SportsInput } from '#matching/games/input'
import type { FixtureRecord, SportsTotals } from './records.ts'

export type SportsPiece = { kind: 'changed'; records: FixtureRecord[] } | { kind: 'removed'; ids: string[] }

export interface SportsThread {
  /** Before anything else of a pass: starts a thread where none is. */
  begin(): Promise<void>
  /** What stood on which fixture before: once, before the first markets. */
  remember(placed: readonly { key: string; fixtureId: string }[]): Promise<void>
  /** New markets and those of which something changed. */
  put(inputs: readonly SportsInput[]): Promise<void>
  drop(keys: readonly string[]): Promise<void>
  /** `today`: days since 1970. The fixtures that changed follow by `pieces`. */
  run(today: number): Promise<SportsTotals>
  /** What runs have changed since `written` was last told, once a run. */
  pieces(): AsyncIterable<SportsPiece>
  written(): Promise<void>
  /** Rises with every thread that had to be started anew: it knows nothing of what was put before. */
  readonly generation: number
  stop(): Promise<void>
}
