// Character folding, and a text whose understood parts are taken out one by one until only names and plain words are left.

import { Letters, type Pattern } from './patternFilter.ts'

/**
 * Removes accents and direction marks, unifies quotes and dashes; keeps case because it distinguishes names from words. Length may change.
 */
export function fold(text: string): string {
  // Most titles are plain ASCII already.
  return plain.test(text) ? text : folded(text)
}

const plain = /^(?:[!-_a-~]+(?: [!-_a-~]+)*)?$/

function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u2018\u2019\u201b\u00b4`\u02bc]/g, "'")
    .replace(/[\u201c\u201d\u00ab\u00bb]/g, '"')
    .replace(/\u00f8/g, 'o')
    .replace(/\u00d8/g, 'O')
    .replace(/\u0142/g, 'l')
    .replace(/\u00df/g, 'ss')
    .replace(/\u00e6/g, 'ae')
    .replace(/\u2191/g, ' above ')
    .replace(/\u2193/g, ' below ')
    .replace(/\u2265/g, '>=')
    .replace(/\u2264/g, '<=')
    .replace(/\u00ba|\u02da/g, '\u00b0')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Placeholder for a part that was taken out: names on its two sides are not one name. */
const cut = '¦'

export class Scratch {
  /** Folded text with its case. */
  raw: string
  /** The same in lower case; the two always have equal length. */
  low: string
  /** Of the text, before anything was taken out of it. */
  private own: Letters | null = null

  constructor(text: string) {
    this.raw = text
    this.low = lower(text)
  }

  /** In its current state. */
  copy(): Scratch {
    const copy = new Scratch('')
    copy.raw = this.raw
    copy.low = this.low
    copy.own = this.letters
    return copy
  }

  /** All letters it contains, and perhaps some that were taken out. */
  get letters(): Letters {
    this.own ??= new Letters(this.low)
    return this.own
  }

  /**
   * Passes every match of a global pattern to `read`; a match it accepts (anything but false) is taken out of the text.
   */
  take(pattern: Pattern, read: (match: RegExpMatchArray, raw: string) => unknown): void {
    if (!pattern.mayMatch(this.letters)) return
    // Not matchAll: it copies the pattern at every call, and nearly every call finds nothing.
    const { regex } = pattern
    regex.lastIndex = 0
    let match = regex.exec(this.low)
    if (match === null) return
    const spans: [number, number][] = []
    const low = this.low
    while (match !== null) {
      const start = match.index
      const end = start + match[0].length
      const next = regex.lastIndex === start ? start + 1 : regex.lastIndex
      if (read(match, this.raw.slice(start, end)) !== false) spans.push([start, end])
      regex.lastIndex = next
      match = regex.exec(low)
    }
    this.blank(spans)
  }

  /** Whether the text contains the pattern. */
  contains(pattern: Pattern): boolean {
    return pattern.isIn(this.low, this.letters)
  }

  /** The same; every occurrence is taken out. */
  has(pattern: Pattern): boolean {
    return pattern.mayMatch(this.letters) && this.takeAll(pattern)
  }

  private takeAll(pattern: Pattern): boolean {
    let found = false
    this.take(pattern, () => {
      found = true
    })
    return found
  }

  /** Takes out a word wherever it occurs by itself. */
  drop(word: string): void {
    const { low } = this
    const spans: [number, number][] = []
    for (let at = low.indexOf(word); at >= 0 && word !== ''; at = low.indexOf(word, at + 1)) {
      const end = at + word.length
      if (!isPlainLetter(low, at - 1) && !isPlainLetter(low, end)) spans.push([at, end])
    }
    this.blank(spans)
  }

  /** Replaces a phrase. */
  rewrite(pattern: Pattern, replacement: string): void {
    if (!this.contains(pattern)) return
    pattern.regex.lastIndex = 0
    const found = [...this.low.matchAll(pattern.regex)]
    if (found.length === 0) return
    this.raw = replacedSpans(
      this.raw,
      found.map(({ index, 0: text }) => [index, index + text.length]),
      () => replacement,
    )
    this.low = lower(this.raw)
    this.own = null
  }

  /** Takes out a span by its position. */
  cut(start: number, end: number): void {
    this.blank([[start, end]])
  }

  /** All at once: text by text, a long one with many parts would be copied once for each. */
  private blank(spans: readonly Span[]): void {
    if (spans.length === 0) return
    this.raw = replacedSpans(this.raw, spans, fillerOf)
    this.low = replacedSpans(this.low, spans, fillerOf)
  }
}

type Span = readonly [start: number, end: number]

/** As long as what it replaces. */
const fillerOf = (length: number): string => ` ${cut} `.padEnd(length, ' ').slice(0, Math.max(length, 0))

/** The text with each span replaced. In ascending order; of overlapping spans, each replaces what is left of it. */
function replacedSpans(text: string, spans: readonly Span[], replacement: (length: number) => string): string {
  const [first] = spans
  if (first !== undefined && spans.length === 1) {
    return text.slice(0, first[0]) + replacement(first[1] - first[0]) + text.slice(first[1])
  }
  const pieces: string[] = []
  let at = 0
  for (const [start, end] of spans) {
    const from = Math.max(at, start)
    if (end < from) continue
    pieces.push(text.slice(at, from), replacement(end - from))
    at = end
  }
  pieces.push(text.slice(at))
  return pieces.join('')
}

/** Like `\w` in a pattern; false before and after the text. */
function isPlainLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
}

/** Lower case letter by letter: a letter whose lower case is longer would shift everything after it. */
function lower(text: string): string {
  const all = text.toLowerCase()
  return all.length === text.length ? all : text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** All matches of a global pattern. Not matchAll: it copies the pattern at every call. */
export function matches(pattern: RegExp, text: string): RegExpExecArray[] {
  pattern.lastIndex = 0
  const found: RegExpExecArray[] = []
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    found.push(match)
    if (match[0] === '') pattern.lastIndex++
  }
  return found
}

export interface Word {
  text: string
  /** Written like a name: a capital or a digit among letters. */
  capital: boolean
  /** Words of one run are adjacent, with nothing taken out between them. */
  run: number
}

/** Including marks within words. */
export const anyWord = /[\p{L}\p{N}](?:[\p{L}\p{N}]|[.&'](?=[\p{L}\p{N}]))*/gu

/** The words left in a scratch; a cut, a comma, a parenthesis or a colon ends a run. */
export function words(scratch: Scratch): Word[] {
  const found: Word[] = []
  let run = 0
  let end = 0
  for (const match of matches(anyWord, scratch.raw)) {
    const between = scratch.raw.slice(end, match.index)
    if (end > 0 && /[^\s'.-]/.test(between)) run++
    end = match.index + match[0].length
    const capital = /\p{Lu}/u.test(match[0]) || /\d/.test(match[0])
    // A small word ends a name, except those that occur in names.
    const breaks =
      !capital && !/^(?:de|da|do|dos|del|di|du|van|von|der|den|bin|ibn|al|el|la|le|of|and|the)$/.test(match[0])
    if (breaks) run++
    const text = match[0].toLowerCase().replace(/'s$/, '').replace(/[.&']/g, '')
    if (text.length > 0) found.push({ text, capital, run })
    if (breaks) run++
  }
  return found
}

/** A plain word without its grammar: `rates`/`rate`, `released`/`release`/`releasing`. Crude, but equally so on both sides. */
export function stem(word: string): string {
  if (word.length <= 3 || /\d/.test(word)) return word
  let text = word
  if (text.endsWith('ies') && text.length > 4) text = `${text.slice(0, -3)}y`
  else if (/(?:ss|sh|ch|x|z)es$/.test(text)) text = text.slice(0, -2)
  else if (text.endsWith('s') && !/(?:ss|us|is)$/.test(text)) text = text.slice(0, -1)
  if (text.length > 5 && text.endsWith('ing')) text = undouble(text.slice(0, -3))
  else if (text.length > 4 && text.endsWith('ied')) text = `${text.slice(0, -3)}y`
  else if (text.length > 4 && text.endsWith('ed')) text = undouble(text.slice(0, -2))
  if (text.length > 4 && text.endsWith('e')) text = text.slice(0, -1)
  return text
}

const undouble = (text: string): string => text.replace(/([bdgmnprt])\1$/, '$1')

/** Names are spelled in several ways: doubled letters and a few transliterations are normalized. */
export const canonicalSpelling = (name: string): string =>
  varied.test(name) && !roman.test(name) ? oneSpelling(name) : name

/** "Artemis II" and "Artemis III" differ: a numeral is not a doubled letter. */
const roman = /^(?=[ivxlcdm])m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})$/
const varied = /(\p{L})\1|ph|ck|[oua]e|y\b/u

const oneSpelling = (name: string): string => oneScript(name.replace(/(\p{L})\1+/gu, '$1'))

const oneScript = (name: string): string =>
  name
    .replace(/ph/g, 'f')
    .replace(/ck/g, 'k')
    .replace(/oe/g, 'o')
    .replace(/ue/g, 'u')
    .replace(/ae/g, 'a')
    .replace(/i?y\b/g, 'i')

/** A name whose letters come from another alphabet, in one of its ways; its doubled letters are left, but for the end of "Zelenskyy". */
export const transliterated = (name: string): string => oneScript(name).replace(/[iy]{2,}\b/g, 'i')
