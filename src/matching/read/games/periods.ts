// Which part of a game is meant: a half, a set, the first innings.
import { isEsport } from './competitions.ts'

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth']
const numberOfOrdinal = (word: string): number => {
  const at = ordinals.indexOf(word)
  return at >= 0 ? at + 1 : Number.parseInt(word, 10)
}

const parts = new RegExp(
  `\\b(${ordinals.join('|')}|1st|2nd|3rd|[4-9]th)[ -](half|quarter|period|set|map|game|inning|frame|round)\\b`,
)

/** Every form in which `periodOf` reads a part, and nothing else. */
export const partWords = new RegExp(
  `${parts.source}|\\b(?:first|1st) (?:5|five) innings?\\b|\\bf5\\b|\\bhalf ?time\\b|\\b(?:[12]h|[1-4]q|[1-3]p|h[12]|q[1-4])\\b|\\b(?:map|set|game|match|period|inning|quarter|half)(?: #?[1-9])?\\b`,
  'g',
)

/** `game` if no part is named. `sport`: a game of a series is a map there. */
export function periodOf(words: string, sport: string | null): string {
  if (/\b(?:first|1st) (?:5|five) innings?\b|\bf5\b|\bfirst 5\b/.test(words)) return 'innings_1_5'
  const part = parts.exec(words)
  if (part !== null) return named(part[2] as string, numberOfOrdinal(part[1] as string), sport)
  if (/\bhalf ?time\b/.test(words)) return 'half_1'
  const short = /\b(?:([12])h|([1-4])q|([1-3])p|h([12])|q([1-4]))\b/.exec(words)
  if (short !== null) {
    if (short[1] ?? short[4]) return `half_${short[1] ?? short[4]}`
    if (short[2] ?? short[5]) return `quarter_${short[2] ?? short[5]}`
    return `period_${short[3]}`
  }
  const counted = /\b(map|set|game|period|inning|quarter|half) #?([1-9])\b(?!\.\d)/.exec(words)
  return counted === null ? 'game' : named(counted[1] as string, Number(counted[2]), sport)
}

/** "Game 3" of a series is a separate game, unless the series is one match. */
function named(unit: string, number: number, sport: string | null): string {
  if (unit !== 'game') return `${unit}_${number}`
  return sport !== null && isEsport(sport) ? `map_${number}` : 'game'
}
