// Money, rates and weather: assets, measured quantities, central bank decisions. And the verbs a market depends on.
import type { Features } from './features.ts'
import { type Pattern, pattern } from './pattern.ts'
import type { Scratch } from './text.ts'

const assets: readonly (readonly [string, Pattern])[] = [
  ['btc', pattern(/\b(?:bitcoin|btc|xbt)\b/g)],
  ['eth', pattern(/\b(?:ethereum|ether|eth)\b/g)],
  ['sol', pattern(/\b(?:solana|sol)\b/g)],
  ['xrp', pattern(/\b(?:xrp|ripple)\b/g)],
  ['doge', pattern(/\b(?:dogecoin|doge)\b/g)],
  ['bnb', pattern(/\b(?:bnb|binance coin)\b/g)],
  ['hype', pattern(/\b(?:hyperliquid|hype)(?= (?:up or down|price|token price|above|hit))/g)],
  ['spx', pattern(/\b(?:s&p ?500|s and p 500|spx|sp500)\b/g)],
  ['ndx', pattern(/\b(?:nasdaq[- ]?100|ndx)\b/g)],
  ['djia', pattern(/\b(?:dow jones(?: industrial average)?|djia)\b/g)],
  ['wti', pattern(/\b(?:(?:wti )?crude oil(?: \(wti\))?|wti(?: oil)?(?: \(cl\))?)\b/g)],
  ['brent', pattern(/\bbrent(?: crude)?(?: oil)?\b/g)],
  [
    'gold',
    pattern(/\bgold(?: \((?:gc|xau)\))?(?= (?:price|close|above|hit|up|settle|be|reach|\())|\bprice of gold\b/g),
  ],
  [
    'silver',
    pattern(/\bsilver(?: \((?:si|xag)\))?(?= (?:price|close|above|hit|up|settle|be|reach|\())|\bprice of silver\b/g),
  ],
]

const metrics: readonly (readonly ['metric' | 'basis', string, Pattern])[] = [
  ['metric', 'fdv', pattern(/\b(?:market cap(?:italization)? \(fdv\)|fdv|fully diluted val(?:uation|ue))\b/g)],
  ['metric', 'market-cap', pattern(/\bmarket cap(?:italization)?\b/g)],
  ['metric', 'core-cpi', pattern(/\b(?:core (?:cpi|consumer price index|inflation)|cpi core)\b/g)],
  ['metric', 'core-pce', pattern(/\bcore pce\b/g)],
  ['metric', 'pce', pattern(/\bpce\b/g)],
  ['metric', 'cpi', pattern(/\b(?:cpi|consumer price index|inflation(?: rate)?)\b/g)],
  ['metric', 'ppi', pattern(/\b(?:ppi|producer price index)\b/g)],
  ['metric', 'unemployment', pattern(/\b(?:unemployment(?: rate)?|u-?3)\b/g)],
  ['metric', 'payrolls', pattern(/\b(?:non-?farm payrolls?|nfp|payrolls|jobs added|add(?:s|ed)? jobs)\b/g)],
  ['metric', 'gdp', pattern(/\b(?:(?:real )?gdp(?: growth)?|gross domestic product)\b/g)],
  [
    'metric',
    'temperature-high',
    pattern(/\b(?:(?:highest|high|maximum|max|daily high)\.? temp(?:erature|s)?|(?:daily )?high temp)\b/g),
  ],
  ['metric', 'temperature-low', pattern(/\b(?:(?:lowest|low|minimum|min|daily low)\.? temp(?:erature|s)?)\b/g)],
  ['metric', 'temperature', pattern(/\b(?:temp(?:erature)?s?(?: anomaly)?)\b/g)],
  ['metric', 'rain', pattern(/\b(?:rain(?:fall)?|precipitation)\b/g)],
  ['metric', 'snow', pattern(/\bsnow(?:fall)?\b/g)],
  ['basis', 'year-on-year', pattern(/\b(?:yoy|y\/y|year[- ]o(?:ver|n)[- ]year|annual(?:ly|ized)?|12-month)\b/g)],
  ['basis', 'celsius', pattern(/(?<=\d\s?)°\s?c\b|\bcelsius\b/g)],
  ['basis', 'month-on-month', pattern(/\b(?:mom|m\/m|month[- ]o(?:ver|n)[- ]month|monthly)\b/g)],
]

const bankNames: readonly (readonly [string, Pattern])[] = [
  ['fed', pattern(/\b(?:federal reserve|fomc|fed(?: funds| fund)?|federal funds)\b/g)],
  ['ecb', pattern(/\b(?:european central bank|ecb)\b/g)],
  ['boe', pattern(/\b(?:bank of england|boe)\b/g)],
  ['boj', pattern(/\b(?:bank of japan|boj)\b/g)],
  ['boc', pattern(/\b(?:bank of canada|boc)\b/g)],
  ['rba', pattern(/\b(?:reserve bank of australia|rba)\b/g)],
  ['rbi', pattern(/\b(?:reserve bank of india|rbi)\b/g)],
]

/** Verbs that decide what is asked; several words for one act. Order matters: "step down" before "down". */
const actions: readonly (readonly [string, Pattern])[] = [
  ['win', pattern(/\b(?:wins?|winners?|winning|won|victory|victorious|champions?|crowned|(?:be )?elected)\b/g)],
  [
    'reach',
    pattern(
      /\b(?:qualif(?:y|ies|ied)|qualifiers?|qualifying|reach(?:es|ed)?|advances?|advancing|make it)(?: (?:for|to|through|into|from))?\b/g,
    ),
  ],
  ['resign', pattern(/\b(?:resign(?:s|ed|ation)?)\b/g)],
  [
    'leave',
    pattern(
      /\b(?:out as|out of office|out|leaves?(?: office)?|leaving(?: office)?|depart(?:s|ure)?|exits?|step(?:s|ping)? down|ceases? to be|no longer)\b/g,
    ),
  ],
  ['acquire', pattern(/\b(?:acquir(?:e|es|ed|ition)|buys?|bought|purchases?d?|take ?over|takes over)\b/g)],
  [
    'release',
    pattern(/\b(?:releas(?:e|es|ed|ing)|launch(?:es|ed|ing)?|drops?(?= (?:a|an|the|new))|debuts?|comes? out)\b/g),
  ],
  ['ipo', pattern(/\b(?:ipo|initial public offering|goes? public|public offering)\b/g)],
  ['arrest', pattern(/\b(?:arrest(?:s|ed)?|taken into custody)\b/g)],
  ['marry', pattern(/\b(?:marr(?:y|ies|ied|iage)|wed(?:ding)?)\b/g)],
  ['engage', pattern(/\b(?:engaged|engagement|get engaged)\b/g)],
  ['dead', pattern(/\b(?:dies?|died|death|dead)\b/g)],
  ['visit', pattern(/\b(?:visit(?:s|ed)?|travels? to)\b/g)],
  ['meet', pattern(/\b(?:meets?(?: with)?|met with|meeting with)\b/g)],
  ['impeach', pattern(/\b(?:impeach(?:ed|ment|es)?)\b/g)],
]

const marks = {
  rates: pattern(/\b(?:rates?|bps|basis points?|decision|cuts?|hikes?|no change|meeting|interest|hold)\b/),
  ticker: pattern(/\(\$?([a-z]{1,5})\)/g),
  upOrDown: pattern(/\b(?:up or down|up\/down)\b/g),
  byNothing: pattern(
    /\b(?:hikes?|raises?|increases?|cuts?|lowers?|decreases?)(?: (?:interest )?rates?)? by 0 ?(?:bps|basis points?)/g,
  ),
  held: pattern(/\b(?:no change|unchanged|maintains?|holds?|pauses?|leave rates)\b/g),
  cut: pattern(/\b(?:cut(?:s|ting)?|decreas(?:e|es|ed)|lower(?:s|ed)?|reduc(?:e|es|tion)|rate cuts?)\b/g),
  hike: pattern(/\b(?:hik(?:e|es|ed)|rais(?:e|es|ed)|increas(?:e|es|ed)|rate hikes?)\b/g),
  decision: pattern(/\b(?:interest|rates?|target|federal funds|decisions?|meetings?)\b/g),
}

/** Assets that are also given names. */
const given = /^(?:Sol|Brent|Gold|Silver|Ripple)$/
const surname = /^ (?!(?:Price|Close|Above|Below|Hit|Reach|ETF|Token|Coin|Crude|Oil|Up)\b)\p{Lu}\p{Ll}/u

export function takeSubjects(scratch: Scratch, features: Features): void {
  for (const [asset, said] of assets) {
    scratch.take(said, (m, raw) => {
      // "Sol Maddox" and "Brent Spence" are people.
      if (given.test(raw) && surname.test(scratch.raw.slice((m.index ?? 0) + m[0].length))) return false
      features.add('asset', asset)
    })
  }
  // A ticker in parentheses identifies the asset exactly: "Meta Platforms, Inc. (META)".
  scratch.take(marks.ticker, (m, raw) => {
    if (!/^\(\$?[A-Z]{2,5}\)$/.test(raw) || /^(?:low|high|bo\d|no|yes|fdv|yoy|mom|inc|d|r|i)$/.test(m[1] as string))
      return false
    features.add('asset', m[1] as string)
  })
  for (const [kind, metric, said] of metrics) if (scratch.has(said)) features.add(kind, metric)
  for (const [bank, said] of bankNames) {
    if (scratch.says(said) && scratch.says(marks.rates)) {
      scratch.has(said)
      features.add('event', `bank:${bank}`)
      takeDecision(scratch, features)
    }
  }
  if (scratch.has(marks.upOrDown)) features.add('form', 'up or down')
}

function takeDecision(scratch: Scratch, features: Features): void {
  // "Hike rates by 0 bps" is how a ladder of changes says that nothing changes.
  scratch.rewrite(marks.byNothing, 'no change')
  if (scratch.has(marks.held)) features.add('decision', 'hold')
  if (scratch.has(marks.cut)) features.add('decision', 'cut')
  if (scratch.has(marks.hike)) features.add('decision', 'hike')
  scratch.has(marks.decision)
}

export function takeActions(scratch: Scratch, features: Features): void {
  for (const [action, said] of actions) if (scratch.has(said)) features.add('action', action)
  // Winning a nomination is being the nominee; a winner of the final is the winner.
  if (features.of('action').includes('nominee')) features.drop('action', 'win')
}
