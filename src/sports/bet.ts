// What a market pays for on its game: the bet type, its line, and the result that each of its outcomes means.

import type { Classified } from '#matching/read/games/classify'
import { tableOf } from '#matching/read/games/classify'
import { hasDraws } from '#matching/read/games/competitions'
import type { Game } from '#matching/read/games/game'
import { numberOf, type SportsInput, textOf } from '#matching/read/games/input'
import { periodOf } from '#matching/read/games/periods'
import { sideNamed } from '#matching/read/games/sides'
import {
  beforeVerb,
  inverted,
  lineInSlug,
  marginIn,
  numberIn,
  plain,
  polarityIn,
  totalIn,
} from '#matching/read/games/spreadsAndTotals'
import { readQuestion } from '#matching/read/parsedMarket'
import { fold } from '#matching/read/text'
import { type BetType, basicBetType, type MarketType, typeOfWords } from './betType.ts'
import { isUnknownPart, isWinnerMarket, yesMeansMoreThanWin } from './isWinnerMarket.ts'

/** `one` and `two` are the sides of the game, in its order. */
export type Result = 'one' | 'two' | 'draw' | 'over' | 'under' | 'yes' | 'no'

export interface Bet extends BetType {
  /** Whose total it is; null for bets on both. */
  of: 0 | 1 | null
  /** Handicap of side one, or the total; null for bets without a line. */
  line: number | null
  /**
   * Outcomes that correspond to no result of the block (the No of "home wins" when a draw is possible) are left out.
   */
  outcomes: { outcomeId: string; result: Result }[]
  /** The last outcome is the No of a side: it is the other side only if there is no third result. */
  isNoOther: boolean
}

export type NoBet = 'market_type' | 'side_unknown' | 'line_unknown'

export function readBet(input: SportsInput, classified: Classified, game: Game): Bet | NoBet {
  const league = tableOf(classified.place)
  const type = typeOf(input, classified, game)
  if (type === null) return 'market_type'
  const reader = new BetReader(input, game, league)
  switch (type.marketType) {
    case 'both_score':
      return { ...type, of: null, line: null, outcomes: reader.yesNo(['yes', 'no']), isNoOther: false }
    case 'moneyline':
    case 'to_advance':
    case 'draw_no_bet':
      return reader.winner(type)
    case 'team_total':
    case 'total': {
      // "Mavericks total points over 110.5" counts that team alone, despite its name.
      const of = reader.teamOfTotal()
      return reader.total(of === null ? type : { ...type, marketType: 'team_total' }, of)
    }
    default:
      return type.marketType.startsWith('spread') ? reader.spread(type) : reader.total(type, null)
  }
}

/** The venue's own word decides; without one the question's wording does. */
function typeOf(input: SportsInput, { place, idBet }: Classified, game: Game): BetType | null {
  const { metadata, title, subtitle, eventTitle } = input
  const sport = place?.sport ?? game.sport
  const wording = fold(`${title} : ${subtitle ?? ''}`).toLowerCase()
  if (yesMeansMoreThanWin.test(wording) || isUnknownPart(wording, sport)) return null
  const words = [
    metadata.sportsMarketType,
    metadata.sportsMarketTypeV2,
    metadata.venueTypeName,
    metadata.venueMarketType,
    metadata.parentMarketFamily,
    idBet,
  ]
  const own = words.map(textOf).find((each) => each !== null)
  if (own !== undefined && own !== null && !/^(?:generic|binary|sports?_match)$/i.test(own)) {
    const type = typeOfWords(basicBetType(own), sport)
    // `KXCS2MAP-…-2-K27`, "Set 1 winner": the part may only be in the wording.
    return type !== null && type.period === 'game' ? { ...type, period: partOf(input, wording, sport) } : type
  }
  const question = readQuestion({ venue: input.venue, marketId: input.marketId, title, subtitle, eventTitle })
  // A draw is one result of a winner bet, not another bet.
  const named = question.features.form ?? []
  const forms = named.filter((form) => form !== 'draw')
  const form = forms.length === 0 ? '' : ` ${forms.join(' ')}`
  if (forms.length === 0 && (question.intervals.length > 0 || question.numbers.length > 1)) return null
  if (named.length === 0 && !isWinnerMarket(input, wording)) return null
  const bet = forms.length === 0 ? 'moneyline' : ''
  // What is counted is only in the wording: "Total sets".
  const unit = /\b(?:sets|rounds)\b/.exec(wording)?.[0] ?? ''
  const type = typeOfWords(`${bet}${form} ${unit}`.trim(), sport)
  return type === null ? null : { ...type, period: partOf(input, wording, sport) }
}

