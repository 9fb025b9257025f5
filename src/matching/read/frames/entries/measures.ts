// Values read at a given time: prices, rate decisions, economic figures.

import { quoted } from '../knowledge/quoted.ts'
import type { PropositionTemplate } from '../proposition.ts'

const be = '(?:(?:be|is|stays?|remains?)(?: at)?)'

/** What remains of a time or a day that was taken out. */
const ended = '(?: (?:at|on|in|by))?(?: the)?(?: end)?(?: of)?'

const bank =
  '(?<what>(?:us |u\\.s\\. )?(?:fed|federal reserve|fomc)|ecb|european central bank|boe|boj|boc|rba|rbnz|snb|(?:central |reserve |peoples )?bank of \\S+(?: \\S+)?|(?:\\S+ )?(?:central bank|riksbank|norges bank))'
const rate =
  '(?:(?:its |their |the |key |official |base |benchmark |policy |cash |interest |fed(?:eral)? funds |target )*rates?)'
const meeting =
  '(?:(?: at| after| in| following)?(?: the| its| their)?(?: next| upcoming)?(?: policy)? ?(?:meetings?|decisions?)?)?'
const step = '(?: by)?(?: exactly)?(?: <n>)?(?: ?(?:bps|basis points?))?'
const trailingLabel = '(?: : .*)?'

const moved = (verb: string, noun: string): string[] => [
  `(?:the )?${bank} ${verb} ${rate}${step}${meeting}${trailingLabel}`,
  `(?:the )?${bank} ${rate}? ?${noun}${step}${meeting}${trailingLabel}`,
  `(?:the )?${bank} ${rate}? ?decision ?: ${verb}(?: ${rate})?${step}`,
  `(?:the )?${bank} (?:announces? )?(?:a |an )?<n> ?(?:bps|basis points?) (?:${rate} )?${noun}${meeting}`,
  `(?:the )?${bank} ${rate}? ?decision ?: <n> ?(?:bps|basis points?) ${noun}`,
]

const up = '(?:hikes?|raises?|increases?)'
const down = '(?:cuts?|lowers?|decreases?|reduces?)'

const figure =
  '(?:the )?(?:rate of |percent change in )?(?<what>(?:\\S+ ){0,3}(?:cpi|pce|ppi|inflation|unemployment|gdp|consumer price index|gross domestic product)(?: (?:core|inflation|growth|rate|mom|yoy|y/y|m/m|year-over-year|month-over-month|\\(?u-?3\\)?|index))*)(?: (?:in|for|of) (?:the )?<more>)?'

export const measures: readonly PropositionTemplate[] = [
  {
    name: 'rate decision',
    cue: /\b(?:fed|fomc|bank|ecb|bo[ejc]|rba|rbnz|snb|riksbank|federal reserve)\b.*\b(?:rates?|bps|basis|decision|meeting|change)\b|no change in/,
    affirms: moved(up, '(?:hike|increase)'),
    falls: moved(down, '(?:cut|decrease)'),
    rests: [
      `(?:there be )?(?:no change|unchanged) in (?:the )?${bank}(?:'s|s')? ${rate}${meeting}`,
      `(?:the )?${bank} (?:holds?|maintains?|pauses?|keeps?|leaves?)(?: ${rate})?(?: (?:steady|unchanged|the same))?${meeting}`,
      `(?:the )?${bank} (?:hikes?|raises?|increases?|cuts?|lowers?|decreases?) ${rate} by 0 ?(?:bps|basis points?)${meeting}${trailingLabel}`,
      `(?:the )?${bank} ${rate}? ?decision ?: (?:no change|unchanged|hold|pause)`,
    ],
    grid: { step: 1, least: 1 },
    reads: ['decision'],
    settles: true,
    each: 'month',
    window: 'recurring',
  },
  {
    name: 'price at the close',
    cue: /\b(?:clos|settl)/,
    affirms: [
      `(?:the )?(?:(?:market )?price of )?(?:a )?<what>(?:'s)?(?: (?:market )?price)? (?:closes?|settles?)(?: at)?${ended}`,
      `(?:the )?<what>(?:'s)? clos(?:e|ing)(?: price)?(?: ${be})?`,
    ],
    grid: { step: null, nines: true, brackets: true },
    settles: true,
    each: 'day',
    window: 'recurring',
  },
  {
    name: 'price at a time',
    cue: new RegExp(`\\bprice|${quoted}`),
    affirms: [
      `(?:the )?(?:market )?price of (?:a )?<what>(?: (?:at|on))?(?: the)?(?: ${be})?${ended}`,
      `(?:the )?<what>(?:'s)? (?:market )?price(?: range)?(?: (?:at|on))?(?: the)?(?: ${be})?${ended}`,
      `(?:the )?\\$?(?<what>${quoted})(?: ${be})?${ended}`,
    ],
    grid: { step: null, nines: true, brackets: true },
    settles: true,
    each: 'day',
    window: 'recurring',
  },
  {
    name: 'figure of an economy',
    cue: /\b(?:cpi|pce|ppi|inflation|unemployment|gdp|jobless|consumer price|gross domestic)\b/,
    affirms: [
      `${figure}(?: (?:be|is|rises?|increases?|grows?|exceeds?|comes? in|print))?(?: (?:by|at))?(?: exactly)?(?: (?<n>-?\\d+(?:\\.\\d+)?))?(?: (?:in|for))?(?: the)?(?: (?:print|report|reading|release))?(?: :)?`,
      `${figure}(?: (?:be|is|rises?|increases?|grows?|exceeds?|comes? in|print))?(?: (?:by|at))?(?: exactly)?(?: (?:in|for))?(?: the)?(?: (?:print|report|reading|release))? : (?<n>-?\\d+(?:\\.\\d+)?)`,
    ],
    grid: { step: 0.1 },
    unit: 'percent',
    settles: true,
    each: 'month',
    window: 'recurring',
  },
]
