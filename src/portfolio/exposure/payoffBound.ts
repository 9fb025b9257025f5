// What a group pays at least, given some answers: without a search, and never too much. Of answers that exclude each other, at most one adds
// its payout; each question is counted in one set, or alone.
import type { Assignment } from './assignment.ts'
import { type ExclusiveSet, type Group, questionOf } from './groups.ts'

export class PayoffBound {
  /** Literals looked at for a bound. */
  readonly work: number
  private readonly gains: readonly bigint[]
  private readonly sets: ExclusiveSet[]
  private readonly single: number[]

  constructor({ sets }: Pick<Group, 'sets'>, gains: readonly bigint[]) {
    this.gains = gains
    const taken = new Set<number>()
    this.sets = []
    const weighs = (literal: number): boolean => gains[questionOf(literal)] !== 0n
    const weighted = sets.map((set) => ({ ...set, weight: set.members.filter(weighs).length }))
    for (const { members, isComplete } of weighted.sort((a, b) => b.weight - a.weight)) {
      if (new Set(members.map(questionOf)).size < members.length) continue
      const own = members.filter((literal) => !taken.has(questionOf(literal)))
      if (own.filter(weighs).length < (isComplete ? 1 : 2)) continue
      for (const literal of own) taken.add(questionOf(literal))
      this.sets.push({ members: own, isComplete: isComplete && own.length === members.length })
    }
    this.single = [...gains.keys()].filter((question) => !taken.has(question) && gains[question] !== 0n)
    this.work = gains.length + this.sets.reduce((sum, { members }) => sum + members.length, 0)
  }

  /** Without the base. */
  below(answers: Assignment): bigint {
    let sum = 0n
    for (const set of this.sets) sum += this.ofSet(set, answers)
    for (const question of this.single) {
      const gain = this.gains[question]!
      const value = answers.value[question]!
      if (value === 1 || (value < 0 && gain < 0n)) sum += gain
    }
    return sum
  }

  private ofSet({ members, isComplete }: ExclusiveSet, answers: Assignment): bigint {
    let sum = 0n
    /** What the member that comes true adds at least; null: none can. */
    let least: bigint | null = isComplete ? null : 0n
    for (const literal of members) {
      const gain = this.gains[questionOf(literal)]!
      const [ifTrue, ifFalse] = (literal & 1) === 0 ? [gain, 0n] : [0n, gain]
      const truth = answers.truth(literal)
      sum += truth === 1 ? ifTrue : ifFalse
      if (truth === 1) least = 0n
      if (truth < 0 && (least === null || ifTrue - ifFalse < least)) least = ifTrue - ifFalse
    }
    return sum + (least ?? 0n)
  }
}