function partOf({ marketId }: SportsInput, wording: string, sport: string | null): string {
  const numbered = /^KX[A-Z0-9]*(MAP|SET)(?:WINNER)?-[A-Z0-9]+-(\d)-/.exec(marketId)
  if (numbered !== null) return `${(numbered[1] as string).toLowerCase()}_${numbered[2]}`
  const withoutFormat = wording.replaceAll(/\b(?:bo\d|best of \d)\b/g, '')
  // "First Round: A vs B" is a stage of a competition, except where a fight has rounds.
  const isFight = sport === 'mma' || sport === 'boxing'
  return periodOf(isFight ? withoutFormat : withoutFormat.replaceAll(/\b[a-z0-9]+[ -]round\b/g, ''), sport)
}

class BetReader {
  private readonly input: SportsInput
  private readonly game: Game
  private readonly league: string | null

  constructor(input: SportsInput, game: Game, league: string | null) {
    this.input = input
    this.game = game
    this.league = league
  }

  winner(type: BetType): Bet | NoBet {
    const { outcomes } = this.input
    const drawn = hasDraws(this.game.sport ?? '') && type.marketType === 'moneyline'
    const labelled = outcomes.map(({ outcomeId, label }) => ({ outcomeId, result: this.resultOf(label) }))
    const known = labelled.filter((each): each is { outcomeId: string; result: Result } => each.result !== null)
    if (known.length > 0) {
      const both = known.length === 2 && outcomes.length === 2 && !known.some(({ result }) => result === 'draw')
      if (both && known[0]!.result === known[1]!.result) return 'side_unknown'
      // Two sides and no third in a sport with draws: a drawn game is another result.
      const marketType: MarketType = drawn && both ? 'draw_no_bet' : type.marketType
      // "1X2" in other sports is the result without overtime.
      const period = !drawn && known.some(({ result }) => result === 'draw') ? 'regulation' : type.period
      return { ...type, marketType, period, of: null, line: null, outcomes: known, isNoOther: false }
    }
    const yes = this.subject()
    if (yes === null) return 'side_unknown'
    const no: Result | null = yes === 'draw' || drawn ? null : yes === 'one' ? 'two' : 'one'
    return { ...type, of: null, line: null, outcomes: this.yesNo([yes, no]), isNoOther: no !== null }
  }

  spread(type: BetType): Bet | NoBet {
    const { outcomes, metadata } = this.input
    const sides = outcomes.map(({ label }) => this.sideIn(label))
    if (sides.length === 2 && sides.some((side) => side !== null)) {
      const first = sides[0] ?? (sides[1] === 0 ? 1 : 0)
      if (sides[0] === sides[1]) return 'side_unknown'
      const line = this.handicapOf(first)
      if (line === null) return 'line_unknown'
      const results: [Result, Result] = first === 0 ? ['one', 'two'] : ['two', 'one']
      return { ...type, of: null, line: plain(line), outcomes: this.yesNo(results), isNoOther: false }
    }
    const subject = this.subject()
    if (subject !== 'one' && subject !== 'two') return 'side_unknown'
    const margin = this.margin() ?? numberOf(metadata.line)
    if (margin === null) return 'line_unknown'
    const results: [Result, Result] = subject === 'one' ? ['one', 'two'] : ['two', 'one']
    return {
      ...type,
      of: null,
      line: plain(subject === 'one' ? margin : -margin),
      outcomes: this.yesNo(results),
      isNoOther: false,
    }
  }

  total(type: BetType, of: 0 | 1 | null): Bet | NoBet {
    if (type.marketType === 'team_total' && of === null) return 'side_unknown'
    const { outcomes, title, subtitle, metadata } = this.input
    const labels = outcomes.map(({ label }) => label.toLowerCase())
    const words = `${subtitle ?? ''} ${title}`.toLowerCase()
    const isUnder = /^under\b/.test(labels[0] ?? '') || (/^yes$/.test(labels[0] ?? '') && this.isBelow(words))
    const line =
      numberIn(labels[0] ?? '') ??
      numberOf(metadata.line) ??
      this.strike() ??
      lineInSlug(this.input) ??
      totalIn(words, /^yes$/.test(labels[0] ?? ''))
    if (line === null) return 'line_unknown'
    const results: [Result, Result] = isUnder ? ['under', 'over'] : ['over', 'under']
    return { ...type, of, line: Math.abs(line), outcomes: this.yesNo(results), isNoOther: false }
  }

  teamOfTotal(): 0 | 1 | null {
    const { title, subtitle } = this.input
    for (const text of [subtitle, title]) {
      const named = /^(.*?)(?:\s+\(?[A-Z]{2,3}\)?)?\s*(?:\bteam total|\bo\/u|\btotal|\bover|\bunder|\b\d)/i.exec(
        text ?? '',
      )?.[1]
      const side = named === undefined ? null : this.sideIn(named.replace(/^.*:\s*/, ''))
      if (side !== null) return side
    }
    return null
  }

  /** The two outcomes in order; null leaves one out. */
  yesNo(results: readonly (Result | null)[]): Bet['outcomes'] {
    return this.input.outcomes
      .slice(0, 2)
      .flatMap(({ outcomeId }, at) => (results[at] == null ? [] : [{ outcomeId, result: results[at] }]))
  }

