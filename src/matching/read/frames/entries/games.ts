// Bets on one game. Its sides appear as `side1` and `side2`, the matchup as `meeting`, amounts, handicaps and scores as `amount`, `handicap`
// and `score`; days, parts of the game and competitions are taken out before. Every remaining word must be in the sentence.

export interface GameFrame {
  name: string
  /** Whole sentences, as in `Frame`. `<side>` is the side in question, `<other>` any side, `<unit>` what is counted. */
  sentences: readonly string[]
  /** A word every such sentence contains: tried first. */
  cue: RegExp
  /** What bounds the score: one goal ahead, at least level, level, the handicap, the amount, the exact score, or a player's own count. */
  boundKind: 'lead' | 'safe' | 'level' | 'handicap' | 'margin' | 'sum' | 'own' | 'both' | 'score' | 'player'
  /** A contest other than the score of the game. */
  scope?: 'advance'
}

const scored = '(?: scored)?'
const stat =
  '(?<stat>(?:points?|rebounds?|assists?|steals?|blocks?|threes?|3-pointers|strikeouts?|hits|total bases|home runs|passing yards|rushing yards|receiving yards|receptions|touchdowns|goals?|shots(?: on target)?|saves|aces|kills)(?: (?:[+&]|and) (?:points|rebounds|assists|steals|blocks))*)'

export const games: readonly GameFrame[] = [
  {
    name: 'both score',
    sentences: ['both teams (?:to )?score(?: goals?)?', 'both teams to score : both teams (?:to )?score', 'btts'],
    cue: /\bboth teams\b|\bbtts\b/,
    boundKind: 'both',
  },
  {
    name: 'exact score',
    sentences: ['(?:exact|correct|final) score : <side> score <other>', '(?:exact|correct) score <side> score <other>'],
    cue: /\bscore\b.*\bscore\b/,
    boundKind: 'score',
  },
  {
    name: 'draw',
    sentences: [
      '(?:meeting )?(?:ends? )?(?:draw|tied?)(?: at)?',
      '(?:winner|moneyline) : (?:draw|tie)',
      '(?:draw|tie) (?:win|wins)',
      '(?:draw|tie) : (?:draw|tie)',
    ],
    cue: /\b(?:draw|tied?)\b/,
    boundKind: 'level',
  },
  {
    name: 'win or draw',
    sentences: ['<side> (?:wins?|to win) or (?:draws?|ties?)(?: meeting)?'],
    cue: /\bor (?:draw|tie)/,
    boundKind: 'safe',
  },
  {
    name: 'spread',
    sentences: [
      '(?:spread|handicap|run line|puck line|map handicap)(?: :)? <side> handicap',
      '<side> handicap',
      '<side> handicap : spread',
    ],
    cue: /\bhandicap\b/,
    boundKind: 'handicap',
  },
  {
    name: 'margin',
    sentences: [
      `<side> (?:wins?|to win|beats? <other>|defeats? <other>) (?:by )?amount(?: <unit>)?(?: :? ?(?:against|over|vs) <other>)?`,
    ],
    cue: /\bamount\b/,
    boundKind: 'margin',
  },
  {
    name: 'team total',
    sentences: [
      `<side> (?:team )?totals?(?: <unit>)?(?: :)? amount(?: (?:points|runs|goals))?`,
      `<side> (?:scores?|to score) amount(?: <unit>)?`,
      `team total(?: :)? <side> amount(?: <unit>)?`,
    ],
    cue: /\bside[12]\b.*\bamount\b/,
    boundKind: 'own',
  },
  {
    name: 'player line',
    sentences: [
      `<who> : ${stat} amount`,
      `<who> (?:: )?amount ${stat}`,
      `<who> (?:to )?(?:records?|scores?|gets?|have|has) amount ${stat}`,
    ],
    cue: /\bamount\b/,
    boundKind: 'player',
  },
  {
    name: 'total',
    sentences: [
      `(?:meeting )?(?:there (?:be )?)?amount(?: total)?(?: match)?(?: <unit>)?${scored}`,
      `(?:meeting )?(?:totals?|total <unit>|<unit> total)(?: :)? amount(?: <unit>)?${scored}`,
      `total <unit> : amount <unit>${scored}`,
      `amount <unit>${scored} : amount <unit>${scored}`,
    ],
    cue: /\bamount\b/,
    boundKind: 'sum',
  },
  {
    name: 'advances',
    sentences: [
      '<side> (?:to )?(?:advances?|qualify|qualifies)',
      '(?:to advance|to qualify|advance) : <side>',
      'winner : <side> (?:to )?advances?',
    ],
    cue: /\b(?:advances?|qualif)/,
    boundKind: 'lead',
    scope: 'advance',
  },
  {
    name: 'game winner',
    sentences: [
      '<side>',
      '<side> (?:wins?|to win|winner|moneyline|leads?|leading)(?: at)?(?: (?:meeting|against <other>|over <other>))?',
      '<side> (?:beats?|defeats?) <other>',
      '(?:winner|moneyline|win|who wins?) : <side>',
      '<side> wins? : \\k<side>',
      '(?:winner|moneyline)',
      'meeting',
    ],
    cue: /./,
    boundKind: 'lead',
  },
]
