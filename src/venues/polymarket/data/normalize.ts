// Maps Gamma's events and markets to our types. Pure. Nothing is guessed: what the venue does not report is null or
// absent.
import { type Event, type Market, type MarketStatus, noPriceChanges, type Outcome, type Series } from '#schemas/market'
import { dailyVolume, ownDailyVolume } from '../../shared/dailyVolume.ts'
import { amountOf } from '../../shared/data/parsers.ts'
import { isUnreadable } from '../../shared/data/row.ts'
import { type RowsContext, readRows, shapeReader } from '../../shared/data/rows.ts'
import { isQuoted, resolutionDateOf } from '../../shared/settlement.ts'
import { isPositionId, type Protocol, wideCondition } from '../ids.ts'
import { type GammaEvent, type GammaEventHead, GammaMarket, type GammaSeries } from '../wire.ts'

/** The settlement token since the V2 exchange (2026-04-28). */
const collateral = 'pUSD'
const siteUrl = 'https://polymarket.com/event/'

/** A JSON-encoded list of strings; empty when absent or unreadable. */
export function readList(encoded: string | string[] | null | undefined): string[] {
  if (Array.isArray(encoded)) return encoded
  if (!encoded) return []
  try {
    const value: unknown = JSON.parse(encoded)
    return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : []
  } catch {
    return []
  }
}

/** Probabilities by outcome. Two zeros (AMM-era markets) are not prices: unknown. */
function readPrices(encoded: GammaMarket['outcomePrices']): (number | null)[] {
  const prices = readList(encoded).map((text) => {
    const price = text.trim() === '' ? Number.NaN : Number(text)
    return price >= 0 && price <= 1 ? price : null
  })
  return prices.every((price) => price === 0) ? prices.map(() => null) : prices
}

const isDecided = (prices: readonly (number | null)[]): boolean =>
  prices.length > 1 &&
  prices.every((price) => price === 0 || price === 1) &&
  prices.filter((price) => price === 1).length === 1

/** UMA pays one side, or half to both. */
const isPayout = (prices: readonly (number | null)[]): boolean =>
  isDecided(prices) || (prices.length > 1 && prices.every((price) => price === 0.5))

/**
 * By the row's word; where it is absent or cannot be read, by the form of the ids, which only one protocol has. Null for a word that is not known
 * here: its ids mean something else.
 */
export function protocolOf({ version, positionIds }: GammaMarket): Protocol | null {
  if (version === 'v1' || version === 'v2') return version
  if (version != null && !isUnreadable(version)) return null
  const positions = readList(positionIds)
  return positions.length > 0 && positions.every(isPositionId) ? 'v2' : 'v1'
}

/** In the order of the outcomes. Empty while the venue has not assigned any. */
function assetsOf(market: GammaMarket): string[] {
  const protocol = protocolOf(market)
  if (protocol === null) return []
  return readList(protocol === 'v2' ? market.positionIds : market.clobTokenIds)
}

export function statusOf(market: GammaMarket): MarketStatus {
  const { archived, closed, active, acceptingOrders } = market
  const protocol = protocolOf(market)
  const uma = protocol === 'v2' ? market.resolutionStatus : market.umaResolutionStatus
  if (isUnreadable(archived, closed, active, acceptingOrders)) return 'unknown'
  // Nothing can be read or traded of a market whose ids are not known.
  if (!closed && active && (protocol === null || (protocol === 'v2' && assetsOf(market).length === 0))) return 'unknown'
  if (archived) return 'archived'
  if (closed) {
    if (uma === 'resolved' || uma === 'settled') return 'resolved'
    // A proposed or disputed result may still be overturned, whatever the prices say meanwhile.
    return !uma && isDecided(readPrices(market.outcomePrices)) ? 'resolved' : 'closed'
  }
  if (active && acceptingOrders) return 'active'
  if (active && acceptingOrders === false) return 'inactive'
  return 'unknown'
}

/** A best price of the first outcome; Gamma writes 0 and 1 for an empty side. */
const quoteOrNull = (price: number | null | undefined): number | null =>
  price != null && price > 0 && price < 1 ? price : null

