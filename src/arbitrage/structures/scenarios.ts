// The worlds that relations allow: every way in which all markets can end together. Found by trying answers and propagating what each one
// forces.
import { type Clause, marketOf, opposite } from './constraints.ts'
import { ignoreProgress, type OnProgress } from './progress.ts'

/** A group with more is refused: every search walks all of them. */
export const worldsMax = 1_024
/** Answers tried before a group is abandoned. */
export const attemptsMax = 100_000

/** Answers assigned so far, and those that follow from them. */
export class Answers {
  /** −1 open, 0 no, 1 yes. */
  readonly value: Int8Array
  private readonly clauses: readonly Clause[]
  /** Clauses containing each answer. */
  private readonly within: number[][]
  private readonly given: number[] = []

  constructor(markets: number, clauses: readonly Clause[]) {
    this.value = new Int8Array(markets).fill(-1)
    this.clauses = clauses
    this.within = Array.from({ length: 2 * markets }, () => [])
    clauses.forEach((clause, index) => {
      for (const literal of clause) this.within[literal]!.push(index)
    })
  }

  get mark(): number {
    return this.given.length
  }

  /** Propagates clauses with one answer. False: there is no world at all. */
  begin(): boolean {
    return this.clauses.every((clause) => this.look(clause)) && this.follow(0)
  }

  /** False: it contradicts the current assignment; undo to the mark before. */
  give(literal: number): boolean {
    const from = this.mark
    return this.put(literal) && this.follow(from)
  }

  takeBack(mark: number): void {
    while (this.given.length > mark) this.value[marketOf(this.given.pop()!)] = -1
  }

  /** −1 open, 0 false, 1 true. */
  truth(literal: number): number {
    const value = this.value[marketOf(literal)]!
    return value < 0 ? -1 : value ^ (literal & 1)
  }

  private put(literal: number): boolean {
    const truth = this.truth(literal)
    if (truth >= 0) return truth === 1
    this.value[marketOf(literal)] = (literal & 1) ^ 1
    this.given.push(literal)
    return true
  }

  private follow(from: number): boolean {
    for (let at = from; at < this.given.length; at++)
      for (const index of this.within[opposite(this.given[at]!)]!) if (!this.look(this.clauses[index]!)) return false
    return true
  }

  /** Assigns the last open answer of a clause whose others are false. */
  private look(clause: Clause): boolean {
    let open = -1
    for (const literal of clause) {
      const truth = this.truth(literal)
      if (truth === 1) return true
      if (truth === 0 || literal === open) continue
      if (open >= 0) return true
      open = literal
    }
    return open >= 0 && this.put(open)
  }
}

/** Why a group of markets is not searched. */
export type Refusal = 'contradiction' | 'too_many_worlds'

/** Each world's answers, 1 for yes; or why they cannot be enumerated. */
export function scenariosOf(
  markets: number,
  clauses: readonly Clause[],
  onProgress: OnProgress = ignoreProgress,
): Uint8Array[] | Refusal {
  const answers = new Answers(markets, clauses)
  if (!answers.begin()) return 'contradiction'
  const worlds: Uint8Array[] = []
  let tries = 0
  const walk = (from: number): boolean => {
    let market = from
    while (market < markets && answers.value[market]! >= 0) market++
    if (market === markets) return worlds.push(Uint8Array.from(answers.value)) <= worldsMax
    for (const literal of [2 * market, 2 * market + 1]) {
      if (++tries > attemptsMax) return false
      onProgress()
      const mark = answers.mark
      const goOn = !answers.give(literal) || walk(market + 1)
      answers.takeBack(mark)
      if (!goOn) return false
    }
    return true
  }
  if (!walk(0)) return 'too_many_worlds'
  return worlds.length === 0 ? 'contradiction' : worlds
}

/** What a position pays if its answer is true, micros. */
export interface PayingOutcome {
  literal: number
  win: number
}

/** Answers that may still be tried, by several questions together. */
export interface Tries {
  left: number
  onProgress: OnProgress
}

/** Whether some world pays less than this. Undefined: not determined with the tries that are left. */
export function underpays(
  markets: number,
  clauses: readonly Clause[],
  payers: readonly PayingOutcome[],
  least: number,
  tries: Tries,
): boolean | undefined {
  tries.onProgress()
  const answers = new Answers(markets, clauses)
  if (!answers.begin()) return false
  const walk = (): boolean | undefined => {
    let paid = 0
    for (const { literal, win } of payers) if (answers.truth(literal) === 1) paid += win
    if (paid >= least) return false
    // The losing side of a leg first: a world that pays less is usually found without backtracking.
    const leg = payers.find(({ literal }) => answers.truth(literal) < 0)
    const market = leg === undefined ? answers.value.indexOf(-1) : marketOf(leg.literal)
    if (market < 0) return true
    const first = leg === undefined ? 2 * market : opposite(leg.literal)
    for (const literal of [first, opposite(first)]) {
      if (tries.left-- <= 0) return undefined
      tries.onProgress()
      const mark = answers.mark
      const found = answers.give(literal) ? walk() : false
      answers.takeBack(mark)
      if (found !== false) return found
    }
    return false
  }
  return walk()
}
