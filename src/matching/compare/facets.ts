// What distinguishes two questions at a glance, and each of their words.
import type { StatedDate } from '../read/yearInference.ts'

export interface Facets {
  /** Kinds of features that cause a hard difference even if only one side has them. */
  stiff: number
  /** The same between two games, where a team or a group is context. */
  stiffGame: number
  /** The same, between a spread and the winner it may imply. */
  stiffBet: number
  /** Which of the plain kinds it has, a bit for each. */
  plain: number
  stage: number
  words: readonly Mark[]
  /** A word is a place, which the other side may have read as one. */
  placed: boolean
  /** The date that decides. */
  date: StatedDate | null
  /** May be compared word by word (`general/compare.ts`): neither a game nor open, and the source is not the answer. */
  sayable: boolean
  /** A side of the game has a team code. */
  coded: boolean
  /** "A Grammy", "a race": there are several of them. */
  ofSeveral: boolean
}

/** A word in the form used to distinguish it. */
export interface Mark {
  key: number
  /** Equal for words with the same letters in another order. */
  letters: number
  /** Letters of its normalized spelling. */
  spelled: number
  /** Insignificant, anywhere or within a game. */
  soft: boolean
  gameSoft: boolean
  /** Insignificant as written but not in its normalized spelling, or vice versa. */
  mixed: boolean
  name: boolean
  /** A name that is not a short form. */
  fullName: boolean
  directed: boolean
  /** Long enough for two swapped letters. */
  long: boolean
  run: number
}
