// What the job needs from the matcher, wherever it runs. All data crosses in pieces, so that neither side is blocked by a large copy.
import type { MatchPiece } from '#storage/postgres/matching/index'
import type { Override } from './cluster.ts'
import type { MatchInput } from './input.ts'

export interface MatchEngine {
  /** Before anything else of a run: starts a thread where none is, and forgets what a run that failed had asked. */
  begin(): Promise<void>
  /** New markets and those whose words changed. */
  put(markets: readonly MatchInput[]): Promise<void>
  /** Keys of markets that no longer trade. */
  drop(keys: readonly string[]): Promise<void>
  /** Members of the clusters of the run before; asked for again with every run. */
  remember(members: readonly { clusterId: string; key: string }[]): Promise<void>
  /** Resolves with the run's counts once it is done; its rows follow by `pieces`. */
  run(request: MatchRequest): Promise<Record<string, number>>
  /** Rows of the last run, once. */
  pieces(): AsyncIterable<MatchPiece>
  /** Rises with every thread that had to be started anew: it knows nothing of what was put before. */
  readonly generation: number
  stop(): Promise<void>
}

export interface MatchRequest {
  overrides: readonly Override[]
  full: boolean
  /** Epoch ms. */
  now: number
}
