// A market's question as a typed proposition: the entry that reads its sentence, the arguments, the amount.
import { type Interval, relate } from '../threshold.ts'
import { relateAmounts } from './amounts.ts'
import { frames } from './entries/index.ts'
import { type Frame, type Slot, slots } from './frame.ts'
import { sentenceOf } from './sentence.ts'
import { type Phrase, phraseOf } from './terms.ts'

export interface Proposition {
  frame: Frame
  args: Partial<Record<Slot, Phrase>>
  amount: Interval | null
  /** The sentence says the opposite of the entry. */
  denied: boolean
  /** What stood in brackets or behind a quoted title. */
  asides: string[]
}

interface Reader {
  frame: Frame
  says: readonly RegExp[]
  denies: readonly RegExp[]
}

const negation = /\b(?:not|never|neither|without|fails?|cannot|vs|versus)\b|n't\b/
const asked = /^(?:who|which|what|when|where|how|someone|anyone)\b/

/** No person's name holds these: the sentence has a clause that the entry does not read. */
const clause = /\b(?:will|to|that|who|be|is|are|announces?|says?|if|when)\b/

/** Without titles: "I Am Not Okay" denies nothing. */
const unnamed = (low: string, label: string): string =>
  (label === '' ? low : low.replaceAll(label.toLowerCase(), ' ')).replace(/"[^"]*"/g, ' ')

const compile = (sentence: string): RegExp =>
  new RegExp(
    `^(?:will )?${sentence
      .replaceAll('<n>', '(?<n>\\d[\\d,]*)')
      .replace(/(?<!\(\?)<([a-z]+)>/g, (_, slot: string) => `(?<${slot}>\\S(?:.*?\\S)?)`)}$`,
  )

const readers: readonly Reader[] = frames.map((frame) => ({
  frame,
  says: frame.says.map(compile),
  denies: (frame.denies ?? []).map(compile),
}))

/** Null for what no entry reads: such a question is compared field by field. */
export function readProposition(composed: string, strikes: readonly Interval[], label: string): Proposition | null {
  const low = composed.toLowerCase()
  if (negation.test(unnamed(low, label))) return null
  const able = readers.filter(({ frame }) => frame.cue.test(low))
  if (able.length === 0) return null
  const sentence = sentenceOf(composed)
  if (sentence === null) return null
  const said = distinct(sentence.intervals)
  const amount = said[0] ?? (strikes.length === 1 ? (strikes[0] as Interval) : null)
  for (const { frame, says, denies } of able) {
    if (!fits(frame, amount) || !agree(said, frame)) continue
    const found = first(says, sentence.text)
    const against = found === null ? first(denies, sentence.text) : null
    const match = found ?? against
    if (match === null) continue
    const { n, more, ...rest } = match
    if (frame.people?.includes('who') === true && clause.test(rest.who ?? '')) continue
    const own = n === undefined ? amount : exactly(Number(n.replaceAll(',', '')))
    if (n !== undefined && amount !== null) continue
    if (frame.grid !== undefined && own === null && frame.grid.min !== 1) continue
    const args: Proposition['args'] = {}
    for (const slot of slots) {
      const words = slot === 'what' && more !== undefined ? `${rest.what ?? ''} ${more}` : rest[slot]
      if (words !== undefined) args[slot] = phraseOf(words)
    }
    return { frame, args, amount: own ?? atLeastOnce(frame), denied: against !== null, asides: sentence.asides }
  }
  return null
}

function fits(frame: Frame, amount: Interval | null): boolean {
  if (frame.grid === undefined) return amount === null
  if (frame.touch === true) return amount?.touch === true
  return amount === null || frame.unit === undefined || amount.unit === frame.unit
}

/** "0 to 14.99 %" with the label "below 15 %": two ways to say one amount. */
const agree = ([one, ...more]: readonly Interval[], { grid }: Frame): boolean =>
  more.every((other) => grid !== undefined && relateAmounts(one as Interval, other, grid) === 'equal')

function first(patterns: readonly RegExp[], text: string): Record<string, string | undefined> | null {
  for (const pattern of patterns) {
    const match = pattern.exec(text)
    if (match !== null && !asked.test(match.groups?.who ?? '')) return { ...match.groups }
  }
  return null
}

const exactly = (value: number): Interval => ({
  low: value,
  lowIncluded: true,
  high: value,
  highIncluded: true,
  unit: 'count',
  touch: false,
})

/** A thing that is said is said once at least. */
const atLeastOnce = (frame: Frame): Interval | null =>
  frame.grid?.min === 1 ? { ...exactly(1), high: null, highIncluded: false } : null

const distinct = (intervals: readonly Interval[]): Interval[] =>
  intervals.filter((each, at) => intervals.findIndex((other) => relate(each, other) === 'equal') === at)
