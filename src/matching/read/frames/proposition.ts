// The sentences of one template, declared once. The engine reads every entry the same way: a new template is a new entry.

import type { Unit } from '../thresholdParser.ts'

/** Arguments of a proposition: `who` and those that hold people are compared as names, the others as bags of terms. */
export const slots = ['who', 'what', 'role', 'said', 'source'] as const
export type Slot = (typeof slots)[number]

/** The scale of an amount. */
export interface Grid {
  /** Distance of two neighbouring values; `said` is the finest that either question names, a hundredth if both name whole numbers. */
  step: number | 'said' | null
  /** Smallest and largest possible value. */
  min?: number
  max?: number
  /** Meant if no amount is given: at least this much. */
  least?: number
  /** Strikes stop a tick short of a round number: 99.99 and 99.9999 mean below 100. */
  nines?: boolean
  /** "20 to 25" ends where "25 to 30" begins: the upper end of a range belongs to the next. */
  brackets?: boolean
}

export interface PropositionTemplate {
  name: string
  /**
   * Sentences, folded and in lower case, without "will", dates, amounts and parentheses. `<who>` takes the words of a slot, `<n>` a whole number
   * without a direction, `<upto>` one that includes all below it, `<more>` what belongs to `what` as well; the rest is a regular expression over the
   * whole sentence.
   */
  affirms: readonly string[]
  /** Sentences with the opposite meaning. */
  denies?: readonly string[]
  /** Sentences whose amount counts downwards: a cut of 25 is a change of −25. */
  falls?: readonly string[]
  /** Sentences that mean the amount is 0. */
  rests?: readonly string[]
  /** A word every sentence of the entry contains: tried first. */
  cue: RegExp
  /**
   * Slots that hold persons: a surname alone or an extra name is the same person. Other names may be titles, where an extra word is another
   * work.
   */
  people?: readonly Slot[]
  /** Fields the entry reads itself, so that they contradict nothing it has not examined. */
  reads?: readonly string[]
  /** Slots that follow from the others: one side may omit them. */
  implied?: readonly Slot[]
  /** Terms that one side may omit if the candidate is a person: a person runs for one office at a time. */
  impliedOfPerson?: RegExp
  /** Present if the sentence needs an amount. */
  grid?: Grid
  /** Only amounts of this unit belong to the sentence. */
  unit?: Unit
  /** The amount is touched once within the window, not read at its end. */
  touch?: boolean
  /** The amount is read once, at its time: touching it on the way or reaching it before a deadline is another question. */
  settles?: boolean
  /** What is measured may not happen at all, like a win or a vote: no amount is the opposite of another, since all may be No. */
  mayFail?: boolean
  /** How long one reading is valid: a longer window has several, so that two amounts do not exclude each other. Absent: one per window. */
  each?: 'day' | 'month'
  /** Of all answers in this slot at most one comes true; if there is an amount, of those with the same exact one. */
  unique?: Slot
  /**
   * `bounded`: the occasion ends the question by itself, and a deadline only says when the venue gives up. `recurring`: it happens
   * repeatedly, and without a year it is unclear which is meant. `open`: anything undated is open-ended.
   */
  window: 'bounded' | 'recurring' | 'open'
  /** The question may end by itself before any deadline, so that a deadline on one side may be meaningless. */
  selfEnding?: boolean
}
