// Reads a market's question: everything that venues may word differently is parsed into fields, and what is not understood is kept as words.

import { readFacets } from '../compare/attributes.ts'
import { extractDates, idDate, takeTimes } from './dateParser.ts'
import { compose } from './eventQuestion.ts'
import { Features } from './features.ts'
import { readProposition } from './frames/read.ts'
import { readClaim } from './games/betProposition.ts'
import { couldBePlaceName, placeOf, placePattern, placeWord } from './gazetteer.ts'
import { closeMillis, type MatchInput, marketKey } from './input.ts'
import { rewritten } from './normalization.ts'
import { sideOf } from './outcomeSide.ts'
import { pattern } from './patternFilter.ts'
import { placeholderIndex } from './placeholderOutcomes.ts'
import { takePolitics } from './politics.ts'
import type { Domain, Question, Residual } from './question.ts'
import { leagueOf, takeCompetition, takeForms, takeMatchup, takeTeams } from './sports.ts'
import { strikesOf } from './strikes.ts'
import { takeActions, takeSubjects } from './subjects.ts'
import { canonicalSpelling, fold, Scratch, stem, words } from './text.ts'
import { TextCache } from './textCache.ts'
import { takeThresholds } from './thresholdParser.ts'
import { isCommon, isStop, isWeakTerm, synonym } from './vocabulary.ts'
import { resolveMoments } from './yearInference.ts'

const marks = {
  negation: pattern(
    /\b(?:not|never|fails? to|without|neither|won'?t|doesn'?t|isn'?t|cannot|don'?t)\b|\bno\b(?! (?:more|less|fewer|later|change|longer)\b|\.)/g,
  ),
  lost: pattern(/\b(?:loses?|lost|losing|be defeated)\b/g),
  place: pattern(placePattern),
}

export interface ParsedClaim {
  /** The composed sentence, if already available. */
  text?: string
  /** When it is read, epoch ms: determines which of the windows it names have begun. Null if unknown. */
  asOf?: number | null
  /** When many markets are read: texts they have in common are read once. */
  shared?: TextCache
}

