// What Kalshi sends, unchanged. Doc links for documented fields, "observed <date>" for those known only from recordings.
// REST envelopes hold rows as `unknown`: one bad row is skipped and counted, it does not lose the page.
import { z } from 'zod'
import { row, StateWord } from '../shared/data/row.ts'
import { WholeNumber } from '../shared/data/wholeNumber.ts'

/** Dollars per contract as a decimal string, up to 6 places. https://docs.kalshi.com/getting_started/fixed_point_migration */
const Dollars = z.string()
/** Contracts as a decimal string, 2 places. */
const Contracts = z.string()

/** https://docs.kalshi.com/api-reference/market/get-markets `price_ranges` */
export const KalshiPriceRange = z.object({ start: Dollars, end: Dollars, step: Dollars })
export type KalshiPriceRange = z.infer<typeof KalshiPriceRange>

const MarketCommon = {
  ticker: z.string().min(1),
  /** The event around a nested market says the same. */
  event_ticker: z.string().min(1).nullish(),
  market_type: z.string().nullish(),
  /** Deprecated by the venue, still the only full sentence. */
  title: z.string().nullish(),
  subtitle: z.string().nullish(),
  yes_sub_title: z.string().nullish(),
  no_sub_title: z.string().nullish(),
  status: StateWord,
  open_time: z.string().nullish(),
  close_time: z.string().nullish(),
  expected_expiration_time: z.string().nullish(),
  latest_expiration_time: z.string().nullish(),
  expiration_time: z.string().nullish(),
  created_time: z.string().nullish(),
  updated_time: z.string().nullish(),
  /** When the event itself happens; observed 2026-05-17. */
  occurrence_datetime: z.string().nullish(),
  settlement_timer_seconds: z.number().nullish(),
  settlement_ts: z.string().nullish(),
  settlement_value_dollars: Dollars.nullish(),
  result: z.string().nullish(),
  expiration_value: z.string().nullish(),
  can_close_early: z.boolean().nullish(),
  early_close_condition: z.string().nullish(),
  price_level_structure: z.string().nullish(),
  price_ranges: z.array(KalshiPriceRange).nullish(),
  strike_type: z.string().nullish(),
  floor_strike: z.number().nullish(),
  cap_strike: z.number().nullish(),
  functional_strike: z.string().nullish(),
  custom_strike: z.record(z.string(), z.unknown()).nullish(),
  rules_primary: z.string().nullish(),
  rules_secondary: z.string().nullish(),
  fee_waiver_expiration_time: z.string().nullish(),
  mve_collection_ticker: z.string().nullish(),
  mve_selected_legs: z.array(z.record(z.string(), z.unknown())).nullish(),
  /** Observed 2026-08-09 on combo legs. */
  primary_participant_key: z.string().nullish(),
  is_provisional: z.boolean().nullish(),
  exchange_index: z.number().nullish(),
}

/** https://docs.kalshi.com/api-reference/market/get-market, since the fixed-point fields (2026). */
export const KalshiMarket = row(
  z.object({
    ...MarketCommon,
    yes_bid_dollars: Dollars.nullish(),
    yes_ask_dollars: Dollars.nullish(),
    last_price_dollars: Dollars.nullish(),
    previous_price_dollars: Dollars.nullish(),
    volume_fp: Contracts.nullish(),
    volume_24h_fp: Contracts.nullish(),
    open_interest_fp: Contracts.nullish(),
    yes_bid_size_fp: Contracts.nullish(),
    yes_ask_size_fp: Contracts.nullish(),
    notional_value_dollars: Dollars.nullish(),
  }),
)
export type KalshiMarket = z.infer<typeof KalshiMarket>

/**
 * The cents era: integer cents and whole contracts; from late 2025 also with `_dollars` twins. Observed 2024-07, 2025-11-23, 2026-01-12.
 */
export const KalshiLegacyMarket = row(
  z.object({
    ...MarketCommon,
    yes_bid: z.number().int().nullish(),
    yes_ask: z.number().int().nullish(),
    last_price: z.number().int().nullish(),
    previous_price: z.number().int().nullish(),
    volume: z.number().nullish(),
    volume_24h: z.number().nullish(),
    open_interest: z.number().nullish(),
    notional_value: z.number().nullish(),
    yes_bid_dollars: Dollars.nullish(),
    yes_ask_dollars: Dollars.nullish(),
    last_price_dollars: Dollars.nullish(),
    previous_price_dollars: Dollars.nullish(),
    notional_value_dollars: Dollars.nullish(),
    /** Cents; always 1 in observations. */
    tick_size: z.number().nullish(),
  }),
)
export type KalshiLegacyMarket = z.infer<typeof KalshiLegacyMarket>

