// Hard negatives: labelled equal pairs of which one side had one thing exchanged, so that the two certainly are different questions,
// although nearly all words agree. The labels and a seed determine them.

import type { Polarity } from '#matching/match'
import type { MatchInput } from '#matching/read/input'
import type { LabelledPair } from '../labelledPairs.ts'
import {
  directionSwaps,
  isPlaceName,
  officeSwaps,
  type PlaceWord,
  placeLists,
  stageSwaps,
  type WordSwap,
} from './exchangedWords.ts'
import { familyOf } from './families.ts'
import { shareOf } from './simulatedJudge.ts'

export const negativeKinds = ['name', 'year', 'number', 'stage', 'direction', 'office', 'place', 'sibling'] as const
export type NegativeKind = (typeof negativeKinds)[number]

export interface HardNegative {
  kind: NegativeKind
  family: string
  /** `Maria Keller → Alva Marbeck`. */
  change: string
  pair: LabelledPair
  /** The polarity with which the two may be verified: "above 5" and "below 5" may be opposites. Null: not at all. */
  allowed: Polarity | null
  /** The unchanged side states what was exchanged; otherwise only the label shows that the two differ. */
  stated: boolean
}

export interface NegativeOptions {
  seed?: string
  /** Of those that both sides state, taken in turn from each family and kind. Of the others, a fourth as many. */
  max?: number
}

/** One thing exchanged in all texts of a market. */
interface Exchange {
  change: string
  apply(text: string): string
  /** The result may be the opposite of the original. */
  opposite?: boolean
  /** By how much its close time moves. */
  years?: number
  isStatedBy(other: MatchInput): boolean
}

/** A choice that depends on the seed and the pair. */
type Choose = <T>(purpose: string, list: readonly T[]) => T

export function hardNegatives(
  labelled: readonly LabelledPair[],
  { seed = 'crossbook', max = 2_000 }: NegativeOptions = {},
): HardNegative[] {
  const equal = labelled.filter(({ match, a, b }) => match && a.title !== '' && b.title !== '')
  const events = groupedByEvent(equal)
  const groups = new Map<string, HardNegative[]>()
  const keyOf = ({ a, b }: LabelledPair): string => `${textsOf(a)}\n${textsOf(b)}`
  const seen = new Set(equal.map(keyOf))
  const add = (negative: HardNegative): void => {
    const key = keyOf(negative.pair)
    if (seen.has(key)) return
    seen.add(key)
    const name = `${negative.family}\n${negative.kind}\n${negative.stated}`
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [negative])
    else group.push(negative)
  }
  for (const pair of equal) {
    const choose: Choose = (purpose, list) =>
      list[Math.floor(shareOf(`${seed} ${purpose} ${identityOf(pair)}`) * list.length)]!
    for (const kind of negativeKinds) {
      const negatives =
        kind === 'sibling' ? siblings(pair, events.get(eventOf(pair)) ?? [], seed) : exchanged(pair, kind, choose)
      for (const negative of negatives) add(negative)
    }
  }
  const all = inTurn(groups, seed)
  return [
    ...all.filter(({ stated }) => stated).slice(0, max),
    ...all.filter(({ stated }) => !stated).slice(0, Math.floor(max / 4)),
  ]
}

const identityOf = ({ a, b }: LabelledPair): string =>
  [a.venue, a.marketId, a.title, a.subtitle, b.venue, b.marketId, b.title].join('\n')

const textsOf = ({ title, subtitle, eventTitle }: MatchInput): string =>
  [title, subtitle ?? '', eventTitle ?? ''].join('\n')

/** One of each group, then a second of each, and so on. */
function inTurn(groups: ReadonlyMap<string, readonly HardNegative[]>, seed: string): HardNegative[] {
  const order = (negative: HardNegative): number =>
    shareOf(`${seed} order ${negative.change} ${identityOf(negative.pair)}`)
  const sorted = [...groups.values()].map((group) =>
    group.map((negative) => ({ negative, rank: order(negative) })).sort((x, y) => x.rank - y.rank),
  )
  const longest = Math.max(0, ...sorted.map((group) => group.length))
  const all: HardNegative[] = []
  for (let at = 0; at < longest; at++) for (const group of sorted) if (at < group.length) all.push(group[at]!.negative)
  return all
}

