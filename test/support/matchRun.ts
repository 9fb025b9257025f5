// One run of the matcher over plain data, grouped at once: the reference for a session that groups part by part.

import { Corpus } from '#matching/block/corpus'
import {
  type Cluster,
  type ClusterOptions,
  clusterMarkets,
  type MatchEdge,
  type Override,
  type PreviousCluster,
} from '#matching/cluster/cluster'
import type { MatchBand } from '#matching/match'
import { type MatchInput, marketKey } from '#matching/read/input'
import type { Question } from '#matching/read/question'

export interface MatchRunOptions extends Pick<ClusterOptions, 'bands'> {
  /** Candidates compared for each market. */
  k?: number
  overrides?: readonly Override[]
  previous?: readonly PreviousCluster[]
  /** Keys of markets that no longer trade. */
  closed?: readonly string[]
  /** Keys of markets that are new or whose text changed: only their pairs are compared, the rest comes from `edges`. */
  changed?: readonly string[]
  /** The same markets as they are already known. */
  known?: Corpus
  /** Edges of the run before. */
  edges?: readonly MatchEdge[]
  /** Which of the pairs worth keeping are kept; all, when left out. Clusters depend only on the bands that join. */
  keep?(edge: Required<MatchEdge>): boolean
}

export interface MatchRun {
  clusters: Cluster[]
  /** Pairs worth keeping: neither `hidden` nor `unscored`. */
  edges: MatchEdge[]
  /** Pairs compared in this run. */
  compared: number
  /** Number of each; those ruled out by one plain contradiction count as hidden. */
  bands: Record<MatchBand, number>
  /** The matcher's result for any two of the markets, by their keys. */
  compare(a: string, b: string): Required<MatchEdge>
  /** A market as it was parsed, by its key. */
  question(key: string): Question
}

export function matchRun(markets: readonly MatchInput[], options: MatchRunOptions = {}): MatchRun {
  const closed = new Set(options.closed ?? [])
  const open = closed.size === 0 ? markets : markets.filter((market) => !closed.has(marketKey(market)))
  const keys = open.map(marketKey)
  const known = options.known ?? new Corpus(open, options.k === undefined ? {} : { k: options.k })
  const changed = options.changed === undefined ? null : new Set(options.changed)
  const present = new Set(changed === null ? [] : keys)
  const stays = (key: string): boolean => present.has(key) && changed?.has(key) !== true
  const edges: MatchEdge[] = (options.edges ?? []).filter(({ a, b }) => stays(a) && stays(b))
  const queries = changed === null ? keys : [...changed].filter((key) => present.has(key)).sort()
  const found = known.compare(queries, options.keep ?? (() => true), changed === null)
  for (const edge of found.edges) edges.push(edge)
  const clusters = clusterMarkets(
    open.map((market, at) => ({ key: keys[at]!, venue: market.venue })),
    edges,
    options.overrides ?? [],
    options.previous ?? [],
    {
      ...(options.bands === undefined ? {} : { bands: options.bands }),
      // Hidden pairs are not kept, because there are millions; the few that matter to a cluster are compared when needed.
      comparePair: (a, b) => known.comparePair(a, b).result,
    },
  )
  return {
    clusters,
    edges,
    compared: found.compared,
    bands: found.bands,
    compare: (a, b) => known.comparePair(a, b),
    question: (key) => known.question(key),
  }
}
