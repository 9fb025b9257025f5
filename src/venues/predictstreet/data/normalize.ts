// Maps PredictStreet's rows to our types. Pure: one row in, one value out. Unknown values stay unknown.
import { toProbability } from '#core/price'
import { type Event, type Market, type MarketStatus, noPriceChanges } from '#schemas/market'
import { dailyVolume, ownDailyVolume } from '../../shared/dailyVolume.ts'
import { amountOf, isoOf, known, microsOf, omitUndefined, textOf } from '../../shared/data/parsers.ts'
import { resolutionDateOf } from '../../shared/settlement.ts'
import { storedFees } from '../fees.ts'
import { isSymbol, outcomeIdOf } from '../ids.ts'
import type { PredictStreetEvent, PredictStreetMarket } from '../wire.ts'

const sourceExchange = 'predictstreet'
const volumeUnit = 'USD'
/** The URL of a single market's page is undocumented. */
const url = 'https://adipredictstreet.com/events'

/** https://docs.testnet.dev.adipredictstreet.com/concepts/markets/market-status */
const statuses: ReadonlyMap<string, MarketStatus> = new Map([
  ['DRAFT', 'inactive'],
  ['REJECTED', 'inactive'],
  ['PROPOSED', 'inactive'],
  ['PRE_MARKET', 'inactive'],
  ['OPEN', 'active'],
  ['PAUSED', 'inactive'],
  ['SUSPENDED', 'inactive'],
  ['CLOSED', 'closed'],
  ['PENDING_RESOLUTION', 'closed'],
  ['DELAYED', 'closed'],
  ['DISPUTED', 'closed'],
  ['RESOLVED', 'resolved'],
  // They pay neither side.
  ['VOIDED', 'closed'],
  ['CANCELLED', 'closed'],
])

/** The market's own part of its event, if its title lacks it. */
function titleOf({ title, groupItemTitle }: PredictStreetMarket): string {
  const part = textOf(groupItemTitle)
  return part === undefined || title.toLowerCase().includes(part.toLowerCase()) ? title : `${title}: ${part}`
}

/** Each outcome's payout as a fraction of the whole; null when not reported, or zero. */
function payoutsOf({ payoutNumerators }: PredictStreetMarket): number[] | null {
  const paid = (payoutNumerators ?? []).map(amountOf)
  const whole = paid.reduce<number>((sum, part) => sum + (part ?? Number.NaN), 0)
  return whole > 0 ? paid.map((part) => part! / whole) : null
}

/** The market's prices on the row, or its payouts once known. */
function pricesOf(raw: PredictStreetMarket, status: MarketStatus): (number | null)[] {
  const reportedPrices =
    status === 'resolved'
      ? payoutsOf(raw)
      : (raw.outcomePrices ?? []).map((price) => {
          const micros = microsOf(price)
          return micros === null ? null : toProbability(micros)
        })
  // Prices for a different number of outcomes cannot be assigned.
  return reportedPrices?.length === raw.outcomeLabels.length ? reportedPrices : raw.outcomeLabels.map(() => null)
}

const namesOf = (tags: PredictStreetEvent['tags']): string[] | undefined => {
  const names = (tags ?? []).flatMap(({ name }) => textOf(name) ?? [])
  return names.length === 0 ? undefined : names
}

/** Null for a row whose symbol cannot name a book. */
export function normalizeMarket(raw: PredictStreetMarket, event: PredictStreetEvent | null): Market | null {
  const { symbol, slug } = raw
  if (!isSymbol(symbol)) return null
  const status = statuses.get(raw.status?.toUpperCase() ?? '') ?? 'unknown'
  const prices = pricesOf(raw, status)
  const closeTime = isoOf(raw.closesAt)
  const isBinary = raw.outcomeLabels.length === 2
  const tokens = isBinary ? [raw.yesTokenId, raw.noTokenId] : []
  return {
    marketId: slug,
    eventId: raw.eventId,
    title: titleOf(raw),
    description: textOf(raw.resolutionCriteria) ?? '',
    slug,
    outcomes: raw.outcomeLabels.map((label, index) => ({
      outcomeId: outcomeIdOf(symbol, index),
      marketId: slug,
      label,
      price: prices[index] ?? null,
      // Only books have quotes.
      bestBid: null,
      bestAsk: null,
      ...noPriceChanges,
      coverage: null,
      metadata: known({ tokenId: tokens[index] }),
    })),
    ...ownDailyVolume(amountOf(raw.volume24h)),
    volume: amountOf(raw.totalVolume),
    liquidity: null,
    openInterest: null,
    url,
    ...omitUndefined({
      resolutionDate: resolutionDateOf(status, { resolved: isoOf(raw.resolvedAt), closed: closeTime }),
      tags: namesOf(raw.tags) ?? namesOf(event?.tags),
    }),
    tickSize: null,
    status,
    sourceExchange,
    sourceMetadata: known({
      marketType: isBinary ? 'binary' : 'categorical',
      executionModel: 'clob',
      collateral: 'USDC',
      volumeUnit,
      negRisk: raw.negRiskEligible,
      venueId: raw.id,
      symbol,
      conditionId: raw.conditionId,
      questionId: raw.questionId,
      venueStatus: raw.status,
      groupItemTitle: raw.groupItemTitle,
      initialOutcomePrices: raw.initialOutcomePrices,
      initialFairValue: raw.initialFairValue,
      feeTakerBps: raw.feeTakerBps,
      fees: typeof raw.feeTakerBps === 'number' ? storedFees(raw.feeTakerBps) : undefined,
      openTime: isoOf(raw.opensAt),
      closeTime,
      gameStartTime: isoOf(raw.kickoff),
      resolutionWindowHours: raw.resolutionWindowHours,
      pausedTime: isoOf(raw.pausedAt),
      settlementTime: isoOf(raw.resolvedAt),
      payoutNumerators: raw.payoutNumerators,
      resolutionSource: raw.officialDataSource,
      sourceMatchId: raw.sourceMatchId,
      isNewMarketType: raw.isNewMarketType,
      createdTime: isoOf(raw.createdAt),
      updatedTime: isoOf(raw.updatedAt),
    }),
  }
}

export function normalizeEvent(raw: PredictStreetEvent, markets: Market[]): Event {
  return {
    id: raw.id,
    title: raw.title,
    description: '',
    slug: raw.slug,
    markets,
    ...dailyVolume(markets, amountOf(raw.volume24h)),
    volume: amountOf(raw.totalVolume),
    url,
    ...omitUndefined({ tags: namesOf(raw.tags) }),
    seriesId: null,
    sourceExchange,
    sourceMetadata: known({
      volumeUnit,
      group: raw.group,
      stage: raw.stage,
      teamA: raw.teamA,
      teamB: raw.teamB,
      startTime: isoOf(raw.eventStartTime),
      createdTime: isoOf(raw.createdAt),
      updatedTime: isoOf(raw.updatedAt),
    }),
  }
}
