// Money, rates and weather: assets, measured quantities, central bank decisions. And the verbs a market depends on.
import { anyOf } from './anyOf.ts'
import type { Features } from './features.ts'
import type { Scratch } from './text.ts'

const assets: readonly (readonly [string, RegExp])[] = [
  ['btc', /\b(?:bitcoin|btc|xbt)\b/g],
  ['eth', /\b(?:ethereum|ether|eth)\b/g],
  ['sol', /\b(?:solana|sol)\b/g],
  ['xrp', /\b(?:xrp|ripple)\b/g],
  ['doge', /\b(?:dogecoin|doge)\b/g],
  ['bnb', /\b(?:bnb|binance coin)\b/g],
  ['hype', /\b(?:hyperliquid|hype)(?= (?:up or down|price|token price|above|hit))/g],
  ['spx', /\b(?:s&p ?500|s and p 500|spx|sp500)\b/g],
  ['ndx', /\b(?:nasdaq[- ]?100|ndx)\b/g],
  ['djia', /\b(?:dow jones(?: industrial average)?|djia)\b/g],
  ['wti', /\b(?:(?:wti )?crude oil(?: \(wti\))?|wti(?: oil)?(?: \(cl\))?)\b/g],
  ['brent', /\bbrent(?: crude)?(?: oil)?\b/g],
  ['gold', /\bgold(?: \((?:gc|xau)\))?(?= (?:price|close|above|hit|up|settle|be|reach|\())|\bprice of gold\b/g],
  ['silver', /\bsilver(?: \((?:si|xag)\))?(?= (?:price|close|above|hit|up|settle|be|reach|\())|\bprice of silver\b/g],
]

const metrics: readonly (readonly ['metric' | 'basis', string, RegExp])[] = [
  ['metric', 'fdv', /\b(?:market cap(?:italization)? \(fdv\)|fdv|fully diluted val(?:uation|ue))\b/g],
  ['metric', 'market-cap', /\bmarket cap(?:italization)?\b/g],
  ['metric', 'core-cpi', /\b(?:core (?:cpi|consumer price index|inflation)|cpi core)\b/g],
  ['metric', 'core-pce', /\bcore pce\b/g],
  ['metric', 'pce', /\bpce\b/g],
  ['metric', 'cpi', /\b(?:cpi|consumer price index|inflation(?: rate)?)\b/g],
  ['metric', 'ppi', /\b(?:ppi|producer price index)\b/g],
  ['metric', 'unemployment', /\b(?:unemployment(?: rate)?|u-?3)\b/g],
  ['metric', 'payrolls', /\b(?:non-?farm payrolls?|nfp|payrolls|jobs added|add(?:s|ed)? jobs)\b/g],
  ['metric', 'gdp', /\b(?:(?:real )?gdp(?: growth)?|gross domestic product)\b/g],
  [
    'metric',
    'temperature-high',
    /\b(?:(?:highest|high|maximum|max|daily high)\.? temp(?:erature|s)?|(?:daily )?high temp)\b/g,
  ],
  ['metric', 'temperature-low', /\b(?:(?:lowest|low|minimum|min|daily low)\.? temp(?:erature|s)?)\b/g],
  ['metric', 'temperature', /\b(?:temp(?:erature)?s?(?: anomaly)?)\b/g],
  ['metric', 'rain', /\b(?:rain(?:fall)?|precipitation)\b/g],
  ['metric', 'snow', /\bsnow(?:fall)?\b/g],
  ['basis', 'year-on-year', /\b(?:yoy|y\/y|year[- ]o(?:ver|n)[- ]year|annual(?:ly|ized)?|12-month)\b/g],
  ['basis', 'celsius', /(?<=\d\s?)°\s?c\b|\bcelsius\b/g],
  ['basis', 'month-on-month', /\b(?:mom|m\/m|month[- ]o(?:ver|n)[- ]month|monthly)\b/g],
]

const bankNames: readonly (readonly [string, RegExp])[] = [
  ['fed', /\b(?:federal reserve|fomc|fed(?: funds| fund)?|federal funds)\b/g],
  ['ecb', /\b(?:european central bank|ecb)\b/g],
  ['boe', /\b(?:bank of england|boe)\b/g],
  ['boj', /\b(?:bank of japan|boj)\b/g],
  ['boc', /\b(?:bank of canada|boc)\b/g],
  ['rba', /\b(?:reserve bank of australia|rba)\b/g],
  ['rbi', /\b(?:reserve bank of india|rbi)\b/g],
]

/** Verbs that decide what is asked; several words for one act. Order matters: "step down" before "down". */
const actions: readonly (readonly [string, RegExp])[] = [
  ['win', /\b(?:wins?|winners?|winning|won|victory|victorious|champions?|crowned|(?:be )?elected)\b/g],
  [
    'reach',
    /\b(?:qualif(?:y|ies|ied)|qualifiers?|qualifying|reach(?:es|ed)?|advances?|advancing|make it)(?: (?:for|to|through|into|from))?\b/g,
  ],
  ['resign', /\b(?:resign(?:s|ed|ation)?)\b/g],
  [
    'leave',
    /\b(?:out as|out of office|out|leaves?(?: office)?|leaving(?: office)?|depart(?:s|ure)?|exits?|step(?:s|ping)? down|ceases? to be|no longer)\b/g,
  ],
  ['acquire', /\b(?:acquir(?:e|es|ed|ition)|buys?|bought|purchases?d?|take ?over|takes over)\b/g],
  ['release', /\b(?:releas(?:e|es|ed|ing)|launch(?:es|ed|ing)?|drops?(?= (?:a|an|the|new))|debuts?|comes? out)\b/g],
  ['ipo', /\b(?:ipo|initial public offering|goes? public|public offering)\b/g],
  ['arrest', /\b(?:arrest(?:s|ed)?|taken into custody)\b/g],
  ['marry', /\b(?:marr(?:y|ies|ied|iage)|wed(?:ding)?)\b/g],
  ['engage', /\b(?:engaged|engagement|get engaged)\b/g],
  ['dead', /\b(?:dies?|died|death|dead)\b/g],
  ['visit', /\b(?:visit(?:s|ed)?|travels? to)\b/g],
  ['meet', /\b(?:meets?(?: with)?|met with|meeting with)\b/g],
  ['impeach', /\b(?:impeach(?:ed|ment|es)?)\b/g],
]

const second = ([, pattern]: readonly [string, RegExp]): RegExp => pattern
const anyAsset = anyOf(assets.map(second))
const anyMetric = anyOf(metrics.map(([, , pattern]) => pattern))
const anyAction = anyOf(actions.map(second))
const anyBank = anyOf(bankNames.map(second))
const rates = /\b(?:rates?|bps|basis points?|decision|cuts?|hikes?|no change|meeting|interest|hold)\b/

/** Assets that are also given names. */
const given = /^(?:Sol|Brent|Gold|Silver|Ripple)$/
const surname = /^ (?!(?:Price|Close|Above|Below|Hit|Reach|ETF|Token|Coin|Crude|Oil|Up)\b)\p{Lu}\p{Ll}/u

export function takeSubjects(scratch: Scratch, features: Features): void {
  for (const [asset, pattern] of anyAsset.test(scratch.low) ? assets : []) {
    scratch.take(pattern, (m, raw) => {
      // "Sol Maddox" and "Brent Spence" are people.
      if (given.test(raw) && surname.test(scratch.raw.slice((m.index ?? 0) + m[0].length))) return false
      features.add('asset', asset)
    })
  }
  // A ticker in parentheses identifies the asset exactly: "Meta Platforms, Inc. (META)".
  scratch.take(/\(\$?([a-z]{1,5})\)/g, (m, raw) => {
    if (!/^\(\$?[A-Z]{2,5}\)$/.test(raw) || /^(?:low|high|bo\d|no|yes|fdv|yoy|mom|inc|d|r|i)$/.test(m[1] as string))
      return false
    features.add('asset', m[1] as string)
  })
  for (const [kind, metric, pattern] of anyMetric.test(scratch.low) ? metrics : [])
    if (scratch.has(pattern)) features.add(kind, metric)
  for (const [bank, pattern] of anyBank.test(scratch.low) ? bankNames : []) {
    if (rates.test(scratch.low) && scratch.has(pattern)) {
      features.add('event', `bank:${bank}`)
      takeDecision(scratch, features)
    }
  }
  if (scratch.has(/\b(?:up or down|up\/down)\b/g)) features.add('form', 'up or down')
}

function takeDecision(scratch: Scratch, features: Features): void {
  // "Hike rates by 0 bps" is how a ladder of changes says that nothing changes.
  scratch.rewrite(
    /\b(?:hikes?|raises?|increases?|cuts?|lowers?|decreases?)(?: (?:interest )?rates?)? by 0 ?(?:bps|basis points?)/g,
    'no change',
  )
  if (scratch.has(/\b(?:no change|unchanged|maintains?|holds?|pauses?|leave rates)\b/g))
    features.add('decision', 'hold')
  if (scratch.has(/\b(?:cut(?:s|ting)?|decreas(?:e|es|ed)|lower(?:s|ed)?|reduc(?:e|es|tion)|rate cuts?)\b/g))
    features.add('decision', 'cut')
  if (scratch.has(/\b(?:hik(?:e|es|ed)|rais(?:e|es|ed)|increas(?:e|es|ed)|rate hikes?)\b/g))
    features.add('decision', 'hike')
  scratch.has(/\b(?:interest|rates?|target|federal funds|decisions?|meetings?)\b/g)
}

export function takeActions(scratch: Scratch, features: Features): void {
  for (const [action, pattern] of anyAction.test(scratch.low) ? actions : [])
    if (scratch.has(pattern)) features.add('action', action)
  // Winning a nomination is being the nominee; a winner of the final is the winner.
  if (features.of('action').includes('nominee')) features.drop('action', 'win')
}
