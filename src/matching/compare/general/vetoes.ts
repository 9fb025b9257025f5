// Small words that distinguish two questions although everything else agrees: who does what to whom, all or any, or and and, resigning and leaving,
// a race and a championship, to and from. Checked for pairs that would otherwise count as the same, whichever code read them.

import type { MatchDifference } from '../../match.ts'
import { otherClub } from '../../read/games/clubSuffixes.ts'
import { memoizeLastPair } from '../../read/memoizeLast.ts'
import type { Question } from '../../read/question.ts'
import { sourcesIn } from '../../read/sources.ts'
import { compareClauses, comparePrefixes, compareSpans, compareVoices } from './clauses.ts'
import {
  compareFormatting,
  compareHeads,
  comparePrepositions,
  compareSlashPairs,
  compareVerbs,
  compareWordOrder,
} from './paraphrase.ts'
import { compareSpellings } from './spellings.ts'
import { type Order, orderOf } from './wordOrder.ts'

export const compareGuards = memoizeLastPair((a, b): readonly MatchDifference[] => {
  const unnamed = compareUnnamed(a, b)
  if (unnamed.length > 0) return unnamed
  const club = otherClub(a.text, b.text)
  if (club !== null)
    return [{ kind: 'team', points: 40, detail: `team: clubs called "${club}" with other letters are two` }]
  if (a.matchup !== null && b.matchup !== null) return unreadBet(a, b)
  if (a.matchup !== null || b.matchup !== null) return []
  const [x, y] = [orderOf(a), orderOf(b)]
  const difference = (kind: string, points: number, what: string): MatchDifference[] => [
    { kind, points, detail: `${kind}: ${what}` },
  ]
  const [p, q] = [x.text.toLowerCase(), y.text.toLowerCase()]
  return [
    ...compareOrder(a, x, b, y),
    ...between(manners, p, q).flatMap(([one, two]) =>
      difference('manner', 30, `${statement(a, one)}, ${statement(b, two)}`),
    ),
    ...between(quantities, p, q).flatMap(([one, two]) =>
      difference('quantity', 30, `${statement(a, one)}, ${statement(b, two)}`),
    ),
    ...between(results, p, q).flatMap(([one, two]) =>
      difference('result', 12, `${statement(a, one)}, ${statement(b, two)}`),
    ),
    ...between(scopes, p, q).flatMap(([one, two]) =>
      difference('scope', 12, `${statement(a, one)}, ${statement(b, two)}`),
    ),
    ...paired(a, p, b, q),
    ...heads(a, p, b, q),
    ...variants(a, p, b, q),
    ...ways(a, p, b, q),
    ...things(a, p, b, q),
    ...compareClauses(a, x, b, y),
    ...compareVoices(a, x, b, y),
    ...comparePrefixes(a, b),
    ...compareSpans(a, b),
    ...units(a, x, b, y),
    ...compareAsides(a, b),
    ...compareWordOrder(a, x, b, y),
    ...comparePrepositions(a, b),
    ...compareHeads(a, x, b, y),
    ...compareVerbs(a, x, b, y),
    ...compareSlashPairs(a, b),
    ...compareSpellings(a, b),
  ]
})

/** Checked only for relations: for equality the fields and the terms have already weighed these words. */
export function compareUnstated(a: Question, b: Question): MatchDifference[] {
  if (a.matchup !== null || b.matchup !== null) return []
  if (a.proposition !== null && a.proposition.frame === b.proposition?.frame) return []
  return compareFormatting(a, orderOf(a), b, orderOf(b))
}

/** An "Other" is the remainder of its own event, and a placeholder may be any person. */
function compareUnnamed(a: Question, b: Question): MatchDifference[] {
  const open = [a, b].find(({ unnamed }) => unnamed !== null)
  if (open === undefined) return []
  const what = open.unnamed === 'rest' ? 'is the remainder of its own event' : 'is a name yet to be given'
  return [{ kind: 'name', points: 30, detail: `name: the answer of ${open.venue} ${what}` }]
}

/** One is fully understood, the other contains words that make it another bet or an unknown one. */
function unreadBet(a: Question, b: Question): MatchDifference[] {
  const [x, y] = [a.bet(), b.bet()]
  if (x === null || y === null || (x === 'unread') === (y === 'unread')) return []
  const who = x === 'unread' ? a : b
  return [{ kind: 'bet', points: 12, detail: `bet: ${who.venue} says more than who wins or by how much` }]
}

