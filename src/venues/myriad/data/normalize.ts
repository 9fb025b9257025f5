// Maps Myriad's rows to our types: a pool's or an order book's market, standalone or in an event of several. Pure: one row in, one
// value out.
import { microsOf as microsOfNumber, ONE, toProbability } from '#core/price'
import { type Event, type Market, type MarketStatus, noPriceChanges, type Outcome } from '#schemas/market'
import { dailyVolume, ownDailyVolume } from '../../shared/dailyVolume.ts'
import { amountOf, isoOf, known, numberOf, omitUndefined, quoteOf, textOf } from '../../shared/data/parsers.ts'
import { isUnreadable } from '../../shared/data/row.ts'
import { isQuoted, resolutionDateOf } from '../../shared/settlement.ts'
import { type Model, marketIdOf, outcomeIdOf } from '../ids.ts'
import type { MyriadEvent, MyriadMarket, MyriadOutcome } from '../wire.ts'
import { isDollar } from './collateral.ts'

const sourceExchange = 'myriad'
const volumeUnit = 'USD'
/** The URL of a single market's page is undocumented. */
const url = 'https://myriad.markets'

const statuses: ReadonlyMap<string, MarketStatus> = new Map([
  ['open', 'active'],
  ['closed', 'closed'],
  ['resolved', 'resolved'],
])
const statusOf = ({ state }: Pick<MyriadMarket, 'state'>): MarketStatus => statuses.get(state ?? '') ?? 'unknown'

/** Old answers do not include it: they only contained pools. */
export const modelOf = ({ tradingModel }: MyriadMarket): Model => tradingModel ?? 'amm'

/** Eight decimals are more than we keep. */
function spotOf(price: string | null | undefined): number | null {
  const reportedPrice = amountOf(price)
  return reportedPrice === null || reportedPrice > 1 ? null : microsOfNumber(Math.round(reportedPrice * ONE) / ONE)
}

/** Payout of a share: for a void market the ratios are not in the row. */
function priceOf(raw: MyriadMarket, { id, price }: MyriadOutcome): number | null {
  if (statusOf(raw) !== 'resolved') return spotOf(price)
  const winner = textOf(raw.resolvedOutcomeId)
  return raw.voided === true || isUnreadable(raw.voided) || winner === undefined || winner === '-1'
    ? null
    : winner === id
      ? ONE
      : 0
}

const probability = (micros: number | null): number | null => (micros === null ? null : toProbability(micros))

export function normalizeMarket(raw: MyriadMarket, eventId: string = textOf(raw.eventId) ?? idOf(raw)): Market {
  const marketId = idOf(raw)
  const status = statusOf(raw)
  const isPool = modelOf(raw) === 'amm'
  const quote = (price: string | null | undefined) => probability(isQuoted(status) ? quoteOf(price) : null)
  const isDollars = isDollar(raw.token?.symbol ?? '')
  const outcomes = raw.outcomes.map(
    (outcome): Outcome => ({
      outcomeId: outcomeIdOf(marketId, outcome.id),
      marketId,
      label: outcome.title,
      price: probability(priceOf(raw, outcome)),
      bestBid: quote(outcome.bestBid),
      bestAsk: quote(outcome.bestAsk),
      ...noPriceChanges,
      coverage: null,
      metadata: known({ tokenId: outcome.tokenId, shares: numberOf(outcome.shares) }),
    }),
  )
  return {
    marketId,
    eventId,
    title: raw.title,
    description: textOf(raw.description) ?? '',
    outcomes,
    ...ownDailyVolume(isDollars ? amountOf(raw.volume24h) : null),
    volume: isDollars ? amountOf(raw.volume) : null,
    liquidity: isDollars ? amountOf(raw.liquidity) : null,
    openInterest: null,
    url,
    ...omitUndefined({
      slug: textOf(raw.slug),
      resolutionDate: resolutionDateOf(status, { closed: isoOf(raw.expiresAt) }),
      image: textOf(raw.imageUrl),
      category: raw.topics?.[0],
      tags: raw.topics ?? undefined,
    }),
    tickSize: null,
    status,
    sourceExchange,
    sourceMetadata: known({
      marketType: outcomes.length === 2 ? 'binary' : 'categorical',
      executionModel: isPool ? 'amm' : 'clob',
      synthetic: isPool ? true : undefined,
      collateral: raw.token?.symbol,
      collateralAddress: raw.token?.address,
      collateralDecimals: numberOf(raw.token?.decimals),
      volumeUnit,
      venueVolume24h: amountOf(raw.volume24h),
      venueVolume: amountOf(raw.volume),
      volumeNotional: amountOf(raw.volumeNotional),
      volumeNotional24h: amountOf(raw.volumeNotional24h),
      venueLiquidity: amountOf(raw.liquidity),
      networkId: raw.networkId,
      venueId: raw.id,
      venueStatus: raw.state,
      voided: raw.voided,
      negRisk: raw.negRisk,
      outcomeIndex: numberOf(raw.outcomeIndex),
      fees: raw.fees,
      openTime: isoOf(raw.publishedAt),
      closeTime: isoOf(raw.expiresAt),
      settlementTime: isoOf(raw.resolvesAt),
      resolutionSource: raw.resolutionSource,
      resolutionTitle: raw.resolutionTitle,
      result: statusOf(raw) === 'resolved' ? raw.resolvedOutcomeId : undefined,
      perpetual: raw.perpetual,
      moneyline: raw.moneyline,
      inPlay: raw.inPlay,
      inPlayStartsAt: isoOf(raw.inPlayStartsAt),
      users: amountOf(raw.users),
    }),
  }
}

export const idOf = (raw: MyriadMarket): string =>
  marketIdOf({ networkId: raw.networkId, model: modelOf(raw), id: raw.id })

/** A standalone market is its own event. */
export function eventOfMarket(raw: MyriadMarket): Event {
  const market = normalizeMarket(raw)
  return {
    id: market.eventId!,
    title: raw.title,
    description: market.description,
    slug: textOf(raw.slug) ?? market.marketId,
    markets: [market],
    ...dailyVolume([market]),
    volume: market.volume,
    url,
    ...omitUndefined({ image: market.image, category: market.category, tags: market.tags }),
    seriesId: null,
    sourceExchange,
    sourceMetadata: known({ networkId: raw.networkId, closeTime: isoOf(raw.expiresAt), volumeUnit }),
  }
}

/** Its markets are titled by their outcome: prefix the question. */
export function normalizeEvent(raw: MyriadEvent, rows: readonly MyriadMarket[]): Event {
  const markets = rows.map((row) => {
    const market = normalizeMarket(row, raw.id)
    return { ...market, title: row.title === raw.title ? raw.title : `${raw.title}: ${row.title}` }
  })
  return {
    id: raw.id,
    title: raw.title,
    description: textOf(raw.description) ?? '',
    slug: textOf(raw.slug) ?? raw.id,
    markets,
    ...dailyVolume(markets),
    volume: markets.every(({ volume }) => volume !== null) ? amountOf(raw.volume) : null,
    url,
    ...omitUndefined({ image: textOf(raw.imageUrl), category: markets[0]?.category, tags: markets[0]?.tags }),
    seriesId: null,
    sourceExchange,
    sourceMetadata: known({
      networkId: raw.networkId,
      venueStatus: raw.state,
      negRisk: raw.negRisk,
      openTime: isoOf(raw.publishedAt),
      closeTime: isoOf(raw.expiresAt),
      volumeUnit,
    }),
  }
}
