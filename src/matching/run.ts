// One run of the matcher over plain data: candidates, comparison, clusters. The entry point for a worker.
import { CandidateIndex } from './candidates.ts'
import {
  type Cluster,
  type ClusterOptions,
  clusterMarkets,
  type MatchEdge,
  type Override,
  type PreviousCluster,
} from './cluster.ts'
import { compareQuestions } from './compare.ts'
import { hopeless } from './hopeless.ts'
import { type MatchInput, marketKey } from './input.ts'
import type { MatchBand } from './match.ts'
import { type Question, readQuestion } from './question.ts'
import { relationOf } from './relation.ts'

export interface MatchRunOptions extends Pick<ClusterOptions, 'bands'> {
  /** Candidates compared for each market. */
  k?: number
  overrides?: readonly Override[]
  previous?: readonly PreviousCluster[]
  /** Keys of markets that no longer trade. */
  closed?: readonly string[]
  /** Keys of markets that are new or whose words changed: only their pairs are compared, the rest comes from `edges`. */
  changed?: readonly string[]
  /** Edges of the run before. */
  edges?: readonly MatchEdge[]
  /** Which of the pairs worth keeping are kept; all, when left out. Clusters do not depend on it beyond the bands that join. */
  keep?(edge: Required<MatchEdge>): boolean
}

export interface MatchRun {
  clusters: Cluster[]
  /** Pairs worth keeping: neither `hidden` nor `unscored`. */
  edges: MatchEdge[]
  /** Pairs compared in this run. */
  compared: number
  /** How many of each; those told apart by one plain contradiction are counted as hidden. */
  bands: Record<MatchBand, number>
  /** What the matcher says of any two of the markets, by their keys. */
  judge(a: string, b: string): Required<MatchEdge>
}

export function matchRun(markets: readonly MatchInput[], options: MatchRunOptions = {}): MatchRun {
  const closed = new Set(options.closed ?? [])
  const open = markets.filter((market) => !closed.has(marketKey(market)))
  const places = new Map(open.map((market, at) => [marketKey(market), at]))
  const question = reader(open)
  const bands: Record<MatchBand, number> = { verified: 0, minor: 0, material: 0, hidden: 0, unscored: 0 }
  const changed = options.changed === undefined ? null : new Set(options.changed)
  const edges = (options.edges ?? []).filter(
    ({ a, b }) => changed !== null && places.has(a) && places.has(b) && !changed.has(a) && !changed.has(b),
  )
  const seen = new Set<number>()
  // Where nothing changed there is nobody to find candidates for, and the index is most of such a run.
  const asking =
    changed === null ? [...open.keys()] : [...changed].flatMap((key) => places.get(key) ?? []).sort((a, b) => a - b)
  const index = new CandidateIndex(asking.length === 0 ? [] : open, options.k === undefined ? {} : { k: options.k })
  for (const at of asking) {
    for (const { index: other } of index.find(at)) {
      const code = Math.min(at, other) * open.length + Math.max(at, other)
      if (seen.has(code)) continue
      seen.add(code)
      if (hopeless(question(at), question(other))) {
        bands.hidden++
        continue
      }
      const edge = edgeOf(question(at), question(other))
      const { matchBand } = edge.result
      bands[matchBand]++
      if (kept(matchBand) && (options.keep?.(edge) ?? true)) edges.push(edge)
    }
  }
  const clusters = clusterMarkets(
    open.map((market) => ({ key: marketKey(market), venue: market.venue })),
    edges,
    options.overrides ?? [],
    options.previous ?? [],
    {
      ...(options.bands === undefined ? {} : { bands: options.bands }),
      // Hidden pairs are not kept, millions of them; the few that matter to a cluster are compared when asked.
      judge: (a, b) => compareQuestions(question(places.get(a) as number), question(places.get(b) as number)),
    },
  )
  const judge = (a: string, b: string): Required<MatchEdge> =>
    edgeOf(question(places.get(a) as number), question(places.get(b) as number))
  return { clusters, edges, compared: seen.size, bands, judge }
}

function edgeOf(one: Question, two: Question): Required<MatchEdge> {
  const [a, b] = one.key < two.key ? [one, two] : [two, one]
  const result = compareQuestions(a, b)
  return { a: a.key, b: b.key, result, relation: relationOf(a, b, result) }
}

const kept = (band: MatchBand): boolean => band !== 'hidden' && band !== 'unscored'

/** A market is read once, and only when somebody asks. */
function reader(markets: readonly MatchInput[]): (at: number) => Question {
  const read: (Question | undefined)[] = new Array(markets.length)
  return (at) => {
    const known = read[at] ?? readQuestion(markets[at] as MatchInput)
    read[at] = known
    return known
  }
}
