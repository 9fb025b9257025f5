// Whether two venues mean the same team, and which side of a game a label names.

import { pairCost } from '../../compare/fields/games.ts'
import { participant } from '../sports.ts'
import { teamAliases, teamName } from '../teams.ts'
import { fold } from '../text.ts'
import { clubWords } from './clubs.ts'
import { competitionOf } from './competitions.ts'
import type { Game, Side } from './game.ts'

/** A name as its team of the tables, or its significant words. "Spurs" are a basketball team only in basketball. */
export function wordsOf(text: string, league: string | null, sport: string | null): string[] {
  const folded = fold(text)
  const words = participant(folded, league)
  const [first = folded.toLowerCase(), ...more] = words
  if (!isTeam(words)) return sport === 'soccer' ? clubWords([first, ...more]) : [first, ...more]
  const own = competitionOf(first.slice(0, first.indexOf(':')))?.sport
  if (sport === null || own === sport) return words
  const plain = folded.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [first]
  return sport === 'soccer' ? clubWords(plain) : plain
}

/**
 * Below this: one team. As in the matcher: 0 the same words, 11 one name within the other, 12 a code for a name, 60 nothing in common.
 */
export const sameTeamCostMax = 30

export function sideCost(a: readonly string[], b: readonly string[]): number {
  return isOtherTeam(a, b) ? 60 : looseCost(a, b)
}

/** Same town or club, but another team: the second team, "State" against the bare place, "(W)" on one side. */
export function isOtherTeam(a: readonly string[], b: readonly string[]): boolean {
  if (isTeam(a) || isTeam(b)) return false
  if (isSecondTeam(a) !== isSecondTeam(b)) return true
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (long.length === short.length) return false
  if (short.every((word, at) => word === long[at])) return schoolWords.test(long[short.length]!)
  return directions.test(long[0]!) && long[1] === short[0] && !/^(?:korea|macedonia)$/.test(short[0]!)
}

const schoolWords = /^(?:state|st|tech|am|at|oh)$/
const directions = /^(?:north|south|east|west|northern|southern|eastern|western|central)$/

const isSecondTeam = (words: readonly string[]): boolean =>
  words.length > 1 && (words[0] === 'jong' || words.slice(1).some((word) => secondTeams.test(word)))
const secondTeams = /^(?:castilla|atletic|reserves?|academy|legends|primavera|b|ii|iii)$/

/** Within one game a short name is enough: "Boise" for "Boise State". */
function looseCost(a: readonly string[], b: readonly string[]): number {
  const plain = pairCost(a, b)
  if (plain < sameTeamCostMax || (isTeam(a) && isTeam(b))) return plain
  const [x, y] = withoutInitials(spelled(a), spelled(b))
  const named = pairCost(x, y)
  if (named < sameTeamCostMax) return Math.max(named, 11)
  return isShort(x, y) || isShort(y, x) ? 12 : 60
}

export const isTeam = (words: readonly string[]): boolean => words.length === 1 && words[0]!.includes(':')

/** A table's team is replaced by its name if the other side has no table entry. */
function spelled(words: readonly string[]): readonly string[] {
  const name = isTeam(words) ? teamName(words[0]!) : null
  return name === null ? words : fold(name).toLowerCase().split(' ')
}

/** "A. Davidovich Fokina": a first name may be a letter. */
function withoutInitials(a: readonly string[], b: readonly string[]): [readonly string[], readonly string[]] {
  const without = (words: readonly string[], others: readonly string[]): readonly string[] => {
    const letter = others.find((each) => each.length === 1)
    if (letter === undefined || words.length < 2) return words
    return words[0]!.startsWith(letter) ? words.slice(1) : words
  }
  const plain = (words: readonly string[]): readonly string[] =>
    words.length > 1 ? words.filter((each) => each.length > 1) : words
  return [plain(without(a, b)), plain(without(b, a))]
}

/** `psg` for "paris saint germain", `andrub` for "andrey rublev". */
function isShort([code, ...more]: readonly string[], words: readonly string[]): boolean {
  if (code === undefined || more.length > 0 || words.length < 2 || code.length < 2) return false
  const clipped = words[0]!.slice(0, 3) + words.at(-1)!.slice(0, 3)
  return words.map((word) => word[0]).join('') === code || (code.length >= 5 && clipped === code)
}

/** Which side a text names; null if neither, or both equally well. */
export function sideNamed(text: string, { sides, sport }: Game, league: string | null): 0 | 1 | null {
  if (fold(text) === '' || isMeeting.test(text) || namesBoth(text, sides, league)) return null
  const words = wordsOf(text, league, sport)
  const [one, two] = sides.map((side) => looseCost(words, side.words)) as [number, number]
  if (one < sameTeamCostMax && two >= sameTeamCostMax) return 0
  if (two < sameTeamCostMax && one >= sameTeamCostMax) return 1
  if (one === two) return null
  // "united" alone is neither; "manchester united" is the one that it equals.
  return Math.min(one, two) > 0 ? null : one < two ? 0 : 1
}

/** "Dallas vs Cleveland", "Dallas at Cleveland": both are named, so neither is meant. */
const isMeeting = /\s(?:v|vs|versus|at|against)\.?\s|@/i

/** By the tables, which find one team per text; elsewhere a nickname is an ordinary word. */
function namesBoth(text: string, sides: readonly Side[], league: string | null): boolean {
  const teams = sides.map(({ words }) => (isTeam(words) ? words[0] : null))
  if (league === null || teams.includes(null)) return false
  const low = fold(text).toLowerCase()
  const named = new Set(
    teamAliases(low, league).flatMap(({ team, pattern }) => (low.search(pattern.regex) >= 0 ? team : [])),
  )
  return teams.every((team) => named.has(team!))
}

/** The longest of the names that is not a code. */
export function nameOfSide(sides: readonly Side[]): string {
  const team = sides.map(({ words }) => (isTeam(words) ? teamName(words[0]!) : null)).find((each) => each !== null)
  if (team !== undefined) return team!
  const names = sides.flatMap(({ name }) => name ?? [])
  if (names.length > 0) return names.reduce((best, each) => (better(each, best) ? each : best))
  return sides[0]!.words.join(' ').toUpperCase()
}

const better = (a: string, b: string): boolean => a.length > b.length || (a.length === b.length && a < b)
