// Maps Predict.fun's rows to our types: a category is an event, each of its markets has two outcomes on one book. Pure. Unknown values stay
// unknown.
import { ONE } from '#core/price'
import type { Event, Market, MarketStatus } from '#schemas/market'
import { dailyVolume, ownDailyVolume } from '../../shared/dailyVolume.ts'
import { binaryOutcomes } from '../../shared/data/binary.ts'
import { amountOf, isoOf, known, omitUndefined, quoteOf, textOf } from '../../shared/data/parsers.ts'
import { isUnreadable } from '../../shared/data/row.ts'
import { isQuoted, resolutionDateOf } from '../../shared/settlement.ts'
import { storedFees } from '../fees.ts'
import { idsOf } from '../ids.ts'
import type { PredictCategory, PredictMarket } from '../wire.ts'

const sourceExchange = 'predictfun'
const volumeUnit = 'USD'

/** Statuses that say more than whether it trades. */
const ends: ReadonlyMap<string, MarketStatus> = new Map([
  ['RESOLVED', 'resolved'],
  ['REMOVED', 'archived'],
  ['PAUSED', 'inactive'],
])
const trading: ReadonlyMap<string, MarketStatus> = new Map([
  ['OPEN', 'active'],
  ['MATCHING_NOT_ENABLED', 'inactive'],
  ['CANCEL_ONLY', 'closed'],
  ['CLOSED', 'closed'],
])
/** Without its own status it may have ended, whatever it says about trading. */
const statusOf = ({ status, tradingStatus }: PredictMarket): MarketStatus =>
  !status || isUnreadable(status) ? 'unknown' : (ends.get(status) ?? trading.get(tradingStatus ?? '') ?? 'unknown')

type Side = PredictMarket['outcomes'][number]

/** The outcome that the book is quoted in, and the other. `unknown`: there are two, but not which is which; null: not two. */
function sidesOf({ outcomes }: PredictMarket): [Side, Side] | 'unknown' | null {
  const [one, other, ...rest] = outcomes
  if (one === undefined || other === undefined || rest.length > 0) return null
  const [index, otherIndex] = [one.indexSet ?? null, other.indexSet ?? null]
  if (index === null && otherIndex === null) return sidesByName(one, other)
  // One of them says which the other is.
  if (index === 1 && (otherIndex ?? 2) === 2) return [one, other]
  if (index === 2 && (otherIndex ?? 1) === 1) return [other, one]
  if (index !== null) return null
  return otherIndex === 2 ? [one, other] : otherIndex === 1 ? [other, one] : null
}

/** The first one is Yes: https://dev.predict.fun/concepts/order-book. Neither the order of the list nor other names are documented to mean that. */
function sidesByName(one: Side, other: Side): [Side, Side] | 'unknown' {
  const names = [one, other].map(({ name }) => name.toLowerCase())
  if (names[0] === 'yes' && names[1] === 'no') return [one, other]
  return names[0] === 'no' && names[1] === 'yes' ? [other, one] : 'unknown'
}

/** Of the outcomes whose names are known, but not in which order. */
const unknownLabels = ['Outcome 1', 'Outcome 2'] as const

/** Payout of the first side of a resolved market, micros. A market may be split: then neither won. */
function settledMicros(status: MarketStatus, sides: [Side, Side] | null): number | null {
  if (status !== 'resolved' || sides === null) return null
  const [first, second] = sides
  if (first.status === 'WON' && second.status === 'LOST') return ONE
  return first.status === 'LOST' && second.status === 'WON' ? 0 : null
}

