// A fixture as the engine reports and the store keeps it. The head is what lists need; entries are the markets behind it.
import type { MarketType } from './betType.ts'

export interface FixtureTeam {
  id: string
  name: string
}

/** Why a sports market is on no fixture, or on its fixture in no block. */
export const unplacedReasons = [
  'no_teams',
  'no_date',
  'ambiguous_fixture',
  'market_type',
  'side_unknown',
  'line_unknown',
] as const
export type UnplacedReason = (typeof unplacedReasons)[number]
export type UnplacedCounts = Partial<Record<UnplacedReason, number>>

export interface Descriptor {
  marketType: MarketType
  period: string
  /** `game`, or the id of the team that the bet is about. */
  slot: string
  /** Ascending; for a spread the handicap of the first of `teams`. */
  lines: number[]
  venues: string[]
}

export interface FixtureHead {
  fixtureId: string
  sport: string | null
  competitionId: string | null
  /** Two. */
  teams: [FixtureTeam, FixtureTeam]
  /** Index into `teams`; null when not stated. */
  home: 0 | 1 | null
  /** Epoch ms; null when only the day is known. */
  kickoffAt: number | null
  /** `2026-05-10`, in the calendar of the competition. */
  eventDate: string
  /** What a venue says about the game itself. */
  said: 'live' | 'postponed' | 'cancelled' | null
  /** One of its keyed markets still trades, or may again. */
  open: boolean
  venues: string[]
  markets: Descriptor[]
  unplaced: UnplacedCounts
}

/** A market on its fixture. */
export interface FixtureEntry {
  venue: string
  marketId: string
  marketType: MarketType
  period: string
  slot: string
  line: number | null
  open: boolean
  /** `result`: a team's id, or `draw`, `over`, `under`, `yes`, `no`. */
  outcomes: { outcomeId: string; result: string }[]
}

export interface FixtureRecord {
  head: FixtureHead
  entries: FixtureEntry[]
}

export interface SportsTotals {
  fixtures: number
  blocks: number
  /** Markets on a fixture and in one of its blocks. */
  placed: number
  unplaced: UnplacedCounts
}
