// The parsed meaning of a market in one line.

import { classify } from '#matching/read/games/classify'
import { readGame } from '#matching/read/games/readGame'
import { type Bet, readBet } from '#sports/bet'
import type { SportsInput } from '#sports/index'

/** `<type> <period> <line> <results>`, or why it was not parsed. */
export function describeReading(input: SportsInput): string {
  const classified = classify(input)
  if (classified === null) return 'no sport'
  const game = readGame(input, classified)
  if (typeof game === 'string') return game
  const bet = readBet(input, classified, game)
  if (typeof bet === 'string') return bet
  const { marketType, period, of, line, outcomes }: Bet = bet
  const results = outcomes.map(({ result }) => result).join('/')
  return [marketType, period, of === null ? null : `of ${of}`, line, results].filter((each) => each !== null).join(' ')
}
