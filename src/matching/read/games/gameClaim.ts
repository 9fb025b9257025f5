// A bet on one game: which game, which part of it, and the scores that make it Yes.
import type { Phrase } from '../../compare/frames/arguments.ts'
import type { GameFrame } from '../frames/entries/games.ts'
import type { Game } from './game.ts'
import type { Region } from './scoreRegion.ts'

export interface GameClaim {
  frame: Pick<GameFrame, 'name' | 'boundKind'>
  game: Game
  /** `game`, `regulation`, `half_1`, `map_2`, `series`, `advance`, … */
  scope: string
  /** What is counted: `score` for what decides the game. */
  unit: string
  /** The player whose count it is, if any; side one of the region is then theirs. */
  who: Phrase | null
  region: Region
  denied: boolean
  /** A whole line that may be met exactly, which some venues then refund. */
  push: boolean
  tieless: boolean
}

/** Null if it is not a bet that an entry reads. */
export function gameClaimOf({ bet }: { bet(): GameClaim | 'unread' | null }): GameClaim | null {
  const found = bet()
  return found === 'unread' ? null : found
}
