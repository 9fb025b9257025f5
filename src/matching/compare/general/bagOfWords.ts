// A question that no entry reads, reduced to its terms in one spelling each and its amount.

import type { Grid } from '../../read/frames/proposition.ts'
import { sentenceOf } from '../../read/frames/sentence.ts'
import { unified } from '../../read/frames/templates.ts'
import { rewritten } from '../../read/patternFilter.ts'
import type { Question } from '../../read/question.ts'
import { anyWord, canonicalSpelling, matches, stem } from '../../read/text.ts'
import type { Interval } from '../../read/thresholdParser.ts'
import type { Phrase, Term } from '../frames/arguments.ts'
import { relateAmounts } from '../frames/frameThresholds.ts'
import { grammar, lightVerbs, paraphrases, surfaceForm } from './lexicon.ts'

export interface TokenBag {
  phrase: Phrase
  amount: Interval | null
  /** Words in parentheses. */
  asides: readonly string[]
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']
const ordinal = new RegExp(`\\b(${ordinals.join('|')})\\b`, 'g')
const suffixes = ['st', 'nd', 'rd']
const margin = /\bby (?:at least |more than |over |above |between |less than |under |exactly )?\$?\d/

const known = new WeakMap<Question, TokenBag | null>()

/** Cached per question, and computed only for those that get this far. Null if it has two amounts or is not a sentence. */
export function bagOf(q: Question): TokenBag | null {
  const found = known.get(q)
  if (found !== undefined) return found
  const bag = read(q)
  known.set(q, bag)
  return bag
}

function read(q: Question): TokenBag | null {
  const sentence = sentenceOf(q.text)
  if (sentence === null) return null
  const amounts = sentence.intervals.length > 0 ? sentence.intervals : q.intervals
  const amount = amounts[0] ?? null
  if (amounts.some((each) => each !== amount && !oneAmount(each, amount as Interval))) return null
  let text = ` ${sentence.text.replaceAll(' : ', ' ')} `
  if (margin.test(q.text.toLowerCase())) text = `${text} margin`
  text = text.replace(ordinal, (word) => {
    const number = ordinals.indexOf(word) + 1
    return `${number}${suffixes[number - 1] ?? 'th'}`
  })
  text = rewritten(text, paraphrases)
  if (amount !== null) text = text.replace(lightVerbs, ' ')
  if (amount?.unit === 'percent') text = text.replace(/\bvotes?\b/g, 'voteshare')
  text = unified(text)
  return { phrase: { text: text.trim(), terms: termsOf(text) }, amount, asides: sentence.asides }
}

/** Whole numbers, shares in parentheses, and scales without steps. */
export function gridOf(a: Interval, b: Interval): Grid {
  if (a.unit === 'percent' || b.unit === 'percent') return { step: 'said', brackets: true, min: 0, max: 100 }
  const ends = [a.low, a.high, b.low, b.high].every((end) => end === null || Number.isInteger(end))
  return { step: a.unit === 'count' && b.unit === 'count' && ends ? 1 : null }
}

/** "0 to 14.99 %" with the label "below 15 %". */
const oneAmount = (a: Interval, b: Interval): boolean =>
  a.touch === b.touch && relateAmounts(a, b, gridOf(a, b)) === 'equal'

const negations = /^(?:not|never|won't|doesn't|isn't|cannot|fails?)$/

function termsOf(text: string): Term[] {
  const terms: Term[] = []
  for (const match of matches(anyWord, text)) {
    const word = match[0].replace(/'s$/, '').replace(/[.&']/g, '')
    if (grammar.has(word) || surfaceForm.has(word) || negations.test(match[0])) continue
    const key = canonicalSpelling(stem(word))
    if (!terms.some((term) => term.key === key)) terms.push({ key, text: word })
  }
  return terms
}
