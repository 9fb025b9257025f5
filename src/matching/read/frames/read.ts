// A market's question as a typed proposition: the entry that reads its sentence, the arguments, the amount.

import { type Phrase, phraseOf } from '../../compare/frames/arguments.ts'
import { relateAmounts } from '../../compare/frames/frameThresholds.ts'
import { plainBounds } from '../normalization.ts'
import { Letters, type Pattern, pattern } from '../patternFilter.ts'
import type { Scratch } from '../text.ts'
import { type Interval, relate } from '../thresholdParser.ts'
import { frames } from './entries/index.ts'
import { type PropositionTemplate, type Slot, slots } from './proposition.ts'
import { sentenceOf } from './sentence.ts'

export interface Proposition {
  frame: PropositionTemplate
  args: Partial<Record<Slot, Phrase>>
  amount: Interval | null
  /** "Score 30 points": read as exactly 30, though a venue may mean 30 or more. */
  bare: boolean
  /** The sentence means the opposite of the entry. */
  denied: boolean
  /** Text in parentheses or after a quoted title. */
  asides: string[]
}

/** Which kind of sentence was found, and how its amount is to be read. */
type Manner = 'affirms' | 'denies' | 'falls' | 'rests'

interface Reader {
  frame: PropositionTemplate
  cue: Pattern
  /** `rests` goes first: "hikes by 0" is a hike in words only. */
  sentences: readonly { manner: Manner; compiled: Pattern }[]
}

const negation = /\b(?:not|never|neither|without|fails?|cannot|vs|versus)\b|n't\b/
const questionWord = /^(?:who|which|what|when|where|how|someone|anyone)\b/

/** No person's name contains these: the sentence has a clause that the entry does not read. */
const clause = /\b(?:will|to|that|who|be|is|are|announces?|says?|if|when)\b/

/** Without titles: "I Am Not Okay" denies nothing. */
const unnamed = (low: string, label: string): string =>
  (label === '' || /^not\b/i.test(label) ? low : low.replaceAll(label.toLowerCase(), ' ')).replace(/"[^"]*"/g, ' ')

const compile = (sentence: string): Pattern =>
  pattern(
    new RegExp(
      `^(?:will )?${sentence
        .replace(/(?<!\(\?)<n>/g, '(?<n>\\d[\\d,]*)')
        .replaceAll('<upto>', '(?<upto>\\d+)')
        .replace(/(?<!\(\?)<([a-z]+)>/g, (_, slot: string) => `(?<${slot}>\\S(?:.*?\\S)?)`)}$`,
    ),
  )

const manners = ['rests', 'affirms', 'denies', 'falls'] as const

const readers: readonly Reader[] = frames.map((frame) => ({
  frame,
  cue: pattern(frame.cue),
  sentences: manners.flatMap((manner) =>
    (frame[manner] ?? []).map((sentence) => ({ manner, compiled: compile(sentence) })),
  ),
}))

/** Parts that may already be available. */
export interface Prepared {
  phrase?: (words: string) => Phrase
  /** The rewritten sentence, without its times and dates. */
  undated?: Scratch | null
}

/** Null if no entry reads it: such a question is compared field by field. */
export function readProposition(
  composed: string,
  strikes: readonly Interval[],
  label: string,
  { phrase = phraseOf, undated = null }: Prepared = {},
): Proposition | null {
  const low = composed.toLowerCase()
  if (negation.test(unnamed(plainBounds(low), label))) return null
  const words = new Letters(low)
  const able = readers.filter(({ cue }) => cue.isIn(low, words))
  if (able.length === 0) return null
  const sentence = sentenceOf(composed, undated)
  if (sentence === null) return null
  const amounts = distinct(sentence.intervals)
  const letters = new Letters(sentence.text)
  const amount = amounts[0] ?? (strikes.length === 1 ? (strikes[0] as Interval) : null)
  for (const { frame, sentences } of able) {
    if (!fits(frame, amount) || !agree(amounts, frame)) continue
    const found = first(sentences, sentence.text, letters)
    if (found === null) continue
    const [manner, { n, upto, one, more, ...rest }] = found
    if (frame.people?.includes('who') === true && clause.test(rest.who ?? '')) continue
    const number = n ?? upto ?? (one === undefined ? undefined : '1')
    if (number !== undefined && amount !== null) continue
    const bare = number === undefined ? amount : exactly(Number(number.replaceAll(',', '')))
    const own = manner === 'rests' ? exactly(0) : upto === undefined ? bare : upTo(bare as Interval)
    if (frame.grid !== undefined && own === null && unsaid(frame) === null) continue
    const args: Proposition['args'] = {}
    for (const slot of slots) {
      const words = slot === 'what' && more !== undefined ? `${rest.what ?? ''} ${more}` : rest[slot]
      if (words !== undefined) args[slot] = phrase(words)
    }
    const settled = ofSome(own, frame) ?? unsaid(frame)
    const counted = frame.settles !== true && frame.unique === undefined
    return {
      frame,
      args,
      amount: manner === 'falls' && settled !== null ? fallen(settled) : settled,
      bare: n !== undefined && counted && !exact.test(sentence.text),
      denied: manner === 'denies',
      asides: sentence.asides,
    }
  }
  return null
}

function fits(frame: PropositionTemplate, amount: Interval | null): boolean {
  if (frame.grid === undefined) return amount === null
  if (frame.touch === true) return amount?.touch === true
  if (frame.settles === true && amount?.touch === true) return false
  return amount === null || frame.unit === undefined || amount.unit === frame.unit
}

/** "0 to 14.99 %" with the label "below 15 %": the same amount twice. */
const agree = ([one, ...more]: readonly Interval[], { grid }: PropositionTemplate): boolean =>
  more.every((other) => grid !== undefined && relateAmounts(one as Interval, other, grid) === 'equal')

function first(
  sentences: Reader['sentences'],
  text: string,
  letters: Letters,
): [Manner, Record<string, string | undefined>] | null {
  for (const { manner, compiled } of sentences) {
    const match = compiled.mayMatch(letters) ? compiled.regex.exec(text) : null
    if (match !== null && !questionWord.test(match.groups?.who ?? '')) return [manner, { ...match.groups }]
  }
  return null
}

/** Explicitly exact, or one of a list of answers. */
const exact = /\bexactly\b| : /

const exactly = (value: number): Interval => ({
  low: value,
  lowIncluded: true,
  high: value,
  highIncluded: true,
  unit: 'count',
  touch: false,
})

/** An election takes at least one ballot, and a change is at least the smallest possible. */
const unsaid = ({ grid }: PropositionTemplate): Interval | null => {
  const least = grid?.least ?? (grid?.min === 1 ? 1 : undefined)
  return least === undefined ? null : { ...exactly(least), high: null, highIncluded: false }
}

/** A cut of 25 or less is a cut. */
const ofSome = (amount: Interval | null, { grid }: PropositionTemplate): Interval | null =>
  grid?.least === undefined || amount === null || amount.low !== null
    ? amount
    : { ...amount, low: grid.least, lowIncluded: true }

const upTo = (interval: Interval): Interval => ({ ...interval, low: null, lowIncluded: false })

const turned = (end: number | null): number | null => (end === null ? null : 0 - end)

/** The same amount, counted downwards. */
const fallen = (interval: Interval): Interval => ({
  ...interval,
  low: turned(interval.high),
  lowIncluded: interval.highIncluded,
  high: turned(interval.low),
  highIncluded: interval.lowIncluded,
})

const distinct = (intervals: readonly Interval[]): Interval[] =>
  intervals.filter((each, at) => intervals.findIndex((other) => relate(each, other) === 'equal') === at)
