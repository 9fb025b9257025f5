// Rivals across venues: when two venues list the same contest, which Yes excludes which. A verified pair shows that it is the same contest;
// every pair is then compared like any other, and stored only if the relation is certain. Differently written names are not necessarily
// different entrants ("Man City", "Manchester City"): one of them must be listed at the other's venue, among markets of which that venue
// states that at most one comes true.
import { compareText, type MatchEdge } from '../cluster/cluster.ts'
import type { Group } from '../cluster/pairStore.ts'
import type { Polarity } from '../match.ts'
import type { Question } from '../read/question.ts'

/** Pairs stored for one market and one other event: a contest of n on two venues has n × n. */
export const exclusivePairsMax = 10
/** After this many consecutive failures the two are not treated as a contest. */
const failuresMax = 10

/** An event of a venue in its current state. */
export interface ListedEvent {
  /** Sorted. */
  readonly keys: readonly string[]
  /** Those of which the venue states that at most one comes true. */
  readonly exclusive: ReadonlySet<string>
}

export interface RivalSources {
  /**
   * The same value as long as no market of the event was added, removed or changed; null for a market without an event.
   */
  eventOf(key: string): ListedEvent | null
  question(key: string): Question
  /** From a to b, in any band. */
  comparePair(a: string, b: string): Required<MatchEdge>
  /** Whether the pair is certainly one question. */
  verified(a: string, b: string): boolean
}

/** Two events connected by a pair of theirs, and what was found. */
interface Tie {
  one: ListedEvent
  two: ListedEvent
  /** Pairs of theirs that are certainly one question. */
  same: readonly (readonly [string, string])[]
  edges: readonly Required<MatchEdge>[]
}

/** What is known of a tie before its rivals are compared. */
interface OpenTie extends Pick<Tie, 'one' | 'two'> {
  template: string
  same: [string, string][]
}

export class MutuallyExclusive {
  private ties = new Map<string, Tie>()
  /** What its members ask, per group object: a changed group is another object. */
  private readonly entrants = new WeakMap<Group, readonly Entrant[]>()

  /** In the order of the ties' names; for unchanged events nothing is compared again. */
  update(groups: readonly Group[], sources: RivalSources): Required<MatchEdge>[] {
    const open = new Map<string, OpenTie>()
    for (const group of groups) {
      const entrants = this.entrantsOf(group, sources)
      if (entrants.length < 2) continue
      const contested = entrants.flatMap((entrant) => contestedOf(entrant, sources) ?? [])
      for (const [at, one] of contested.entries())
        for (const two of contested.slice(at + 1)) tie(one, two, open, sources)
    }
    this.ties = new Map([...open].map(([name, found]) => [name, this.compared(name, found, sources)]))
    // A pair has one template and two events, so that no two ties contain it.
    return [...this.ties].sort(([one], [two]) => compareText(one, two)).flatMap(([, { edges }]) => edges)
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

  /** Nothing is compared again while both events and their shared questions are unchanged. */
  private compared(name: string, { one, two, template, same: found }: OpenTie, sources: RivalSources): Tie {
    const same = found.toSorted(([a, b], [c, d]) => compareText(a, c) || compareText(b, d))
    const known = this.ties.get(name)
    if (known !== undefined && known.one === one && known.two === two && equalPairs(known.same, same)) return known
    return { one, two, same, edges: between(one, two, template, same, sources) }
  }
}

const equalPairs = (one: Tie['same'], two: Tie['same']): boolean =>
  one.length === two.length && one.every(([a, b], at) => two[at]![0] === a && two[at]![1] === b)

/** Every pair that is certainly one question ties its two events, and shows which entrant is which in both. */
function tie(a: Contested, b: Contested, open: Map<string, OpenTie>, sources: RivalSources): void {
  if (a.polarity !== b.polarity || a.template !== b.template || a.event === b.event) return
  if (!sources.verified(a.key, b.key)) return
  // The same two events may be reached from either side.
  const [x, y] = a.event.keys[0]! <= b.event.keys[0]! ? [a, b] : [b, a]
  const name = `${a.template}\n${x.event.keys[0]}\n${y.event.keys[0]}`
  const known = open.get(name)
  if (known === undefined) open.set(name, { one: x.event, two: y.event, template: a.template, same: [[x.key, y.key]] })
  else known.same.push([x.key, y.key])
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

function between(
  one: ListedEvent,
  two: ListedEvent,
  template: string,
  same: Tie['same'],
  sources: RivalSources,
): Required<MatchEdge>[] {
  const named = ({ keys }: ListedEvent): string[] =>
    keys.filter((key) => sources.question(key).proposition?.frame.name === template)
  const [mine, other] = [named(one), named(two)]
  const apart = twoEntrants(one, two, same)
  const held = new Map<string, number>()
  const full = (key: string): boolean => (held.get(key) ?? 0) >= exclusivePairsMax
  const edges: Required<MatchEdge>[] = []
  for (const a of mine) {
    let failures = 0
    for (const b of other) {
      if (full(a) || failures >= failuresMax) break
      if (full(b) || !apart(a, b)) continue
      const edge = sources.comparePair(a, b)
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

/** Whether one of them is listed where the other is, as a different answer that the venue states excludes it. */
function twoEntrants(one: ListedEvent, two: ListedEvent, same: Tie['same']): (a: string, b: string) => boolean {
  const [ofOne, ofTwo] = [new Map<string, string[]>(), new Map<string, string[]>()]
  for (const [a, b] of same) {
    ofOne.set(a, [...(ofOne.get(a) ?? []), b])
    ofTwo.set(b, [...(ofTwo.get(b) ?? []), a])
  }
  return (a, b) => {
    const [there, here] = [ofOne.get(a) ?? [], ofTwo.get(b) ?? []]
    if (there.includes(b)) return false
    return (
      (two.exclusive.has(b) && there.some((key) => two.exclusive.has(key))) ||
      (one.exclusive.has(a) && here.some((key) => one.exclusive.has(key)))
    )
  }
}