/** 1 − price without binary rounding error: prices have at most six places. */
const complement = (price: number | null): number | null =>
  price === null ? null : Math.round((1 - price) * 1_000_000) / 1_000_000

function outcomesOf(market: GammaMarket, status: MarketStatus): Outcome[] {
  const labels = readList(market.outcomes)
  const tokens = assetsOf(market)
  const rowPrices = readPrices(market.outcomePrices)
  // A resolved market's prices are its payouts; until Gamma writes them, they are unknown.
  const prices = status === 'resolved' && !isPayout(rowPrices) ? rowPrices.map(() => null) : rowPrices
  // On a market that no longer trades Gamma keeps the last book's best prices.
  const bid = isQuoted(status) ? quoteOrNull(market.bestBid) : null
  const ask = isQuoted(status) ? quoteOrNull(market.bestAsk) : null
  const binary = tokens.length === 2
  return tokens.slice(0, labels.length).flatMap((outcomeId, index) => {
    if (outcomeId === '') return []
    const first = index === 0
    const mirrored = binary && index === 1
    return {
      outcomeId,
      marketId: market.id,
      label: labels[index] as string,
      price: prices[index] ?? null,
      bestBid: first ? bid : mirrored ? complement(ask) : null,
      bestAsk: first ? ask : mirrored ? complement(bid) : null,
      ...noPriceChanges,
      coverage: null,
    }
  })
}

/** ISO time from the venue's forms (`…Z`, `2026-01-01 07:30:39+00`, a date), undefined when invalid. */
function isoOf(text: string | null | undefined): string | undefined {
  if (!text) return undefined
  const at = Date.parse(text.replace(/^(\d{4}-\d\d-\d\d) (\S+?)\+00$/, '$1T$2Z'))
  return Number.isNaN(at) || at === 0 ? undefined : new Date(at).toISOString()
}

const textOf = (text: string | null | undefined): string | undefined => text || undefined

const tagLabels = (tags: GammaEventHead['tags']): string[] | undefined => {
  const labels = (tags ?? []).flatMap(({ label }) => (label ? [label] : []))
  return labels.length === 0 ? undefined : labels
}

/** `event`: the event it was listed under, otherwise the first of its own `events`. */
export function normalizeMarket(raw: GammaMarket, event: GammaEventHead | null = raw.events?.[0] ?? null): Market {
  const status = statusOf(raw)
  const outcomes = outcomesOf(raw, status)
  const labels = readList(raw.outcomes)
  const tokenIds = assetsOf(raw)
  const prices = readPrices(raw.outcomePrices)
  const conditionId = raw.conditionId ? wideCondition(raw.conditionId) : undefined
  return {
    marketId: raw.id,
    eventId: event?.id ?? null,
    title: raw.question,
    description: raw.description ?? '',
    slug: textOf(raw.slug),
    outcomes,
    resolutionDate: resolutionDateOf(status, {
      resolved: isoOf(raw.closedTime),
      expected: isoOf(raw.endDate) ?? isoOf(raw.endDateIso),
    }),
    ...ownDailyVolume(amountOf(raw.volume24hr)),
    volume: amountOf(raw.volumeNum) ?? amountOf(raw.volume),
    liquidity: amountOf(raw.liquidityNum) ?? amountOf(raw.liquidityClob) ?? amountOf(raw.liquidity),
    openInterest: null,
    url: siteUrl + (textOf(event?.slug) ?? raw.slug ?? raw.id),
    image: textOf(raw.image) ?? textOf(raw.icon),
    category: textOf(raw.category) ?? textOf(event?.category),
    tags: tagLabels(raw.tags) ?? tagLabels(event?.tags),
    tickSize: raw.orderPriceMinTickSize ?? null,
    status,
    contractAddress: conditionId,
    sourceExchange: 'polymarket',
    sourceMetadata: {
      conditionId: conditionId ?? null,
      /** Which exchange its orders are for. */
      protocol: protocolOf(raw),
      questionId: raw.questionID || null,
      negRisk: raw.negRisk ?? null,
      negRiskOther: raw.negRiskOther ?? null,
      negRiskMarketId: raw.negRiskMarketID || null,
      feesEnabled: raw.feesEnabled ?? null,
      feeType: raw.feeType ?? null,
      feeSchedule: raw.feeSchedule ?? null,
      makerBaseFeeBps: raw.makerBaseFee ?? null,
      takerBaseFeeBps: raw.takerBaseFee ?? null,
      tickSize: raw.orderPriceMinTickSize ?? null,
      minOrderSize: raw.orderMinSize ?? null,
      acceptingOrders: raw.acceptingOrders ?? null,
      enableOrderBook: raw.enableOrderBook ?? null,
      umaResolutionStatus: raw.umaResolutionStatus || null,
      resolutionStatus: raw.resolutionStatus || null,
      resolutionSource: raw.resolutionSource || null,
      gameId: raw.gameId ?? event?.gameId ?? null,
      gameStartTime: isoOf(raw.gameStartTime) ?? null,
      sportsMarketType: raw.sportsMarketType || null,
      line: raw.line ?? null,
      groupItemTitle: raw.groupItemTitle || null,
      lastTradePrice: quoteOrNull(raw.lastTradePrice),
      startDate: isoOf(raw.startDate) ?? null,
      closedTime: isoOf(raw.closedTime) ?? null,
      marketType: raw.marketType === 'scalar' ? 'scalar' : labels.length === 2 ? 'binary' : 'categorical',
      ammMarketType: raw.marketType ?? null,
      /** Null for AMM-era markets: they never had an order book here. */
      executionModel: raw.enableOrderBook ? 'clob' : null,
      collateral,
      /** In the venue's order, index 0 first. */
      tokenIds,
      /** Outcomes without a token have no book and are not listed as outcomes. */
      outcomesWithoutToken: labels
        .map((label, index) => ({ label, price: prices[index] ?? null, token: tokenIds[index] ?? '' }))
        .filter(({ token }) => token === '')
        .map(({ label, price }) => ({ label, price })),
    },
  }
}

