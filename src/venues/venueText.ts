// Text of venues as it enters the catalog: bounded, and without control characters. Venues take titles and rules from their users, and everything
// downstream (storage, search, matching, terminals) reads them in full.
import type { Event, Market, Series } from '#schemas/market'

/** Characters (UTF-16 units) of a title, and of other short texts: labels, slugs, categories, tags. */
export const titleCharsMax = 500
export const labelCharsMax = 200
/** Characters of a description, of rules, and of any other text in a row's metadata. */
export const descriptionCharsMax = 20_000
export const tagsMax = 100
/** Members of a list or object in a row's metadata, and levels of nesting; what is beyond is left out. */
const membersMax = 2_000
const depthMax = 8

/** Control characters (C0, DEL, C1), marks that reorder the text around them, and separators that act as line ends. */
const controls = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u
const everyControl = new RegExp(controls.source, 'gu')
/** Line ends and tabs are kept in text of several lines. */
const lineEnd = /\r\n?|[\u2028\u2029\u0085]/g

/** One line: controls become spaces. */
const lineOf = (text: string, charsMax: number): string =>
  cut(controls.test(text) ? text.replace(everyControl, ' ').replace(/ {2,}/g, ' ').trim() : text, charsMax)

/** Several lines. */
function proseOf(text: string, charsMax: number = descriptionCharsMax): string {
  if (!controls.test(text)) return cut(text, charsMax)
  const lines = text.replace(lineEnd, '\n')
  return cut(
    lines.replace(everyControl, (found) => (found === '\n' || found === '\t' ? found : '')),
    charsMax,
  )
}

/** At most `charsMax` characters, the last an ellipsis if it was longer. Never half of a pair. */
export function cut(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text
  const end = charsMax - 1
  const isPair = isHighSurrogate(text.charCodeAt(end - 1)) && isLowSurrogate(text.charCodeAt(end))
  return `${text.slice(0, isPair ? end - 1 : end)}…`
}
const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff
const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

function metadataOf(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return proseOf(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === depthMax) return null
  if (Array.isArray(value)) return value.slice(0, membersMax).map((one) => metadataOf(one, depth + 1))
  const members = Object.entries(value).slice(0, membersMax)
  return Object.fromEntries(members.map(([name, one]) => [lineOf(name, labelCharsMax), metadataOf(one, depth + 1)]))
}

type Described = Pick<Market, 'title' | 'description' | 'sourceMetadata'> & Partial<Pick<Market, 'category' | 'tags'>>

/** The parts that markets and events have in common. */
const describedOf = ({ title, description, sourceMetadata, category, tags }: Described) => ({
  title: lineOf(title, titleCharsMax),
  description: proseOf(description),
  sourceMetadata: metadataOf(sourceMetadata) as Record<string, unknown>,
  ...(category === undefined ? {} : { category: lineOf(category, labelCharsMax) }),
  ...(tags === undefined ? {} : { tags: tags.slice(0, tagsMax).map((tag) => lineOf(tag, labelCharsMax)) }),
})

/**
 * `now`: when it was read, epoch ms. A market that has resolved did so before that: a later date is the one it had been expected at, and is left out.
 * Ids are never changed.
 */
export function boundedMarket(market: Market, now: number): Market {
  const bounded: Market = {
    ...market,
    ...describedOf(market),
    outcomes: market.outcomes.map((outcome) => ({ ...outcome, label: lineOf(outcome.label, labelCharsMax) })),
  }
  const { status, resolutionDate } = market
  if (status === 'resolved' && resolutionDate !== undefined && Date.parse(resolutionDate) > now) {
    delete bounded.resolutionDate
  }
  return bounded
}

/** Likewise, with its markets. */
export const boundedEvent = (event: Event, now: number): Event => ({
  ...event,
  ...describedOf(event),
  markets: event.markets.map((market) => boundedMarket(market, now)),
})

export const boundedSeries = (series: Series): Series => ({
  ...series,
  title: lineOf(series.title, titleCharsMax),
  ...(series.description === undefined ? {} : { description: proseOf(series.description) }),
  sourceMetadata: metadataOf(series.sourceMetadata) as Record<string, unknown>,
})
