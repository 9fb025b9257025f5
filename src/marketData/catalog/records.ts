// Converts what a venue reported into what is stored: pure. Sort values, folded filter words, and a digest that shows whether
// anything changed.
import { createHash } from 'node:crypto'
import type { Event, Market, Series } from '#schemas/market'
import type { EventRecord } from '#storage/postgres/catalog/upsertEvents'
import type { MarketRecord } from '#storage/postgres/catalog/upsertMarkets'
import type { SeriesRecord } from '#storage/postgres/catalog/upsertSeries'
import { wordsVersion } from './tokenizer.ts'

/**
 * Keys under which venues' normalizers put the opening time of a market or event; the first that parses as a time
 * counts.
 */
const createdKeys = [
  'createdAt',
  'created_at',
  'createdTime',
  'created_time',
  'openTime',
  'open_time',
  'startDate',
] as const

/** Value of a contract whose price is unknown, dollars. */
const unknownPrice = 0.5

/**
 * The sort key of lists over several venues: the daily volume in approximate dollars. Contracts count at the last price of the first
 * outcome; other units are dollars or tokens worth one.
 */
export const approximateUsd = ({ volume24h, sourceMetadata, outcomes }: Market): number | null =>
  volume24h === null || sourceMetadata.volumeUnit !== 'CONTRACTS'
    ? volume24h
    : volume24h * (outcomes[0]?.price ?? unknownPrice)

/** Categories and tags compare without case. */
export const fold = (text: string): string => text.trim().toLowerCase()

/** Without the words of the title, which are only computed for changed rows. */
export function marketRecord(market: Market, position: number): Omit<MarketRecord, 'title_words'> {
  return {
    id: market.marketId,
    event_id: market.eventId,
    position,
    slug: market.slug ?? null,
    category: market.category === undefined ? null : fold(market.category),
    tags: (market.tags ?? []).map(fold),
    active: market.status === 'active',
    volume: approximateUsd(market),
    liquidity: market.liquidity,
    created: createdAtOf(market.sourceMetadata),
    digest: digestOf(wordsVersion, position, market),
    doc: market,
  }
}

/** `active`, liquidity and (if the event itself does not say) the opening time come from its markets. */
export function eventRecord({ markets, ...doc }: Event): Omit<EventRecord, 'title_words'> {
  const active = markets.some((market) => market.status === 'active')
  const liquidity = sumOfKnown(markets.map((market) => market.liquidity))
  const created = createdAtOf(doc.sourceMetadata) ?? newest(markets.map((market) => createdAtOf(market.sourceMetadata)))
  return {
    id: doc.id,
    series_id: doc.seriesId,
    slug: doc.slug,
    category: doc.category === undefined ? null : fold(doc.category),
    tags: (doc.tags ?? []).map(fold),
    active,
    volume: doc.sourceMetadata.volumeUnit === 'CONTRACTS' ? sumOfKnown(markets.map(approximateUsd)) : doc.volume24h,
    liquidity,
    created,
    digest: digestOf(wordsVersion, active, liquidity, created, doc),
    doc,
  }
}

export function seriesRecord(series: Series): SeriesRecord {
  return {
    id: series.id,
    slug: series.slug ?? null,
    recurrence: series.recurrence ?? null,
    title: series.title,
    digest: digestOf(series),
    doc: series,
  }
}

/** 128 bits: an accidental collision of two rows with one id does not happen in practice. */
export const digestOf = (...parts: unknown[]): string =>
  createHash('sha256').update(storableJson(parts)).digest('hex').slice(0, 32)

/**
 * JSON that PostgreSQL accepts: its text allows neither NUL nor half a surrogate pair, which truncated venue texts do
 * contain.
 */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value)
  // Both are printed as escapes, so almost every value is recognized as clean by one scan of the text instead of one per string.
  if (!/\\u(?:0000|d[89a-f])/.test(json)) return json
  return JSON.stringify(value, (_, member) => (typeof member === 'string' ? stripNul(member) : member))
}

export const stripNul = (text: string): string =>
  text.includes('\0') || !text.isWellFormed() ? text.replaceAll('\0', '').toWellFormed() : text

/** Null when unknown. */
export function sumOfKnown(values: readonly (number | null | undefined)[]): number | null {
  const known = values.filter((value): value is number => typeof value === 'number')
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

function newest(values: readonly (number | null)[]): number | null {
  return values.reduce<number | null>(
    (best, value) => (value !== null && (best === null || value > best) ? value : best),
    null,
  )
}

/** Epoch ms; texts without a zone are interpreted only where Date reads them as UTC (ISO dates). */
function createdAtOf(metadata: Readonly<Record<string, unknown>>): number | null {
  for (const key of createdKeys) {
    const value = metadata[key]
    const time = typeof value === 'string' ? Date.parse(value) : typeof value === 'number' ? value : Number.NaN
    // Before 2010 it is a placeholder (epoch 0, seconds instead of milliseconds), not an opening time.
    if (time > 1_262_304_000_000) return time
  }
  return null
}
