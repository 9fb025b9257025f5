// Phrases as bags of terms, and which terms two of them do not share: compared by the meaning of forms, by initials, and allowing for typing errors.

import { unified } from '../../read/frames/templates.ts'
import { anyWord, canonicalSpelling, matches, stem } from '../../read/text.ts'
import { isStop, isWeakTerm, synonym } from '../../read/vocabulary.ts'

export interface Term {
  key: string
  text: string
}

export interface Phrase {
  text: string
  terms: Term[]
}

/** Filler elsewhere, but it distinguishes contests. */
const distinctiveFiller = /^(?:national|al)$/

export function phraseOf(words: string): Phrase {
  const text = unified(` ${words} `)
  const terms: Term[] = []
  for (const match of matches(anyWord, text)) {
    const word = match[0]
      .replace(/'s$/, '')
      .replace(/[.&']/g, '')
      .replace(/^0+(?=\d)/, '')
    const stemmed = synonym(stem(word))
    if (isStop(word) || ((isWeakTerm(stemmed) || isWeakTerm(word)) && !distinctiveFiller.test(word))) continue
    const key = canonicalSpelling(stemmed)
    if (!terms.some((term) => term.key === key)) terms.push({ key, text: word })
  }
  return { text: text.trim(), terms }
}

export interface Apart {
  onlyA: Term[]
  onlyB: Term[]
  /** Terms treated as the same though they are written differently. */
  taken: [string, string][]
}

/** Terms of one side only. */
export function isDisjoint(a: Phrase, b: Phrase): Apart {
  const onlyA = a.terms.filter((term) => !b.terms.some((other) => other.key === term.key))
  const onlyB = b.terms.filter((term) => !a.terms.some((other) => other.key === term.key))
  const taken: [string, string][] = []
  const left = shortened(onlyA, b, onlyB, taken)
  const right = shortened(left.long, a, left.short, taken)
  return { onlyA: right.long, onlyB: right.short, taken }
}

/** Takes out "hhs" against "health human services", in word order. */
function shortened(
  short: readonly Term[],
  whole: Phrase,
  long: readonly Term[],
  taken: [string, string][],
): { short: Term[]; long: Term[] } {
  let words = [...long]
  const left = short.filter(({ text }) => {
    if (!/^[a-z]{2,6}$/.test(text)) return true
    const open = whole.terms.filter((term) => words.includes(term))
    for (let at = 0; at + text.length <= open.length; at++) {
      const run = open.slice(at, at + text.length)
      if (run.map((term) => term.text[0]).join('') !== text) continue
      taken.push([text, run.map((term) => term.text).join(' ')])
      words = words.filter((term) => !run.includes(term))
      return false
    }
    return true
  })
  return { short: left, long: words }
}

/** Two neighbouring letters are swapped: the typo that rarely produces another word. */
export function swapped(a: string, b: string): boolean {
  if (a.length !== b.length || a.length < 6) return false
  const at = [...a].findIndex((letter, index) => letter !== b[index])
  return at >= 0 && a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2)
}

/** Two letters swapped, one missing, one too many or one wrong in a long word; never its last letter, which is grammar or gender. */
export function typoDistance(a: string, b: string, least = 5): boolean {
  const shorter = Math.min(a.length, b.length)
  if (shorter < least || Math.abs(a.length - b.length) > 1 || a === b || /\d/.test(a + b)) return false
  let head = 0
  while (head < shorter && a[head] === b[head]) head++
  let tail = 0
  while (tail < shorter - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++
  if (tail === 0) return false
  const [x, y] = [a.slice(head, a.length - tail), b.slice(head, b.length - tail)]
  if (x.length === 2 && y.length === 2) return x[0] === y[1] && x[1] === y[0]
  return x.length <= 1 && y.length <= 1 && (x.length !== y.length || shorter >= 7)
}

/** Letters of a word as a set, with its length above: the input of `couldBeTypo`. 0 is no word. */
export function shapeOf(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) % 26)
  return (Math.min(word.length, 31) << 26) | letters
}

/**
 * False only if `typoDistance` is, by the shapes of two words: an extra, missing or different letter changes at most two of a
 * set.
 */
export function couldBeTypo(a: number, b: number): boolean {
  const differ = (a ^ b) & 0x3ffffff
  const one = differ & (differ - 1)
  return (one & (one - 1)) === 0 && Math.abs((a >>> 26) - (b >>> 26)) <= 1
}