export function readQuestion(
  market: MatchInput,
  { text = compose(market), asOf = null, shared = new TextCache() }: ParsedClaim = {},
): Question {
  const features = new Features()
  const label = fold(market.subtitle ?? '')
  const eventTitle = fold(market.eventTitle ?? '')
  const league = leagueOf(`${text} ${eventTitle} ${market.category ?? ''}`.toLowerCase(), market.marketId)
  const scratch = rewritten(text, league)
  const negations = countNegations(scratch)
  const negated = negations % 2 === 1
  const times = takeTimes(scratch)
  const own = extractDates(scratch)
  // Also the beginning of a proposition.
  const undated = negations === 0 && league !== 'mlb' ? scratch.copy() : null
  // An event's title dates those of its markets that name no day themselves.
  const moments = own.length > 0 || eventTitle === '' ? own : extractDates(new Scratch(eventTitle))
  takeTeamsFirst(scratch, features, league)
  takePolitics(scratch, features)
  takeCompetition(scratch, features, league)
  let matchup = takeMatchup(scratch, league)
  if (matchup === null) {
    const context = new Scratch(eventTitle)
    extractDates(context)
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
  // "Loses 100 seats" does not negate winning 100.
  const lost = intervals.length + numbers.length === 0 && scratch.has(marks.lost)
  if (lost) features.add('action', 'win')
  takeActions(scratch, features)
  if (matchup !== null) features.drop('action', 'win')
  const strikes = strikesOf(intervals, numbers, features, market)
  const rulesText = market.rules ?? ''
  const parsedRules = shared.rules(rulesText)
  const closes = closeMillis(market.closeTime)
  const inId = idDate(market.marketId)
  const { dates, years } = resolveMoments(moments, inId, parsedRules, closes)
  const plain = features.plain()
  const domain = domainOf(plain, matchup !== null, strikes.length > 0)
  // Price ids name the hour (Eastern) the words leave out.
  if (domain === 'price' && times.length === 0 && inId?.hour !== undefined && inId.hour !== null && inId.hour < 24)
    times.push({ minutes: inId.hour * 60, zone: 'et' })
  const question: Omit<Question, 'facets'> = {
    key: marketKey(market),
    venue: market.venue,
    marketId: market.marketId,
    text,
    label,
    event: eventTitle,
    unnamed: placeholderIndex(label, text),
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
    proposition:
      matchup === null
        ? readProposition(text, strikes, label, { undated, phrase: (words) => shared.phrase(words) })
        : null,
    bet: matchup === null ? noBet : once(() => readClaim(market, text)),
    settlement: shared.settlement(rulesText, market.resolutionSource ?? ''),
    rules: parsedRules.text,
    parsedRules,
    closes,
    asOf,
  }
  return { ...question, facets: readFacets(question) }
}

const noBet = (): null => null

function once<T>(read: () => T): () => T {
  let found: { value: T } | null = null
  return () => {
    found ??= { value: read() }
    return found.value
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
  // "…: Mexico" and "… - Mexico" name the outcome after the question.
  return (
    (/^(?:who|which|what|when|how (?:many|much|high|low))\b/i.test(text) && !/\?\s*[:-]\s*\S|:\s+\S/.test(text)) ||
    /_{2,}/.test(market.title) ||
    (/\b(?:qualifiers|nominees?|winner)\?*$/i.test(text) && !/\bwill\b|\bvs?\b/i.test(text))
  )
}

function countNegations(scratch: Scratch): number {
  let count = 0
  scratch.take(marks.negation, () => {
    count++
  })
  return count
}

/**
 * Full team names go before places: "Washington Nationals" is not a state. City names wait until after the search for a
 * matchup.
 */
function takeTeamsFirst(scratch: Scratch, features: Features, league: string | null): void {
  if (/\b(?:vs?\.?|versus|@|at|beats?|defeats?)\s/.test(scratch.low)) return
  takeTeams(scratch, features, league)
}

function takePlaces(scratch: Scratch, features: Features): void {
  if (!couldBePlaceName(scratch.low)) return
  scratch.take(marks.place, (m, raw) => {
    const place = placeOf(m[1] as string, raw)
    if (place === null || !/[A-Z]/.test(raw)) return false
    // "Mark Cuban", "Jordan Ellis": part of a person's name.
    if (isNextToName(scratch.raw, m.index ?? 0, (m.index ?? 0) + m[0].length)) return false
    features.add('place', place)
  })
}

/** Characters checked next to a place; no word is longer. */
const wordLettersMax = 100

/** A capitalized word without another meaning is directly before or after. */
function isNextToName(raw: string, start: number, end: number): boolean {
  const before = /([A-Z][\p{L}.]*) $/u.exec(raw.slice(Math.max(0, start - wordLettersMax), start))?.[1]
  const behind = /^ ([A-Z][\p{L}.]*)/u.exec(raw.slice(end, end + wordLettersMax))?.[1]
  return [before, behind].some((word) => {
    if (word === undefined || /^[A-Z.]+$/.test(word)) return false
    const plain = word.toLowerCase().replaceAll('.', '')
    const stemmed = stem(plain)
    return !isStop(plain) && !isWeakTerm(stemmed) && !isCommon(stemmed) && !placeWord.test(plain)
  })
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

/** Games that continue until a side has won. */
const decided = (league: string | null, low: string): boolean =>
  league !== null ||
  /\bbo[1357]\b|counter-?strike|\bcs2|dota|\blol\b|league of legends|valorant|\batp|\bwta|tennis|\bt20\b|kxlol|kxatp|kxwta|overwatch/.test(
    low,
  )

function restOf(scratch: Scratch): Residual[] {
  const rest: Residual[] = []
  const seen = new Set<string>()
  for (const word of words(scratch)) {
    if (isStop(word.text)) continue
    const stemmed = synonym(stem(word.text))
    const key = canonicalSpelling(stemmed)
    if (seen.has(key)) continue
    seen.add(key)
    rest.push({ key, text: word.text, name: word.capital && !isCommon(stemmed) && !isWeakTerm(stemmed), run: word.run })
  }
  return rest
}
