// The markets for every term of the index; long lists are split by kind, so that a whole kind can be skipped.

import type { DocumentIds } from './documentIds.ts'
import { copied } from './growableArrays.ts'
import { sketchSize } from './minHash.ts'

/** Longer lists are split by kind. */
const splitFrom = 64

export interface Posting {
  /** Markets on it that can still be found. */
  live: number
  /** In order of arrival; empty once split by kind. */
  slots: number[]
  kinds: Map<number, KindList> | null
}

/** Numbers per market of a `KindList`. */
export const entrySize = 1 + sketchSize

/** Markets of one kind, in order of arrival: each slot is followed by its sketch. */
export class KindList {
  entries = new Int32Array(4 * entrySize)
  /** Numbers taken. */
  end = 0

  add(slot: number, { sketches }: DocumentIds): void {
    if (this.end === this.entries.length) this.entries = copied(new Int32Array(this.end * 2), this.entries)
    this.entries[this.end++] = slot
    for (let at = slot * sketchSize; at < (slot + 1) * sketchSize; at++) this.entries[this.end++] = sketches[at]!
  }
}

export class Postings {
  private readonly ids = new Map<string, number>()
  private readonly lists: Posting[] = []
  private readonly slots: DocumentIds

  constructor(slots: DocumentIds) {
    this.slots = slots
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

  private addByKind(kinds: Map<number, KindList>, slot: number): void {
    const kind = this.slots.kinds[slot]!
    const known = kinds.get(kind)
    const list = known ?? new KindList()
    if (known === undefined) kinds.set(kind, list)
    list.add(slot, this.slots)
  }

  private idOf(term: string): number {
    const known = this.ids.get(term)
    if (known !== undefined) return known
    this.lists.push({ live: 0, slots: [], kinds: null })
    this.ids.set(term, this.lists.length - 1)
    return this.lists.length - 1
  }
}
