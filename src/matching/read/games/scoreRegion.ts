// Which scores make an answer Yes: bounds on each side's count, on the margin and on the sum. Every bet on a score is such a region, or everything
// outside one.
import type { MatchRelation } from '#schemas/matches'

export interface Bounds {
  low: number
  high: number
}

/** Whole scores of side one and side two, with `margin` one minus two; bounds are inclusive, and infinite for none. */
export interface Region {
  one: Bounds
  two: Bounds
  margin: Bounds
  sum: Bounds
}

export const figures = ['one', 'two', 'margin', 'sum'] as const
export type Figure = (typeof figures)[number]

const all = (): Bounds => ({ low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY })
const counted = (): Bounds => ({ low: 0, high: Number.POSITIVE_INFINITY })

export const anyScore = (): Region => ({ one: counted(), two: counted(), margin: all(), sum: counted() })

/** The region with one of its figures bounded. */
export const bounded = (figure: Figure, low: number, high: number): Region => {
  const region = anyScore()
  region[figure] = meet(region[figure], { low, high })
  return region
}

/** From the other side's perspective. */
export const crossed = ({ one, two, margin, sum }: Region): Region => ({
  one: two,
  two: one,
  margin: { low: 0 - margin.high, high: 0 - margin.low },
  sum,
})

const meet = (a: Bounds, b: Bounds): Bounds => ({ low: Math.max(a.low, b.low), high: Math.min(a.high, b.high) })
const isEmpty = ({ low, high }: Bounds): boolean => low > high

/** Bounds as tight as whole numbers allow; null if no score is left. */
function tight(region: Region): Region | null {
  let { one, two, margin, sum } = region
  for (let round = 0; round < 8; round++) {
    const [x, y, d, s] = [one, two, margin, sum]
    margin = meet(d, {
      low: Math.max(x.low - y.high, 2 * x.low - s.high, s.low - 2 * y.high),
      high: Math.min(x.high - y.low, 2 * x.high - s.low, s.high - 2 * y.low),
    })
    sum = meet(s, {
      low: Math.max(x.low + y.low, 2 * x.low - d.high, 2 * y.low + d.low),
      high: Math.min(x.high + y.high, 2 * x.high - d.low, 2 * y.high + d.high),
    })
    one = meet(x, {
      low: Math.max(y.low + d.low, s.low - y.high, Math.ceil((s.low + d.low) / 2)),
      high: Math.min(y.high + d.high, s.high - y.low, Math.floor((s.high + d.high) / 2)),
    })
    two = meet(y, {
      low: Math.max(x.low - d.high, s.low - x.high, Math.ceil((s.low - d.high) / 2)),
      high: Math.min(x.high - d.low, s.high - x.low, Math.floor((s.high - d.low) / 2)),
    })
    if ([one, two, margin, sum].some(isEmpty)) return null
    const same = (a: Bounds, b: Bounds): boolean => a.low === b.low && a.high === b.high
    if (same(one, x) && same(two, y) && same(margin, d) && same(sum, s)) break
  }
  return { one, two, margin, sum }
}

/** If ties are impossible, a region splits into the scores with one side ahead and those with the other. */
function piecesOf(region: Region, tieless: boolean): Region[] {
  const parts = tieless
    ? [
        { ...region, margin: meet(region.margin, { low: 1, high: Number.POSITIVE_INFINITY }) },
        { ...region, margin: meet(region.margin, { low: Number.NEGATIVE_INFINITY, high: -1 }) },
      ]
    : [region]
  return parts.flatMap((part) => tight(part) ?? [])
}

/** All scores except the region's, as regions that may overlap. */
function outside(region: Region, tieless: boolean): Region[] {
  return figures.flatMap((figure) => {
    const { low, high } = region[figure]
    const below = Number.isFinite(low) ? piecesOf(bounded(figure, Number.NEGATIVE_INFINITY, low - 1), tieless) : []
    const above = Number.isFinite(high) ? piecesOf(bounded(figure, high + 1, Number.POSITIVE_INFINITY), tieless) : []
    return [...below, ...above]
  })
}

const holds = (outer: Region, inner: Region): boolean =>
  figures.every((figure) => outer[figure].low <= inner[figure].low && inner[figure].high <= outer[figure].high)

interface Facts {
  inside: boolean
  around: boolean
  apart: boolean
  covers: boolean
}

export interface OutcomePairs {
  region: Region
  /** Yes is every score except those. */
  denied: boolean
}

/** Relation of one Yes to the other, over all scores. */
export function relateAnswers(a: OutcomePairs, b: OutcomePairs, tieless: boolean): MatchRelation {
  let facts = factsOf(a.region, b.region, tieless)
  if (a.denied) facts = { inside: facts.covers, around: facts.apart, apart: facts.around, covers: facts.inside }
  if (b.denied) facts = { inside: facts.apart, around: facts.covers, apart: facts.inside, covers: facts.around }
  const { inside, around, apart, covers } = facts
  if (inside && around) return 'identity'
  if (apart) return covers ? 'complement' : 'disjoint'
  if (inside) return 'subset'
  return around ? 'superset' : 'overlap'
}

function factsOf(a: Region, b: Region, tieless: boolean): Facts {
  const [x, y] = [piecesOf(a, tieless), piecesOf(b, tieless)]
  const both: Region = {
    one: meet(a.one, b.one),
    two: meet(a.two, b.two),
    margin: meet(a.margin, b.margin),
    sum: meet(a.sum, b.sum),
  }
  return {
    inside: x.every((piece) => holds(b, piece)),
    around: y.every((piece) => holds(a, piece)),
    apart: piecesOf(both, tieless).length === 0,
    covers: outside(a, tieless).every((piece) => holds(b, piece)),
  }
}

/** The one figure the region bounds; null if it bounds several or none. */
export function figureOf(region: Region): Figure | null {
  const free = anyScore()
  const found = figures.filter(
    (figure) => region[figure].low > free[figure].low || region[figure].high < free[figure].high,
  )
  return found.length === 1 ? (found[0] as Figure) : null
}
