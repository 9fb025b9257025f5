// A market's question as a bet on one game: which game, which part of it, and the scores that make it Yes.

import { phraseOf } from '../../compare/frames/arguments.ts'
import { extractDates, takeTimes } from '../dateParser.ts'
import { compose } from '../eventQuestion.ts'
import { games as entries, type GameFrame } from '../frames/entries/games.ts'
import type { MatchInput } from '../input.ts'
import { Letters, type Pattern, pattern } from '../patternFilter.ts'
import { isBetPhrase } from '../sports.ts'
import { fold, Scratch } from '../text.ts'
import { type Interval, takeIntervals, whole } from '../thresholdParser.ts'
import { classify, tableOf } from './classify.ts'
import { competitionOf, placeOfWords, withoutPlaces } from './competitions.ts'
import type { Game } from './game.ts'
import type { GameClaim } from './gameClaim.ts'
import type { SportsInput } from './input.ts'
import { partWords, periodOf } from './periods.ts'
import { readGame } from './readGame.ts'
import { hasNoTie, scopeOf, unitOf } from './scope.ts'
import { anyScore, bounded, crossed, type Region } from './scoreRegion.ts'
import { sideNamed } from './sides.ts'
import { mentions } from './teamMentions.ts'

const inputOf = (market: MatchInput): SportsInput => ({
  venue: market.venue,
  marketId: market.marketId,
  eventId: market.eventId ?? null,
  title: market.title,
  description: market.rules ?? '',
  subtitle: market.subtitle ?? null,
  eventTitle: market.eventTitle ?? null,
  slug: null,
  eventSlug: null,
  seriesId: null,
  category: market.category ?? null,
  tags: [],
  status: 'unknown',
  outcomes: (market.outcomes ?? []).map((label, at) => ({ outcomeId: String(at), label })),
  metadata: market.gameStart == null ? {} : { gameStartTime: market.gameStart },
  eventMetadata: {},
})

interface Reader {
  frame: GameFrame
  cue: Pattern
  sentences: readonly Pattern[]
}

const counted = 'points?|runs?|goals?|maps?|games?|rounds?|sets?|kills?|corners?|cards?|fours|sixes|wickets?'

const compile = (sentence: string): Pattern => {
  let units = 0
  return pattern(
    new RegExp(
      `^${sentence
        .replaceAll('<unit>', () => `(?<unit${++units}>${counted})`)
        .replaceAll(/(?<!\\k)<side>/g, '(?<side>side[12])')
        .replaceAll('<other>', 'side[12]')
        .replaceAll('<who>', "(?<who>(?!.*\\b(?:side[12]|meeting|team|total|both|either|any)\\b)[a-z][a-z.' -]+)")}$`,
    ),
  )
}

const readers: readonly Reader[] = entries.map((frame) => ({
  frame,
  cue: pattern(frame.cue),
  sentences: frame.sentences.map(compile),
}))

/** Null for a game of unknown date; `unread` for a bet that no entry reads. */
export function readClaim(market: MatchInput, text: string = compose(market)): GameClaim | 'unread' | null {
  const input = inputOf(market)
  const words = fold(`${market.eventTitle ?? ''} ${text}`).toLowerCase()
  const classified = classify(input) ?? { place: null, idBet: null, isGame: false }
  const game = readGame(input, { ...classified, place: classified.place ?? placeOfWords([words]) })
  if (typeof game === 'string') return null
  return claimIn(market, text, words, withTable(game))
}

/** Teams of one table determine the sport if nothing else does. */
function withTable(game: Game): Game {
  const [one, two] = game.sides.map(({ words: [team = ''] }) => team.slice(0, Math.max(0, team.indexOf(':'))))
  const place = one === '' || one !== two ? null : competitionOf(one as string)
  return place === null || game.competition !== null ? game : { ...game, sport: place.sport, competition: place.id }
}

function claimIn(market: MatchInput, text: string, words: string, game: Game): GameClaim | 'unread' {
  const sentence = sentenceOf(text, words, market, game)
  if (sentence === null) return 'unread'
  const letters = new Letters(sentence.text)
  for (const { frame, cue, sentences } of readers) {
    if (!cue.isIn(sentence.text, letters)) continue
    const found = first(sentences, sentence.text, letters)
    if (found === null) continue
    return claimOf(frame, found, sentence, market, game) ?? 'unread'
  }
  return 'unread'
}

interface Sentence {
  text: string
  amount: Interval | null
  /** "O/U 47", "Over 47": a whole line, not a statement of "more than 47". */
  line: boolean
  under: boolean
  handicap: number | null
  score: readonly [number, number] | null
  scope: string
  even: boolean
}

