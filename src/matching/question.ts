// A market's question as a structure: everything two venues can say differently is read into fields, what is not understood stays as words.

import { compose } from './compose.ts'
import { type FeatureKind, Features } from './features.ts'
import { closeMillis, type MatchInput, marketKey } from './input.ts'
import { placeOf, placePattern, placeWord } from './places.ts'
import { takePolitics } from './politics.ts'
import { readSettlement, type Settlement } from './sources.ts'
import { leagueOf, type Matchup, participant, takeCompetition, takeForms, takeMatchup, takeTeams } from './sports.ts'
import { takeActions, takeSubjects } from './subjects.ts'
import { teamOfCode, teamOfNickname } from './teams.ts'
import { fold, Scratch, spelling, stem, words } from './text.ts'
import { type Interval, relate, takeThresholds } from './threshold.ts'
import { isCommon, isSoft, isStop, knownPeople, synonym } from './vocabulary.ts'
import { idDate, type TimeOfDay, takeDates, takeTimes } from './when.ts'
import { resolveMoments, type SaidDate, type YearHints } from './years.ts'

/** A word nothing understood, as it is compared. */
export interface Rest {
  /** Stem in its common spelling. */
  key: string
  /** As it stood. */
  text: string
  name: boolean
  /** Words with one number stand together: the parts of one name. */
  run: number
}

/** What settles the answer decides how much a missing source weighs. */
export type Domain = 'weather' | 'price' | 'game' | 'politics' | 'other'

export interface Question {
  key: string
  venue: string
  marketId: string
  /** The sentence that was read, for people. */
  text: string
  domain: Domain
  features: Partial<Record<FeatureKind, string[]>>
  matchup: Matchup | null
  /** What Yes stands for in a matchup: a participant, `draw`, or null where the whole game is asked about. */
  side: string[] | 'draw' | null
  /** No word says which side Yes is; the first named is taken. */
  sideAssumed: boolean
  /** A third result exists, so "A loses" is not "B wins". */
  drawPossible: boolean
  intervals: Interval[]
  /** Numbers without a direction, sorted. */
  numbers: number[]
  dates: SaidDate[]
  years: YearHints
  times: TimeOfDay[]
  /** Asks who, which or how many, and no label says which outcome this market is. */
  open: boolean
  /** Odd number of negations. */
  negated: boolean
  rest: Rest[]
  settlement: Settlement
  rules: string
  closes: number | null
}

const negations =
  /\b(?:not|never|fails? to|without|neither|won'?t|doesn'?t|isn'?t|cannot|don'?t)\b|\bno\b(?! (?:more|less|fewer|later|change|longer)\b|\.)/g