function exchanged(pair: LabelledPair, kind: Exclude<NegativeKind, 'sibling'>, choose: Choose): HardNegative[] {
  const found = finders[kind](pair, choose)
  if (found === null) return []
  const b = applied(pair.b, found)
  if (b === null) return []
  const family = familyOf(pair)
  return [
    {
      kind,
      family,
      change: found.change,
      pair: differing(pair.a, b, family),
      allowed: found.opposite === true ? inverted(pair) : null,
      stated: found.isStatedBy(pair.a),
    },
  ]
}

const differing = (a: MatchInput, b: MatchInput, family: string): LabelledPair => ({
  a,
  b,
  match: false,
  polarity: null,
  group: null,
  relation: 'overlap',
  family,
})

const inverted = ({ polarity }: LabelledPair): Polarity => (polarity === 'inverse' ? 'same' : 'inverse')

/** Null if neither the title nor the label changes. An id and a structured field may contradict the new words, so they are left out. */
function applied(market: MatchInput, { apply, years }: Exchange): MatchInput | null {
  if ((market.floorStrike ?? market.capStrike ?? null) !== null) return null
  const change = <T extends string | null | undefined>(text: T): T | string => (text ? apply(text) : text)
  const title = apply(market.title)
  const subtitle = change(market.subtitle)
  if (title === market.title && subtitle === market.subtitle) return null
  const rules = change(market.rules)
  return {
    venue: market.venue,
    marketId: String(900_000_000 + Math.floor(shareOf(`${textsOf(market)} ${title} ${subtitle}`) * 99_999_999)),
    title,
    subtitle,
    eventTitle: change(market.eventTitle),
    // Rules that do not mention it would describe the original question.
    rules: rules === market.rules ? null : rules,
    closeTime: years === undefined ? market.closeTime : laterBy(years, market.closeTime),
    outcomes: market.outcomes?.map(apply) ?? null,
    resolutionSource: market.resolutionSource,
    category: market.category,
  }
}

function laterBy(years: number, time: MatchInput['closeTime']): string | null {
  if (time === null || time === undefined || time === '') return null
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return null
  date.setUTCFullYear(date.getUTCFullYear() + years)
  return date.toISOString()
}

const finders: Readonly<
  Record<Exclude<NegativeKind, 'sibling'>, (pair: LabelledPair, choose: Choose) => Exchange | null>
> = {
  name: anotherName,
  year: anotherYear,
  number: anotherNumber,
  // The stage of a game is a part of its name, and one may include the other.
  stage: (pair) => (isGame(pair) ? null : bySwaps(pair, stageSwaps)),
  direction: (pair) => bySwaps(pair, directionSwaps),
  office: (pair) => bySwaps(pair, officeSwaps),
  place: (pair, choose) => anotherDistrict(pair) ?? anotherPlace(pair, choose),
}

