// Which pairs are worth comparing: an inverted index over what questions are about, weighted by rarity. Pure data in, pure data out; built once a run.

import { compose } from './compose.ts'
import { type MatchInput, marketKey } from './input.ts'
import { placeOf, placePattern } from './places.ts'
import { leagueOf } from './sports.ts'
import { teamAliases, teamOfNickname } from './teams.ts'
import { fold, spelling, stem } from './text.ts'
import { isSoft, isStop, knownPeople, synonym } from './vocabulary.ts'
import { idDate, monthNumber } from './when.ts'

export interface Candidate {
  /** Position of the other market in the list the index was built from. */
  index: number
  /** Sum of the rarities of what both name; only its order means something. */
  weight: number
}

export interface CandidateOptions {
  /** Candidates kept for one market over all other venues. */
  k?: number
  /** Postings longer than this add weight to markets already found and find none themselves. */
  common?: number
}

const aliases: ReadonlyMap<string, string> = new Map([
  ['bitcoin', 'btc'],
  ['ethereum', 'eth'],
  ['solana', 'sol'],
  ['dogecoin', 'doge'],
  ['republican', 'gop'],
  ['rep', 'gop'],
  ['democratic', 'dem'],
  ['democrat', 'dem'],
  ['governorship', 'governor'],
  ['gubernatorial', 'governor'],
  ['nominee', 'nominat'],
  ['nomination', 'nominat'],
  ['presidency', 'president'],
  ['presidential', 'president'],
  ['winner', 'win'],
  ['champion', 'win'],
  ['inflation', 'cpi'],
])