const statement = (q: Question, what: string): string => `${q.venue} says ${what === '' ? 'no such word' : what}`

type Marks = readonly (readonly [name: string, pattern: RegExp])[]

/** A way of leaving is more specific than leaving. Stepping down is either. */
const manners: Marks = [
  ['resign', /\b(?:resign(?:s|ed|ation)?|quits?)\b/],
  ['be dismissed', /\b(?:fire[sd]?|fired|dismiss(?:es|ed)?|sack(?:s|ed)?|oust(?:s|ed)?)\b/],
  ['be removed', /\b(?:remove[sd]?|impeach(?:es|ed)?|recall(?:s|ed)?)\b/],
  ['for a time', /\b(?:interim|acting|temporar(?:y|ily))\b/],
  ['announce', /\bannounc(?:e|es|ed|ing|ement)\b(?! as)|\bdeclares?(?= (?:\S+ ){0,2}(?:candidacy|campaign|run|bid)\b)/],
  ['certify', /\bcertif(?:y|ies|ied|ication)\b/],
  ['call', /\b(?:ap|decision desk|media|network) calls?\b|\bcalled by\b/],
  ['major', /\bmajor (?!league|tournament|championship|golf|party|title)\p{L}/u],
  [
    'in a round',
    /\bwins? (?!.*\bmost\b).*\bin (?:the )?(?:(?:first|second|third|fourth|fifth|\d+(?:st|nd|rd|th)) round|round \d+)\b/,
  ],
  ['should', /\b(?:should|might|could|ought)\b/],
  ['debut', /\b(?:debuts?|debuted)\b/],
  ['again', /\b(?:again|re-?elect(?:s|ed|ion)?|another)\b/],
]

const quantities: Marks = [
  ['all', /\b(?:all|every|each|both)\b/],
  [
    'or',
    /[\p{L}"'] \/ [\p{L}"']|[\p{L}"'] or (?!(?:more|less|fewer|higher|lower|above|below|over|under|later|earlier|before|after|greater|better|up|down)\b)/u,
  ],
  ['only', /\b(?:only|alone|outright|unanimous(?:ly)?)\b/],
  [
    'on any of several occasions',
    /\b(?:any|a|one|each) (?:single |one |given )?(?:meeting|decision|day|month|week|quarter)\b/,
  ],
  ['nobody', /\b(?:nobody|none|no one|neither)\b/],
]

const charts = '(?:spotify|apple music|netflix|app store|youtube|billboard)'

/** Not winning does not imply losing: a vote that is never held, a contest of many, a candidate who withdraws. */
const results: Marks = [['lose', /\b(?:loses?|lost|losing|defeated|beaten)\b/]]

/** Where it is counted. A side that does not say may mean either. */
const scopes: Marks = [
  ['worldwide', /\b(?:world-?wide|global(?:ly)?)\b/],
  ['domestic', /\b(?:domestic(?:ally)?|north america)\b/],
  [
    'us',
    new RegExp(`\\b(?:us|usa|u\\.s\\.|united states)\\b.*${charts}|${charts}.*\\b(?:us|usa|u\\.s\\.|united states)\\b`),
  ],
]

/** "D House, R Senate" and "D Senate, R House": a list of the same words paired differently. */
function paired(a: Question, p: string, b: Question, q: string): MatchDifference[] {
  if (/^will\b/.test(p) || /^will\b/.test(q)) return []
  const [x, y] = [itemsOf(p), itemsOf(q)]
  const inSameItem = (items: readonly string[][], one: string, two: string): boolean =>
    items.some((words) => words.includes(one) && words.includes(two))
  const crossed = x.some(([one = '', two = ''], at) =>
    x.slice(at + 1).some(([three = '', four = '']) => {
      if (inSameItem(y, one, two) || inSameItem(y, three, four)) return false
      return (
        (inSameItem(y, one, four) && inSameItem(y, three, two)) ||
        (inSameItem(y, one, three) && inSameItem(y, two, four))
      )
    }),
  )
  return crossed ? [{ kind: 'name', points: 40, detail: `pairs: ${statement(a, p)}, ${statement(b, q)}` }] : []
}