/** Null for a market without exactly two outcomes. Its category says when it ends; null when the category was not read. */
export function normalizeMarket(raw: PredictMarket, category: PredictCategory | null): Market | null {
  const found = sidesOf(raw)
  if (found === null) return null
  const sides = found === 'unknown' ? null : found
  const marketId = String(raw.id)
  const status = statusOf(raw)
  const first = isQuoted(status) ? sides?.[0] : undefined
  const categorySlug = category?.slug ?? raw.categorySlug ?? null
  const alone = category?.markets?.length === 1
  const closeTime = isoOf(category?.endsAt)
  return {
    marketId,
    eventId: categorySlug,
    title: textOf(raw.question) ?? raw.title,
    description: textOf(raw.description) ?? textOf(category?.description) ?? '',
    outcomes: binaryOutcomes(
      marketId,
      idsOf(marketId),
      {
        price: settledMicros(status, sides),
        bid: quoteOf(first?.bestBid?.price),
        ask: quoteOf(first?.bestAsk?.price),
      },
      sides === null ? unknownLabels : [sides[0].name, sides[1].name],
    ),
    ...ownDailyVolume(amountOf(raw.stats?.volume24hUsd)),
    volume: amountOf(raw.stats?.volumeTotalUsd),
    liquidity: amountOf(raw.stats?.totalLiquidityUsd),
    openInterest: null,
    url: categorySlug === null ? site : urlOf(categorySlug),
    ...omitUndefined({
      resolutionDate: resolutionDateOf(status, { closed: closeTime }),
      image: textOf(raw.imageUrl) ?? textOf(category?.imageUrl),
      ...labelled(category),
    }),
    // Markets of two decimals have been recorded with orders of three.
    tickSize: tickOf(raw.decimalPrecision),
    status,
    sourceExchange,
    sourceMetadata: known({
      marketType: 'binary',
      executionModel: 'clob',
      collateral: 'USDT',
      volumeUnit,
      ...of(raw),
      conditionId: raw.conditionId,
      questionId: raw.oracleQuestionId,
      questionIndex: raw.questionIndex,
      resolverAddress: raw.resolverAddress,
      // Orders need both; a market without them takes none.
      tokenIds: sides?.map(({ onChainId }) => onChainId),
      yesSubTitle: alone ? undefined : raw.title,
      venueStatus: raw.status,
      tradingStatus: raw.tradingStatus,
      outcomeStatuses: sides?.some((side) => side.status) ? sides.map((side) => side.status) : undefined,
      outcomeTeams: sides?.some(({ team }) => team) ? sides.map(({ team }) => team) : undefined,
      outcomeVariants: sides?.some(({ variantData }) => variantData)
        ? sides.map((side) => side.variantData)
        : undefined,
      outcomeNames: sides === null ? raw.outcomes.map(({ name }) => name) : undefined,
      resolution: raw.resolution,
      fees: storedFees(raw.feeRateBps),
      isBoosted: raw.isBoosted,
      boostStartsAt: isoOf(raw.boostStartsAt),
      boostEndsAt: isoOf(raw.boostEndsAt),
      decimalPrecision: raw.decimalPrecision,
      spreadThreshold: raw.spreadThreshold,
      shareThreshold: raw.shareThreshold,
      rewards: raw.rewards,
      polymarketConditionIds: raw.polymarketConditionIds,
      kalshiMarketTicker: raw.kalshiMarketTicker,
      venueMarketType: raw.marketType,
      team: raw.team,
      createdTime: isoOf(raw.createdAt),
      openTime: isoOf(category?.startsAt),
      closeTime,
    }),
  }
}

/** Fields shared by categories and markets. */
const of = (raw: PredictMarket | PredictCategory) => ({
  marketVariant: raw.marketVariant,
  variantData: raw.variantData,
  negRisk: raw.isNegRisk,
  isYieldBearing: raw.isYieldBearing,
  isVisible: raw.isVisible,
})

const labelled = (category: PredictCategory | null) => {
  const names = category?.tags?.flatMap(({ name }) => textOf(name) ?? [])
  return { category: names?.[0], tags: names }
}

export function normalizeEvent(raw: PredictCategory, markets: Market[]): Event {
  return {
    id: raw.slug,
    title: raw.title,
    description: textOf(raw.description) ?? '',
    slug: raw.slug,
    markets,
    ...dailyVolume(markets, amountOf(raw.stats?.volume24hUsd)),
    volume: amountOf(raw.stats?.volumeTotalUsd),
    url: urlOf(raw.slug),
    ...omitUndefined({ image: textOf(raw.imageUrl), ...labelled(raw) }),
    seriesId: null,
    sourceExchange,
    sourceMetadata: known({
      venueId: raw.id,
      venueStatus: raw.status,
      shortTitle: raw.shortTitle,
      ...of(raw),
      variantDetails: raw.variantDetails,
      negRiskOnChainId: raw.negRiskOnChainId,
      parentSlug: raw.parentSlug,
      resolutionProvider: raw.resolutionProvider,
      venueTags: raw.tags,
      teams: raw.teams,
      liquidity: amountOf(raw.stats?.liquidityValueUsd ?? raw.stats?.totalLiquidityUsd),
      createdTime: isoOf(raw.createdAt),
      publishedTime: isoOf(raw.publishedAt),
      openTime: isoOf(raw.startsAt),
      closeTime: isoOf(raw.endsAt),
      volumeUnit,
    }),
  }
}

const site = 'https://predict.fun'
const urlOf = (slug: string): string => `${site}/market/${encodeURIComponent(slug)}`

/** A price never has more decimals than the market's precision. https://dev.predict.fun/concepts/order-book */
const tickOf = (precision: number | null | undefined): number | null =>
  precision === 2 ? 0.01 : precision === 3 ? 0.001 : null