export function readQuestion(market: MatchInput): Question {
  const text = compose(market)
  const scratch = new Scratch(text)
  const features = new Features()
  const eventTitle = fold(market.eventTitle ?? '')
  const league = leagueOf(`${text} ${eventTitle} ${market.category ?? ''}`.toLowerCase(), market.marketId)
  for (const [pattern, name] of knownPeople) scratch.rewrite(pattern, name)
  if (league === 'mlb') scratch.rewrite(/\ba's(?= )/g, 'Athletics')
  const superBowls: number[] = []
  scratch.rewrite(/\bwhite house\b/g, 'Whitehouse')
  scratch.rewrite(/\b(?<=score[sd]? )an? (?=goal|touchdown|home run|point)/g, 'at least 1 ')
  rewriteMargin(scratch, text)
  scratch.rewrite(/(?<=\p{L}) x (?=\p{L})/gu, ' and ')
  scratch.take(/\bsuper bowl ([lxvi]+)\b/g, (m) => {
    superBowls.push(1966 + roman(m[1] as string))
    return false
  })
  const superBowl = superBowls[0]
  if (superBowl !== undefined) scratch.rewrite(/\bsuper bowl [lxvi]+\b/g, `Super Bowl ${superBowl}`)
  const negated = countNegations(scratch) % 2 === 1
  const times = takeTimes(scratch)
  const own = takeDates(scratch)
  // An event's title dates those of its markets that name no day themselves.
  const moments = own.length > 0 || eventTitle === '' ? own : takeDates(new Scratch(eventTitle))
  takeTeamsFirst(scratch, features, league)
  takePolitics(scratch, features)
  takeCompetition(scratch, features, league)
  let matchup = takeMatchup(scratch, league)
  if (matchup === null) {
    const context = new Scratch(eventTitle)
    takeDates(context)
    matchup = takeMatchup(context, league)
    if (matchup !== null) {
      takeCompetition(context, features, league)
      takeForms(context, features, false)
    }
  }
  const draws = !decided(league, `${text} ${eventTitle} ${market.marketId}`.toLowerCase())
  if (matchup !== null) takeForms(scratch, features, draws)
  takeSubjects(scratch, features)
  const { intervals, numbers } = takeThresholds(scratch)
  const side = matchup === null ? null : sideOf(scratch, matchup, features, market, league)
  takeTeams(scratch, features, league)
  takePlaces(scratch, features)
  const lost = scratch.has(/\b(?:loses?|lost|losing|be defeated)\b/g)
  if (lost) features.add('action', 'win')
  takeActions(scratch, features)
  if (matchup !== null) features.drop('action', 'win')
  const spread = features.of('form').includes('spread') ? numbers.findIndex((value) => value.amount < 0) : -1
  if (spread >= 0 && intervals.length === 0) {
    // "(-1.5)": wins by more than that.
    intervals.push({
      low: -(numbers[spread]?.amount ?? 0),
      lowIncluded: false,
      high: null,
      highIncluded: false,
      unit: 'count',
      touch: false,
    })
    numbers.splice(spread, 1)
  }
  const strikes = withStructured(intervals, market, features.of('asset').length > 0)
  const rules = fold(market.rules ?? '')
  const closes = closeMillis(market.closeTime)
  const inId = idDate(market.marketId)
  const { dates, years } = resolveMoments(moments, inId, rules, closes)
  const plain = features.plain()
  const domain = domainOf(plain, matchup !== null, strikes.length > 0)
  // Price ids name the hour (Eastern) the words leave out.
  if (domain === 'price' && times.length === 0 && inId?.hour !== undefined && inId.hour !== null && inId.hour < 24)
    times.push({ minutes: inId.hour * 60, zone: 'et' })
  return {
    key: marketKey(market),
    venue: market.venue,
    marketId: market.marketId,
    text,
    domain,
    features: plain,
    matchup,
    side: side?.side ?? null,
    sideAssumed: side?.assumed ?? false,
    drawPossible: matchup !== null && draws,
    intervals: strikes,
    numbers: numbers.map((value) => value.amount).sort((a, b) => a - b),
    dates,
    years,
    times,
    open: isOpen(market, text),
    negated: negated !== lost,
    rest: restOf(scratch),
    settlement: readSettlement(market.rules ?? '', market.resolutionSource ?? ''),
    rules,
    closes,
  }
}

function isOpen(market: MatchInput, text: string): boolean {
  if (
    (market.subtitle ?? '') !== '' ||
    (market.floorStrike ?? market.capStrike ?? null) !== null ||
    text !== fold(market.title)
  )
    return false
  if ((market.outcomes ?? []).some((outcome) => !/^(?:yes|no)$/i.test(outcome))) return false
  // "…: Mexico" and "… - Mexico" name the outcome behind the question.
  return (
    (/^(?:who|which|what|when|how (?:many|much|high|low))\b/i.test(text) && !/\?\s*[:-]\s*\S|:\s+\S/.test(text)) ||
    /_{2,}/.test(market.title) ||
    (/\b(?:qualifiers|nominees?|winner)\?*$/i.test(text) && !/\bwill\b|\bvs?\b/i.test(text))
  )
}

/** Super Bowl LX was played in 2026. */
function roman(text: string): number {
  const worth: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50 }
  return [...text].reduce((sum, letter, at) => {
    const own = worth[letter] ?? 0
    return sum + (own < (worth[text[at + 1] ?? ''] ?? 0) ? -own : own)
  }, 0)
}

/** "Margin of victory for X above 0" is "X wins": the name inside the phrase must stay. */
function rewriteMargin(scratch: Scratch, text: string): void {
  const found =
    /margin of victory for (.{2,60}?) (in .{2,80}? )?be (?:above|more than|greater than|over) 0(?:%| ?percent)?/i.exec(
      text,
    )
  if (found === null) return
  scratch.rewrite(
    /(?:the )?margin of victory for .{2,60}? (?:in .{2,80}? )?be (?:above|more than|greater than|over) 0(?:%| ?percent)?/g,
    `${found[1]} win ${found[2] ?? ''}`,
  )
}

function countNegations(scratch: Scratch): number {
  let count = 0
  scratch.take(negations, () => {
    count++
  })
  return count
}

/** Full team names go before places: "Washington Nationals" is no state. City names wait until a matchup was looked for. */
function takeTeamsFirst(scratch: Scratch, features: Features, league: string | null): void {
  if (/\b(?:vs?\.?|versus|@|at)\s/.test(scratch.low)) return
  takeTeams(scratch, features, league)
}

function takePlaces(scratch: Scratch, features: Features): void {
  scratch.take(placePattern, (m, raw) => {
    const place = placeOf(m[1] as string, raw)
    if (place === null || !/[A-Z]/.test(raw)) return false
    // "Mark Cuban", "Jordan Ellis": part of a person's name.
    if (besideName(scratch.raw, m.index ?? 0, (m.index ?? 0) + m[0].length)) return false
    features.add('place', place)
  })
}