const lost =
  /\b(?:not|n't|never|without|unless|loses?|lost|losing|avoids?|fails?|or win|double chance|to nil|clean sheet|from behind|no bet|first|last|anytime|series of)\b/

/** A negation that a name absorbed before a verb. */
const denial = /\b(?:not|never|without)\b/i

function sentenceOf(text: string, words: string, market: MatchInput, game: Game): Sentence | null {
  if (text.length > 260 || game.sides.some(({ name }) => denial.test(name ?? ''))) return null
  const scratch = new Scratch(text.replace(/\s*\((?:bo\d|W|M)\)/gi, ' '))
  takeTimes(scratch)
  extractDates(scratch)
  const named = mentions(scratch.raw.replaceAll('¦', ' '), game)
  const isSeries = /(?<!world )\bseries\b(?! (?:[ab]\b|of\b))/.test(`${words}`) && !/\bworld series\b/.test(words)
  const sport = game.sport
  const part = periodOf(words.replaceAll(/\b(?:bo\d|best of \d)\b/g, ''), sport)
  const { left, scope } = scopeOf(named, market.rules ?? '', isSeries ? 'series' : part, game)
  let remaining = withoutPlaces(left)
  if (isSeries) remaining = remaining.replace(/\bseries\b/g, ' ')
  const score = /\b(\d{1,2}) ?- ?(\d{1,2})\b/.exec(remaining)
  if (score !== null) remaining = remaining.replace(score[0], ' score ')
  const handicap = /(?<=side[12]\s*)\(?([+-]\d+(?:\.\d+)?)\)?(?=\s|$|[?:,])/.exec(remaining)
  if (handicap !== null) remaining = remaining.replaceAll(handicap[0], ' handicap ')
  if (part !== 'game') remaining = remaining.replaceAll(partWords, ' ').replace(/\bin the (?= |$)/, ' ')
  const line = /\bo\/u\b|\bover\/under\b|(?:^|[:¦] ?)\s*(?:over|under)\b/.test(remaining)
  const counts = new Scratch(remaining)
  const amounts = [...takeExact(counts), ...takeIntervals(counts)]
  const intervals = amounts.map(whole)
  const distinct = intervals.filter(
    (each, at) => intervals.findIndex((other) => other.low === each.low && other.high === each.high) === at,
  )
  if (distinct.length > 1) return null
  const plain = tidied(counts.raw.replaceAll('¦', ' amount '))
  if (lost.test(plain) || /\d/.test(plain.replaceAll(/side[12]/g, ''))) return null
  const strike = distinct[0] ?? null
  return {
    text: plain,
    amount: strike,
    line: line && amounts.some(isLine),
    under: amounts.some(({ low }) => low === null),
    handicap: handicap === null ? null : Number(handicap[1]),
    score: score === null ? null : [Number(score[1]), Number(score[2])],
    scope,
    even: /\bbo[24]\b/.test(words),
  }
}

const exactly = pattern(/\bexactly (\d+)\b/g)

/** "By exactly 2 runs". */
function takeExact(scratch: Scratch): Interval[] {
  const found: Interval[] = []
  scratch.take(exactly, (m) => {
    const value = Number(m[1])
    found.push({ low: value, lowIncluded: true, high: value, highIncluded: true, unit: 'count', touch: false })
  })
  return found
}

const isLine = ({ low, lowIncluded, high, highIncluded }: Interval): boolean =>
  Number.isInteger(low ?? high) && !(low === null ? highIncluded : lowIncluded)

const dress =
  /\b(?:will|the|an?|be|to(?= win)|in|of|for|on|at|game|match|fight|bout|by|professional|pro|men'?s|women'?s|college|league|regular season)\b/g

/** One plain sentence, without the matchup next to a bet and without repetitions. */
function tidied(text: string): string {
  const clauses = text
    .replaceAll(/side[12]\s+(?:vs?\.?|versus|@|at|x|and|-)\s+side[12]/g, ' meeting ')
    .replace(/^([^:,?]{2,50})[:,]\s*(?=meeting)/, address)
    .replace(/(?<=meeting\s*) - ([^:?]{2,60})$/, address)
    .replaceAll(/[?!,;()"|]/g, ' ')
    .replaceAll(/ - | – /g, ' : ')
    .split(/ ?:(?: |$)/)
    .map((clause) =>
      clause
        .replaceAll(dress, ' ')
        .replaceAll(/\s+/g, ' ')
        .replaceAll(/^[ .-]+|[ .-]+$/g, ''),
    )
    .filter((clause) => clause !== '')
  const distinct = clauses.filter((clause, at) => clauses.indexOf(clause) === at)
  const withoutMeeting = distinct.filter((clause) => clause !== 'meeting')
  return (withoutMeeting.length === 0 ? distinct : withoutMeeting)
    .join(' : ')
    .replace(/^meeting (?=\S)/, '')
    .replace(/ meeting$/, '')
}

/** The venue of a game is not part of the bet. */
const address = (whole: string, words: string): string => (isBetPhrase.test(words) ? whole : ' ')

type Groups = Record<string, string | undefined>

/** Null if nothing fits, or if two things are counted. */
function first(sentences: readonly Pattern[], text: string, letters: Letters): Groups | null {
  for (const candidate of sentences) {
    const match = candidate.mayMatch(letters) ? candidate.regex.exec(text) : null
    if (match === null) continue
    const { unit1, unit2, unit3, ...groups } = match.groups ?? {}
    const units = new Set([unit1, unit2, unit3].flatMap((unit) => unit?.replace(/s$/, '') ?? []))
    return units.size > 1 ? null : { ...groups, unit: [...units][0] }
  }
  return null
}

function claimOf(
  frame: GameFrame,
  { side, unit: word, who, stat }: Groups,
  sentence: Sentence,
  market: MatchInput,
  game: Game,
): GameClaim | null {
  const label = sided.test(frame.boundKind) ? labelled(market, game) : null
  const statedSide = side === undefined ? null : side === 'side1' ? 0 : 1
  if (statedSide !== null && label !== null && statedSide !== label && frame.boundKind === 'lead') return null
  const at = statedSide ?? label ?? (sided.test(frame.boundKind) ? sideOfFirstOutcome(market, game) : null)
  const region = regionOf(frame, at, sentence)
  if (region === null) return null
  const scope = frame.scope ?? sentence.scope
  const line = !/^(?:lead|level|safe)$/.test(frame.boundKind)
  const outcome = market.outcomes?.[0]?.toLowerCase() ?? ''
  // "O/U 8.5" with the outcomes Under and Over: Yes is the first of them.
  const turned = sentence.amount !== null && !sentence.under && /^under\b/.test(outcome)
  const yesNo = market.outcomes == null || /^(?:yes|no)$/.test(outcome)
  if (frame.boundKind === 'handicap' && !yesNo && sideOfFirstOutcome(market, game) !== at) return null
  return {
    frame,
    game,
    scope,
    unit:
      frame.boundKind === 'player' ? (stat ?? '').replaceAll(/ (?:&|and) /g, ' + ') : unitOf(word, game, scope, line),
    who: who === undefined ? null : phraseOf(who),
    region,
    denied: turned,
    push: pushed(frame, sentence),
    tieless: frame.boundKind !== 'player' && hasNoTie(game, scope, sentence.even),
  }
}

/** Questions about one side. */
const sided = /^(?:lead|safe|handicap|margin|own|score)$/

/** The side the label names. */
const labelled = ({ subtitle }: MatchInput, game: Game): 0 | 1 | null =>
  subtitle == null || subtitle === '' ? null : sideNamed(subtitle, game, tableFor(game))

/** The side the first outcome names. */
function sideOfFirstOutcome({ outcomes }: MatchInput, game: Game): 0 | 1 | null {
  const [own] = outcomes ?? []
  return own === undefined || /^(?:yes|no|over|under)\b/i.test(own)
    ? null
    : sideNamed(own.replace(/\s*\(?[+-]\d+(?:\.\d+)?\)?\s*$/, ''), game, tableFor(game))
}

const tableFor = ({ competition }: Game): string | null =>
  competition === null ? null : tableOf({ sport: '', competition: competitionOf(competition) })

function regionOf({ boundKind }: GameFrame, at: 0 | 1 | null, { amount, handicap, score }: Sentence): Region | null {
  const own = (region: Region): Region | null => (at === null ? null : at === 0 ? region : crossed(region))
  const bounds = amount === null ? null : boundsOf(amount)
  if (boundKind !== 'handicap' && handicap !== null) return null
  if (boundKind !== 'score' && score !== null) return null
  if (!/^(?:margin|sum|own|player)$/.test(boundKind) && amount !== null) return null
  switch (boundKind) {
    case 'lead':
      return own(bounded('margin', 1, Number.POSITIVE_INFINITY))
    case 'safe':
      return own(bounded('margin', 0, Number.POSITIVE_INFINITY))
    case 'level':
      return bounded('margin', 0, 0)
    case 'handicap':
      return handicap === null ? null : own(bounded('margin', Math.floor(0 - handicap) + 1, Number.POSITIVE_INFINITY))
    case 'margin':
      // "Wins by" any amount is at least a win.
      return bounds === null || bounds.high < 1 ? null : own(bounded('margin', Math.max(1, bounds.low), bounds.high))
    case 'sum':
      return bounds === null ? null : bounded('sum', bounds.low, bounds.high)
    case 'own':
      return bounds === null ? null : own(bounded('one', bounds.low, bounds.high))
    case 'player':
      return bounds === null ? null : bounded('one', bounds.low, bounds.high)
    case 'both': {
      const region = anyScore()
      region.one.low = 1
      region.two.low = 1
      return region
    }
    case 'score': {
      if (score === null || at === null) return null
      const region = anyScore()
      region.one = { low: score[0], high: score[0] }
      region.two = { low: score[1], high: score[1] }
      return own(region)
    }
  }
}

const boundsOf = ({ low, high }: Interval): { low: number; high: number } => ({
  low: low ?? Number.NEGATIVE_INFINITY,
  high: high ?? Number.POSITIVE_INFINITY,
})

/** A whole number that is a line, not a statement. */
const pushed = ({ boundKind }: GameFrame, { handicap, line }: Sentence): boolean =>
  boundKind === 'handicap' ? Number.isInteger(handicap) : line
