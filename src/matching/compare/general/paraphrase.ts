// Differences that a bag of words does not show: the same words in another order, with another preposition, or for something else.
// Case-insensitive.
import type { MatchDifference } from '../../match.ts'
import type { Question } from '../../read/question.ts'
import { anyWord, canonicalSpelling, matches, stem } from '../../read/text.ts'
import type { Order } from './wordOrder.ts'

const differs = (kind: string, points: number, detail: string): MatchDifference[] => [
  { kind, points, detail: `${kind}: ${detail}` },
]

const set = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

const empty =
  set(`will would the a an is are be been being was were do does did has have had of in on at by as and or that this it its
his her their who what which when where there any`)
/** Words that may be between two swapped words, but are never swapped themselves. */
const hinges = set(
  'than to from into over under above below before after against behind ahead instead without versus vs for with',
)

/** Words in order, one spelling each, without grammar. */
export function wordsInOrder({ text }: Order): string[] {
  return matches(anyWord, text.toLowerCase()).flatMap(([found]) => {
    const word = found.replace(/'s$/, '').replace(/[.&']/g, '')
    return empty.has(word) ? [] : [canonicalSpelling(stem(word))]
  })
}

/** "Gold outperforms silver" and "silver outperforms gold": two words change places around a third. A part that only moves to the front does not. */
export function compareWordOrder(a: Question, x: Order, b: Question, y: Order): MatchDifference[] {
  if (x.unknown || y.unknown) return []
  if ([x, y].some(({ text }) => symmetric.test(text.toLowerCase()))) return compareCouples(a, x, b, y)
  const [one, two] = [wordsInOrder(x), wordsInOrder(y)]
  if (x.passive !== y.passive) {
    const [first = '', other = ''] = [one[0], two[0]]
    if (first !== other || suffers.test(x.text) === suffers.test(y.text)) return []
    return differs(
      'direction',
      40,
      `on one side "${first}" does it, on the other it is done to it (${a.venue}, ${b.venue})`,
    )
  }
  const begins = [x, y].every(({ text }) => /^will\b/i.test(text))
  const [subject = '', other = ''] = [one[0], two[0]]
  const sameWords = one.length === two.length && one.every((word) => two.includes(word))
  if (begins && subject !== other && sameWords)
    return differs('direction', 40, `who does it is "${subject}" on ${a.venue}, "${other}" on ${b.venue}`)
  const taken = new Set<number>()
  const shared: { word: string; at: number }[] = []
  for (const word of one) {
    const at = two.findIndex((other, index) => other === word && !taken.has(index))
    if (at < 0) continue
    taken.add(at)
    shared.push({ word, at })
  }
  for (const [index, hinge] of shared.entries()) {
    const ahead = shared.slice(0, index).find(({ word, at }) => at > hinge.at && !hinges.has(word))
    const behind = shared.slice(index + 1).find(({ word, at }) => at < hinge.at && !hinges.has(word))
    if (ahead === undefined || behind === undefined) continue
    return differs(
      'direction',
      40,
      `${a.venue} says "${ahead.word} ${hinge.word} ${behind.word}", ${b.venue} says it the other way round`,
    )
  }
  return []
}

/** "A son of X marries a daughter of Y": either may come first, but no part moves from one to the other. */
function compareCouples(a: Question, x: Order, b: Question, y: Order): MatchDifference[] {
  const [one, two] = [coupleOf(x), coupleOf(y)]
  if (one === null || two === null) return []
  const lost = one.first.find((word) => !two.first.includes(word) && two.second.includes(word))
  const won = two.first.find((word) => !one.first.includes(word) && one.second.includes(word))
  const kept = one.first.find((word) => two.first.includes(word))
  if (lost === undefined || won === undefined || kept === undefined) return []
  return differs('direction', 40, `"${kept}" goes with "${lost}" on ${a.venue}, with "${won}" on ${b.venue}`)
}

/** The parts before and after the word that joins them. */
function coupleOf(order: Order): { first: string[]; second: string[] } | null {
  const low = order.text.toLowerCase()
  const joined = symmetric.exec(low)
  if (joined === null) return null
  const first = wordsInOrder({ ...order, text: low.slice(0, joined.index) })
  const second = wordsInOrder({ ...order, text: low.slice(joined.index + joined[0].length) })
  return first.length === 0 || second.length === 0 ? null : { first, second }
}

/** Both do it, in either order. */
const symmetric =
  /\b(?:meets?|met|meetings?|marry|marries|married|wed|engaged|vs\.?|versus|between|deal|agreement|debate|talks|summit|merge[rs]?)\b/
const suffers = /\b(?:be|is|are|was|been|being|gets?|got) (?:\p{L}+ )?\p{L}+ by (?:the |an? )?\p{L}{2}/iu

