// Maps Kalshi's rows to our types. Pure: one row in, one value out. Unknown values stay unknown.
import type { Event, Market, MarketStatus, Series } from '#schemas/market'
import type { Trade } from '#schemas/marketData'
import type { VenueSlug } from '#schemas/venues'
import { dailyVolume, ownDailyVolume } from '../../shared/dailyVolume.ts'
import { binaryOutcomes } from '../../shared/data/binary.ts'
import { complement, levelsOf, snapshotOf } from '../../shared/data/levels.ts'
import {
  amountOf,
  complementOf,
  isoOf,
  known,
  microsOf,
  omitUndefined,
  probabilityOf,
  quoteOf,
  textOf,
  timeOf,
} from '../../shared/data/parsers.ts'
import { isQuoted, resolutionDateOf, settlementOf } from '../../shared/settlement.ts'
import type { BookSnapshot } from '../../venue.ts'
import { feeSchedule } from '../fees.ts'
import { idsOf } from '../ids.ts'
import type { KalshiBook, KalshiEvent, KalshiMarket, KalshiSeries, KalshiTrade } from '../wire.ts'
import { tickMicrosOf } from './grid.ts'
import { takerOutcomeSide } from './scan.ts'

const volumeUnit = 'CONTRACTS'

/** https://docs.kalshi.com/getting_started/market_lifecycle */
const statuses: ReadonlyMap<string, MarketStatus> = new Map([
  ['initialized', 'inactive'],
  ['active', 'active'],
  ['inactive', 'inactive'],
  ['closed', 'closed'],
  ['determined', 'closed'],
  ['disputed', 'closed'],
  ['amended', 'closed'],
  ['finalized', 'resolved'],
  // Words of the list filters, which the cents era also used on rows.
  ['unopened', 'inactive'],
  ['open', 'active'],
  ['paused', 'inactive'],
  ['settled', 'resolved'],
])
export const statusOf = (word: string | null | undefined): MarketStatus => statuses.get(word ?? '') ?? 'unknown'

/** Data missing from a market row. */
export interface MarketContext {
  event: KalshiEvent | null
  series: KalshiSeries | null
  /** Its sandbox uses the same words. */
  venue?: VenueSlug
}

export function normalizeMarket(raw: KalshiMarket, { event, series, venue = 'kalshi' }: MarketContext): Market {
  const volume = amountOf(raw.volume_fp)
  const last = microsOf(raw.last_price_dollars)
  // 0 with no contract ever traded means "no trade yet", not a price.
  const traded = last === 0 && !(volume !== null && volume > 0) ? null : last
  const status = statusOf(raw.status)
  // What a settled market pays is its price; the last trade is not.
  const price = status === 'resolved' ? paidOf(raw) : traded
  const quotes = [quoteOf(raw.yes_bid_dollars), quoteOf(raw.yes_ask_dollars)]
  const [bid = null, ask = null] = isQuoted(status) ? quotes : []
  const tick = tickMicrosOf(raw.price_ranges, raw.price_level_structure)
  const eventTicker = event?.event_ticker ?? raw.event_ticker ?? null
  const seriesTicker = textOf(event?.series_ticker) ?? seriesOfTicker(eventTicker ?? raw.ticker)
  const resolutionDate = resolutionDateOf(status, {
    resolved: isoOf(raw.settlement_ts),
    closed: isoOf(raw.close_time),
    expected: isoOf(raw.expected_expiration_time) ?? isoOf(raw.latest_expiration_time),
  })
  return {
    marketId: raw.ticker,
    eventId: eventTicker,
    title: textOf(raw.title) ?? textOf(event?.title) ?? raw.ticker,
    description: raw.rules_primary ?? '',
    slug: raw.ticker.toLowerCase(),
    outcomes: binaryOutcomes(raw.ticker, idsOf(raw.ticker), { price, bid, ask }),
    ...ownDailyVolume(amountOf(raw.volume_24h_fp)),
    volume,
    // The venue publishes a deprecated constant 0 here: unknown.
    liquidity: null,
    openInterest: amountOf(raw.open_interest_fp),
    url: urlOf(seriesTicker, eventTicker),
    ...omitUndefined({
      resolutionDate,
      category: textOf(event?.category) ?? textOf(series?.category),
      tags: series?.tags ?? undefined,
    }),
    tickSize: probabilityOf(tick),
    status,
    sourceExchange: venue,
    sourceMetadata: known({
      marketType: raw.market_type ?? 'binary',
      executionModel: 'clob',
      collateral: 'USD',
      volumeUnit,
      eventTicker,
      seriesTicker,
      venueStatus: raw.status,
      yesSubTitle: raw.yes_sub_title,
      noSubTitle: raw.no_sub_title,
      subtitle: raw.subtitle,
      rulesSecondary: raw.rules_secondary,
      priceLevelStructure: raw.price_level_structure,
      priceRanges: raw.price_ranges,
      fees: feeSchedule(series, event),
      feeWaiverExpirationTime: isoOf(raw.fee_waiver_expiration_time),
      notionalValueDollars: raw.notional_value_dollars,
      previousPriceDollars: raw.previous_price_dollars,
      strikeType: raw.strike_type,
      floorStrike: raw.floor_strike,
      capStrike: raw.cap_strike,
      functionalStrike: raw.functional_strike,
      customStrike: raw.custom_strike,
      primaryParticipantKey: raw.primary_participant_key,
      createdTime: isoOf(raw.created_time),
      openTime: isoOf(raw.open_time),
      closeTime: isoOf(raw.close_time),
      expectedExpirationTime: isoOf(raw.expected_expiration_time),
      latestExpirationTime: isoOf(raw.latest_expiration_time),
      occurrenceTime: isoOf(raw.occurrence_datetime),
      updatedTime: isoOf(raw.updated_time),
      canCloseEarly: raw.can_close_early,
      earlyCloseCondition: raw.early_close_condition,
      settlementTimerSeconds: raw.settlement_timer_seconds,
      settlementTime: isoOf(raw.settlement_ts),
      settlementValueDollars: raw.settlement_value_dollars,
      result: raw.result,
      expirationValue: raw.expiration_value,
      mveCollectionTicker: raw.mve_collection_ticker,
      mveSelectedLegs: raw.mve_selected_legs,
      isProvisional: raw.is_provisional,
      exchangeIndex: raw.exchange_index,
    }),
  }
}

