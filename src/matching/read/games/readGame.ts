// Reads which game a market is about from the venue's fields, its words, or its ids, in that order.

import { dayNumber, extractDates, takeTimes } from '../dateParser.ts'
import { titleFromId } from '../eventQuestion.ts'
import { pattern } from '../patternFilter.ts'
import { takeMatchup } from '../sports.ts'
import { leagueCodes, teamName, teamOfCode } from '../teams.ts'
import { fold, Scratch } from '../text.ts'
import { type Classified, tableOf } from './classify.ts'
import { stripTrailingPlace } from './competitions.ts'
import type { Game, Side } from './game.ts'
import { type SportsInput, textOf } from './input.ts'
import { easternTime, type Kickoff, kickoffOf } from './kickoff.ts'
import { wordsOf } from './sides.ts'

export type NotAGame = 'no_teams' | 'no_date'

export function readGame(input: SportsInput, classified: Classified): Game | NotAGame {
  const { place, isGame } = classified
  const division = divisionOf(input)
  const played = { league: tableOf(place), sport: place?.sport ?? null, isGame, division }
  const found = fromFields(input, played) ?? fromWords(input, played) ?? fromIds(input, played.league)
  if (found === null || isOneSide(found.sides)) return 'no_teams'
  const kickoff = kickoffOf(input) ?? dayInWords(input)
  if (kickoff === null) return 'no_date'
  return {
    venue: input.venue,
    sport: played.sport,
    competition: place?.competition?.id ?? null,
    division,
    sides: found.sides,
    home: found.home,
    kickoff,
    nth: played.sport === 'baseball' ? nthOf(input.marketId) : null,
  }
}

/** `KXMLBGAME-26NOV26NYYBOSG2-NYY`. */
function nthOf(id: string): number | null {
  const found = /^KX[A-Z0-9]+-\d\d[A-Z]{3}\d\d(?:\d{4})?[A-Z]+G([12])(?:-|$)/.exec(id)
  return found === null ? null : Number(found[1])
}

/** What is played, and in whose table its teams are. */
interface Played extends Pick<Classified, 'isGame'> {
  league: string | null
  sport: string | null
  division: string
}

interface Meeting {
  sides: readonly [Side, Side]
  home: 0 | 1 | null
}

/** Two teams, each in a separate field. */
function fromFields({ metadata, eventMetadata }: SportsInput, played: Played): Meeting | null {
  for (const [one, two] of [
    [metadata.teamOneName, metadata.teamTwoName],
    [eventMetadata.teamA, eventMetadata.teamB],
  ]) {
    const [first, second] = [textOf(one), textOf(two)]
    if (first === null || second === null || isNotCompetitor(first) || isNotCompetitor(second)) continue
    return { sides: [sideOf(first, played), sideOf(second, played)], home: null }
  }
  return null
}