/** https://docs.kalshi.com/api-reference/events/get-events */
export const KalshiEvent = row(
  z.object({
    event_ticker: z.string().min(1),
    series_ticker: z.string().nullish(),
    title: z.string(),
    sub_title: z.string().nullish(),
    category: z.string().nullish(),
    mutually_exclusive: z.boolean().nullish(),
    collateral_return_type: z.string().nullish(),
    strike_date: z.string().nullish(),
    strike_period: z.string().nullish(),
    available_on_brokers: z.boolean().nullish(),
    last_updated_ts: z.string().nullish(),
    product_metadata: z.record(z.string(), z.unknown()).nullish(),
    settlement_sources: z.array(z.object({ name: z.string().nullish(), url: z.string().nullish() })).nullish(),
    fee_type_override: z.string().nullish(),
    fee_multiplier_override: z.number().nullish(),
    exchange_index: z.number().nullish(),
    markets: z.array(z.unknown()).nullish(),
  }),
)
export type KalshiEvent = z.infer<typeof KalshiEvent>

/** https://docs.kalshi.com/api-reference/market/get-series-list */
export const KalshiSeries = row(
  z.object({
    ticker: z.string().min(1),
    title: z.string().nullish(),
    category: z.string().nullish(),
    categories: z.array(z.string()).nullish(),
    tags: z.array(z.string()).nullish(),
    frequency: z.string().nullish(),
    fee_type: z.string().nullish(),
    fee_multiplier: z.number().nullish(),
    settlement_sources: z.array(z.object({ name: z.string().nullish(), url: z.string().nullish() })).nullish(),
    contract_url: z.string().nullish(),
    contract_terms_url: z.string().nullish(),
    additional_prohibitions: z.array(z.string()).nullish(),
    product_metadata: z.record(z.string(), z.unknown()).nullish(),
    last_updated_ts: z.string().nullish(),
    volume_fp: Contracts.nullish(),
    exchange_index: z.number().nullish(),
  }),
)
export type KalshiSeries = z.infer<typeof KalshiSeries>

/** With `include_volume`: contracts, all-time. */
export const KalshiSeriesVolume = z.object({ volume_fp: z.union([z.string(), z.number()]).nullish() })

export const KalshiEventsPage = z.object({ events: z.array(z.unknown()).nullable(), cursor: z.string().nullish() })
export const KalshiSeriesList = z.object({ series: z.array(z.unknown()).nullable(), cursor: z.string().nullish() })
export const KalshiSeriesBody = z.object({ series: KalshiSeries })
export const KalshiMarketBody = z.object({ market: z.unknown() })
/** Markets are inside the event with `with_nested_markets`, next to it without. */
export const KalshiEventBody = z.object({ event: KalshiEvent, markets: z.array(z.unknown()).nullish() })

const DollarLevel = z.tuple([Dollars, Contracts])
/** https://docs.kalshi.com/api-reference/market/get-market-orderbook: bids only, both sides; empty sides are null, missing or []. */
export const KalshiBook = z.object({
  yes_dollars: z.array(DollarLevel).nullish(),
  no_dollars: z.array(DollarLevel).nullish(),
})
export type KalshiBook = z.infer<typeof KalshiBook>

/** Cents era; `*_dollars` twins carry whole contracts. Observed 2024-07 and 2026-01-12. */
export const KalshiLegacyBook = z.object({
  yes: z.array(z.tuple([z.number(), z.number()])).nullish(),
  no: z.array(z.tuple([z.number(), z.number()])).nullish(),
  yes_dollars: z.array(z.tuple([Dollars, z.number()])).nullish(),
  no_dollars: z.array(z.tuple([Dollars, z.number()])).nullish(),
})
export type KalshiLegacyBook = z.infer<typeof KalshiLegacyBook>

export const KalshiBookBody = z.object({
  orderbook_fp: KalshiBook.nullish(),
  orderbook: KalshiLegacyBook.nullish(),
})
/** https://docs.kalshi.com/api-reference/market/get-market-orderbooks */
export const KalshiBooksBody = z.object({ orderbooks: z.array(z.unknown()).nullable() })
export const KalshiNamedBook = z.object({ ticker: z.string().min(1), orderbook_fp: KalshiBook.nullish() })

