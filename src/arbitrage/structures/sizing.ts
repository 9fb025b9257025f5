// Sizes a search evaluates: between two of them nothing changes but the rounding of fees.
import { leastUnits, type Position } from './position.ts'

/** Beyond this they are thinned out evenly; the result is then not proven. */
const sizesMax = 512
/** Steps before the end of a level at which fees may round better. */
const stepsBack = 8

export interface Sizes {
  /** Hundredths of a contract, ascending. */
  units: number[]
  thinned: boolean
}

/** Where a level of some position ends, and a few steps before it, on every step that orders of these markets have. */
export function sizesOf(positions: readonly Position[], unitsMax: number): Sizes {
  const steps = [...new Set(positions.map(({ market }) => market.stepUnits))]
  const all = steps.reduce(leastCommonMultiple, 1)
  const grids = [...new Set([...steps, all])]
  const ends = new Set<number>(positions.flatMap(leastUnits))
  for (const { levels } of positions) {
    let depth = 0
    for (const { units } of levels) {
      depth += units
      ends.add(Math.min(depth, unitsMax))
    }
  }
  const sizes = new Set<number>()
  const add = (units: number): void => {
    if (units > 0 && units <= unitsMax) sizes.add(units)
  }
  const addBefore = (back: number): void => {
    for (const end of ends) for (const grid of grids) add((Math.floor(end / grid) - back) * grid)
  }
  addBefore(0)
  // An end between two steps: the best may lie on either.
  for (const end of ends) for (const grid of grids) add(Math.ceil(end / grid) * grid)
  const ended = ascending(sizes)
  if (ended.length > sizesMax) return { units: thin(ended), thinned: true }
  for (let back = 1; back <= stepsBack && sizes.size < sizesMax; back++) addBefore(back)
  return { units: ascending(sizes), thinned: false }
}

/** Typed arrays sort numerically by default, and faster. */
const ascending = (sizes: ReadonlySet<number>): number[] => Array.from(Float64Array.from(sizes).sort())

const thin = (sizes: readonly number[]): number[] =>
  Array.from({ length: sizesMax }, (_, i) => sizes[Math.floor((i * sizes.length) / sizesMax)]!)

function leastCommonMultiple(a: number, b: number): number {
  let [x, y] = [a, b]
  while (y > 0) [x, y] = [y, x % y]
  return (a / x) * b
}
