// Filter criteria of the API family, applied to rows as plain data. Pure. An unknown value satisfies no range.
// An unknown criterion is refused: dropped silently, a mistyped one would match everything.
import { z } from 'zod'
import { Time } from './fields.ts'

const Range = z.strictObject({ min: z.number().optional(), max: z.number().optional() }).meta({ id: 'Range' })
type Range = z.infer<typeof Range>
const OutcomeRange = Range.extend({ outcome: z.enum(['yes', 'no', 'up', 'down']) })
const Word = z.string().max(512)
const Words = z.union([Word, z.array(Word).max(64)])
const SearchIn = z.array(z.enum(['title', 'description', 'category', 'tags', 'outcomes'])).max(5)

export const MarketCriteria = z
  .strictObject({
    text: Word.optional(),
    searchIn: SearchIn.optional(),
    volume24h: Range.optional(),
    volume: Range.optional(),
    liquidity: Range.optional(),
    openInterest: Range.optional(),
    resolutionDate: z.strictObject({ before: Time.optional(), after: Time.optional() }).optional(),
    category: Word.optional(),
    tags: Words.optional(),
    price: OutcomeRange.optional(),
    priceChange24h: OutcomeRange.optional(),
  })
  .meta({ id: 'MarketCriteria' })
export type MarketCriteria = z.infer<typeof MarketCriteria>

export const EventCriteria = z
  .strictObject({
    text: Word.optional(),
    searchIn: SearchIn.optional(),
    category: Word.optional(),
    tags: Words.optional(),
    marketCount: Range.optional(),
    totalVolume: Range.optional(),
  })
  .meta({ id: 'EventCriteria' })
export type EventCriteria = z.infer<typeof EventCriteria>

/** Rows come from callers too, so every field is validated before use. */
export type Row = Readonly<Record<string, unknown>>

export function matchesMarket(row: Row, criteria: string | MarketCriteria): boolean {
  if (typeof criteria === 'string') return matchesText(row, criteria, ['title'])
  const { text, searchIn, resolutionDate, category, tags, price, priceChange24h } = criteria
  if (text !== undefined && !matchesText(row, text, searchIn ?? ['title'])) return false
  for (const field of ['volume24h', 'volume', 'liquidity', 'openInterest'] as const) {
    const range = criteria[field]
    if (range !== undefined && !within(row[field], range)) return false
  }
  if (resolutionDate !== undefined && !withinDates(row.resolutionDate, resolutionDate)) return false
  if (category !== undefined && !sameWord(row.category, category)) return false
  if (tags !== undefined && !sharesTag(row.tags, tags)) return false
  if (price !== undefined && !within(outcomeOf(row, price.outcome)?.price, price)) return false
  return priceChange24h === undefined || within(outcomeOf(row, priceChange24h.outcome)?.priceChange24h, priceChange24h)
}

export function matchesEvent(row: Row, criteria: string | EventCriteria): boolean {
  if (typeof criteria === 'string') return matchesText(row, criteria, ['title'])
  const { text, searchIn, category, tags, marketCount, totalVolume } = criteria
  if (text !== undefined && !matchesText(row, text, searchIn ?? ['title'])) return false
  if (category !== undefined && !sameWord(row.category, category)) return false
  if (tags !== undefined && !sharesTag(row.tags, tags)) return false
  if (marketCount !== undefined && !within(rowsOf(row.markets).length, marketCount)) return false
  return totalVolume === undefined || within(totalVolume24h(row), totalVolume)
}

function matchesText(row: Row, text: string, fields: readonly string[]): boolean {
  const wanted = text.toLowerCase()
  return fields.some((field) => textsOf(row, field).some((found) => found.toLowerCase().includes(wanted)))
}

function textsOf(row: Row, field: string): string[] {
  if (field === 'outcomes') return rowsOf(row.outcomes).flatMap((outcome) => strings([outcome.label]))
  return strings(field === 'tags' ? listOf(row.tags) : [row[field]])
}

const strings = (values: readonly unknown[]): string[] => values.filter((value) => typeof value === 'string')
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const rowsOf = (value: unknown): Row[] =>
  listOf(value).filter((item): item is Row => typeof item === 'object' && item !== null)

const within = (value: unknown, { min, max }: Range): boolean =>
  typeof value === 'number' && (min === undefined || value >= min) && (max === undefined || value <= max)

/** `before` and `after` are epoch ms. */
function withinDates(
  value: unknown,
  { before, after }: { before?: number | undefined; after?: number | undefined },
): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false
  const at = new Date(value).getTime()
  if (Number.isNaN(at)) return false
  return (before === undefined || at < before) && (after === undefined || at > after)
}

const sameWord = (value: unknown, wanted: string): boolean =>
  typeof value === 'string' && value.toLowerCase() === wanted.toLowerCase()

function sharesTag(value: unknown, wanted: string | readonly string[]): boolean {
  const words = new Set((typeof wanted === 'string' ? [wanted] : wanted).map((word) => word.toLowerCase()))
  return strings(listOf(value)).some((tag) => words.has(tag.toLowerCase()))
}

/** The shortcut if the row has one, else the outcome of that label. */
function outcomeOf(row: Row, word: string): Row | undefined {
  const shortcut = row[word]
  if (typeof shortcut === 'object' && shortcut !== null) return shortcut as Row
  return rowsOf(row.outcomes).find((outcome) => sameWord(outcome.label, word))
}

/** The event's own sum, else the sum of the members that have a value; null when none has. */
function totalVolume24h(row: Row): number | null {
  if (typeof row.volume24h === 'number') return row.volume24h
  const known = rowsOf(row.markets).flatMap(({ volume24h }) => (typeof volume24h === 'number' ? [volume24h] : []))
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}