/** Payout of YES, micros. */
const paidOf = ({ settlement_value_dollars: value, result }: KalshiMarket): number | null =>
  settlementOf(microsOf(value), result)

export function normalizeEvent(
  raw: KalshiEvent,
  markets: Market[],
  series: KalshiSeries | null,
  venue: VenueSlug = 'kalshi',
): Event {
  const lifetime = markets.map((market) => market.volume).filter((volume) => volume !== null)
  const sum = (values: number[]) => (values.length === 0 ? null : values.reduce((total, value) => total + value, 0))
  return {
    id: raw.event_ticker,
    title: raw.title,
    description: raw.sub_title ?? '',
    slug: raw.event_ticker.toLowerCase(),
    markets,
    ...dailyVolume(markets),
    volume: sum(lifetime),
    url: urlOf(textOf(raw.series_ticker) ?? seriesOfTicker(raw.event_ticker), raw.event_ticker),
    ...omitUndefined({
      category: textOf(raw.category) ?? textOf(series?.category),
      tags: series?.tags ?? undefined,
    }),
    seriesId: textOf(raw.series_ticker) ?? null,
    sourceExchange: venue,
    sourceMetadata: known({
      seriesTicker: raw.series_ticker,
      subTitle: raw.sub_title,
      mutuallyExclusive: raw.mutually_exclusive,
      collateralReturnType: raw.collateral_return_type,
      strikeDate: isoOf(raw.strike_date),
      strikePeriod: raw.strike_period,
      availableOnBrokers: raw.available_on_brokers,
      lastUpdatedTime: isoOf(raw.last_updated_ts),
      productMetadata: raw.product_metadata,
      settlementSources: raw.settlement_sources,
      feeTypeOverride: raw.fee_type_override,
      feeMultiplierOverride: raw.fee_multiplier_override,
      exchangeIndex: raw.exchange_index,
      volumeUnit,
    }),
  }
}

export function normalizeSeries(raw: KalshiSeries, venue: VenueSlug = 'kalshi'): Series {
  return {
    id: raw.ticker,
    title: textOf(raw.title) ?? raw.ticker,
    ticker: raw.ticker,
    slug: raw.ticker.toLowerCase(),
    ...omitUndefined({ recurrence: textOf(raw.frequency) }),
    url: `${site}/${raw.ticker.toLowerCase()}`,
    sourceExchange: venue,
    sourceMetadata: known({
      category: raw.category,
      categories: raw.categories,
      tags: raw.tags,
      feeType: raw.fee_type,
      feeMultiplier: raw.fee_multiplier,
      fees: feeSchedule(raw, null),
      settlementSources: raw.settlement_sources,
      contractUrl: raw.contract_url,
      contractTermsUrl: raw.contract_terms_url,
      additionalProhibitions: raw.additional_prohibitions,
      productMetadata: raw.product_metadata,
      lastUpdatedTime: isoOf(raw.last_updated_ts),
      volume: amountOf(raw.volume_fp),
      exchangeIndex: raw.exchange_index,
    }),
  }
}

/** The YES book from both sides' bids. Null when a level cannot be read. */
export function normalizeBook(bookId: string, raw: KalshiBook, recvTs: number): BookSnapshot | null {
  const side = (rows: KalshiBook['yes_dollars']) =>
    levelsOf(rows ?? [], ([price, count]) => [microsOf(price), amountOf(count)])
  const noBids = side(raw.no_dollars)
  return snapshotOf(bookId, { bids: side(raw.yes_dollars), asks: noBids && complement(noBids) }, recvTs)
}

/**
 * From the perspective of the requested outcome: a NO reader sees the NO price, and a YES taker as a seller of NO. Null:
 * unreadable.
 */
export function normalizeTrade(raw: KalshiTrade, outcomeId: string, isNo: boolean): Trade | null {
  const yesMicros = microsOf(raw.yes_price_dollars)
  const amount = amountOf(raw.count_fp ?? raw.count)
  const timestamp = timeOf(raw.created_time)
  if (yesMicros === null || amount === null || timestamp === null) return null
  const taker = takerOutcomeSide(raw.taker_outcome_side, raw.taker_book_side, raw.taker_side)
  return {
    id: raw.trade_id,
    timestamp,
    price: isNo ? complementOf(yesMicros) : probabilityOf(yesMicros),
    amount,
    side: taker === 'unknown' ? 'unknown' : (taker === 'no') === isNo ? 'buy' : 'sell',
    outcomeId,
  }
}

const site = 'https://kalshi.com/markets'
/** The page of a series when the event is unknown. */
const urlOf = (...tickers: readonly (string | null)[]): string =>
  [site, ...tickers.flatMap((ticker) => ticker?.toLowerCase() ?? [])].join('/')

/** Event tickers begin with their series: `KXMLBGAME-26AUG07…`. */
export const seriesOfTicker = (ticker: string): string => ticker.split('-', 1)[0] as string
