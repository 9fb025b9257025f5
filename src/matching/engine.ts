// The job's interface to the matcher, wherever it runs. All data is passed in batches, so that neither side is blocked by a large copy.
import type { MatchPiece } from '#storage/postgres/matching/index'
import type { Override } from './cluster/cluster.ts'
import type { TemplateDecision } from './decide/templates/templateDecision.ts'
import type { MatchInput } from './read/input.ts'

export interface MatchEngine {
  /**
   * Must precede everything else in a run: starts a thread if there is none, and discards what a failed run had
   * requested.
   */
  begin(): Promise<void>
  /** New markets and those whose words changed. */
  put(markets: readonly MatchInput[]): Promise<void>
  /** Keys of markets that no longer trade. */
  drop(keys: readonly string[]): Promise<void>
  /** Members of the previous run's clusters; required again for every run. */
  remember(members: readonly { clusterId: string; key: string }[]): Promise<void>
  /** Resolves with the run's counts once it is done; its rows follow through `pieces`. */
  run(request: MatchRequest): Promise<Record<string, number>>
  /** Rows of the last run, once. */
  pieces(): AsyncIterable<MatchPiece>
  /** Incremented with every restarted thread: it has lost everything put before. */
  readonly generation: number
  /** Ends a run that takes too long: its calls fail, and the next run starts a new thread. */
  abort(): void
  stop(): Promise<void>
}

export interface MatchRequest {
  overrides: readonly Override[]
  /** Decisions on template pairs, in addition to the shipped ones; absent: none. */
  decisions?: readonly TemplateDecision[]
  full: boolean
  /** Epoch ms. */
  now: number
}
