// Rivals across venues: of one contest that two venues list, whose Yes excludes whose. That the contest is one is known by a verified pair of
// it; every pair is then compared like any other, and stored only where the relation is sure.
import { compareText, type MatchEdge } from '../cluster.ts'
import type { Question } from '../question.ts'
import type { Group } from '../standing.ts'

/** Pairs stored of one market with those of one other event: a contest of n on two venues has n × n. */
export const rivalsMax = 10
/** What fails so often in a row is no contest. */
const failuresMax = 10

/** An event of a venue, as it stands. */
export interface ListedEvent {
  /** Sorted. */
  readonly keys: readonly string[]
}

export interface RivalSources {
  /** The same value for as long as no market of the event came, went or changed; null for a market of none. */
  eventOf(key: string): ListedEvent | null
  question(key: string): Question
  /** Of a to b, whatever the band. */
  judge(a: string, b: string): Required<MatchEdge>
  /** Whether the pair is one question for certain. */
  verified(a: string, b: string): boolean
}

/** Two events tied by a pair of theirs, and what was found. */
interface Tie {
  one: ListedEvent
  two: ListedEvent
  template: string
  edges: readonly Required<MatchEdge>[]
}

export class Rivals {
  private ties = new Map<string, Tie>()

  /** Sorted by key; those of events that stayed as they were are not compared again. */
  update(groups: readonly Group[], sources: RivalSources): Required<MatchEdge>[] {
    const ties = new Map<string, Tie>()
    for (const [a, b] of tying(groups, sources)) {
      const [one, two] = [sources.eventOf(a), sources.eventOf(b)]
      const template = sources.question(a).proposition?.frame.name
      if (one === null || two === null || template === undefined) continue
      const name = `${template}\n${one.keys[0]}\n${two.keys[0]}`
      if (ties.has(name)) continue
      const known = this.ties.get(name)
      const same = known !== undefined && known.one === one && known.two === two
      ties.set(name, same ? known : { one, two, template, edges: between(one, two, template, sources) })
    }
    this.ties = ties
    const edges = new Map<string, Required<MatchEdge>>()
    for (const tie of ties.values()) for (const edge of tie.edges) edges.set(`${edge.a}\n${edge.b}`, edge)
    return [...edges.values()].sort((x, y) => compareText(x.a, y.a) || compareText(x.b, y.b))
  }
}

/** Pairs of a contest that are one question for certain, the first named by key first. */
function* tying(groups: readonly Group[], { question, verified }: RivalSources): Iterable<[string, string]> {
  for (const { members } of groups) {
    const contested = members.filter(({ key }) => question(key).proposition?.frame.unique !== undefined)
    for (const [at, { key: a, polarity }] of contested.entries()) {
      for (const other of contested.slice(at + 1))
        if (other.polarity === polarity && verified(a, other.key)) yield [a, other.key]
    }
  }
}

function between(one: ListedEvent, two: ListedEvent, template: string, sources: RivalSources): Required<MatchEdge>[] {
  const named = ({ keys }: ListedEvent): string[] =>
    keys.filter((key) => sources.question(key).proposition?.frame.name === template)
  const [mine, other] = [named(one), named(two)]
  const held = new Map<string, number>()
  const full = (key: string): boolean => (held.get(key) ?? 0) >= rivalsMax
  const edges: Required<MatchEdge>[] = []
  for (const a of mine) {
    let failures = 0
    for (const b of other) {
      if (full(a) || failures >= failuresMax) break
      if (full(b)) continue
      const edge = sources.judge(a, b)
      if (edge.relation !== 'disjoint' || edge.relationBand !== 'verified') {
        failures++
        continue
      }
      failures = 0
      edges.push(edge)
      for (const key of [a, b]) held.set(key, (held.get(key) ?? 0) + 1)
    }
  }
  return edges
}
