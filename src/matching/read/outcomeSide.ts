// Which participant of a matchup a market's Yes means.
import type { Features } from './features.ts'
import type { MatchInput } from './input.ts'
import { pattern } from './patternFilter.ts'
import { type Matchup, participant } from './sports.ts'
import { teamOfCode, teamOfNickname } from './teams.ts'
import { fold, type Scratch } from './text.ts'

const anyWord = pattern(/[\p{L}\d]+/gu)

/** A participant, `draw`, or null for a question about the whole game. */
export type Side = string[] | 'draw' | null

/** Finds the side that Yes means in the label, the words, the outcomes or the id, in that order; the words of the side are removed. */
export function sideOf(
  scratch: Scratch,
  matchup: Matchup,
  features: Features,
  market: MatchInput,
  league: string | null,
): { side: Side; assumed: boolean } {
  const forms = features.of('form')
  if (forms.includes('draw')) return { side: 'draw', assumed: false }
  if (forms.some((form) => /^(?:total|corners|cards|both score|exact score|method)$/.test(form)))
    return { side: null, assumed: false }
  if (matchup.beats) return { side: matchup.spoken[0], assumed: false }
  const label = fold(market.subtitle ?? '')
  const named = label === '' ? undefined : sideNamed(label, matchup, league)
  if (named !== undefined) {
    dropWords(scratch, named)
    return { side: named, assumed: false }
  }
  // "Will New York win the Chicago vs New York game": the subject is named outside the matchup.
  const subject = /^[¦\s]*Will (?:the )?([^¦?]+?) (?:win|beat|defeat)s?\b/i.exec(scratch.raw)?.[1]
  const subjectSide = subject === undefined ? undefined : sideNamed(subject, matchup, league)
  if (subjectSide !== undefined) {
    for (const word of matchup.sides.flat()) features.drop('team', word)
    dropWords(scratch, [...matchup.sides.flat(), ...words(subject as string), 'beat', 'beats', 'defeat', 'defeats'])
    return { side: subjectSide, assumed: false }
  }
  const teams = matchup.sides.filter((each) => features.of('team').includes(each[0] as string))
  for (const [team] of teams) features.drop('team', team as string)
  if (teams.length === 1) return { side: teams[0] as string[], assumed: false }
  const left = participant(scratch.raw.replaceAll('¦', ' '), league)
  const held = matchup.sides.filter((side) => side.every((word) => left.includes(word)))
  if (held.length === 1) {
    const side = held[0] as string[]
    dropWords(scratch, side)
    return { side, assumed: false }
  }
  // "Lakers" alone: a nickname unique to one league.
  const byNickname = matchup.sides.filter(
    (each) => scratch.low.match(/[\p{L}\d]+/gu)?.some((word) => teamOfNickname(word) === each[0]) === true,
  )
  if (byNickname.length === 1) {
    const side = byNickname[0] as string[]
    scratch.take(anyWord, (m) => teamOfNickname(m[0]) === side[0])
    return { side, assumed: false }
  }
  const first = market.outcomes?.[0]
  if (first !== undefined && !/^(?:yes|no|over|under)$/i.test(first)) {
    const side = sideNamed(fold(first), matchup, league)
    if (side !== undefined) return { side, assumed: false }
  }
  const coded = sideOfId(market.marketId, matchup, league)
  if (coded !== null) return { side: coded, assumed: false }
  return { side: matchup.spoken[0], assumed: true }
}

const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** The one side a label names. */
function sideNamed(label: string, matchup: Matchup, league: string | null): string[] | undefined {
  const labelWords = participant(label, league)
  const held = matchup.sides.filter((each) => labelWords.length > 0 && labelWords.every((word) => each.includes(word)))
  return held.length === 1 ? held[0] : undefined
}

/** "…-26MAY151910MIATB-MIA": the last part of some ids names the outcome. */
function sideOfId(id: string, matchup: Matchup, league: string | null): Side {
  const code = /-([A-Z0-9]{2,6})$/.exec(id)?.[1]?.toLowerCase()
  if (code === undefined) return null
  if (code === 'draw' || (code === 'tie' && league === null)) return 'draw'
  const team = league === null ? null : teamOfCode(league, code)
  const held = matchup.sides.filter((side) =>
    team !== null && side[0]?.includes(':') === true
      ? side[0] === team
      : side.some((word) => word.startsWith(code)) || side.map((word) => word[0]).join('') === code,
  )
  if (held.length === 1) return held[0] as string[]
  const spelled = team === null ? matchup.sides.filter((side) => abbreviates(code, side.join(''))) : []
  return spelled.length === 1 ? (spelled[0] as string[]) : null
}

/** "rso" for "real sociedad": letters in order, starting with the first. */
function abbreviates(code: string, name: string): boolean {
  if (code[0] !== name[0]) return false
  let at = 0
  for (const letter of name) if (letter === code[at]) at++
  return at >= code.length
}

function dropWords(scratch: Scratch, side: readonly string[]): void {
  for (const word of side) {
    if (word.includes(':')) continue
    scratch.drop(word)
  }
}