const shownOn = ({ title, subtitle }: MatchInput): string => `${title}\n${subtitle ?? ''}`
const allOf = (market: MatchInput): string => `${shownOn(market)}\n${market.eventTitle ?? ''}`

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const whole = (text: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])${escaped(text)}(?![\\p{L}\\p{N}])`, 'gu')

/** The first phrase of the list that the side has. */
function bySwaps({ b }: LabelledPair, swaps: readonly WordSwap[]): Exchange | null {
  const swap = swaps.find(({ from }) => shownOn(b).match(from) !== null)
  if (swap === undefined) return null
  const [first = ''] = shownOn(b).match(swap.from) ?? []
  return {
    change: `${first} → ${swap.to}`,
    apply: (text) => text.replace(swap.from, swap.to),
    ...(swap.opposite === true ? { opposite: true } : {}),
    isStatedBy: (other) => (swap.stated ?? new RegExp(swap.from.source, 'iu')).test(allOf(other)),
  }
}

/** Made-up names that no set contains. */
const given = ['Alva', 'Bertil', 'Corin', 'Dagny', 'Edda', 'Florin', 'Gisela', 'Henrik', 'Ilse', 'Jorun']
const surnames = ['Marbeck', 'Tolliver', 'Ostrander', 'Quillan', 'Birkeland', 'Whitlock', 'Zeller', 'Hartung']

const isName =
  /^(?!(?:Yes|No|Before|After|By|In|On|At|Above|Below|Over|Under|Every|Any|All|During|Exactly|Other|None|Draw|Tie|Up|Down|For|Between|More|Less|Fewer)\b)\p{Lu}[\p{L}.'’-]*(?: (?:de |da |del |la |von |van |bin |al )?\p{Lu}[\p{L}.'’-]*)*$/u
const nameRun = /\p{Lu}[\p{L}.'’-]+(?: (?:de |da |del |la |von |van |bin |al )?\p{Lu}[\p{L}.'’-]+)+/gu
const leading = /^(?:Will|Who|What|Which|Is|Are|Does|Do|Can|Has|The|How) /
/** Capitalized words that are no names of persons. */
const otherWords =
  /\b(?:Party|House|Senate|Presiden\w+|Democrat\w*|Republican\w*|Govern\w+|Best|Awards?|League|Cup|Championship|Series|Election|Primary|United|States|New|World|Grand|Final|Prime|Minister|Court|National|Committee|City|Group|Winner|Carolina|Dakota|Tomatoes|FDV|IPO|Up|Down|January|February|March|April|May|June|July|August|September|October|November|December)\b/

/** What both sides call the one in question. */
function nameOf({ a, b }: LabelledPair): string | null {
  const label = (a.subtitle ?? '').replace(/\p{Cf}/gu, '').trim()
  if (label.length >= 3 && isName.test(label) && shownOn(b).match(whole(label)) !== null) return label
  const runs = (b.title.match(nameRun) ?? []).map((run) => run.replace(leading, ''))
  return runs.find((run) => run.includes(' ') && !otherWords.test(run) && allOf(a).match(whole(run)) !== null) ?? null
}

function anotherName(pair: LabelledPair, choose: Choose): Exchange | null {
  const name = nameOf(pair)
  if (name === null) return null
  const [first, last] = [choose('given', given), choose('surname', surnames)]
  const words = name.split(' ')
  // "Jonas Keller" for "Maria Keller", if both sides have the given name.
  if (words.length > 1 && allOf(pair.a).match(whole(name)) !== null && choose('part', [true, false])) {
    const other = [first, ...words.slice(1)].join(' ')
    return {
      change: `${name} → ${other}`,
      apply: (text) => text.replace(whole(name), other),
      isStatedBy: () => true,
    }
  }
  const other = words.length > 1 ? `${first} ${last}` : last
  const own = words.findLast((word) => !/^(?:Jr|Sr|II|III|IV)\.?$/.test(word)) ?? name
  return {
    change: `${name} → ${other}`,
    apply: (text) => {
      const named = text.replace(whole(name), other)
      return own.length >= 4 ? named.replace(whole(own), last) : named
    },
    isStatedBy: () => true,
  }
}

/** Neither "(2025)", which may belong to a title, nor the season 2025-26. */
const yearWord = /(?<![\d$.(])20[2-4]\d(?![\d%)]|,\d|[-–/]\d\d(?!\d|-\d))/g

function anotherYear({ b }: LabelledPair, choose: Choose): Exchange | null {
  const year = shownOn(b).match(yearWord)?.[0]
  if (year === undefined) return null
  const years = choose('years', [1, 2, -1, 4])
  return {
    change: `${year} → ${Number(year) + years}`,
    apply: (text) => text.replace(yearWord, (found) => String(Number(found) + years)),
    years,
    isStatedBy: (other) => /\b20[2-4]\d\b/.test(allOf(other)) || /-\d\d(?:[A-Z]{3}|-|$)/.test(other.marketId),
  }
}

const amount = /(?<![\d.,:\p{L}])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?!\d)/gu
const measureBefore =
  /(?:\b(?:above|below|over|under|than|at least|at most|exactly|reach(?:es)?|hits?|exceeds?|dips? to|between|receive) ?|\$)$/i
const measureBehind =
  /^\s?(?:%|percent|bps|[kmb]\b|million|billion|trillion|\+|°|degrees|seats?\b|votes?\b|yea\b|senators?\b|times\b|games?\b|points?\b|wins?\b|cuts?\b|hikes?\b|ballots?\b|cases?\b|tweets?\b|or (?:more|higher|above|fewer|less|lower|greater|below)|and (?:over|above))/i
const rangeBefore = /\d\s?(?:%|°)?\s?(?:[-–]|to|and)\s?\$?$/
const months =
  /\b(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:tember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.? $/

/** An amount with a comparison or a unit; of a range its upper end. */
function anotherNumber({ b }: LabelledPair): Exchange | null {
  const text = shownOn(b)
  for (const found of [...text.matchAll(amount)].reverse()) {
    const [token] = found
    const before = text.slice(0, found.index)
    const behind = text.slice(found.index + token.length)
    const measured = measureBehind.test(behind)
    const inRange = rangeBefore.test(before)
    if (!measured && !measureBefore.test(before)) continue
    // What is in brackets explains another number, and a year may belong to a name.
    if (months.test(before) || /\([^)]*$/.test(before)) continue
    if (/^(?:18|19|20)\d\d$/.test(token) && !/(?:than|least|most|exactly) $|\$$/i.test(before)) continue
    // The 24 of 2026-06-24, and the 4 of GPT-4.
    if (/[-–]$/.test(before) && !inRange) continue
    const other = moved(token, inRange)
    if (other === null) return null
    const pattern = new RegExp(`(?<![\\d.,])${escaped(token)}(?!\\d|[.,]\\d)`, 'g')
    return {
      change: `${token} → ${other}`,
      apply: (each) => each.replace(pattern, other),
      isStatedBy: (market) => /\d/.test(allOf(market).replace(yearWord, '')),
    }
  }
  return null
}

/** Clearly another amount; the upper end of a range only rises. */
function moved(token: string, inRange: boolean): string | null {
  const value = Number(token.replaceAll(',', ''))
  const decimals = token.split('.')[1]?.length ?? 0
  if (decimals > 0) return (value + 2).toFixed(decimals)
  if (value <= 12) return String(value + 2)
  if (value <= 93) return String(value + 6)
  if (value <= 100) return inRange ? null : String(value - 6)
  const more = value + 10 ** (String(value).length - 1)
  return token.includes(',') ? more.toLocaleString('en-US') : String(more)
}

const district = /\b([A-Z]{2})-(\d{1,2})\b/

/** "TX-19" and "TX-18". */
function anotherDistrict({ a, b }: LabelledPair): Exchange | null {
  const found = district.exec(b.title)
  if (found === null || !allOf(a).includes(`${found[1]}-`)) return null
  const number = Number(found[2])
  const other = `${found[1]}-${String(number > 1 ? number - 1 : number + 1).padStart(found[2]!.length, '0')}`
  return {
    change: `${found[0]} → ${other}`,
    apply: (text) => text.replace(whole(found[0]), other),
    isStatedBy: () => true,
  }
}

function anotherPlace({ a, b }: LabelledPair, choose: Choose): Exchange | null {
  const all = `${allOf(a)}\n${allOf(b)}`
  for (const list of placeLists) {
    const place = list.find((each) => wordsOf(each).some((name) => isPlaceIn(name, shownOn(b))))
    if (place === undefined) continue
    const others = list.filter((each) => wordsOf(each).every((name) => !all.includes(name)))
    if (others.length === 0) continue
    const other = choose('place', others)
    return {
      change: `${place.names[0]} → ${other.names[0]}`,
      apply: (text) => {
        const named = place.names.reduce((now, name) => now.replace(whole(name), other.names[0]!), text)
        if (place.adjective === null) return named
        return named.replace(whole(place.adjective), other.adjective ?? other.names[0]!)
      },
      isStatedBy: (market) => wordsOf(place).some((name) => whole(name).test(allOf(market))),
    }
  }
  return null
}

const wordsOf = ({ names, adjective }: PlaceWord): readonly string[] =>
  adjective === null ? names : [...names, adjective]

/** Not the first word of a team's name: "Houston Astros". */
const isPlaceIn = (name: string, text: string): boolean =>
  [...text.matchAll(whole(name))].some(({ index, 0: { length } }) =>
    isPlaceName(text.slice(0, index), text.slice(index + length)),
  )

/** Markets of one event, with the label's partner of each. */
function groupedByEvent(pairs: readonly LabelledPair[]): Map<string, LabelledPair[]> {
  const events = new Map<string, LabelledPair[]>()
  for (const pair of pairs) {
    const event = eventOf(pair)
    if (event === '') continue
    const known = events.get(event)
    if (known === undefined) events.set(event, [pair])
    else known.push(pair)
  }
  return events
}

function eventOf({ a, group }: LabelledPair): string {
  if (group !== null) return `group ${group}`
  if (a.eventId !== null && a.eventId !== undefined) return `event ${a.venue} ${a.eventId}`
  const ticker = /^([A-Z][A-Z0-9.-]*)-[A-Z0-9.]+$/.exec(a.marketId)
  return ticker === null ? '' : `ticker ${ticker[1]}`
}

const siblingsMax = 5

/** The partners of other outcomes of the same event. */
function siblings(pair: LabelledPair, others: readonly LabelledPair[], seed: string): HardNegative[] {
  const family = familyOf(pair)
  return others
    .filter((other) => other.a.marketId !== pair.a.marketId && areTwoOutcomes(pair.a, other.a))
    .filter((other) => textsOf(other.b) !== textsOf(pair.b) && other.b.marketId !== pair.b.marketId)
    .map((other) => ({ other, rank: shareOf(`${seed} sibling ${identityOf(pair)} ${identityOf(other)}`) }))
    .sort((x, y) => x.rank - y.rank)
    .slice(0, siblingsMax)
    .map(
      ({ other }): HardNegative => ({
        kind: 'sibling',
        family,
        change: `${outcomeOf(pair.a)} → ${outcomeOf(other.a)}`,
        pair: differing(pair.a, other.b, family),
        allowed: isGame(pair) ? inverted(other) : null,
        stated: namesOutcome(other, pair),
      }),
    )
}

/** The second text has a word of its own outcome that the other outcome lacks. */
function namesOutcome({ a, b }: LabelledPair, { a: other }: LabelledPair): boolean {
  const [own, others, text] = [wordSet(outcomeOf(a)), wordSet(outcomeOf(other)), wordSet(allOf(b))]
  return [...own].some((word) => !others.has(word) && text.has(word))
}

const wordSet = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}.]+/gu) ?? [])

const outcomeOf = ({ subtitle, title }: MatchInput): string => (subtitle ?? '').trim() || title

/** Without labels only names and numbers tell outcomes apart: other words may be two wordings of one question. */
const namesIn = (title: string): Set<string> =>
  wordSet((title.match(/(?<=\S\s)[^\s]*[\p{Lu}\p{N}][^\s]*/gu) ?? []).join(' '))

/** Each has a word that the other lacks: not two spellings of one outcome. */
function areTwoOutcomes(a: MatchInput, b: MatchInput): boolean {
  const isLabelled = [a, b].every(({ subtitle }) => (subtitle ?? '').trim() !== '')
  const wordsOf = (market: MatchInput) => (isLabelled ? wordSet(outcomeOf(market)) : namesIn(outcomeOf(market)))
  const [x, y] = [wordsOf(a), wordsOf(b)]
  return [...x].some((word) => !y.has(word)) && [...y].some((word) => !x.has(word))
}

/** One side's defeat is the other's victory. */
const isGame = ({ a, b }: LabelledPair): boolean =>
  /\bvs?\b\.?|@/i.test(`${allOf(a)}\n${allOf(b)}`) || /(?:GAME|MATCH|FIGHT|MAP|WINNER)\b/.test(a.marketId)
