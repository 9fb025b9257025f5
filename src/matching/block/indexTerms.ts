// Index terms by which a market can be found.

import { idDate, monthNumber } from '../read/dateParser.ts'
import { compose } from '../read/eventQuestion.ts'
import { couldBePlaceName, placeOf, placePattern } from '../read/gazetteer.ts'
import type { MatchInput } from '../read/input.ts'
import { rewritten } from '../read/patternFilter.ts'
import { leagueOf } from '../read/sports.ts'
import { teamAliases, teamOfNickname } from '../read/teams.ts'
import { canonicalSpelling, fold, matches, stem } from '../read/text.ts'
import { isStop, isWeakTerm, peopleGazetteer, synonym } from '../read/vocabulary.ts'

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

const people = peopleGazetteer.map(({ wording, form }) => ({ wording, form: form.toLowerCase() }))

/** What a market can be found by: its words, names in one spelling, teams, places, districts, numbers and days. */
export function indexTerms(market: MatchInput, text: string = compose(market)): string[] {
  const low = rewritten(text.toLowerCase(), people)
  const terms = new Set<string>()
  const event = fold(market.eventTitle ?? '').toLowerCase()
  const league = leagueOf(`${low} ${event} ${market.category ?? ''}`, market.marketId)
  addTeams(`${low} ${event}`, league, terms)
  for (const match of couldBePlaceName(text.toLowerCase()) ? matches(casedPlaces, text) : []) {
    const place = placeOf((match[1] as string).toLowerCase(), match[0])
    if (place !== null) terms.add(`@${place}`)
  }
  for (const match of matches(districts, low)) terms.add(`#${match[1]}${match[2] === 'al' ? 0 : Number(match[2])}`)
  for (const match of matches(monthDays, low)) {
    terms.add(`%${monthNumber(match[1] as string)}/${Number(match[2])}`)
  }
  for (const match of matches(isoDays, low)) terms.add(`%${Number(match[1])}/${Number(match[2])}`)
  const dated = idDate(market.marketId)
  if (dated?.day) terms.add(`%${dated.month}/${dated.day}`)
  for (const match of matches(amounts, low)) {
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
  const searchedText = /\bvs?\b/.test(event) && !/\bvs?\b/.test(low) ? `${low} ${event}` : low
  for (const match of matches(wordsOrCodes, searchedText)) {
    const word = match[0].replace(/'s$/, '').replace(/[.'&]/g, '')
    if (isStop(word) || word.length === 0) continue
    const stemmed = aliases.get(word) ?? synonym(stem(word))
    if (isWeakTerm(stemmed)) continue
    terms.add(aliases.get(stemmed) ?? canonicalSpelling(stemmed))
  }
  return [...terms]
}

const districts = /\b([a-z]{2})-(\d{1,2}|al)\b/g
const monthDays = /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? (\d{1,2})\b/g
const isoDays = /\b20\d\d-(\d\d)-(\d\d)\b/g
const amounts = /(\d[\d,]*(?:\.\d+)?)\s?(k|m|b|bn|million|billion|trillion)?\b/g
const wordsOrCodes = /[\p{L}][\p{L}\p{N}]*(?:[.'&][\p{L}\p{N}]+)*|\p{N}+[\p{L}][\p{L}\p{N}]*/gu
const casedPlaces = new RegExp(placePattern.source, 'gi')

function addTeams(low: string, league: string | null, terms: Set<string>): void {
  let left = low
  for (const { team, pattern } of teamAliases(low, league)) {
    const without = left.replace(pattern.regex, ' ')
    if (without === left) continue
    left = without
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
