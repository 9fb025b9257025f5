// What the titles of two events say that the questions leave out: "Will Duke win?" of a women's tournament is another question than of the
// men's. They can only lower a match: one venue's event may contain more than the other's.

import type { MatchDifference } from '../../match.ts'
import type { Question } from '../../read/question.ts'
import { phraseOf } from '../frames/arguments.ts'

interface Mark {
  kind: string
  /** What a lower-case text says about it. */
  of: (text: string) => string[]
  /** Whether it counts if only one side says it. */
  alone: boolean
}

type Names = readonly (readonly [name: string, pattern: RegExp])[]

const named =
  (names: Names) =>
  (text: string): string[] =>
    names.flatMap(([name, pattern]) => (pattern.test(text) ? [name] : []))

const captured =
  (pattern: RegExp) =>
  (text: string): string[] =>
    [...text.matchAll(pattern)].map((match) => match.slice(1).filter(Boolean).join(' '))

const women = /\b(?:wom[ae]n(?:'?s)?|ladies|girls|female|wnba|wta|wsl|nwsl|ncaaw|lpga)\b/
const ordinals: Readonly<Record<string, string>> = { first: '1', second: '2', third: '3', fourth: '4' }
const halves =
  /\b(first|second|third|fourth|[1-4])(?:st|nd|rd|th)? (half|quarter|period|set|inning)\b(?! (?:of )?20\d\d)/g

const marks: readonly Mark[] = [
  { kind: 'division', alone: true, of: (text) => (women.test(text) ? ['women'] : []) },
  {
    kind: 'stage',
    alone: true,
    of: named([
      ['nomination', /\b(?:primar(?:y|ies)|caucus(?:es)?|nomin\p{L}+)/u],
      ['runoff', /\b(?:run-?offs?|second round)\b/],
      ['first round', /\b(?:first|1st) round\b/],
      ['regular season', /\bregular season\b/],
      ['qualifying', /\b(?:qualifying|qualification|qualifiers?|pole position)\b/],
      ['sprint', /\bsprint\b/],
      ['semifinal', /\bsemi-?finals?\b/],
      ['conference', /\b(?:(?<!press |news )conference|division|divisional|pennant)\b/],
      ['running mate', /\b(?:vice[- ]president\w*|running mate)\b/],
    ]),
  },
  {
    kind: 'office',
    alone: false,
    of: named([
      ['president', /(?<!vice[- ])\bpresiden(?:t|cy|tial)\b/],
      ['senate', /\bsenat(?:e|or|ors|orial)\b/],
      ['governor', /(?<!lieutenant )\b(?:governors?|gubernatorial|governorship)\b/],
      ['house', /\b(?:(?<!white )house|congressional|representatives?)\b/],
      ['mayor', /\bmayor(?:al|alty|s)?\b/],
      ['attorney general', /\battorney general\b/],
      ['lieutenant governor', /\blieutenant governor\b/],
      ['secretary of state', /\bsecretary of state\b/],
    ]),
  },
  {
    kind: 'category',
    alone: true,
    of: captured(/\b(\p{L}+(?: artist| player| film| series)?) of the (year|month|week|decade|tournament|match)\b/gu),
  },
  {
    kind: 'category',
    alone: true,
    of: captured(/\b(finals?|all[- ]star|super bowl|world series|world cup|cup|playoffs?|tournament)(?: game)? mvp\b/g),
  },
  {
    kind: 'category',
    alone: false,
    of: captured(
      /\bbest ((?:(?:new|supporting|lead|original|adapted|animated|international|documentary|male|female) )*\p{L}+)/gu,
    ),
  },
  { kind: 'category', alone: true, of: captured(/\b(drama|comedy|musical)\b/g) },
  {
    kind: 'contest',
    alone: false,
    of: named([
      ['race', /\b(?:grand prix|gp|race)\b(?!.*\bchampion(?:ship)?\b)/],
      ['championship', /\b(?:championship|champions?|title|standings)\b/],
    ]),
  },
  {
    kind: 'sport',
    alone: false,
    of: named([
      ['tennis', /\b(?:tennis|atp|wta)\b/],
      ['golf', /\b(?:golf|pga|lpga|liv)\b/],
      ['basketball', /\b(?:basketball|nba|wnba|ncaam?b|march madness)\b/],
      ['football', /\b(?:football|nfl|cfp|ncaaf|soccer|fifa|uefa)\b/],
      ['baseball', /\b(?:baseball|mlb)\b/],
      ['hockey', /\b(?:hockey|nhl)\b/],
      ['cricket', /\b(?:cricket|ipl|t20)\b/],
      ['rugby', /\brugby\b/],
      ['volleyball', /\bvolleyball\b/],
      ['softball', /\bsoftball\b/],
      ['chess', /\bchess\b/],
      ['darts', /\bdarts\b/],
    ]),
  },
  { kind: 'game', alone: true, of: captured(/\b(?:game|map|match)\s?#?(\d)\b/g) },
  {
    kind: 'period',
    alone: true,
    of: (text) => [...text.matchAll(halves)].map(([, at = '', part]) => `${ordinals[at] ?? at} ${part}`),
  },
]

interface Read {
  marks: readonly (readonly string[])[]
  /** Terms of the question itself, and of it with its event. */
  own: readonly string[]
  all: readonly string[]
  extra: readonly string[]
}

const known = new WeakMap<Question, Read>()

function read(question: Question): Read {
  const before = known.get(question)
  if (before !== undefined) return before
  const { text, event } = question
  const low = `${text} | ${event}`.toLowerCase()
  const terms = (words: string): string[] => phraseOf(words.toLowerCase()).terms.map(({ key }) => key)
  const [own, named] = [terms(text), terms(event)]
  const found = {
    marks: marks.map(({ of }) => [...new Set(of(low))]),
    own,
    all: [...new Set([...own, ...named])],
    extra: named.filter((term) => !own.includes(term) && !/^\d+$/.test(term) && !dress.test(term)),
  }
  known.set(question, found)
  return found
}

/** Filler of titles. */
const dress = /^(?:w[io]n|winner|champion|market|event|odd|result|outcome|contest|award|next|vote|electio?n?)/

/** A question with at most this many terms leaves its subject to its event. */
const thin = 4

export function compareEventTitles(a: Question, b: Question): MatchDifference[] {
  if (a.event === '' && b.event === '') return []
  if (a.event === b.event && a.text === b.text) return []
  const [x, y] = [read(a), read(b)]
  const out = marks.flatMap(({ kind, alone }, at): MatchDifference[] => {
    const [one, two] = [x.marks[at]!, y.marks[at]!]
    if (one.length === 0 && two.length === 0) return []
    const both = one.length > 0 && two.length > 0
    const equal = one.length === two.length && one.every((name) => two.includes(name))
    const shared = one.some((name) => two.includes(name))
    // A vice-presidential nomination is also a nomination.
    if (both ? equal || (shared && kind !== 'stage') : !alone) return []
    const statement = (q: Question, names: readonly string[]) => `${q.venue} says ${names.join(', ') || 'none'}`
    return [
      {
        kind,
        points: both && !shared ? 30 : 12,
        detail: `${kind}: with its event ${statement(a, one)}, ${statement(b, two)}`,
      },
    ]
  })
  return out.length > 0 || (a.matchup !== null && b.matchup !== null) ? out : compareThin(a, x, b, y)
}

/** "Will 50 senators vote yes?": its subject is only in the event's title. */
function compareThin(a: Question, x: Read, b: Question, y: Read): MatchDifference[] {
  if (x.own.length > thin || y.own.length > thin) return []
  const [one, two] = [x.extra.filter((term) => !y.all.includes(term)), y.extra.filter((term) => !x.all.includes(term))]
  const silent = a.event === '' || b.event === ''
  if (silent ? one.length + two.length === 0 : one.length === 0 || two.length === 0) return []
  const statement = (q: Question): string => `${q.venue} says "${q.event}"`
  return [{ kind: 'event', points: 12, detail: `event: ${statement(a)}, ${statement(b)}` }]
}