  private resultOf(label: string): Result | null {
    if (/^(?:yes|no|over|under|not)\b/i.test(label)) return null
    if (/^(?:draw|tie|x)$/i.test(label.trim())) return 'draw'
    const side = this.sideIn(label)
    return side === null ? null : side === 0 ? 'one' : 'two'
  }

  private sideIn(text: string): 0 | 1 | null {
    if (/^(?:yes|no|over|under)\b/i.test(text)) return null
    return sideNamed(text.replace(/(?:\s+\(?|\(?[+-])\d+(?:\.\d+)?\)?\s*$/, ''), this.game, this.league)
  }

  /** The subject of Yes: from the label, then the text before the predicate, then the end of the id. */
  private subject(): 'one' | 'two' | 'draw' | null {
    const { subtitle, title, marketId, slug, outcomes } = this.input
    for (const text of [subtitle, title]) {
      if (text === null || text === '') continue
      if (/\b(?:draw|tie)\b/i.test(text) && !/draw no bet/i.test(text)) return 'draw'
      const tail = /: ([^:]+)$/.exec(text)?.[1]
      // The subject precedes the verb; the object follows it.
      for (const named of [beforeVerb(text), text, tail === undefined ? undefined : beforeVerb(tail), tail]) {
        const side = named === undefined ? null : this.sideIn(named)
        if (side !== null) return side === 0 ? 'one' : 'two'
      }
    }
    if (outcomes.some(({ label }) => !/^(?:yes|no)$/i.test(label))) return null
    for (const id of [marketId, slug]) {
      const tail = /-([A-Z0-9]{2,8})$/.exec(id ?? '')?.[1] ?? /-20\d\d-\d\d-\d\d-([a-z0-9]{2,8})$/.exec(id ?? '')?.[1]
      if (tail === undefined) continue
      if (/^(?:draw|tie)$/i.test(tail)) return 'draw'
      // `AZ3`: a team and its strike.
      for (const code of [tail, tail.replace(/\d+$/, '')]) {
        const side = sideNamed(code.toLowerCase(), this.game, this.league)
        if (side !== null) return side === 0 ? 'one' : 'two'
      }
    }
    return this.spokenFirst()
  }

  /** `aec-nhl-buf-mon-…`: the long side is the one named first in the id. */
  private spokenFirst(): 'one' | 'two' | null {
    const first = /^[a-z]{3}-[a-z0-9]+-([a-z0-9]+)-[a-z0-9]+-20\d\d-\d\d-\d\d(?:-|$)/.exec(this.input.marketId)?.[1]
    const side = first === undefined ? null : sideNamed(first, this.game, this.league)
    return side === null ? null : side === 0 ? 'one' : 'two'
  }

  /** Handicap of the first outcome's side. */
  private handicapOf(first: 0 | 1): number | null {
    const { outcomes, title, metadata } = this.input
    const [own, other] = outcomes.map(({ label }) => polarityIn(label))
    if (own !== null && own !== undefined) return inverted(own, first)
    if (other !== null && other !== undefined) return inverted(-other, first)
    const handicap = /^(?:.*:)?\s*([^:()]+?)\s*\(?([+-]\d+(?:\.\d+)?)\)?\s*$/.exec(title)
    if (handicap !== null) {
      const side = this.sideIn(handicap[1] as string)
      if (side !== null) return side === 0 ? Number(handicap[2]) : -Number(handicap[2])
    }
    const line = numberOf(metadata.line)
    return line === null ? null : inverted(line, first)
  }

  /** Handicap of Yes' side: "wins by over 2.5" gives up that much. */
  private margin(): number | null {
    const { title, subtitle, marketId } = this.input
    const strike = this.strike()
    if (strike !== null) return -strike
    for (const text of [subtitle, title]) {
      const by = marginIn(text ?? '')
      if (by !== null) return -by
      const signed = polarityIn(text ?? '')
      if (signed !== null) return signed
    }
    const slug = /-(pos|neg)-(\d+)pt(\d+)$/.exec(marketId)
    if (slug === null) return null
    return Number(`${slug[2]}.${slug[3]}`) * (slug[1] === 'neg' ? -1 : 1)
  }

  /** An integer that must be exceeded counts half a point more: a tie pays No. */
  private strike(): number | null {
    const { strikeType, floorStrike, capStrike } = this.input.metadata
    const floor = numberOf(floorStrike)
    if (floor !== null && strikeType === 'greater_or_equal' && Number.isInteger(floor)) return floor - 0.5
    if (floor !== null) return Number.isInteger(floor) ? floor + 0.5 : floor
    const cap = numberOf(capStrike)
    if (cap === null) return null
    return Number.isInteger(cap) ? (strikeType === 'less' ? cap - 0.5 : cap + 0.5) : cap
  }

  private isBelow(words: string): boolean {
    const type = textOf(this.input.metadata.strikeType)
    if (type !== null) return type.startsWith('less')
    return /\b(?:under|fewer|less|below)\b/.test(words) && !/over ?\/ ?under|o\/u|\bover\b/.test(words)
  }
}
