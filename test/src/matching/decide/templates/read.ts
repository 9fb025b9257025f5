// Two questions of two venues from their titles; a label follows after " # ".
import type { MatchInput } from '#matching/read/input'
import { readQuestion } from '#matching/read/parsedMarket'
import type { Question } from '#matching/read/question'

export type Given = string | Omit<MatchInput, 'venue' | 'marketId'>

const asOf = Date.UTC(2026, 10, 23)

export function question(given: Given, venue: string, marketId: string): Question {
  if (typeof given !== 'string') return readQuestion({ ...given, venue, marketId }, { asOf })
  const [title = '', subtitle] = given.split(' # ')
  return readQuestion({ venue, marketId, title, subtitle }, { asOf })
}

export const pairOf = (a: Given, b: Given): [Question, Question] => [
  question(a, 'kalshi', 'A'),
  question(b, 'polymarket', 'B'),
]