/** What a market can be found by: its words, names in one spelling, teams, places, districts, numbers and days. */
export function indexTerms(market: MatchInput): string[] {
  const text = compose(market)
  let low = text.toLowerCase()
  const terms = new Set<string>()
  for (const [pattern, name] of knownPeople) low = low.replace(pattern, name.toLowerCase())
  const event = fold(market.eventTitle ?? '').toLowerCase()
  const league = leagueOf(`${low} ${event} ${market.category ?? ''}`, market.marketId)
  addTeams(`${low} ${event}`, league, terms)
  for (const match of text.matchAll(casedPlaces)) {
    const place = placeOf((match[1] as string).toLowerCase(), match[0])
    if (place !== null) terms.add(`@${place}`)
  }
  for (const match of low.matchAll(/\b([a-z]{2})-(\d{1,2}|al)\b/g))
    terms.add(`#${match[1]}${match[2] === 'al' ? 0 : Number(match[2])}`)
  for (const match of low.matchAll(/\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? (\d{1,2})\b/g)) {
    terms.add(`%${monthNumber(match[1] as string)}/${Number(match[2])}`)
  }
  for (const match of low.matchAll(/\b20\d\d-(\d\d)-(\d\d)\b/g)) terms.add(`%${Number(match[1])}/${Number(match[2])}`)
  const dated = idDate(market.marketId)
  if (dated?.day) terms.add(`%${dated.month}/${dated.day}`)
  for (const match of low.matchAll(/(\d[\d,]*(?:\.\d+)?)\s?(k|m|b|bn|million|billion|trillion)?\b/g)) {
    const scaled =
      match[2] === undefined
        ? 1
        : /^k/.test(match[2])
          ? 1e3
          : /^m/.test(match[2])
            ? 1e6
            : match[2] === 'trillion'
              ? 1e12
              : 1e9
    const amount = Number((match[1] as string).replaceAll(',', '')) * scaled
    // 57,999.99 is found as 58,000.
    if (Number.isFinite(amount)) terms.add(`=${amount > 100 ? Math.round(amount) : amount}`)
  }
  for (const strike of [market.floorStrike, market.capStrike]) {
    if (strike !== null && strike !== undefined) terms.add(`=${Math.abs(strike) > 100 ? Math.round(strike) : strike}`)
  }
  for (const match of `${low} ${/\bvs?\b/.test(event) && !/\bvs?\b/.test(low) ? event : ''}`.matchAll(
    /[\p{L}][\p{L}\p{N}]*(?:[.'&][\p{L}\p{N}]+)*|\p{N}+[\p{L}][\p{L}\p{N}]*/gu,
  )) {
    const word = match[0].replace(/'s$/, '').replace(/[.'&]/g, '')
    if (isStop(word) || word.length === 0) continue
    const stemmed = aliases.get(word) ?? synonym(stem(word))
    if (isSoft(stemmed)) continue
    terms.add(aliases.get(stemmed) ?? spelling(stemmed))
  }
  return [...terms]
}

const casedPlaces = new RegExp(placePattern.source, 'gi')

function addTeams(low: string, league: string | null, terms: Set<string>): void {
  let left = low
  for (const { team, pattern } of teamAliases(low, league)) {
    pattern.lastIndex = 0
    if (!pattern.test(left)) continue
    pattern.lastIndex = 0
    left = left.replace(pattern, ' ')
    terms.add(`+${team}`)
  }
  // "Knicks vs. 76ers" names no league.
  if (league === null && /\bvs?\b/.test(low)) {
    for (const word of low.match(/[\p{L}\p{N}]+/gu) ?? []) {
      const team = teamOfNickname(word)
      if (team !== null) terms.add(`+${team}`)
    }
  }
}

export class CandidateIndex {
  readonly keys: readonly string[]
  private readonly venueOf: Int32Array
  private readonly termsOf: readonly Int32Array[]
  private readonly postings: readonly Int32Array[]
  private readonly rarity: Float64Array
  private readonly common: number
  private readonly k: number
  private readonly weights: Float64Array

  constructor(markets: readonly MatchInput[], options: CandidateOptions = {}) {
    this.k = options.k ?? 50
    this.common = options.common ?? 400
    this.keys = markets.map(marketKey)
    const venues = new Map<string, number>()
    this.venueOf = Int32Array.from(markets, ({ venue }) => idOf(venues, venue))
    const ids = new Map<string, number>()
    this.termsOf = markets.map((market) => Int32Array.from(indexTerms(market), (term) => idOf(ids, term)))
    this.postings = postingsOf(this.termsOf, ids.size)
    this.rarity = Float64Array.from(this.postings, (list) => Math.log(1 + markets.length / list.length))
    this.weights = new Float64Array(markets.length)
  }

  /** Best first; equal weights keep the order of the list, so the same list always gives the same candidates. */
  find(index: number, k: number = this.k): Candidate[] {
    const venue = this.venueOf[index] as number
    const terms = [...(this.termsOf[index] as Int32Array)].sort(
      (a, b) => (this.postings[a] as Int32Array).length - (this.postings[b] as Int32Array).length || a - b,
    )
    const touched: number[] = []
    for (const term of terms) {
      const list = this.postings[term] as Int32Array
      const rarity = this.rarity[term] as number
      if (list.length > this.common && touched.length >= k) {
        if (touched.length < list.length / 2) this.raise(touched, term, rarity)
        else this.raiseListed(list, rarity)
        continue
      }
      for (const other of list) {
        if (this.venueOf[other] === venue) continue
        if (this.weights[other] === 0) touched.push(other)
        this.weights[other] = (this.weights[other] as number) + rarity
      }
    }
    const best = this.select(touched, k)
    for (const other of touched) this.weights[other] = 0
    return best
  }

  /** Adds a common term to the markets found so far, by looking into each. */
  private raise(touched: readonly number[], term: number, rarity: number): void {
    for (const other of touched)
      if ((this.termsOf[other] as Int32Array).includes(term))
        this.weights[other] = (this.weights[other] as number) + rarity
  }

  private raiseListed(list: Int32Array, rarity: number): void {
    for (const other of list) {
      const weight = this.weights[other] as number
      if (weight > 0) this.weights[other] = weight + rarity
    }
  }

  /** What two markets share, measured against all both name: a long text full of common words is no candidate for everything. */
  private select(touched: readonly number[], k: number): Candidate[] {
    const scored = touched.map(
      (other): Candidate => ({
        index: other,
        weight: (this.weights[other] as number) - 0.05 * (this.termsOf[other] as Int32Array).length,
      }),
    )
    if (scored.length > 4 * k) {
      const floor = nth(
        Float64Array.from(scored, ({ weight }) => weight),
        k,
      )
      return order(scored.filter(({ weight }) => weight >= floor)).slice(0, k)
    }
    return order(scored).slice(0, k)
  }
}

const order = (found: Candidate[]): Candidate[] => found.sort((a, b) => b.weight - a.weight || a.index - b.index)

/** The k-th largest value. */
function nth(values: Float64Array, k: number): number {
  return values.sort()[values.length - k] as number
}

function idOf(ids: Map<string, number>, name: string): number {
  const known = ids.get(name)
  if (known !== undefined) return known
  ids.set(name, ids.size)
  return ids.size - 1
}

function postingsOf(termsOf: readonly Int32Array[], count: number): Int32Array[] {
  const sizes = new Int32Array(count)
  for (const terms of termsOf) for (const term of terms) sizes[term] = (sizes[term] as number) + 1
  const lists = Array.from(sizes, (size) => new Int32Array(size))
  const filled = new Int32Array(count)
  termsOf.forEach((terms, index) => {
    for (const term of terms) {
      const at = filled[term] as number
      ;(lists[term] as Int32Array)[at] = index
      filled[term] = at + 1
    }
  })
  return lists
}

/** Every candidate pair once, as positions in the list, the smaller first. */
export function candidatePairs(markets: readonly MatchInput[], options: CandidateOptions = {}): [number, number][] {
  const index = new CandidateIndex(markets, options)
  const seen = new Set<number>()
  const pairs: [number, number][] = []
  for (let at = 0; at < markets.length; at++) {
    for (const { index: other } of index.find(at)) {
      const [low, high] = at < other ? [at, other] : [other, at]
      const code = low * markets.length + high
      if (seen.has(code)) continue
      seen.add(code)
      pairs.push([low, high])
    }
  }
  return pairs
}