const ofWomen = /\s+(?:\(?W\)?|WFC|Women(?:'s)?|Ladies)$/

/** "The field" and other entries that are not a competitor. */
const isNotCompetitor = (name: string): boolean =>
  /^(?:the )?(?:field|yes|no|over|under|draw|tie|tbd|n\/a)\b/i.test(name)

const sideOf = (name: string, { league, sport, division }: Played): Side => ({
  // The team's category is in the division, in any form of the name.
  words: wordsOf(division.includes('women') ? name.replace(ofWomen, '') : name, league, sport),
  name: name.trim(),
})

const marks = { part: pattern(/^(?:game|match|leg) \d:/g), bestOf: pattern(/\(bo\d\)/g) }

function fromWords({ title, eventTitle, outcomes }: SportsInput, played: Played): Meeting | null {
  for (const text of [eventTitle, title]) {
    const scratch = new Scratch(named(text))
    scratch.has(marks.part)
    scratch.has(marks.bestOf)
    takeTimes(scratch)
    extractDates(scratch)
    // What looks like a date may be part of a name: "Mantova 1911".
    const matchup = takeNamed(scratch, played) ?? takeNamed(new Scratch(named(text)), played)
    if (matchup === null) continue
    const [one, two] = matchup.names.map(nameOf)
    return { sides: [sideOf(one!, played), sideOf(two!, played)], home: matchup.at ? 1 : null }
  }
  // Only the outcomes name them: accepted only if the venue itself marks it as a game.
  const [one, two] = outcomes
  if (!played.isGame || outcomes.length !== 2 || isNotCompetitor(one!.label) || isNotCompetitor(two!.label)) return null
  if (isNoName.test(one!.label) || isNoName.test(two!.label)) return null
  return { sides: [sideOf(one!.label, played), sideOf(two!.label, played)], home: null }
}

/** Both must have names: taking out a date may leave a side without one. */
function takeNamed(scratch: Scratch, { league }: Played): ReturnType<typeof takeMatchup> {
  const matchup = takeMatchup(scratch, league)
  return matchup?.names.every((name) => name.trim() !== '') ? matchup : null
}

/** "Miami (OH)" is a name, "(W)" says which of its teams. */
const named = (text: string | null): string =>
  fold(text ?? '')
    .replaceAll(/\s*\([WM]\)/g, '')
    .replaceAll(/ \(([A-Z]{2})\)/g, ' $1')

const isNoName = /^$|[\d+]|^(?:odd|even|higher|lower|both|neither|first|second|home|away)\b/i

/** "Houston MLS soccer", "Argentina World Cup final": the place is not part of a name. */
const nameOf = (text: string): string => stripTrailingPlace(text.replace(/^(?:the|will)\s+/i, '').trim())

/** If only the id is known, or its words name a single team. */
function fromIds(input: SportsInput, league: string | null): Meeting | null {
  for (const id of [input.marketId, input.slug, input.eventSlug]) {
    const codes = codesOf(id ?? '', league)
    if (codes === null) continue
    const [one, two] = codes.map((code): Side => {
      const team = league === null ? null : teamOfCode(league, code)
      return { words: [team ?? code], name: team === null ? null : teamName(team) }
    })
    return { sides: [one!, two!], home: null }
  }
  return null
}

function codesOf(id: string, league: string | null): readonly [string, string] | null {
  const slug = /^(?:[a-z]{3}-)?[a-z0-9]+-([a-z0-9]+)-([a-z0-9]+)-20\d\d-\d\d-\d\d(?:-|$)/.exec(id)
  if (slug !== null) return [slug[1] as string, slug[2] as string]
  const symbol = /^GEMI-[A-Z0-9]+-\d{10}-([A-Z0-9]+)-([A-Z0-9]+)-/.exec(id)
  if (symbol !== null) return [(symbol[1] as string).toLowerCase(), (symbol[2] as string).toLowerCase()]
  const ticker = /^KX[A-Z0-9]+-\d\d[A-Z]{3}\d\d(?:\d{4})?([A-Z0-9]+?)(?:-|$)/.exec(id)
  if (ticker === null) return null
  const both = (ticker[1] as string).toLowerCase()
  const split = league === null ? null : splitCodes(both, league)
  if (split !== null) return split
  const own = /: ([a-z0-9]+) vs/.exec(titleFromId(id))?.[1] ?? /-([A-Z]{2,})\d*$/.exec(id)?.[1]?.toLowerCase()
  if (own === undefined || own === both) return null
  if (both.startsWith(own)) return [own, both.slice(own.length)]
  return both.endsWith(own) ? [both.slice(0, -own.length), own] : null
}

/** `detkc`: two codes of the league without a gap. */
function splitCodes(both: string, league: string): readonly [string, string] | null {
  for (const first of leagueCodes(league)) {
    const second = both.slice(first.length)
    if (
      both.startsWith(first) &&
      teamOfCode(league, second) !== null &&
      teamOfCode(league, second) !== teamOfCode(league, first)
    )
      return [first, second]
  }
  return null
}

/** "… on May 13, 2026": only a complete date counts. */
function dayInWords({ title, eventTitle }: SportsInput): Kickoff | null {
  for (const text of [title, eventTitle]) {
    const scratch = new Scratch(fold(text ?? ''))
    const times = takeTimes(scratch)
    for (const { role, year, month, day, toDay } of extractDates(scratch)) {
      if (role !== 'on' || year === null || month === null || day === null || toDay !== null) continue
      const [time, ...more] = times
      const hours = more.length > 0 ? undefined : hoursBehind[time?.zone ?? '']
      if (time !== undefined && hours !== undefined) {
        const at = easternTime(year, month, day, time.minutes + hours * 60)
        return { at, day: Math.floor(at / 86_400_000) }
      }
      return { at: null, day: dayNumber(year, month, day) }
    }
  }
  return null
}

/** North American time zones, by how far they are behind Eastern. */
const hoursBehind: Readonly<Record<string, number>> = { et: 0, ct: 1, mt: 2, pt: 3 }

function divisionOf({ title, eventTitle, metadata, tags }: SportsInput): string {
  const low = fold([eventTitle, title, textOf(metadata.leagueLabel), ...tags].join(' | ')).toLowerCase()
  const women =
    /^[^|]+ w vs?\.? [^|]+ w(?: \||$)|(?:\b(?:women'?s?|ladies'?|femenin[ao]|wsl|nwsl|wfc)|\(w\))(?!\w)/.test(low)
      ? 'women'
      : ''
  const other = /\b(?:reserves|legends|academy|youth|all-stars?)\b/.exec(low)?.[0] ?? ''
  const age = /\bu(?:nder)?[- ]?(1[5-9]|2[0-3])s?\b/.exec(low)?.[1]
  const doubles = /\bdoubles\b/.test(low) ? 'doubles' : ''
  return [women, age === undefined ? '' : `under ${age}`, other, doubles].filter((each) => each !== '').join(' ')
}

const isOneSide = ([one, two]: readonly [Side, Side]): boolean => one.words.join(' ') === two.words.join(' ')
