// What one template's sentences say, declared once. The engine reads every entry the same way: a new template is a new entry.

import type { Unit } from '../threshold.ts'

/** Arguments of a proposition: `who` and those that hold people are compared as names, the others as bags of terms. */
export const slots = ['who', 'what', 'role', 'event', 'said', 'source'] as const
export type Slot = (typeof slots)[number]

/** The scale that an amount lives on. */
export interface Grid {
  /** Distance of two neighbouring values; `said` is the finest that either question names, a hundredth where both name whole numbers. */
  step: number | 'said' | null
  /** Least and greatest value there is. */
  min?: number
  max?: number
  /** What is meant where no amount is said: at least so much. */
  least?: number
  /** Strikes stop a tick short of a round number: 99.99 and 99.9999 stand for what is below 100. */
  nines?: boolean
  /** "20 to 25" ends where "25 to 30" begins: the upper end of a range belongs to the next. */
  brackets?: boolean
}

export interface Frame {
  name: string
  /**
   * Sentences, folded and in lower case, without "will", dates, amounts and brackets. `<who>` takes the words of a slot, `<n>` a whole
   * number that stands without a direction, `<upto>` one that counts with all below it, `<more>` what belongs to `what` as well; the rest is a regular expression over the whole sentence.
   */
  says: readonly string[]
  /** Sentences that say the opposite. */
  denies?: readonly string[]
  /** Sentences whose amount counts downwards: a cut of 25 is a change of −25. */
  falls?: readonly string[]
  /** Sentences that say the amount is 0. */
  rests?: readonly string[]
  /** A word without which no sentence of the entry can be: tried first. */
  cue: RegExp
  /** Slots that hold persons: a surname or a second name more is the same one. Other names may be titles, where a word more is another work. */
  people?: readonly Slot[]
  /** Fields that the entry reads itself, so that they contradict nothing it has not looked at. */
  reads?: readonly string[]
  /** Slots that hold no clause: what says more than a name and its attributes is another sentence. */
  simple?: readonly Slot[]
  /** Slots that follow from the others: one side may leave them out. */
  implied?: readonly Slot[]
  /** Terms that one side may leave out where the one who stands is a person: nobody stands for two offices at once. */
  impliedOfPerson?: RegExp
  /** Present where the sentence needs an amount. */
  grid?: Grid
  /** Only amounts of this unit belong to the sentence. */
  unit?: Unit
  /** The amount is touched once within the window, not read at its end. */
  touch?: boolean
  /** The amount is read once, at its time: what may be touched on the way or come true before a deadline is another question. */
  settles?: boolean
  /** What is measured may not come about at all, as a win or a vote: no amount is the opposite of another, since all may be No. */
  mayFail?: boolean
  /** How long one reading stands: within a longer window there are several, so that two amounts exclude nothing. Left out: one in each window. */
  each?: 'day' | 'month'
  /** Of all answers in this slot one at most comes true; where there is an amount, of those with the same exact one. */
  unique?: Slot
  /**
   * `bounded`: the occasion ends the question by itself, and a deadline only says when the venue gives up.
   * `recurring`: it comes again, and without a year nobody knows which is meant. `open`: whatever is not dated is open to the end.
   */
  window: 'bounded' | 'recurring' | 'open'
  /** The question may end by itself before any deadline, so that a deadline on one side may say nothing. */
  selfEnding?: boolean
}
