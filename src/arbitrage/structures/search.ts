// The best structures of a group by its books as they stand: sizes one after the other, each searched only where nothing known rules it out.
import { type Budget, bestSet, type Candidate, slack, sumOfBest, weightOf, worstPay } from './bestSet.ts'
import { Ceiling } from './ceiling.ts'
import type { Group } from './groups.ts'
import { type Position, type Quote, quote } from './position.ts'
import { sizesOf } from './sizes.ts'

export interface SearchOptions {
  /** What a structure must leave at least to be told, micro-dollars above 0. */
  leastEdge: number
  /** Largest size, hundredths of a contract. */
  unitsMax: number
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
  /** Null: no set of positions of one size, of each answer one, leaves `leastEdge` in every world. */
  set: FoundSet | null
  /** False: sizes were thinned out or a search was given up, so that there may be better. */
  proven: boolean
}

/** Weights of worlds kept, newest first: what one size was bounded by mostly bounds its neighbours. */
const weightsKept = 6
/** One size in so many is looked at before all others: a good structure that is known early rules most of them out. */
const stride = 16

/** Of one group, from one look at its books to the next. */
const remembered = 4
/** Multiplications for one search: some ten milliseconds. */
const workMax = 2e7

interface Quoted {
  positions: Position[]
  quotes: Quote[]
  candidates: Candidate[]
  /** Of each in all positions. */
  at: number[]
}

/** `memory`: weights of worlds by which this group was dismissed before; books that changed little are dismissed by them again. */
export function bestFound(
  group: Group,
  positions: readonly Position[],
  options: SearchOptions,
  memory: Float64Array[] = [],
): Found {
  const worlds = group.worlds.length
  const wins = positions.map((position) => winsOf(group, position))
  const budget: Budget = { left: workMax }
  const ceiling = new Ceiling(positions, wins)
  for (const weights of memory) ceiling.add(weights)
  if (ceiling.upTo(options.unitsMax) < options.leastEdge) return { set: null, proven: true }
  memory.unshift(ceiling.tighten(worlds, budget))
  memory.length = Math.min(memory.length, remembered)
  if (ceiling.upTo(options.unitsMax) < options.leastEdge) return { set: null, proven: true }
  const { units: sizes, thinned } = sizesOf(positions, options.unitsMax)
  /** How likely each position is to win by weights of the worlds. */
  const kept: Float64Array[] = []
  let best: FoundSet | null = null
  let proven = !thinned
  for (const units of [...sizes.filter((_, index) => index % stride === 0), ...sizes]) {
    const least = Math.max(best?.edge ?? 0, options.leastEdge - 1)
    if (ceiling.at(units) < least + slack) continue
    if (budget.left <= 0) {
      proven = false
      break
    }
    const quoted = quotedAt(positions, wins, units)
    if (kept.some((likely) => boundOf(quoted, likely) < least + slack)) continue
    const search = bestSet(quoted.candidates, worlds, least, budget)
    kept.unshift(Float64Array.from(wins, (each) => weightOf(search.weights, each)))
    kept.length = Math.min(kept.length, weightsKept)
    ceiling.add(search.weights)
    proven &&= search.proven
    if (search.best === null) continue
    const chosen = search.best.chosen.map((index) => quoted.positions[index]!)
    best = resized(group, chosen, sizes) ?? best
  }
  return { set: best, proven }
}

/** No set of these positions earns more. */
const boundOf = ({ candidates, at }: Quoted, likely: Float64Array): number =>
  sumOfBest(candidates, (index) => candidates[index]!.win * likely[at[index]!]! - candidates[index]!.cost)

/** The same positions at that of these sizes that leaves most. Null: they leave something at none. */
export function resized(group: Group, positions: readonly Position[], sizes: readonly number[]): FoundSet | null {
  const wins = positions.map((position) => winsOf(group, position))
  const all = [...positions.keys()]
  let best: FoundSet | null = null
  for (const units of sizes) {
    const quoted = quotedAt(positions, wins, units)
    if (quoted.positions.length < positions.length) continue
    const found = foundSet(quoted, all, units, group.worlds.length)
    if (found.edge > (best?.edge ?? 0)) best = found
  }
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
  const pays = worstPay(chosen, candidates, worlds)
  return {
    positions: chosen.map((index) => positions[index]!),
    quotes: chosen.map((index) => quotes[index]!),
    units,
    pays,
    edge: chosen.reduce((left, index) => left - candidates[index]!.cost, pays),
  }
}
