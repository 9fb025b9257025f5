// The markets for every term of the index; long lists are split by kind, so that a whole kind can be skipped.

/** Longer lists are split by kind. */
const splitFrom = 64

export interface Posting {
  /** Markets on it that can still be found. */
  live: number
  /** In order of arrival; empty once split by kind. */
  slots: number[]
  kinds: Map<number, number[]> | null
}

export class Postings {
  private readonly ids = new Map<string, number>()
  private readonly lists: Posting[] = []
  private readonly kindOf: (slot: number) => number

  constructor(kindOf: (slot: number) => number) {
    this.kindOf = kindOf
  }

  /** Number of terms. */
  get terms(): number {
    return this.lists.length
  }

  of(id: number): Posting {
    return this.lists[id]!
  }

  /** Returns the number of the term. */
  add(term: string, slot: number): number {
    const id = this.idOf(term)
    const posting = this.lists[id]!
    posting.live++
    if (posting.kinds !== null) this.addByKind(posting.kinds, slot)
    else if (posting.slots.push(slot) > splitFrom) {
      posting.kinds = new Map()
      for (const each of posting.slots) this.addByKind(posting.kinds, each)
      posting.slots = []
    }
    return id
  }

  private addByKind(kinds: Map<number, number[]>, slot: number): void {
    const kind = this.kindOf(slot)
    const slots = kinds.get(kind)
    if (slots === undefined) kinds.set(kind, [slot])
    else slots.push(slot)
  }

  private idOf(term: string): number {
    const known = this.ids.get(term)
    if (known !== undefined) return known
    this.lists.push({ live: 0, slots: [], kinds: null })
    this.ids.set(term, this.lists.length - 1)
    return this.lists.length - 1
  }
}
