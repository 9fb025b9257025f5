// Several orders of one size that are placed together, as one cost curve: all other outcomes of a complete set instead of one.
import { type CostCurve, ceilTo, floorTo, leastCommonMultiple, type SizeRange } from './offer.ts'

/** Its ranges are sizes that every part takes; empty: there are none. */
export function bundleCurve(parts: readonly CostCurve[]): CostCurve {
  const step = parts.map((part) => part.step).reduce(leastCommonMultiple, 1)
  const shared = parts.map((part) => part.ranges).reduce(overlap)
  const ranges = shared.flatMap(({ from, to }) => {
    const [first, last] = [ceilTo(from, step), floorTo(to, step)]
    return first <= last ? [{ from: first, to: last }] : []
  })
  return {
    step,
    ranges,
    cost: (units) => parts.reduce((sum, part) => sum + part.cost(units), 0),
    lower: (units) => parts.reduce((sum, part) => sum + part.lower(units), 0),
  }
}

function overlap(a: readonly SizeRange[], b: readonly SizeRange[]): SizeRange[] {
  const found: SizeRange[] = []
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const from = Math.max(a[i]!.from, b[j]!.from)
    const to = Math.min(a[i]!.to, b[j]!.to)
    if (from <= to) found.push({ from, to })
    if (a[i]!.to < b[j]!.to) i++
    else j++
  }
  return found
}