const prepositions: ReadonlyMap<string, string> = new Map(
  Object.entries({
    in: 'in',
    on: 'in',
    at: 'at',
    within: 'in',
    to: 'to',
    into: 'to',
    onto: 'to',
    for: 'for',
    from: 'from',
    with: 'with',
    without: 'without',
    against: 'against',
    by: 'by',
    about: 'about',
    over: 'over',
    under: 'under',
  }),
)
/** Without them the verb means something else: "trade for him", "trade him". */
const turning = set('for from with without against at')
/** Venues use either for a place. */
const anywhere = set('in at')
const articles = set('the a an his her its their')

/** "Speak to Putin" and "speak for Putin". */
export function comparePrepositions(a: Question, b: Question): MatchDifference[] {
  const [one, two] = [ledBy(a), ledBy(b)]
  for (const [key, mine] of one) {
    const theirs = two.get(key)
    if (theirs === undefined || theirs === mine || [mine, theirs].every((word) => anywhere.has(word))) continue
    if ((mine === '' || theirs === '') && !turning.has(mine + theirs)) continue
    const quoted = (word: string): string => (word === '' ? 'no preposition' : `"${word}"`)
    return differs(
      'direction',
      30,
      `between "${key.replace(' ', '" and "')}" ${a.venue} has ${quoted(mine)}, ${b.venue} has ${quoted(theirs)}`,
    )
  }
  return []
}

/** "In March" and "by March 31" are times, which are compared as days and windows. */
const timeWord =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|q[1-4]|h[12]|spring|summer|fall|autumn|winter)$/

/** By the words on both sides, including days, which separate them; an empty preposition where they are adjacent. */
function ledBy({ text }: Question): Map<string, string> {
  const found = new Map<string, string>()
  let before = ''
  let word = ''
  for (const [raw] of matches(anyWord, text.toLowerCase())) {
    const plain = raw.replace(/'s$/, '').replace(/[.&']/g, '')
    if (articles.has(plain)) continue
    const preposition = prepositions.get(plain)
    if (preposition !== undefined) {
      word = preposition
      continue
    }
    if (timeWord.test(plain)) {
      before = ''
      word = ''
      continue
    }
    const key = canonicalSpelling(stem(plain))
    if (before !== '') found.set(`${before} ${key}`, word)
    before = key
    word = ''
  }
  return found
}

/** Filler around a name that may be the thing itself. Those of one row are equivalent. */
const heads = [
  /\bpart(?:y|ies)\b/,
  /\bawards?\b|\bprizes?\b|\btroph(?:y|ies)\b/,
  /\belections?\b|\braces?\b|\bcontests?\b/,
  /\bchampionships?\b|\bseasons?\b|\btitles?\b|\btournaments?\b|\bseries\b|\bevents?\b/,
  /\bcandidates?\b|\bcandidacy\b/,
  /\bcompan(?:y|ies)\b/,
  /\bmarkets?\b/,
  /\bteams?\b|\bclubs?\b/,
  /\btokens?\b|\bcoins?\b/,
  /\bgames?\b|\bmatch(?:es)?\b/,
  /\bpositions?\b/,
] as const
const made = /\b(?:an?|its own|his own|her own|their own) (?:new |own )?$/

/** "Create a party" and "create an award", "join the EU" and "be a candidate to join the EU". */
export function compareHeads(a: Question, x: Order, b: Question, y: Order): MatchDifference[] {
  const [p, q] = [x.text.toLowerCase(), y.text.toLowerCase()]
  const only = (mine: string, other: string): RegExp[] => heads.filter((head) => head.test(mine) && !head.test(other))
  const [onlyA, onlyB] = [only(p, q), only(q, p)]
  const head = objectOf(onlyA, p) ?? objectOf(onlyB, q)
  if (head !== null) return differs('wording', 30, `only one of ${a.venue} and ${b.venue} says "${head}"`)
  const [one, two] = [countedIn(x), countedIn(y)]
  const what = one === null || two === null ? undefined : apart(one, two)
  return what === undefined ? [] : differs('wording', 30, `only one of ${a.venue} and ${b.venue} counts "${what}"`)
}

const apart = (one: readonly string[], two: readonly string[]): string | undefined =>
  one.find((word) => !two.includes(word)) ?? two.find((word) => !one.includes(word))

/** "10 awards", "10 national awards": what is counted, as far as it is filler elsewhere; null if no word follows the number. */
function countedIn({ undated }: Order): string[] | null {
  const found =
    /(?<![\p{L}\d])\d[\d,.]*\+? (?:or (?:more|fewer|less|higher|lower) )?(?!(?:or|and|to|in|on|by|at|of|for)\b)((?:\p{L}+ ?){1,2})/u.exec(
      undated.toLowerCase(),
    )
  return found === null ? null : dressed(found[1] as string)
}

