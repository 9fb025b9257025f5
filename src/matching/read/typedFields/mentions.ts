// What a template leaves out of a question's text: names, places, parties, dates and amounts, each with its position and a value that
// is equal for all spellings. Read from the text alone; which of them are replaced depends on the other question.
import { extractDates, type Moment, spanOf } from '../dateParser.ts'
import { couldBePlaceName, placeOf, placePattern, placeWord, stateOfCode } from '../gazetteer.ts'
import type { Question } from '../question.ts'
import { matches, Scratch, stem } from '../text.ts'
import { scale } from '../thresholdParser.ts'
import { isCommon, isStop, isWeakTerm } from '../vocabulary.ts'

export type MentionKind = 'date' | 'amount' | 'place' | 'party' | 'name'

export interface Mention {
  readonly kind: MentionKind
  /** Equal for two mentions of one thing. */
  readonly value: string
  /** In the template's text. */
  readonly start: number
  readonly end: number
  readonly text: string
  /** In double quotes: a title. */
  readonly quoted: boolean
}

export interface Mentions {
  /** The question, with its event if that adds a word. */
  readonly text: string
  /** Sorted by position; none overlaps another. */
  readonly list: readonly Mention[]
  /** Of the answer: the name that the label states, or else the first one. Null if there is none. */
  readonly subject: Mention | null
  /** The subject is the label: what Yes means, rather than a guess. */
  readonly labelled: boolean
}

const mentioned = (kind: MentionKind, value: string, start: number, text: string): Mention => ({
  kind,
  value,
  start,
  end: start + text.length,
  text,
  quoted: false,
})

const cache = new WeakMap<Question, Mentions>()

/** Cached: a question is compared in many pairs. */
export function mentionsOf(q: Question): Mentions {
  const known = cache.get(q)
  if (known !== undefined) return known
  const found = readMentions(q)
  cache.set(q, found)
  return found
}

function readMentions(q: Question): Mentions {
  const text = templateTextOf(q)
  const taken = new Taken()
  for (const mention of datesIn(text, q)) taken.add(mention)
  for (const mention of districtsIn(text)) taken.add(mention)
  for (const mention of partiesIn(text)) taken.add(mention)
  const words = wordsIn(text)
  for (const mention of placesIn(text, words)) taken.add(mention)
  const stated = labelIn(text, words, q.label)
  for (const mention of stated) taken.add(mention)
  for (const mention of quotedIn(text)) taken.add(mention)
  for (const mention of amountsIn(text)) taken.add(mention)
  for (const mention of nameRuns(text, words, taken)) taken.add(mention)
  const list = taken.sorted()
  const names = list.filter(({ kind }) => kind === 'name')
  const labelled = names.find((mention) => stated.some(({ start }) => start === mention.start))
  return { text, list, subject: labelled ?? names[0] ?? null, labelled: labelled !== undefined }
}

/** Of two questions with one text the event may say that they differ, so it is part of the template. */
function templateTextOf({ text, event }: Question): string {
  const plain = text.replace(/\s+/g, ' ').trim()
  if (event === '') return plain
  const have = new Set(contentOf(plain))
  return contentOf(event).every((word) => have.has(word)) ? plain : `${plain} | ${event.replace(/\s+/g, ' ').trim()}`
}

const contentOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !isStop(word)).map(stem)

/** Mentions in order of precedence: one that overlaps an earlier one is left out. */
class Taken {
  private readonly list: Mention[] = []

  add(mention: Mention): void {
    if (mention.end > mention.start && !this.overlaps(mention.start, mention.end)) this.list.push(mention)
  }

  overlaps(start: number, end: number): boolean {
    return this.list.some((other) => start < other.end && other.start < end)
  }

  sorted(): Mention[] {
    return this.list.sort((x, y) => x.start - y.start)
  }
}

interface TextWord {
  readonly text: string
  /** In lower case, without marks. */
  readonly plain: string
  readonly start: number
  readonly end: number
}

