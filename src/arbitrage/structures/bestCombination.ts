// Which positions of one size to buy together to maximize the payoff of the worst world, at most one per answer: an exact search, pruned
// by bounds.
//
// For any weights of the worlds that sum to 1 the worst world pays no more than the weighted mean. So no set of positions earns more than
// the sum, over answers, of the most that a position gains by these weights: win × weight of the worlds where it wins − cost. The linear
// program finds weights that make this bound low; the search itself counts in whole micro-dollars.
import type { Budget } from './budget.ts'
import { maximize } from './simplex.ts'

export interface Candidate {
  /** What it pays in a world where it wins, and what it costs: micro-dollars. */
  win: number
  cost: number
  /** At most one candidate per answer is chosen. */
  answer: number
  /** By world, 1 where it wins. */
  wins: Uint8Array
}

export interface BestSet {
  /** Indices of candidates. */
  chosen: number[]
  /** What the worst world leaves, micro-dollars. */
  edge: number
}

export interface SetSearch {
  /** Null: no set leaves more than required. */
  best: BestSet | null
  /** World weights under which no candidate gains much more than the best set. */
  weights: Float64Array
  /** False: the search was abandoned; there may be better. */
  proven: boolean
}

/** Shares of one answer sum to 1, or slightly more: no two of them are above this. */
const mostly = 0.501
/** Bounds are doubles, edges whole numbers: a difference below one half is rounding. */
export const slack = 0.5

/** What the worst world pays. */
export function minPayout(chosen: readonly number[], candidates: readonly Candidate[], worlds: number): number {
  let worst = Infinity
  for (let world = 0; world < worlds; world++) {
    let paid = 0
    for (const index of chosen) if (candidates[index]!.wins[world] === 1) paid += candidates[index]!.win
    if (paid < worst) worst = paid
  }
  return worst
}

/** Over answers, the most that one of its candidates gains; 0 where none does. */
export function sumOfBest(candidates: readonly { answer: number }[], gainOf: (index: number) => number): number {
  const best = new Map<number, number>()
  for (let index = 0; index < candidates.length; index++) {
    const { answer } = candidates[index]!
    const gain = gainOf(index)
    if (gain > (best.get(answer) ?? 0)) best.set(answer, gain)
  }
  let sum = 0
  for (const gain of best.values()) sum += gain
  return sum
}

/** Total weight of the worlds where it wins. */
export function weightOf(weights: Float64Array, wins: Uint8Array): number {
  let weight = 0
  for (let world = 0; world < wins.length; world++) if (wins[world] === 1) weight += weights[world]!
  return weight
}

/** What one candidate gains by these weights. */
export const profitFrom = (weights: Float64Array, { win, cost, wins }: Candidate): number =>
  win * weightOf(weights, wins) - cost

/** World weights that give these candidates the lowest bound. */
export function weightsFor(candidates: readonly Candidate[], worlds: number, budget: Budget): Float64Array {
  return relaxed(candidates, new Int8Array(candidates.length).fill(-1), worlds, budget).weights
}

/** The best set that leaves more than `least`. */
export function bestSet(candidates: readonly Candidate[], worlds: number, least: number, budget: Budget): SetSearch {
  let best: BestSet | null = null
  let proven = true
  let rootWeights: Float64Array | null = null
  /** −1 open, 0 excluded, 1 taken. */
  const state = new Int8Array(candidates.length).fill(-1)
  const offer = (chosen: number[]): void => {
    const edge = minPayout(chosen, candidates, worlds) - chosen.reduce((sum, index) => sum + candidates[index]!.cost, 0)
    if (edge > (best?.edge ?? least)) best = { chosen, edge }
  }
  const walk = (): void => {
    if (rootWeights !== null && budget.left <= 0) {
      proven = false
      return
    }
    const { shares, weights } = relaxed(candidates, state, worlds, budget)
    rootWeights ??= weights
    offer([...state.keys()].filter((index) => state[index] === 1 || (state[index] === -1 && shares[index]! > mostly)))
    if (nodeBound(candidates, state, weights) < (best?.edge ?? least) + slack) return
    let branch = -1
    let nearest = Infinity
    for (let index = 0; index < state.length; index++) {
      const distance = Math.abs(shares[index]! - 0.5)
      if (state[index] !== -1 || distance >= nearest) continue
      branch = index
      nearest = distance
    }
    if (branch < 0) return
    const { answer } = candidates[branch]!
    const rivals = [...state.keys()].filter((index) => state[index] === -1 && candidates[index]!.answer === answer)
    for (const choice of shares[branch]! > mostly ? [1, 0] : [0, 1]) {
      if (choice === 1) for (const rival of rivals) state[rival] = 0
      state[branch] = choice
      walk()
      for (const rival of rivals) state[rival] = -1
    }
  }
  walk()
  return { best, weights: rootWeights!, proven }
}

function nodeBound(candidates: readonly Candidate[], state: Int8Array, weights: Float64Array): number {
  let taken = 0
  for (let index = 0; index < candidates.length; index++)
    if (state[index] === 1) taken += profitFrom(weights, candidates[index]!)
  return taken + sumOfBest(candidates, (index) => (state[index] === -1 ? profitFrom(weights, candidates[index]!) : 0))
}

/** Relaxation with fractional candidates: how much of each, and the weights of the worlds. */
function relaxed(
  candidates: readonly Candidate[],
  state: Int8Array,
  worlds: number,
  budget: Budget,
): { shares: Float64Array; weights: Float64Array } {
  const open = [...state.keys()].filter((index) => state[index] === -1)
  const scale = candidates.reduce((most, { win }) => Math.max(most, win), 1)
  const n = open.length + 1
  const objective = Float64Array.from([...open.map((index) => -candidates[index]!.cost / scale), 1])
  const answers = [...new Set(open.map((index) => candidates[index]!.answer))]
  const limits = new Float64Array(worlds + answers.length)
  const rows: Float64Array[] = []
  for (let world = 0; world < worlds; world++) {
    const row = new Float64Array(n)
    open.forEach((index, j) => {
      if (candidates[index]!.wins[world] === 1) row[j] = -candidates[index]!.win / scale
    })
    row[n - 1] = 1
    rows.push(row)
    for (let index = 0; index < state.length; index++)
      if (state[index] === 1 && candidates[index]!.wins[world] === 1) limits[world]! += candidates[index]!.win / scale
  }
  for (const answer of answers) {
    limits[rows.length] = 1
    rows.push(
      Float64Array.from({ length: n }, (_, j) => (j < n - 1 && candidates[open[j]!]!.answer === answer ? 1 : 0)),
    )
  }
  const { x, duals } = maximize(objective, rows, limits, budget)
  const shares = new Float64Array(candidates.length)
  open.forEach((index, j) => {
    shares[index] = x[j]!
  })
  return { shares, weights: normal(duals.subarray(0, worlds)) }
}

function normal(duals: Float64Array): Float64Array {
  const sum = duals.reduce((total, each) => total + each, 0)
  return sum > 0 ? duals.map((each) => each / sum) : duals.map(() => 1 / duals.length)
}
