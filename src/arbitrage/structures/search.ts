// The best structures of a group at its current books: sizes one after the other, each searched only if no known bound rules it out.
import { bestSet, type Candidate, minPayout, slack, sumOfBest } from './bestCombination.ts'
import type { Budget } from './budget.ts'
import type { Group } from './groups.ts'
import { type Position, type Quote, quote } from './position.ts'
import { ignoreProgress, type OnProgress } from './progress.ts'
import { sizesOf } from './sizing.ts'
import { UpperBound } from './upperBound.ts'

export interface SearchOptions {
  /** Minimum edge of a structure to be reported, micro-dollars above 0. */
  leastEdge: number
  /** Largest size, hundredths of a contract. */
  unitsMax: number
  onProgress?: OnProgress
}

export interface FoundSet {
  positions: Position[]
  quotes: Quote[]
  /** Of every leg, hundredths of a contract. */
  units: number
  /** What the worst world pays, and what that leaves after all costs: micro-dollars. */
  pays: number
  edge: number
}

export interface Found {
  /** Null: no set of positions of one size, one per answer, leaves `leastEdge` in every world. */
  set: FoundSet | null
  /** False: sizes were thinned out or a search was abandoned, so that there may be better. */
  proven: boolean
}

/** One size in this many is searched before all others: a good structure found early rules most of them out. */
const stride = 16

/** Per group, from one search of its books to the next. */
const weightsKeptMax = 4
/** Multiplications per search: about ten milliseconds. */
const workMax = 2e7

interface Quoted {
  positions: Position[]
  quotes: Quote[]
  candidates: Candidate[]
  /** Index of each in all positions. */
  at: number[]
}

/** `memory`: world weights that previously ruled this group out; they will again if its books changed little. */
export function bestFound(
  group: Group,
  positions: readonly Position[],
  options: SearchOptions,
  memory: Float64Array[] = [],
): Found {
  const worlds = group.worlds.length
  const wins = positions.map((position) => winsOf(group, position))
  const { onProgress = ignoreProgress } = options
  const budget: Budget = { left: workMax, onProgress }
  const ceiling = new UpperBound(positions, wins)
  for (const weights of memory) ceiling.add(weights)
  if (ceiling.below(0, options.unitsMax, options.leastEdge)) return { set: null, proven: true }
  memory.unshift(ceiling.tighten(worlds, budget))
  memory.length = Math.min(memory.length, weightsKeptMax)
  if (ceiling.below(0, options.unitsMax, options.leastEdge)) return { set: null, proven: true }
  const { units: sizes, thinned } = sizesOf(positions, options.unitsMax)
  let best: FoundSet | null = null
  let proven = !thinned
  const least = (): number => Math.max(best?.edge ?? 0, options.leastEdge - 1)
  const look = (units: number): void => {
    if (budget.left <= 0) {
      proven = false
      return
    }
    onProgress()
    const quoted = quotedAt(positions, wins, units)
    if (ceiling.likely.some((likely) => boundOf(quoted, likely) < least() + slack)) return
    const search = bestSet(quoted.candidates, worlds, least(), budget)
    ceiling.add(search.weights)
    proven &&= search.proven
    if (search.best === null) return
    const chosen = search.best.chosen.map((index) => quoted.positions[index]!)
    best = withSizes(group, chosen, sizes, { known: search.best.edge, onProgress }) ?? best
  }
  const ruledOut = (from: number, to: number): boolean => ceiling.below(from, to, least() + slack)
  const coarse = sizes.filter((_, index) => index % stride === 0)
  for (const units of coarse) if (!ruledOut(units, units)) look(units)
  eachSize(sizes, ruledOut, look)
  return { set: best, proven }
}

/** Visits sizes in ascending order; ranges that are ruled out are skipped. */
function eachSize(
  sizes: readonly number[],
  ruledOut: (from: number, to: number) => boolean,
  look: (units: number) => void,
): void {
  const walk = (first: number, last: number): void => {
    if (first > last || ruledOut(sizes[first]!, sizes[last]!)) return
    if (first === last) {
      look(sizes[first]!)
      return
    }
    const middle = (first + last) >> 1
    walk(first, middle)
    walk(middle + 1, last)
  }
  walk(0, sizes.length - 1)
}

/** No set of these positions earns more. */
const boundOf = ({ candidates, at }: Quoted, likely: Float64Array): number =>
  sumOfBest(candidates, (index) => candidates[index]!.win * likely[at[index]!]! - candidates[index]!.cost)

/**
 * The same positions at whichever of these sizes leaves most, the smallest of equals. Null: they leave something at none.
 * `known`: what they leave at one of these sizes, micro-dollars.
 */
export function withSizes(
  group: Group,
  positions: readonly Position[],
  sizes: readonly number[],
  { known = 0, onProgress = ignoreProgress }: { known?: number; onProgress?: OnProgress } = {},
): FoundSet | null {
  const worlds = group.worlds.length
  const wins = positions.map((position) => winsOf(group, position))
  const all = [...positions.keys()]
  const ceiling = new UpperBound(positions, wins, 'all')
  ceiling.addWorst(worlds)
  let best: FoundSet | null = null
  /** Anything not above this is not the first of the best. */
  const least = (): number => Math.max(best?.edge ?? 0, known - 1)
  eachSize(
    sizes,
    (from, to) => ceiling.below(from, to, least() + slack),
    (units) => {
      onProgress()
      const quoted = quotedAt(positions, wins, units)
      if (quoted.positions.length < positions.length) return
      const found = foundSet(quoted, all, units, worlds)
      if (found.edge > (best?.edge ?? 0)) best = found
    },
  )
  return best
}

const winsOf = ({ worlds }: Group, { literal }: Position): Uint8Array =>
  Uint8Array.from(worlds, (world) => world[literal >> 1]! ^ (literal & 1))

function quotedAt(positions: readonly Position[], wins: readonly Uint8Array[], units: number): Quoted {
  const quoted: Quoted = { positions: [], quotes: [], candidates: [], at: [] }
  for (const [index, position] of positions.entries()) {
    const price = quote(position, units)
    if (price === null) continue
    quoted.at.push(index)
    quoted.positions.push(position)
    quoted.quotes.push(price)
    const { answer } = position
    quoted.candidates.push({ win: price.win, cost: price.cost + price.fee, answer, wins: wins[index]! })
  }
  return quoted
}

function foundSet(
  { positions, quotes, candidates }: Quoted,
  chosen: readonly number[],
  units: number,
  worlds: number,
): FoundSet {
  const pays = minPayout(chosen, candidates, worlds)
  return {
    positions: chosen.map((index) => positions[index]!),
    quotes: chosen.map((index) => quotes[index]!),
    units,
    pays,
    edge: chosen.reduce((left, index) => left - candidates[index]!.cost, pays),
  }
}
