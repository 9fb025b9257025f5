// The bet type and the part of a game, from the venue's own word for it or from the question's wording.
import { isEsport } from '#matching/read/games/competitions'
import { periodOf } from '#matching/read/games/periods'

/** Keys of the engine: `total` and `spread` count what decides the sport, others name what they count. */
export type MarketType =
  | 'moneyline'
  | 'draw_no_bet'
  | 'to_advance'
  | 'both_score'
  | 'team_total'
  | 'spread'
  | 'spread_games'
  | 'spread_sets'
  | 'spread_maps'
  | 'spread_rounds'
  | 'total'
  | 'total_games'
  | 'total_sets'
  | 'total_maps'
  | 'total_rounds'

export interface BetType {
  marketType: MarketType
  /** `game`, `half_1`, `quarter_3`, `set_2`, `map_1`, `inning_1`, `innings_1_5`, `period_2`, `regulation`. */
  period: string
}

/** Bets on something other than the winner and the margin. */
const others =
  /\b(?:players?|props?|scorers?|touchdowns?|yards|receptions?|rush(?:ing)?|passing|tackles|method|mov|exact|correct|corners?|cards?|bookings|kills?|drakes?|dragons?|barons?|towers?|most|win total|futures?|outright|champions?|mvp|award|double chance|odd|even|race|anytime|mentions?|rebounds|assists|strikeouts|hits|sixes|aces|steals|blocks|pts|reb|ast|ks|rfi|tds?|margin|series|qualifying|pole|toss|penalty|offsides?|shots?|fouls)\b/

export const isDerivedStat = (words: string): boolean => others.test(words)

const kinds: readonly (readonly [MarketType, RegExp])[] = [
  ['team_total', /\bteam ?totals?\b/],
  ['both_score', /\bboth (?:teams )?(?:to )?score\b|\bbtts\b/],
  ['draw_no_bet', /\bdraw no bet\b/],
  ['to_advance', /\b(?:to qualify|to advance|advance)\b/],
  ['spread', /handicap|spread/],
  ['total', /over[ /]?under|under[ /]?over|\btotals?\b|total$|\bo\/u\b/],
  [
    'moneyline',
    /money ?line|\bmoney\b|winner|1x2|(?:^|\b)(?:[12]h|[1-4]q|f5)?(?:game|match|fight|map|bout)\b|\bwins?\b|drawable outcome|^regular$/,
  ],
]

/** A venue's word for a market type as plain words: `SPORTS_MARKET_TYPE_FIRST_HALF_TOTALS`, `TOTAL_1H`, `f5spread`. */
export function basicBetType(word: string): string {
  return word
    .toLowerCase()
    .replace(/sports[ _]market[ _]type[ _]/, '')
    .replaceAll(/[_-]+/g, ' ')
    .replace(/^([12]h|[1-4]q|[1-3]p|f5)(?=[a-z])/, '$1 ')
    .replace(/^(g|set|map)(?=spread|total|winner)/, (_, unit: string) => (unit === 'g' ? 'games ' : `${unit} `))
    .trim()
}

/** Null for any other bet. `sport`: a game of a series is a map there. */
export function typeOfWords(words: string, sport: string | null): BetType | null {
  const period = periodOf(words, sport)
  const kind = kinds.find(([, pattern]) => pattern.test(words))?.[0]
  if (kind === undefined || others.test(words)) return null
  return { marketType: counted(kind, words, sport, period), period }
}

/** What is counted, in sports that count several things. */
function counted(kind: MarketType, words: string, sport: string | null, period: string): MarketType {
  if (kind !== 'spread' && kind !== 'total') return kind
  if (sport === 'tennis' || sport === 'table-tennis')
    return /\bsets?\b/.test(words) && period === 'game' ? `${kind}_sets` : `${kind}_games`
  if (sport === 'mma' || sport === 'boxing') return `${kind}_rounds`
  if (sport !== null && isEsport(sport))
    return /\brounds?\b/.test(words) || period !== 'game' ? `${kind}_rounds` : `${kind}_maps`
  return kind
}