/** https://docs.kalshi.com/api-reference/market/get-trades. Legacy rows carry `count` and `taker_side` only; observed 2026-01-12. */
export const KalshiTrade = row(
  z.object({
    trade_id: z.string().min(1),
    ticker: z.string().min(1),
    created_time: z.string(),
    yes_price_dollars: Dollars,
    no_price_dollars: Dollars.nullish(),
    count_fp: Contracts.nullish(),
    count: z.number().nullish(),
    taker_outcome_side: z.string().nullish(),
    taker_book_side: z.string().nullish(),
    taker_side: z.string().nullish(),
    is_block_trade: z.boolean().nullish(),
  }),
)
export type KalshiTrade = z.infer<typeof KalshiTrade>
export const KalshiTradesPage = z.object({ trades: z.array(z.unknown()).nullable(), cursor: z.string().nullish() })

const CandlePrice = z.object({
  open_dollars: Dollars.nullish(),
  high_dollars: Dollars.nullish(),
  low_dollars: Dollars.nullish(),
  close_dollars: Dollars.nullish(),
  mean_dollars: Dollars.nullish(),
  previous_dollars: Dollars.nullish(),
})
/** https://docs.kalshi.com/api-reference/market/get-market-candlesticks. `volume` instead of `volume_fp` in the cents era, observed 2026-01-12. */
export const KalshiCandle = row(
  z.object({
    /** Seconds, the END of the bucket. */
    end_period_ts: WholeNumber.pipe(z.number().nonnegative()),
    price: CandlePrice.nullish(),
    volume_fp: Contracts.nullish(),
    volume: z.number().nullish(),
  }),
)
export type KalshiCandle = z.infer<typeof KalshiCandle>
export const KalshiCandlesBody = z.object({ candlesticks: z.array(z.unknown()).nullable() })

// ---- WebSocket frames: https://docs.kalshi.com/websockets (AsyncAPI 2.0.0) ----

const Count = z.number().int().nonnegative()
/** Epoch ms that a Date can hold. */
const EpochMs = z.number().int().nonnegative().max(8.64e15)

export const DeltaFrame = z.object({
  sid: Count,
  seq: Count,
  msg: z.object({
    market_ticker: z.string(),
    price_dollars: Dollars,
    /** Signed. */
    delta_fp: Contracts,
    side: z.enum(['yes', 'no']),
    ts_ms: EpochMs,
  }),
})

const FrameLevels = z.array(z.tuple([Dollars, Contracts])).nullish()
export const SnapshotFrame = z.object({
  sid: Count,
  seq: Count,
  /** `market_id` is "" when the venue does not know the market; observed by other clients. */
  msg: z.object({
    market_ticker: z.string(),
    market_id: z.string().nullish(),
    yes_dollars_fp: FrameLevels,
    no_dollars_fp: FrameLevels,
  }),
})

export const TradeFrame = z.object({
  sid: Count,
  msg: row(
    z.object({
      trade_id: z.string().min(1),
      market_ticker: z.string(),
      yes_price_dollars: Dollars,
      count_fp: Contracts,
      taker_outcome_side: z.string().nullish(),
      taker_book_side: z.string().nullish(),
      /** Deprecated; the only direction in frames observed 2026-02-12. */
      taker_side: z.string().nullish(),
      /** Seconds. */
      ts: z.number().int().nonnegative().max(8.64e12),
      ts_ms: EpochMs.nullish(),
    }),
  ),
})

export const TickerFrame = z.object({
  sid: Count,
  msg: z.object({
    market_ticker: z.string(),
    price_dollars: Dollars.nullish(),
    yes_bid_dollars: Dollars.nullish(),
    yes_ask_dollars: Dollars.nullish(),
    /** Missing in frames observed 2026-02-12. */
    ts_ms: EpochMs.nullish(),
  }),
})

export const LifecycleFrame = z.object({
  msg: z.object({
    event_type: z.string(),
    market_ticker: z.string().nullish(),
    determination_ts: z.number().nullish(),
    /** Seconds: when trading ends, or ended. */
    close_ts: z.number().nullish(),
    settled_ts: z.number().nullish(),
    price_level_structure: z.string().nullish(),
  }),
})

export const SubscribedFrame = z.object({ msg: z.object({ channel: z.string(), sid: Count }) })
/**
 * Answers to update_subscription and to a repeated subscribe. On the order-book sid they consume a sequence number; observed 2026-07-01, 2026-08-07.
 */
export const OkFrame = z.object({ sid: Count.nullish(), seq: Count.nullish() })
export const ErrorFrame = z.object({
  id: z.number().nullish(),
  msg: z.object({ code: z.number().nullish(), msg: z.string().nullish(), market_ticker: z.string().nullish() }),
})
