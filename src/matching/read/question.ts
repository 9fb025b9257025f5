// A market's question as a structure: everything that venues may word differently is a field, and what is not understood is kept as words.

import type { Facets } from '../compare/facets.ts'
import type { TimeOfDay } from './dateParser.ts'
import type { FeatureKind } from './features.ts'
import type { Proposition } from './frames/read.ts'
import type { GameClaim } from './games/gameClaim.ts'
import type { Side } from './outcomeSide.ts'
import type { Unnamed } from './placeholderOutcomes.ts'
import type { RulesText } from './rulesText.ts'
import type { Settlement } from './sources.ts'
import type { Matchup } from './sports.ts'
import type { Interval } from './thresholdParser.ts'
import type { StatedDate, YearHints } from './yearInference.ts'

/** A word that nothing understood, in compared form. */
export interface Residual {
  /** Stem in its normalized spelling. */
  key: string
  /** As written. */
  text: string
  name: boolean
  /** Words with one number are adjacent: the parts of one name. */
  run: number
}

/** What settles the answer; determines how much a missing source weighs. */
export type Domain = 'weather' | 'price' | 'game' | 'politics' | 'other'

export interface Question {
  key: string
  venue: string
  marketId: string
  /** The sentence that was read, for people. */
  text: string
  /** What Yes means if the title is shared; otherwise empty. */
  label: string
  /** Title of its event; empty if none is given. */
  event: string
  /** It names no person; its event says who is meant. */
  unnamed: Unnamed | null
  domain: Domain
  features: Partial<Record<FeatureKind, string[]>>
  matchup: Matchup | null
  /** What Yes means in a matchup. */
  side: Side
  /** No word says which side Yes is; the first named is assumed. */
  sideAssumed: boolean
  /** A third result exists, so "A loses" is not "B wins". */
  drawPossible: boolean
  intervals: Interval[]
  /** Numbers without a direction, sorted. */
  numbers: number[]
  dates: StatedDate[]
  years: YearHints
  times: TimeOfDay[]
  /** Asks who, which or how many, and no label says which outcome this market is. */
  open: boolean
  /** Odd number of negations. */
  negated: boolean
  rest: Residual[]
  /** What the question says, if a template is known for it. */
  proposition: Proposition | null
  /** Its bet on a game, read on first use: `unread` if no entry reads it, null if the game's date is unknown. */
  bet(): GameClaim | 'unread' | null
  settlement: Settlement
  rules: string
  /** The same, read; one object for all that share it. */
  parsedRules: RulesText
  closes: number | null
  /** When it was read, epoch ms; null if unknown. */
  asOf: number | null
  /** What distinguishes it from others at a glance. */
  facets: Facets
}
