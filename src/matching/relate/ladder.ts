// What follows between markets that cut the same line: ordered thresholds, and the ranges between them. Every cut has an answer on either side.
import type { Answer } from '#arbitrage/structures/input'
import { type Cut, compareCuts, type PartitionPart } from './partitionParts.ts'

/** A relation without its name and band. */
export type Found =
  | { kind: 'same' | 'inverse' | 'a_implies_b' | 'exclusive'; a: string; b: string }
  | { kind: 'outcomes'; members: Answer[]; complete: boolean }

interface Tail {
  key: string
  cut: Cut
  /** Yes is above the cut. */
  up: boolean
}
interface Range {
  key: string
  from: Cut
  to: Cut
}

const above = ({ key, up }: Tail): Answer => ({ market: key, side: up ? 'yes' : 'no' })
const below = ({ key, up }: Tail): Answer => ({ market: key, side: up ? 'no' : 'yes' })
const yes = (market: string): Answer => ({ market, side: 'yes' })
const text = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Neighbours suffice: more distant relations follow. Complete only if the pieces cover the line without gap or overlap. */
export function ladder(pieces: readonly PartitionPart[]): Found[] {
  const tails = pieces.flatMap(tailOf).sort((x, y) => compareCuts(x.cut, y.cut) || text(x.key, y.key))
  const ranges = pieces.flatMap(rangeOf).sort(byPlace)
  const found: Found[] = []
  for (const [at, tail] of tails.entries()) {
    const next = tails[at + 1]
    if (next !== undefined) found.push(neighbours(tail, next))
  }
  const heads = tails.filter((tail, at) => at === 0 || compareCuts(tails[at - 1]!.cut, tail.cut) !== 0)
  const chained = new Set<string>()
  for (const head of heads) {
    const chain = chainFrom(head, heads, ranges)
    if (chain === null) continue
    for (const { key } of chain.ranges) chained.add(key)
    const members = [below(head), ...chain.ranges.map(({ key }) => yes(key)), above(chain.end)]
    found.push({ kind: 'outcomes', members, complete: true })
  }
  found.push(...loose(ranges, chained, heads))
  return found
}

const tailOf = ({ key, from, to }: PartitionPart): Tail[] =>
  from !== null && to === null
    ? [{ key, cut: from, up: true }]
    : from === null && to !== null
      ? [{ key, cut: to, up: false }]
      : []
const rangeOf = ({ key, from, to }: PartitionPart): Range[] => (from === null || to === null ? [] : [{ key, from, to }])
const byPlace = (x: Range, y: Range): number =>
  compareCuts(x.from, y.from) || compareCuts(x.to, y.to) || text(x.key, y.key)

/** `low` cuts no higher than `high`. */
function neighbours(low: Tail, high: Tail): Found {
  if (compareCuts(low.cut, high.cut) === 0)
    return { kind: low.up === high.up ? 'same' : 'inverse', a: low.key, b: high.key }
  return atMostOne(below(low), above(high))
}

/** In the form that is easiest to read. */
function atMostOne(one: Answer, two: Answer): Found {
  if (one.side === 'yes' && two.side === 'yes') return { kind: 'exclusive', a: one.market, b: two.market }
  if (one.side === 'yes') return { kind: 'a_implies_b', a: one.market, b: two.market }
  if (two.side === 'yes') return { kind: 'a_implies_b', a: two.market, b: one.market }
  return { kind: 'outcomes', members: [one, two], complete: false }
}

/** Ranges that lead from a cut to the next one they reach, the widest first if two begin at the same place. */
function chainFrom(
  head: Tail,
  heads: readonly Tail[],
  ranges: readonly Range[],
): { ranges: Range[]; end: Tail } | null {
  const taken: Range[] = []
  for (let at = head.cut; ; ) {
    const next = ranges.findLast(({ from }) => compareCuts(from, at) === 0)
    if (next === undefined) return null
    taken.push(next)
    const end = heads.find(({ cut }) => compareCuts(cut, next.to) === 0)
    if (end !== undefined) return { ranges: taken, end }
    at = next.to
  }
}

/** Ranges outside any chain: apart from each other, inside each other, and above or below the nearest cuts. */
function loose(ranges: readonly Range[], chained: ReadonlySet<string>, heads: readonly Tail[]): Found[] {
  const found: Found[] = []
  const open = ranges.filter(({ key }) => !chained.has(key))
  for (const range of open) {
    const under = heads.findLast(({ cut }) => compareCuts(cut, range.from) <= 0)
    const over = heads.find(({ cut }) => compareCuts(cut, range.to) >= 0)
    if (under !== undefined) found.push(atMostOne(yes(range.key), below(under)))
    if (over !== undefined) found.push(atMostOne(yes(range.key), above(over)))
  }
  if (open.length === 0) return found
  for (const [at, range] of ranges.entries()) {
    const around = ranges.find(
      (other, place) =>
        other !== range &&
        compareCuts(other.from, range.from) <= 0 &&
        compareCuts(range.to, other.to) <= 0 &&
        (place < at || compareCuts(other.from, range.from) !== 0 || compareCuts(range.to, other.to) !== 0),
    )
    if (around === undefined) continue
    const equal = compareCuts(around.from, range.from) === 0 && compareCuts(around.to, range.to) === 0
    found.push({ kind: equal ? 'same' : 'a_implies_b', a: range.key, b: around.key })
  }
  found.push(...apart(ranges))
  return found
}

/** Sets of pairwise disjoint ranges, until every range was in one. */
function apart(ranges: readonly Range[]): Found[] {
  const found: Found[] = []
  for (let left = [...ranges]; left.length > 1; ) {
    const row: Range[] = []
    for (const range of left) if (row.length === 0 || compareCuts(row.at(-1)!.to, range.from) <= 0) row.push(range)
    if (row.length > 1) found.push({ kind: 'outcomes', members: row.map(({ key }) => yes(key)), complete: false })
    left = left.filter((range) => !row.includes(range))
  }
  return found
}
