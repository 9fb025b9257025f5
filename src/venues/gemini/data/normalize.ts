// Maps Gemini's rows to our types: a contract is a market of YES and NO on one book. Pure: one row in, one value out. Unknown values stay
// unknown.
import type { Event, Market, MarketStatus, Series } from '#schemas/market'
import { dailyVolume, ownDailyVolume } from '../../shared/dailyVolume.ts'
import { binaryOutcomes } from '../../shared/data/binary.ts'
import {
  amountOf,
  isoOf,
  known,
  microsOf,
  numberOf,
  omitUndefined,
  quoteOf,
  textOf,
} from '../../shared/data/parsers.ts'
import { isQuoted, resolutionDateOf, settlementOf } from '../../shared/settlement.ts'
import { storedFees } from '../fees.ts'
import { idsOf } from '../ids.ts'
import type { GeminiContract, GeminiEvent } from '../wire.ts'

const sourceExchange = 'gemini'
const volumeUnit = 'CONTRACTS'
/** Of contracts that do not state their own. */
const usualTick = 0.01

/** For events and contracts alike. */
const statuses: ReadonlyMap<string, MarketStatus> = new Map([
  ['approved', 'inactive'],
  ['active', 'active'],
  ['closed', 'closed'],
  ['under_review', 'closed'],
  // Void: it takes no orders and pays neither side.
  ['invalid', 'closed'],
  ['settled', 'resolved'],
])
const statusOf = (word: string | null | undefined): MarketStatus => statuses.get(word?.toLowerCase() ?? '') ?? 'unknown'

/**
 * The contract's own status comes first; one that calls itself active trades only while its market is open and its event is
 * active.
 */
function marketStatus(contract: GeminiContract, event: GeminiEvent): MarketStatus {
  const own = statusOf(contract.status)
  if (own !== 'active') return own
  const above = statusOf(event.status)
  if (above !== 'active') return above
  const state = textOf(contract.marketState)?.toLowerCase() ?? 'open'
  return state === 'open' ? 'active' : state === 'closed' ? 'inactive' : 'unknown'
}

/** `above` and `below` include their own edge. `reference` and `spread` are no bounds of one figure, and a value may be a fragment of the label. */
const strikes: ReadonlyMap<string, 'greater' | 'greater_or_equal' | 'less' | 'less_or_equal'> = new Map([
  ['above', 'greater_or_equal'],
  ['over_or_equal', 'greater_or_equal'],
  ['over', 'greater'],
  ['below', 'less_or_equal'],
  ['under_or_equal', 'less_or_equal'],
  ['under', 'less'],
])

function strikeOf(contract: GeminiContract): Record<string, unknown> {
  const value = numberOf(contract.strike?.value)
  if (value === null) return {}
  const strikeType = strikes.get(contract.strike?.type ?? '')
  if (strikeType === undefined) return {}
  return strikeType.startsWith('greater') ? { strikeType, floorStrike: value } : { strikeType, capStrike: value }
}

/** Payout of YES for a resolved contract, micros; otherwise the last trade. */
const priceOf = (status: MarketStatus, { settlementValue, resolutionSide, prices }: GeminiContract): number | null =>
  status === 'resolved' ? settlementOf(microsOf(settlementValue), resolutionSide) : quoteOf(prices?.lastTradePrice)

/** A step or a minimum as decimal text; undefined unless it is above zero. */
const stepOf = (figure: string | null | undefined): string | undefined =>
  (amountOf(figure) ?? 0) > 0 ? figure! : undefined

/** Null for a step that is stated and cannot be read. */
function tickOf(priceIncrement: string | null | undefined): number | null {
  if (priceIncrement === null || priceIncrement === undefined) return usualTick
  const stated = stepOf(priceIncrement)
  return stated === undefined ? null : Number(stated)
}

