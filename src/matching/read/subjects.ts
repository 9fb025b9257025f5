// Money, rates and weather: assets, measured quantities, central bank decisions. And the verbs a market depends on.
import type { Features } from './features.ts'
import { named, pattern } from './patternFilter.ts'
import type { Scratch } from './text.ts'

const assets = named([
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
])

const metrics = named([
  ['fdv', /\b(?:market cap(?:italization)? \(fdv\)|fdv|fully diluted val(?:uation|ue))\b/g],
  ['market-cap', /\bmarket cap(?:italization)?\b/g],
  ['core-cpi', /\b(?:core (?:cpi|consumer price index|inflation)|cpi core)\b/g],
  ['core-pce', /\bcore pce\b/g],
  ['pce', /\bpce\b/g],
  ['cpi', /\b(?:cpi|consumer price index|inflation(?: rate)?)\b/g],
  ['ppi', /\b(?:ppi|producer price index)\b/g],
  ['unemployment', /\b(?:unemployment(?: rate)?|u-?3)\b/g],
  ['payrolls', /\b(?:non-?farm payrolls?|nfp|payrolls|jobs added|add(?:s|ed)? jobs)\b/g],
  ['gdp', /\b(?:(?:real )?gdp(?: growth)?|gross domestic product)\b/g],
  ['temperature-high', /\b(?:(?:highest|high|maximum|max|daily high)\.? temp(?:erature|s)?|(?:daily )?high temp)\b/g],
  ['temperature-low', /\b(?:(?:lowest|low|minimum|min|daily low)\.? temp(?:erature|s)?)\b/g],
  ['temperature', /\b(?:temp(?:erature)?s?(?: anomaly)?)\b/g],
  ['rain', /\b(?:rain(?:fall)?|precipitation)\b/g],
  ['snow', /\bsnow(?:fall)?\b/g],
])

const bases = named([
  ['year-on-year', /\b(?:yoy|y\/y|year[- ]o(?:ver|n)[- ]year|annual(?:ly|ized)?|12-month)\b/g],
  ['celsius', /(?<=\d\s?)°\s?c\b|\bcelsius\b/g],
  ['month-on-month', /\b(?:mom|m\/m|month[- ]o(?:ver|n)[- ]month|monthly)\b/g],
])

const bankNames = named([
  ['fed', /\b(?:federal reserve|fomc|fed(?: funds| fund)?|federal funds)\b/g],
  ['ecb', /\b(?:european central bank|ecb)\b/g],
  ['boe', /\b(?:bank of england|boe)\b/g],
  ['boj', /\b(?:bank of japan|boj)\b/g],
  ['boc', /\b(?:bank of canada|boc)\b/g],
  ['rba', /\b(?:reserve bank of australia|rba)\b/g],
  ['rbi', /\b(?:reserve bank of india|rbi)\b/g],
])

/** Verbs that decide the question; several words for one act. Order matters: "step down" before "down". */
const actions = named([
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
])

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
  for (const { name, wording } of assets) {
    scratch.take(wording, (m, raw) => {
      // "Sol Maddox" and "Brent Spence" are people.
      if (given.test(raw) && surname.test(scratch.raw.slice((m.index ?? 0) + m[0].length))) return false
      features.add('asset', name)
    })
  }
  // A ticker in parentheses identifies the asset exactly: "Meta Platforms, Inc. (META)".
  scratch.take(marks.ticker, (m, raw) => {
    if (!/^\(\$?[A-Z]{2,5}\)$/.test(raw) || /^(?:low|high|bo\d|no|yes|fdv|yoy|mom|inc|d|r|i)$/.test(m[1] as string))
      return false
    features.add('asset', m[1] as string)
  })
  for (const { name, wording } of metrics) if (scratch.has(wording)) features.add('metric', name)
  for (const { name, wording } of bases) if (scratch.has(wording)) features.add('basis', name)
  for (const { name, wording } of bankNames) {
    if (scratch.contains(wording) && scratch.contains(marks.rates)) {
      scratch.has(wording)
      features.add('event', `bank:${name}`)
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
  for (const { name, wording } of actions) if (scratch.has(wording)) features.add('action', name)
  // Winning a nomination is being the nominee; a winner of the final is the winner.
  if (features.of('action').includes('nominee')) features.drop('action', 'win')
}
