// filterMarkets and filterEvents: pure filters over rows the caller brings along. What nobody knows satisfies no bound.
import { z } from 'zod'

const Range = z.strictObject({ min: z.number().optional(), max: z.number().optional() })
const Texts = z.union([
  z
    .string()
    .max(1_000)
    .transform((text) => [text]),
  z.array(z.string().max(1_000)).max(100),
])
const OutcomeName = z.enum(['yes', 'no', 'up', 'down'])
const OutcomeRange = Range.extend({ outcome: OutcomeName })
const Moment = z.union([z.string(), z.number()]).transform((value, context) => {
  const time = typeof value === 'number' ? value : Date.parse(value)
  if (!Number.isFinite(time)) context.addIssue({ code: 'custom', message: 'expected a date' })
  return time
})

export const MarketCriteria = z.strictObject({
  text: z.string().max(1_000).optional(),
  searchIn: z.array(z.enum(['title', 'description', 'category', 'tags', 'outcomes'])).optional(),
  volume24h: Range.optional(),
  volume: Range.optional(),
  liquidity: Range.optional(),
  openInterest: Range.optional(),
  resolutionDate: z.strictObject({ before: Moment.optional(), after: Moment.optional() }).optional(),
  category: z.string().max(1_000).optional(),
  tags: Texts.optional(),
  price: OutcomeRange.optional(),
  priceChange24h: OutcomeRange.optional(),
})
export type MarketCriteria = z.input<typeof MarketCriteria>

export const EventCriteria = z.strictObject({
  text: z.string().max(1_000).optional(),
  searchIn: z.array(z.enum(['title', 'description', 'category', 'tags'])).optional(),
  category: z.string().max(1_000).optional(),
  tags: Texts.optional(),
  marketCount: Range.optional(),
  totalVolume: Range.optional(),
})
export type EventCriteria = z.input<typeof EventCriteria>

type Known<T> = T | null | undefined

/** As much of a market as the criteria read; rows come from clients, so everything may be missing. */
export interface FilterableMarket {
  title?: Known<string>
  description?: Known<string>
  category?: Known<string>
  tags?: Known<readonly string[]>
  outcomes?: Known<readonly FilterableOutcome[]>
  volume24h?: Known<number>
  volume?: Known<number>
  liquidity?: Known<number>
  openInterest?: Known<number>
  /** ISO text. */
  resolutionDate?: Known<string>
}

export interface FilterableOutcome {
  label?: Known<string>
  price?: Known<number>
  priceChange24h?: Known<number>
}

export interface FilterableEvent {
  title?: Known<string>
  description?: Known<string>
  category?: Known<string>
  tags?: Known<readonly string[]>
  markets?: Known<readonly FilterableMarket[]>
  volume?: Known<number>
}

/** A text means `{ text }` looked for in titles. Throws ZodError on criteria that are none; order is kept. */
export function filterMarkets<M extends FilterableMarket>(
  markets: readonly M[],
  textOrCriteria: string | MarketCriteria,
): M[] {
  const criteria = MarketCriteria.parse(typeof textOrCriteria === 'string' ? { text: textOrCriteria } : textOrCriteria)
  const { searchIn = ['title'], resolutionDate, category, tags, price, priceChange24h } = criteria
  const text = fold(criteria.text)
  return markets.filter((market) => {
    const texts = {
      title: [market.title],
      description: [market.description],
      category: [market.category],
      tags: market.tags ?? [],
      outcomes: (market.outcomes ?? []).map((outcome) => outcome.label),
    }
    return (
      (text === '' || searchIn.some((field) => texts[field].some((value) => fold(value).includes(text)))) &&
      (['volume24h', 'volume', 'liquidity', 'openInterest'] as const).every((key) =>
        within(market[key], criteria[key]),
      ) &&
      (resolutionDate === undefined || isBetween(market.resolutionDate, resolutionDate)) &&
      sharesLabels(market, category, tags) &&
      (price === undefined || within(outcomeOf(market, price.outcome)?.price, price)) &&
      (priceChange24h === undefined ||
        within(outcomeOf(market, priceChange24h.outcome)?.priceChange24h, priceChange24h))
    )
  })
}

export function filterEvents<E extends FilterableEvent>(
  events: readonly E[],
  textOrCriteria: string | EventCriteria,
): E[] {
  const criteria = EventCriteria.parse(typeof textOrCriteria === 'string' ? { text: textOrCriteria } : textOrCriteria)
  const { searchIn = ['title'], category, tags, marketCount, totalVolume } = criteria
  const text = fold(criteria.text)
  return events.filter((event) => {
    const texts = {
      title: [event.title],
      description: [event.description],
      category: [event.category],
      tags: event.tags ?? [],
    }
    return (
      (text === '' || searchIn.some((field) => texts[field].some((value) => fold(value).includes(text)))) &&
      sharesLabels(event, category, tags) &&
      within(event.markets?.length ?? 0, marketCount) &&
      within(totalVolumeOf(event), totalVolume)
    )
  })
}

const fold = (text: Known<string>): string => (text ?? '').trim().toLowerCase()

/** Bounds count as inside. An absent range, or one without bounds, asks nothing. */
function within(value: Known<number>, range: { min?: number; max?: number } | undefined): boolean {
  if (range === undefined || (range.min === undefined && range.max === undefined)) return true
  if (value === null || value === undefined) return false
  return value >= (range.min ?? Number.NEGATIVE_INFINITY) && value <= (range.max ?? Number.POSITIVE_INFINITY)
}

function isBetween(date: Known<string>, { before, after }: { before?: number; after?: number }): boolean {
  if (before === undefined && after === undefined) return true
  const time = date ? Date.parse(date) : Number.NaN
  return time < (before ?? Number.POSITIVE_INFINITY) && time > (after ?? Number.NEGATIVE_INFINITY)
}

function sharesLabels(
  row: FilterableMarket | FilterableEvent,
  category: string | undefined,
  tags: string[] | undefined,
): boolean {
  if (category !== undefined && fold(row.category) !== fold(category)) return false
  if (tags === undefined || tags.length === 0) return true
  const wanted = new Set(tags.map(fold))
  return (row.tags ?? []).some((tag) => wanted.has(fold(tag)))
}

/** By its label; `yes` and `no` of a market whose two outcomes are called otherwise are its first and second. */
function outcomeOf({ outcomes }: FilterableMarket, name: z.infer<typeof OutcomeName>): FilterableOutcome | undefined {
  const list = outcomes ?? []
  const labelled = list.find((outcome) => fold(outcome.label) === name)
  if (labelled || list.length !== 2) return labelled
  if (name === 'yes') return list[0]
  return name === 'no' ? list[1] : undefined
}

/** The event's own figure, else the sum over members that have one; null when nobody knows. */
function totalVolumeOf(event: FilterableEvent): number | null {
  if (typeof event.volume === 'number') return event.volume
  const known = (event.markets ?? []).flatMap(({ volume }) => (typeof volume === 'number' ? [volume] : []))
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}