export function normalizeEvent(raw: GammaEvent | GammaEventHead, markets: readonly Market[]): Event {
  return {
    id: raw.id,
    title: raw.title ?? '',
    description: raw.description ?? '',
    slug: raw.slug ?? '',
    markets: [...markets],
    ...dailyVolume(markets),
    volume: amountOf(raw.volume),
    url: siteUrl + (raw.slug ?? raw.id),
    image: textOf(raw.image) ?? textOf(raw.icon),
    category: textOf(raw.category),
    tags: tagLabels(raw.tags),
    seriesId: raw.series?.[0]?.id ?? null,
    sourceExchange: 'polymarket',
    sourceMetadata: {
      ticker: raw.ticker ?? null,
      negRisk: raw.negRisk ?? null,
      negRiskAugmented: raw.negRiskAugmented ?? null,
      enableNegRisk: raw.enableNegRisk ?? null,
      negRiskMarketId: raw.negRiskMarketID || null,
      gameId: raw.gameId ?? null,
      active: raw.active ?? null,
      closed: raw.closed ?? null,
      archived: raw.archived ?? null,
      startDate: isoOf(raw.startDate) ?? null,
      startTime: isoOf(raw.startTime) ?? null,
      endDate: isoOf(raw.endDate) ?? null,
      eventDate: raw.eventDate ?? null,
      openInterest: amountOf(raw.openInterest),
      liquidity: amountOf(raw.liquidity),
      resolutionSource: raw.resolutionSource || null,
      seriesSlug: raw.seriesSlug ?? null,
      updatedAt: isoOf(raw.updatedAt) ?? null,
    },
  }
}

export const normalizeSeries = (raw: GammaSeries): Series => ({
  id: raw.id,
  title: raw.title ?? raw.slug ?? raw.id,
  ticker: textOf(raw.ticker),
  slug: textOf(raw.slug),
  description: textOf(raw.description),
  recurrence: textOf(raw.recurrence),
  image: textOf(raw.image) ?? textOf(raw.icon),
  sourceExchange: 'polymarket',
  sourceMetadata: { seriesType: raw.seriesType ?? null, active: raw.active ?? null, closed: raw.closed ?? null },
})

/** The readable markets of an event. */
export const marketsOf = (context: RowsContext, { markets }: GammaEvent): GammaMarket[] =>
  readRows(context, markets, { what: 'market', name: 'id', read: shapeReader(GammaMarket) })
