// A game: two sides, as its venue calls them, and when they meet.
import type { Kickoff } from './kickoff.ts'

export interface Side {
  /** A team of the tables (`mlb:det`), or significant words, or its code in ids. */
  words: readonly string[]
  /** As the venue writes it; null if only a code is known. */
  name: string | null
}

export interface Game {
  venue: string
  sport: string | null
  competition: string | null
  /** `women`, `under 21`, …: another team of the same name. */
  division: string
  sides: readonly [Side, Side]
  /** Which of them plays at home; null if unknown. */
  home: 0 | 1 | null
  kickoff: Kickoff
  /** Which of two games on one day, if an id says so. */
  nth: number | null
}