/** The object of a verb: it has the article "a", and no name follows. */
function objectOf(found: readonly RegExp[], text: string): string | null {
  for (const head of found) {
    const match = head.exec(text)
    if (match === null) continue
    const behind = text.slice(match.index + match[0].length).trim()
    const alone = /^(?:[?:,.;]|$|(?:to|for|in|by|on|at|from|with|of|before|after)\b)/.test(behind)
    if (alone && made.test(text.slice(0, match.index))) return match[0]
  }
  return null
}

const dress =
  set(`partner major minor pro professional mens men women junior token coin prize award series championship tournament game match season event team
club company party candidate position level market race election contest seat day person people national price value general primary individual annual final
first second third next new old former full partial part partially fully only again official`)

/** Words that are usually filler, on one side only: nothing follows with certainty from one to the other. */
export function compareFormatting(a: Question, x: Order, b: Question, y: Order): MatchDifference[] {
  const [one, two] = [x, y].map(({ text }) => dressed(text)) as [string[], string[]]
  const extra = [...one.filter((word) => !two.includes(word)), ...two.filter((word) => !one.includes(word))]
  if (extra.length === 0) return []
  return differs('wording', 12, `only one of ${a.venue} and ${b.venue} says "${extra.join('", "')}"`)
}

const dressed = (text: string): string[] => [
  ...new Set(
    matches(anyWord, text.toLowerCase()).flatMap(([word]) => (dressStems.has(stem(word)) ? [stem(word)] : [])),
  ),
]
const dressStems: ReadonlySet<string> = new Set([...dress].map(stem))

type Ways = readonly (readonly [name: string, pattern: RegExp])[]

/** Verbs with one meaning for a firm, a film or a price and two otherwise. */
const verbs: readonly { ways: Ways; unless?: (text: string, q: Question) => boolean }[] = [
  {
    ways: [
      ['buy', /\b(?:buys?|buying|bought|purchas(?:e|es|ed|ing))\b/],
      ['acquire', /\bacqui(?:re|res|red|ring|sition)\b/],
      ['take over', /\b(?:tak(?:e|es|en|ing) over|takeover)\b/],
    ],
  },
  {
    ways: [
      ['launch', /\blaunch(?:es|ed|ing)?\b/],
      ['release', /\breleas(?:e|es|ed|ing)\b/],
      ['come out', /\b(?:comes?|came|coming) out\b/],
    ],
    // A product has a name or is called one.
    unless: (text) =>
      /\d|\b(?:albums?|songs?|singles?|eps?|films?|movies?|trailers?|games?|models?|tokens?|coins?|phones?|consoles?|apps?|products?|books?|series|seasons?|versions?|devices?|chatbots?|agents?)\b/i.test(
        text,
      ) || /\b(?:launch(?:es|ed)?|releas(?:es?|ed)) (?:the |a |an |its |his |her |their )?\p{Lu}/u.test(text),
  },
  {
    ways: [
      ['hit', /\bhit(?:s|ting)?\b/],
      ['reach', /\breach(?:es|ed|ing)?\b/],
      ['touch', /\btouch(?:es|ed|ing)?\b/],
    ],
    unless: (_, { intervals, numbers }) => intervals.length + numbers.length > 0,
  },
  {
    ways: [
      ['nominate', /(?<!\b(?:be|is|was|been|get|gets|been|officially|formally) )\bnominat(?:e|es|ing)\b/],
      ['be nominated', /\b(?:nominees?|nominations?)\b/],
    ],
  },
]

export function compareVerbs(a: Question, x: Order, b: Question, y: Order): MatchDifference[] {
  const [p, q] = [x.text.toLowerCase(), y.text.toLowerCase()]
  for (const { ways, unless } of verbs) {
    const of = (text: string): string[] => ways.filter(([, pattern]) => pattern.test(text)).map(([name]) => name)
    const [one, two] = [of(p), of(q)]
    if (one.length === 0 || two.length === 0 || one.some((way) => two.includes(way))) continue
    if (unless?.(x.text, a) === true && unless(y.text, b)) continue
    return differs('wording', 12, `${a.venue} says "${one[0]}", ${b.venue} says "${two[0]}"`)
  }
  return []
}

/** Pairs written with a slash: an inverted rate is a different one. */
export function compareSlashPairs(a: Question, b: Question): MatchDifference[] {
  const other = b.text.toLowerCase()
  for (const [whole, one = '', two = ''] of a.text.toLowerCase().matchAll(/\b(\p{L}{2,6}) ?\/ ?(\p{L}{2,6})\b/gu))
    if (!other.includes(whole) && new RegExp(`\\b${two} ?/ ?${one}\\b`, 'u').test(other))
      return differs('direction', 40, `"${one}/${two}" on ${a.venue} is inverted on ${b.venue}`)
  return []
}
