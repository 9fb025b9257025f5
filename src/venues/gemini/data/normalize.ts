// Gemini's rows in our words: a contract is a market of YES and NO on one book. Pure: one row in, one value out, nothing guessed.
import { parseMicros } from '#lib/price'
import {
  type Event,
  type Market,
  type MarketStatus,
  type Outcome,
  type Series,
  unknownPriceChanges,
} from '#schemas/market'
import { dailyVolume } from '../../shared/dailyVolume.ts'
import { isQuoted, settlementOf } from '../../shared/settled.ts'
import { storedFees } from '../fees.ts'
import type { GeminiContract, GeminiEvent } from '../wire.ts'
import { noOutcomeId } from './outcomeId.ts'
import { complementOf, isoOf, known, numberOf, probabilityOf, proseOf, quoteOf, textOf } from './read.ts'

const sourceExchange = 'gemini'
const volumeUnit = 'CONTRACTS'
/** One for all contracts. */
const tickSize = 0.01

/** Of events and of contracts alike. */
const statuses: ReadonlyMap<string, MarketStatus> = new Map([
  ['approved', 'inactive'],
  ['active', 'active'],
  ['closed', 'closed'],
  ['under_review', 'closed'],
  // Void: it takes no orders and pays no side.
  ['invalid', 'closed'],
  ['settled', 'resolved'],
])
const statusOf = (word: string): MarketStatus => statuses.get(word.toLowerCase()) ?? 'unknown'

/** A contract says most itself; one that calls itself active trades only while its market is open and its event is active. */
function marketStatus(contract: GeminiContract, event: GeminiEvent): MarketStatus {
  const own = statusOf(contract.status)
  if (own !== 'active') return own
  const above = statusOf(event.status)
  if (above !== 'active') return above
  const state = textOf(contract.marketState)?.toLowerCase() ?? 'open'
  return state === 'open' ? 'active' : state === 'closed' ? 'inactive' : 'unknown'
}

/** Bounds include their own edge; `reference` bounds nothing, and a value may be debris of the label. */
function strikeOf(contract: GeminiContract): Record<string, unknown> {
  const value = numberOf(contract.strike?.value)
  if (value === null) return {}
  const type = contract.strike?.type
  if (type === 'above') return { strikeType: 'greater_or_equal', floorStrike: value }
  if (type === 'below' || type === 'under_or_equal') return { strikeType: 'less_or_equal', capStrike: value }
  return {}
}

/** What YES of a resolved contract paid, micros. */
function settledMicros({ status, settlementValue, resolutionSide }: GeminiContract): number | null {
  if (statusOf(status) !== 'resolved') return null
  return settlementOf(settlementValue ? parseMicros(settlementValue) : null, resolutionSide)
}

export function normalizeMarket(raw: GeminiContract, event: GeminiEvent): Market {
  const symbol = raw.instrumentSymbol
  const alone = event.contracts?.length === 1
  const label = textOf(raw.label) ?? textOf(raw.abbreviatedName)
  const status = marketStatus(raw, event)
  const price = settledMicros(raw) ?? quoteOf(raw.prices?.lastTradePrice)
  const bid = isQuoted(status) ? quoteOf(raw.prices?.bestBid) : null
  const ask = isQuoted(status) ? quoteOf(raw.prices?.bestAsk) : null
  // The venue counts what was traded of a whole event; that is a contract's own only where there is no other.
  const volume24h = alone ? numberOf(event.volume24h) : null
  const resolutionDate = isoOf(raw.expiryDate) ?? isoOf(event.expiryDate)
  const image = textOf(raw.imageUrl) ?? textOf(event.imageUrl)
  const category = textOf(event.category)
  const outcome = (
    outcomeId: string,
    name: string,
    sides: Pick<Outcome, 'price' | 'bestBid' | 'bestAsk'>,
  ): Outcome => ({ outcomeId, marketId: symbol, label: name, ...sides, ...unknownPriceChanges, coverage: null })
  return {
    marketId: symbol,
    eventId: event.ticker,
    title: alone || label === undefined ? event.title : `${event.title}: ${label}`,
    description: proseOf(raw.description) || proseOf(event.description),
    slug: symbol.toLowerCase(),
    outcomes: [
      outcome(symbol, 'Yes', {
        price: probabilityOf(price),
        bestBid: probabilityOf(bid),
        bestAsk: probabilityOf(ask),
      }),
      outcome(noOutcomeId(symbol), 'No', {
        price: complementOf(price),
        bestBid: complementOf(ask),
        bestAsk: complementOf(bid),
      }),
    ],
    ...(resolutionDate === undefined ? {} : { resolutionDate }),
    volume24h,
    ...(volume24h === null ? {} : { volume24hSource: 'venue' as const }),
    volume: alone ? numberOf(event.volume) : null,
    liquidity: alone ? numberOf(event.liquidity) : null,
    openInterest: null,
    url: urlOf(event.ticker),
    ...(image === undefined ? {} : { image }),
    ...(category === undefined ? {} : { category }),
    ...(event.tags ? { tags: event.tags } : {}),
    tickSize,
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
      totalShares: numberOf(raw.totalShares),
      sortOrder: raw.sortOrder,
      createdTime: isoOf(raw.createdAt),
      openTime: isoOf(raw.effectiveDate) ?? isoOf(event.effectiveDate),
      closeTime: resolutionDate,
      settlementTime: isoOf(raw.resolvedAt),
      result: raw.resolutionSide,
      settlementValueDollars: raw.settlementValue,
      termsUrl: raw.termsAndConditionsUrl,
    }),
  }
}

export function normalizeEvent(raw: GeminiEvent, markets: Market[]): Event {
  const image = textOf(raw.imageUrl)
  const category = textOf(raw.category)
  return {
    id: raw.ticker,
    title: raw.title,
    description: proseOf(raw.description),
    slug: textOf(raw.slug) ?? raw.ticker.toLowerCase(),
    markets,
    ...dailyVolume(markets, numberOf(raw.volume24h)),
    volume: numberOf(raw.volume),
    url: urlOf(raw.ticker),
    ...(image === undefined ? {} : { image }),
    ...(category === undefined ? {} : { category }),
    ...(raw.tags ? { tags: raw.tags } : {}),
    seriesId: textOf(raw.series) ?? null,
    sourceExchange,
    sourceMetadata: known({
      venueId: raw.id,
      eventTicker: raw.ticker,
      venueStatus: raw.status,
      eventType: raw.type,
      subcategory: raw.subcategory?.name,
      liquidity: numberOf(raw.liquidity),
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
