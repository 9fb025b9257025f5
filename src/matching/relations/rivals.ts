// Rivals across venues: when two venues list the same contest, whose Yes excludes whose. A verified pair shows that it is the same contest; every
// pair is then compared like any other, and stored only if the relation is certain.
import { compareText, type MatchEdge } from '../cluster.ts'
import type { Polarity } from '../match.ts'
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
  edges: readonly Required<MatchEdge>[]
}

export class Rivals {
  private ties = new Map<string, Tie>()
  /** What its members ask, of groups as they stand: one that changes is another group. */
  private readonly entrants = new WeakMap<Group, readonly Entrant[]>()

  /** In the order of the ties' names; of events that stayed as they were nothing is compared again. */
  update(groups: readonly Group[], sources: RivalSources): Required<MatchEdge>[] {
    const ties = new Map<string, Tie>()
    for (const group of groups) {
      const entrants = this.entrantsOf(group, sources)
      if (entrants.length < 2) continue
      const contested = entrants.flatMap((entrant) => contestedOf(entrant, sources) ?? [])
      for (const [at, one] of contested.entries())
        for (const two of contested.slice(at + 1)) this.tie(one, two, ties, sources)
    }
    this.ties = ties
    // A pair is of one template and of two events, so that no two ties hold it.
    return [...ties].sort(([one], [two]) => compareText(one, two)).flatMap(([, { edges }]) => edges)
  }

  private entrantsOf(group: Group, { question }: RivalSources): readonly Entrant[] {
    const known = this.entrants.get(group)
    if (known !== undefined) return known
    const found = group.members.flatMap(({ key, polarity }): Entrant[] => {
      const frame = question(key).proposition?.frame
      return frame?.unique === undefined ? [] : [{ key, polarity, template: frame.name }]
    })
    this.entrants.set(group, found)
    return found
  }

  /** Whether one is surely the other is asked once for two events that it ties. */
  private tie(a: Contested, b: Contested, ties: Map<string, Tie>, sources: RivalSources): void {
    if (a.polarity !== b.polarity || a.template !== b.template) return
    const [one, two] = [a.event, b.event]
    const name = `${a.template}\n${one.keys[0]}\n${two.keys[0]}`
    if (ties.has(name) || !sources.verified(a.key, b.key)) return
    const known = this.ties.get(name)
    const same = known !== undefined && known.one === one && known.two === two
    ties.set(name, same ? known : { one, two, edges: between(one, two, a.template, sources) })
  }
}

/** A market of a contest. */
interface Entrant {
  key: string
  polarity: Polarity
  template: string
}

/** In an event of several. */
interface Contested extends Entrant {
  event: ListedEvent
}

function contestedOf(entrant: Entrant, { eventOf }: RivalSources): Contested | null {
  const event = eventOf(entrant.key)
  return event === null ? null : { ...entrant, event }
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