export function normalizeMarket(raw: GeminiContract, event: GeminiEvent): Market {
  const symbol = raw.instrumentSymbol
  const alone = event.contracts?.length === 1
  const label = textOf(raw.label) ?? textOf(raw.abbreviatedName)
  const status = marketStatus(raw, event)
  const bid = isQuoted(status) ? quoteOf(raw.prices?.bestBid) : null
  const ask = isQuoted(status) ? quoteOf(raw.prices?.bestAsk) : null
  const closeTime = isoOf(raw.expiryDate) ?? isoOf(event.expiryDate)
  const settlementTime = isoOf(raw.resolvedAt)
  return {
    marketId: symbol,
    eventId: event.ticker,
    title: alone || label === undefined ? event.title : `${event.title}: ${label}`,
    description: messageText(raw.description) || messageText(event.description),
    slug: symbol.toLowerCase(),
    outcomes: binaryOutcomes(symbol, idsOf(symbol), {
      price: priceOf(status, raw),
      bid,
      ask,
    }),
    // The venue reports volume per event; it is the contract's own only if there is no other contract.
    ...ownDailyVolume(alone ? amountOf(event.volume24h) : null),
    volume: alone ? amountOf(event.volume) : null,
    liquidity: alone ? amountOf(event.liquidity) : null,
    openInterest: null,
    url: urlOf(event.ticker),
    ...omitUndefined({
      resolutionDate: resolutionDateOf(status, {
        resolved: settlementTime ?? isoOf(event.resolvedAt),
        closed: closeTime,
      }),
      image: textOf(raw.imageUrl) ?? textOf(event.imageUrl),
      category: textOf(event.category),
      tags: event.tags ?? undefined,
    }),
    tickSize: tickOf(raw.priceIncrement),
    status,
    sourceExchange,
    sourceMetadata: known({
      marketType: 'binary',
      executionModel: 'clob',
      collateral: 'USD',
      volumeUnit,
      instrumentSymbol: symbol,
      eventTicker: event.ticker,
      contractTicker: raw.ticker,
      contractId: raw.id,
      yesSubTitle: alone ? undefined : label,
      abbreviatedName: raw.abbreviatedName,
      venueStatus: raw.status,
      marketState: raw.marketState,
      eventStatus: event.status,
      fees: storedFees,
      ...strikeOf(raw),
      venueStrike: raw.strike,
      priceIncrement: stepOf(raw.priceIncrement),
      priceMinimum: stepOf(raw.priceMinimum),
      quantityIncrement: stepOf(raw.quantityIncrement),
      quantityMinimum: stepOf(raw.quantityMinimum),
      totalShares: amountOf(raw.totalShares),
      sortOrder: raw.sortOrder,
      createdTime: isoOf(raw.createdAt),
      openTime: isoOf(raw.effectiveDate) ?? isoOf(event.effectiveDate),
      closeTime,
      settlementTime,
      result: raw.resolutionSide,
      settlementValueDollars: raw.settlementValue,
      termsUrl: raw.termsAndConditionsUrl,
    }),
  }
}

export function normalizeEvent(raw: GeminiEvent, markets: Market[]): Event {
  return {
    id: raw.ticker,
    title: raw.title,
    description: messageText(raw.description),
    slug: textOf(raw.slug) ?? raw.ticker.toLowerCase(),
    markets,
    ...dailyVolume(markets, amountOf(raw.volume24h)),
    volume: amountOf(raw.volume),
    url: urlOf(raw.ticker),
    ...omitUndefined({
      image: textOf(raw.imageUrl),
      category: textOf(raw.category),
      tags: raw.tags ?? undefined,
    }),
    seriesId: textOf(raw.series) ?? null,
    sourceExchange,
    sourceMetadata: known({
      venueId: raw.id,
      eventTicker: raw.ticker,
      venueStatus: raw.status,
      eventType: raw.type,
      subcategory: raw.subcategory?.name,
      liquidity: amountOf(raw.liquidity),
      createdTime: isoOf(raw.createdAt),
      openTime: isoOf(raw.effectiveDate),
      startTime: isoOf(raw.startTime),
      closeTime: isoOf(raw.expiryDate),
      settlementTime: isoOf(raw.resolvedAt),
      resolutionSource: raw.source,
      template: raw.template,
      isLive: raw.isLive,
      volumeUnit,
    }),
  }
}

/** The venue has no list of series, only their names on some events. */
export const normalizeSeries = (name: string): Series => ({
  id: name,
  title: name,
  ticker: name,
  sourceExchange,
  sourceMetadata: {},
})

const urlOf = (eventTicker: string): string =>
  `https://exchange.gemini.com/prediction-markets/events/${encodeURIComponent(eventTicker)}`

/** Rules are plain text on events and a tree of `{value, content[]}` on contracts: its values, in order. */
export function messageText(tree: unknown): string {
  const pieces: string[] = []
  const open: unknown[] = [tree]
  while (open.length > 0 && pieces.length < piecesMax) {
    const node = open.pop()
    if (typeof node === 'string') pieces.push(node)
    if (typeof node !== 'object' || node === null) continue
    const { value, content } = node as { value?: unknown; content?: unknown }
    if (Array.isArray(content)) for (let i = content.length - 1; i >= 0; i--) open.push(content[i])
    if (typeof value === 'string') pieces.push(value)
  }
  return pieces.join('').trim()
}
/** No rules have this many; the rest is left out. */
const piecesMax = 10_000