/** A capitalised word that means nothing else stands directly before or behind. */
function besideName(raw: string, start: number, end: number): boolean {
  const before = /([A-Z][\p{L}.]*) $/u.exec(raw.slice(0, start))?.[1]
  const behind = /^ ([A-Z][\p{L}.]*)/u.exec(raw.slice(end))?.[1]
  return [before, behind].some((word) => {
    if (word === undefined || /^[A-Z.]+$/.test(word)) return false
    const plain = word.toLowerCase().replaceAll('.', '')
    const stemmed = stem(plain)
    return !isStop(plain) && !isSoft(stemmed) && !isCommon(stemmed) && !placeWord.test(plain)
  })
}

function sideOf(
  scratch: Scratch,
  matchup: Matchup,
  features: Features,
  market: MatchInput,
  league: string | null,
): { side: Question['side']; assumed: boolean } {
  const forms = features.of('form')
  if (forms.includes('draw')) return { side: 'draw', assumed: false }
  if (forms.some((form) => /^(?:total|corners|cards|both score|exact score|method)$/.test(form)))
    return { side: null, assumed: false }
  const label = fold(market.subtitle ?? '')
  const named = label === '' ? undefined : sideNamed(label, matchup, league)
  if (named !== undefined) {
    dropWords(scratch, named)
    return { side: named, assumed: false }
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
  // "Lakers" alone: a nickname only one league has.
  const byNickname = matchup.sides.filter(
    (each) => scratch.low.match(/[\p{L}\d]+/gu)?.some((word) => teamOfNickname(word) === each[0]) === true,
  )
  if (byNickname.length === 1) {
    const side = byNickname[0] as string[]
    scratch.take(/[\p{L}\d]+/gu, (m) => teamOfNickname(m[0]) === side[0])
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

/** The one side a label names. */
function sideNamed(label: string, matchup: Matchup, league: string | null): string[] | undefined {
  const said = participant(label, league)
  const held = matchup.sides.filter((each) => said.length > 0 && said.every((word) => each.includes(word)))
  return held.length === 1 ? held[0] : undefined
}

/** "…-26MAY151910MIATB-MIA": the last part of some ids names the outcome. */
function sideOfId(id: string, matchup: Matchup, league: string | null): Question['side'] {
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

/** "rso" of "real sociedad": the letters in their order, beginning with the first. */
function abbreviates(code: string, name: string): boolean {
  if (code[0] !== name[0]) return false
  let at = 0
  for (const letter of name) if (letter === code[at]) at++
  return at >= code.length
}

function dropWords(scratch: Scratch, side: readonly string[]): void {
  for (const word of side) {
    if (word.includes(':')) continue
    scratch.has(new RegExp(`(?<![\\w])${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w])`, 'g'))
  }
}

/** The venue's own strike fields beat its words; they agree except for the tick below the round number. */
function withStructured(said: readonly Interval[], market: MatchInput, priced: boolean): Interval[] {
  const low = market.floorStrike ?? null
  const high = market.capStrike ?? null
  const distinct = said.filter((each, index) => said.findIndex((other) => relate(each, other) === 'equal') === index)
  if ((low === null && high === null) || market.strikeType === null || market.strikeType === undefined) return distinct
  const unit = said[0]?.unit ?? (priced ? 'money' : 'count')
  const type = market.strikeType
  const own: Interval = {
    low: type === 'less' || type === 'less_or_equal' ? null : low,
    lowIncluded: low !== null && /^(?:greater_or_equal|between)$/.test(type),
    high: type === 'greater' || type === 'greater_or_equal' ? null : high,
    highIncluded: high !== null && /^(?:less_or_equal|between)$/.test(type),
    unit,
    touch: said.some((each) => each.touch),
  }
  if (own.low === null && own.high === null) return distinct
  if (distinct.some((each) => /^(?:equal|tick|boundary)$/.test(relate(each, own)))) return distinct
  return [own]
}

function domainOf(features: Question['features'], game: boolean, strike: boolean): Domain {
  const metrics = features.metric ?? []
  if (metrics.some((metric) => /^(?:temperature|rain|snow)/.test(metric))) return 'weather'
  const quoted =
    features.asset !== undefined &&
    (strike || features.form?.includes('up or down') === true || features.action === undefined)
  if (quoted || metrics.some((metric) => metric === 'fdv' || metric === 'market-cap')) return 'price'
  if (game) return 'game'
  return features.office !== undefined || features.party !== undefined ? 'politics' : 'other'
}

/** Games that go on until somebody has won. */
const decided = (league: string | null, low: string): boolean =>
  league !== null ||
  /\bbo[1357]\b|counter-?strike|\bcs2|dota|\blol\b|league of legends|valorant|\batp|\bwta|tennis|\bt20\b|kxlol|kxatp|kxwta|overwatch/.test(
    low,
  )

function restOf(scratch: Scratch): Rest[] {
  const rest: Rest[] = []
  const seen = new Set<string>()
  for (const word of words(scratch)) {
    if (isStop(word.text)) continue
    const stemmed = synonym(stem(word.text))
    const key = spelling(stemmed)
    if (seen.has(key)) continue
    seen.add(key)
    rest.push({ key, text: word.text, name: word.capital && !isCommon(stemmed) && !isSoft(stemmed), run: word.run })
  }
  return rest
}
