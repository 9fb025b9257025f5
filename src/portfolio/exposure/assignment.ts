// Answers given so far within a group, and those that follow from them. Answers can be withdrawn in reverse order.
import { type Group, opposite, questionOf } from './groups.ts'

export class Assignment {
  /** By question: −1 open, 0 no, 1 yes. */
  readonly value: Int8Array
  /** Literals looked at so far. */
  work = 0
  private readonly sets: Group['sets']
  /** By literal, the sets that contain it. */
  private readonly within: number[][]
  private readonly given: number[] = []
  private readonly isConsistent: boolean

  constructor({ questions, sets, known }: Pick<Group, 'questions' | 'sets' | 'known'>) {
    this.value = new Int8Array(questions).fill(-1)
    this.sets = sets
    this.within = Array.from({ length: 2 * questions }, () => [])
    sets.forEach(({ members }, index) => {
      for (const literal of members) this.within[literal]!.push(index)
    })
    this.isConsistent = sets.every((set) => this.completes(set)) && known.every((literal) => this.put(literal))
  }

  /** False: the relations contradict each other or what is known. */
  begin(): boolean {
    return this.isConsistent && this.follow(0)
  }

  get mark(): number {
    return this.given.length
  }

  /** False: it contradicts the answers so far; undo to the mark before. */
  give(literal: number): boolean {
    const from = this.mark
    return this.put(literal) && this.follow(from)
  }

  takeBack(mark: number): void {
    while (this.given.length > mark) this.value[questionOf(this.given.pop()!)] = -1
  }

  /** −1 open, 0 false, 1 true. */
  truth(literal: number): number {
    const value = this.value[questionOf(literal)]!
    return value < 0 ? -1 : value ^ (literal & 1)
  }

  private put(literal: number): boolean {
    const truth = this.truth(literal)
    if (truth >= 0) return truth === 1
    this.value[questionOf(literal)] = (literal & 1) ^ 1
    this.given.push(literal)
    return true
  }

  private follow(from: number): boolean {
    for (let at = from; at < this.given.length; at++) {
      const literal = this.given[at]!
      for (const index of this.within[literal]!) if (!this.excludes(this.sets[index]!, literal)) return false
      for (const index of this.within[opposite(literal)]!) if (!this.completes(this.sets[index]!)) return false
    }
    return true
  }

  /** All other members are false. A literal that is listed twice cannot be true. */
  private excludes({ members }: Group['sets'][number], literal: number): boolean {
    this.work += members.length
    let seen = 0
    for (const other of members) {
      if (other === literal && ++seen === 1) continue
      if (!this.put(opposite(other))) return false
    }
    return true
  }

  /** If only one member of a complete set can still be true, it is. */
  private completes({ members, isComplete }: Group['sets'][number]): boolean {
    this.work += members.length
    if (!isComplete) return true
    let open = -1
    for (const literal of members) {
      const truth = this.truth(literal)
      if (truth === 1) return true
      if (truth === 0 || literal === open) continue
      if (open >= 0) return true
      open = literal
    }
    return open >= 0 && this.put(open)
  }
}