/** Items of two words. */
const itemsOf = (text: string): string[][] =>
  text
    .split(/[,:;/]|\band\b/)
    .slice(0, 12)
    .map((item) => item.match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter(({ length }) => length === 2)

/**
 * Marks of which one side has some and the other others; "announce" is done to the holder of an office or a prize, so only verbs are checked for it.
 */
function between(marks: Marks, p: string, q: string): [string, string][] {
  const found = marks.filter(([, pattern]) => pattern.test(p) !== pattern.test(q))
  return found.map(([name, pattern]) => (pattern.test(p) ? [name, ''] : ['', name]))
}

const kinds: Marks = [
  ['race', /\braces?\b|\bgrand prix\b/],
  ['championship', /\b(?:championships?|champions?|titles?|season|standings)\b/],
  ['tournament', /\btournaments?\b/],
  ['game', /\b(?:game|match|bout|fight)\b/],
  ['series', /(?<!world )\bseries\b/],
]

/** "Wins the race" and "wins the championship": both say what is won. In politics a race is an election. */
function heads(a: Question, p: string, b: Question, q: string): MatchDifference[] {
  if ([a, b].some(({ features }) => features.office !== undefined || features.party !== undefined)) return []
  const of = (text: string): string[] => kinds.filter(([, pattern]) => pattern.test(text)).map(([name]) => name)
  const [x, y] = [of(p), of(q)]
  if (x.length === 0 || y.length === 0 || x.some((kind) => y.includes(kind))) return []
  const wide = (names: readonly string[]): boolean =>
    names.every((name) => name === 'championship' || name === 'tournament')
  if (wide(x) && wide(y)) return []
  return [
    { kind: 'contest', points: 30, detail: `contest: ${statement(a, x.join(', '))}, ${statement(b, y.join(', '))}` },
  ]
}

const variant =
  /(?<=[\p{L}\d] )(?:pro|max|mini|plus|ultra|lite|air|turbo|slim)\b(?! (?:football|basketball|baseball|hockey|soccer|wrestling|bowl))/gu

/** "PlayStation 6 Pro" is a different thing. */
function variants(a: Question, p: string, b: Question, q: string): MatchDifference[] {
  const of = (text: string): string => [...text.matchAll(variant)].map(([word]) => word).join(' ')
  const [x, y] = [of(p), of(q)]
  return x === y ? [] : [{ kind: 'name', points: 30, detail: `variant: ${statement(a, x)}, ${statement(b, y)}` }]
}

const opposites: Readonly<Record<string, string>> = {
  to: 'from',
  into: 'out of',
  for: 'against',
  'in favor of': 'against',
  before: 'after',
  with: 'without',
}
const led =
  /\b(to|from|into|out of|for|against|in favou?r of|before|after|with|without) (?:the |a |an |his |her |their )?(\p{L}+)/gu

/** The same thing in opposite directions: "traded to the Lakers", "traded from the Lakers". */
function ways(a: Question, p: string, b: Question, q: string): MatchDifference[] {
  const of = (text: string): [string, string][] =>
    [...text.matchAll(led)].map((match) => [match[2] as string, (match[1] as string).replace('favour', 'favor')])
  const other = of(q)
  const clash = of(p).find(([word, way]) =>
    other.some(([same, turned]) => same === word && (opposites[way] === turned || opposites[turned] === way)),
  )
  if (clash === undefined) return []
  const detail = `direction: before "${clash[0]}" ${a.venue} says ${clash[1]}, ${b.venue} the opposite`
  return [{ kind: 'direction', points: 40, detail }]
}

const issued =
  /\b(?:launch|release|issue|announce|list)(?:e?s|d|ing)? (?:a |an |the |its |his |her |their )?(?:own )?(token|coin|game|series|prize|team|event|tournament|season|club)\b/

/** Words that are usually filler, as the object of the act: "launch a token" is not "launch". */
function things(a: Question, p: string, b: Question, q: string): MatchDifference[] {
  const [x, y] = [issued.exec(p)?.[1] ?? '', issued.exec(q)?.[1] ?? '']
  const missing = (x !== '' && !q.includes(x)) || (y !== '' && !p.includes(y))
  return missing ? [{ kind: 'wording', points: 30, detail: `thing: ${statement(a, x)}, ${statement(b, y)}` }] : []
}

const scales: Marks = [
  ['%', /\d\s?(?:%|percent\b|percentage\b|pct\b)/],
  ['bps', /\d\+?\s?(?:bps?\b|basis points?\b)/],
]
/** A number of something: if no word follows, the scale may be left to the reader. */
const counted =
  /(?<![\p{L}\d])\d[\d,.]*\+? (?!(?:or|and|to|in|on|by|at|of|for|after|before|during|than|from|if|as)\b)\p{L}/u

/** "Wins 10 seats" and "wins 10 %", "3 cuts" and "a cut of 3 bps". */
function units(a: Question, x: Order, b: Question, y: Order): MatchDifference[] {
  const [p, q] = [x.undated.toLowerCase(), y.undated.toLowerCase()]
  return between(scales, p, q).flatMap(([one, two]): MatchDifference[] => {
    if (!counted.test(one === '' ? p : q)) return []
    return [{ kind: 'strike', points: 30, detail: `unit: ${statement(a, one)}, ${statement(b, two)}` }]
  })
}

const brackets = /\(([^()]{2,60})\)/g

/** "(Gallup)" and "(Silver Bulletin)": the pollster follows the measure. */
function compareAsides(a: Question, b: Question): MatchDifference[] {
  const of = ({ text }: Question): string =>
    [...text.matchAll(brackets)].map(([, words = '']) => words.toLowerCase()).join(' ')
  const [x, y] = [of(a), of(b)]
  if (x === y) return []
  const [mine, other] = [sourcesIn(x), sourcesIn(y)]
  const known = (names: readonly string[], q: Question): boolean =>
    names.length === 0 || names.some((name) => q.settlement.sources.includes(name) || sourcesIn(q.text).includes(name))
  const measured = [a, b].every(({ proposition }) => proposition?.frame.grid !== undefined)
  const words = (text: string): string[] => text.match(/\p{L}{3,}/gu) ?? []
  const apart =
    measured && words(x).length > 0 && words(y).length > 0 && !words(x).some((word) => words(y).includes(word))
  if (!apart && known(mine, b) && known(other, a)) return []
  return [{ kind: 'source', points: 12, detail: `source: ${statement(a, x)} in brackets, ${statement(b, y)}` }]
}

const ordered =
  /\b(?:before|after|than|over|ahead of|instead of|from|against)\b|\b(?:leaves?|trades?d?|swaps?|exchanges?)\b.* for\b/

function compareOrder(a: Question, x: Order, b: Question, y: Order): MatchDifference[] {
  if (x.unknown || y.unknown) return []
  const [one, two] = [x.names, y.names]
  if (one.length < 2 || two.length < 2) return []
  const differs: MatchDifference = {
    kind: 'name',
    points: 40,
    detail: `roles: ${a.venue} names ${list(one)}, ${b.venue} names ${list(two)}`,
  }
  const [first, other] = [one[0] as readonly string[], two[0] as readonly string[]]
  const same = first.some((word) => other.includes(word))
  if (ordered.test(x.text) && ordered.test(y.text) && inverted(one, two)) return [differs]
  if (x.mutual || y.mutual) return []
  if (same) {
    const agent = (order: Order): boolean => /\bby (?:the )?\p{Lu}/u.test(order.text) && order.passive
    // "Endorsed by her" against "endorses her".
    return agent(x) !== agent(y) && x.passive !== y.passive ? [differs] : []
  }
  const swapped = behind(first, two) && behind(other, one)
  return swapped && x.passive === y.passive ? [differs] : []
}

const list = (names: readonly (readonly string[])[]): string => names.map((words) => `"${words.join(' ')}"`).join(', ')

const behind = (name: readonly string[], names: readonly (readonly string[])[]): boolean =>
  names.slice(1).some((other) => name.some((word) => other.includes(word)))

/** Names that both sides have, in another order. */
function inverted(one: readonly (readonly string[])[], two: readonly (readonly string[])[]): boolean {
  const places = one.map((name) => two.findIndex((other) => name.some((word) => other.includes(word))))
  const shared = places.filter((at) => at >= 0)
  return shared.some((at, index) => index > 0 && at < (shared[index - 1] as number))
}