const wordPattern = /[\p{L}\p{N}](?:[\p{L}\p{N}]|[.'&-](?=[\p{L}\p{N}]))*/gu

function wordsIn(text: string): TextWord[] {
  return matches(wordPattern, text).map((match) => {
    const word = match[0].replace(/'s$/i, '')
    return { text: word, plain: plainWord(word), start: match.index, end: match.index + word.length }
  })
}

const plainWord = (word: string): string => word.toLowerCase().replace(/[.']/g, '')

/** Capitalized words that describe an office, a contest or a stage: they stay in the template. */
const described = new Set(
  `president presidential presidency governor gubernatorial senator senators senate house congress congressional
  representative representatives mayor mayoral prime minister ministers ministry secretary attorney general
  speaker chair chairman chairwoman leader chancellor justice ambassador director judge court committee cabinet
  parliament parliamentary assembly election elections primary runoff nomination nominee nominees democrat
  democrats democratic republican republicans gop party coalition union republic kingdom states state county city
  cup league championship champions final finals semifinal semifinals quarterfinal quarterfinals playoffs round
  group stage award awards prize medal best actor actress supporting male female men mens women womens boys girls
  man woman king queen prince princess first second third fourth fifth sixth seventh eighth ninth tenth last next
  no not only other another any all every each none both either neither january february march april may june july
  august september october november december jan feb mar apr jun jul aug sep sept oct nov dec monday tuesday
  wednesday thursday friday saturday sunday yes if through until since following jr sr ii iii iv vi vii viii`.split(
    /\s+/,
  ),
)

const suffix = /^(?:jr|sr|ii|iii|iv)$/

/** Part of a name: a capital, and no word of headlines or offices. */
function isNameWord({ text, plain }: TextWord): boolean {
  if (!/\p{Lu}/u.test(text) || described.has(plain) || isStop(plain)) return false
  const stemmed = stem(plain)
  return !isCommon(stemmed) && !isWeakTerm(stemmed)
}

const particle = /^(?:de|da|do|dos|del|di|du|van|von|der|den|bin|ibn|al|el|la|le)$/

const nameMention = (text: string, words: readonly TextWord[], quoted: boolean): Mention => {
  const [start, end] = [words[0]!.start, words.at(-1)!.end]
  const value = words.map(({ plain }) => plain).join(' ')
  return { kind: 'name', value, start, end, text: text.slice(start, end), quoted }
}

/** Adjacent words of names, with initials and particles between them; a comma, a colon or a parenthesis ends a run. */
function nameRuns(text: string, words: readonly TextWord[], taken: Taken): Mention[] {
  const free = (word: TextWord): boolean => !taken.overlaps(word.start, word.end)
  const found: Mention[] = []
  for (let at = 0; at < words.length; at++) {
    const first = words[at]!
    if (!isNameWord(first) || !free(first)) continue
    let last = at
    for (let next = at + 1; next < words.length; next++) {
      const [before, word] = [words[next - 1]!, words[next]!]
      if (!/^[\s.]*$/.test(text.slice(before.end, word.start)) || !free(word)) break
      if (isNameWord(word) || suffix.test(word.plain)) last = next
      else if (!particle.test(word.plain) && !/^\p{Lu}$/u.test(word.text)) break
    }
    found.push(nameMention(text, words.slice(at, last + 1), false))
    at = last
  }
  return found
}

/** A label that is a date, an amount or a case. */
const condition =
  /^(?:during|before|after|by|on|in|at|for|from|until|above|below|over|under|between|more|less|exactly|yes|no)\b|^\W*\d/i

/** The label is a name by itself, even if it contains words of other kinds: "I Had Some Help". */
function labelIn(text: string, words: readonly TextWord[], label: string): Mention[] {
  const parts = wordsIn(label)
  if (parts.length === 0 || parts.length > 8 || !parts.some(isNameWord) || condition.test(label)) return []
  const found: Mention[] = []
  for (let at = 0; at + parts.length <= words.length; at++) {
    const run = words.slice(at, at + parts.length)
    if (!run.every(({ plain }, index) => plain === parts[index]!.plain)) continue
    const [before, behind] = [words[at - 1], words[at + parts.length]]
    // "Trump" in "Lara Trump" is another person, and so is "Donald Trump" in "Donald Trump Jr.".
    if (before !== undefined && isNameWord(before) && /^\s*$/.test(text.slice(before.end, run[0]!.start))) continue
    const joined = behind !== undefined && /^[\s.]*$/.test(text.slice(run.at(-1)!.end, behind.start))
    if (joined && (suffix.test(behind.plain) || (isNameWord(behind) && parts.length < 2))) continue
    found.push(nameMention(text, run, false))
  }
  return found
}

function quotedIn(text: string): Mention[] {
  return matches(/"([^"]{1,80})"/g, text).flatMap((match) => {
    const parts = wordsIn(match[1]!).map((word) => ({
      ...word,
      start: word.start + match.index + 1,
      end: word.end + match.index + 1,
    }))
    return parts.length === 0 ? [] : [nameMention(text, parts, true)]
  })
}

function placesIn(text: string, words: readonly TextWord[]): Mention[] {
  const low = text.toLowerCase()
  if (low.length !== text.length || !couldBePlaceName(low)) return []
  return matches(placePattern, low).flatMap((match): Mention[] => {
    const name = match[1]!
    const start = match.index + match[0].indexOf(name)
    const end = start + name.length
    const raw = text.slice(start, end)
    const place = placeOf(name, raw)
    if (place === null || !/\p{Lu}/u.test(raw) || isInName(text, words, start, end)) return []
    return [mentioned('place', place, start, raw)]
  })
}

/** "Jordan Ellis", "Mark Cuban". */
function isInName(text: string, words: readonly TextWord[], start: number, end: number): boolean {
  return words.some(
    (word) =>
      isNameWord(word) &&
      !placeWord.test(word.plain) &&
      ((word.end <= start && /^\s*$/.test(text.slice(word.end, start))) ||
        (word.start >= end && /^\s*$/.test(text.slice(end, word.start)))),
  )
}

function districtsIn(text: string): Mention[] {
  return matches(/\b([A-Z]{2})-?(\d{1,2}|AL)(?![\p{L}\p{N}-])/gu, text).flatMap((match): Mention[] => {
    const code = match[1]!.toLowerCase()
    if (!stateOfCode.has(code)) return []
    const value = `${code}-${match[2] === 'AL' ? 0 : Number(match[2])}`
    return [mentioned('place', value, match.index, match[0])]
  })
}

function partiesIn(text: string): Mention[] {
  return matches(/\b(?:(Democrat(?:s|ic)?|Dems?)|(?:Republicans?|GOP))(?: [Pp]arty)?\b/g, text).map((match) =>
    mentioned('party', match[1] === undefined ? 'republican' : 'democratic', match.index, match[0]),
  )
}

/** With its preposition, which decides what the date is for. */
function datesIn(text: string, q: Question): Mention[] {
  const scratch = new Scratch(text)
  extractDates(scratch)
  if (scratch.raw.length !== text.length) return []
  return takenSpans(text, scratch.raw).flatMap(([start, end]): Mention[] => {
    const raw = text.slice(start, end)
    const read = extractDates(new Scratch(raw))
    const [moment] = read
    if (moment === undefined || read.length > 1) return []
    const value = dateValue(moment, q)
    return value === null ? [] : [mentioned('date', value, start, raw)]
  })
}

/** Spans whose letters were replaced, without the spaces at their ends. */
function takenSpans(text: string, left: string): [number, number][] {
  const spans: [number, number][] = []
  for (let at = 0; at < text.length; at++) {
    if (text[at] === left[at]) continue
    let end = at + 1
    for (let next = end; next < text.length && (left[next] === ' ' || left[next] === '¦'); next++) {
      // Another part begins.
      if (left[next + 1] === '¦' && left.slice(at, next + 1).includes('¦')) break
      if (text[next] !== left[next]) end = next + 1
    }
    spans.push([at, end])
    at = end - 1
  }
  return spans
}

/** Days it covers; null while no year is known. */
function dateValue(moment: Moment, q: Question): string | null {
  if (moment.season) return `season ${moment.year}`
  const stated = q.dates.find((date) => isSameMoment(date.moment, moment))
  const span = moment.year === null ? (stated?.span ?? null) : spanOf(moment, moment.year)
  if (span === null) return null
  if (moment.vague) return `by year ${moment.year}`
  return moment.role === 'deadline' ? `until ${span.to}` : `${moment.role} ${span.from} ${span.to}`
}

const isSameMoment = (x: Moment, y: Moment): boolean =>
  x.role === y.role &&
  x.year === y.year &&
  x.month === y.month &&
  x.day === y.day &&
  x.toMonth === y.toMonth &&
  x.toDay === y.toDay &&
  x.before === y.before

const scaleWord = '(?:\\s?(k|mn|m|bn|b|tn|t|thousand|million|billion|trillion)\\b)?'
const unitWord = '(?:\\s?(%|percent\\b|bps?\\b|basis points?\\b|\\u00b0\\s?[fc]?\\b|degrees?\\b))?'
const digitGroups = '(\\d+(?:,\\d{3})*(?:\\.\\d+)?)'
const amountPattern = new RegExp(
  `(?<![\\p{L}\\p{N}.#]|\\p{L}-)([$\\u20ac\\u00a3]?)${digitGroups}${scaleWord}${unitWord}(?![\\p{L}\\p{N}])`,
  'giu',
)
const countWords = 'two three four five six seven eight nine ten eleven twelve'.split(' ')
const countPattern = new RegExp(`(?<![\\p{L}\\p{N}-])(?:${countWords.join('|')})(?![\\p{L}\\p{N}-])`, 'giu')

function amountsIn(text: string): Mention[] {
  const inDigits = matches(amountPattern, text).flatMap((match): Mention[] => {
    const [raw, currency = '', digits = '', scaled, unit = ''] = match
    const amount = Number(digits.replaceAll(',', '')) * (scaled === undefined ? 1 : scale[scaled.toLowerCase()]!)
    if (!Number.isFinite(amount)) return []
    return [mentioned('amount', `${amount} ${currency === '' ? unitOf(unit) : currency}`, match.index, raw)]
  })
  const inWords = matches(countPattern, text).map((match) =>
    mentioned('amount', `${countWords.indexOf(match[0].toLowerCase()) + 2} `, match.index, match[0]),
  )
  return [...inDigits, ...inWords]
}

const unitOf = (unit: string): string =>
  unit === '' ? '' : /^(?:%|p)/i.test(unit) ? '%' : /^b/i.test(unit) ? 'bps' : /c$/i.test(unit) ? 'celsius' : 'degrees'
