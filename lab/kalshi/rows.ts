// Kalshi's REST objects: market, event, series, trade, candle, order book.
import { ASK, BID, type Level } from '../engine/book.ts'
import type { EngineMarket, LabStatus, LabTrade, MarketTruth } from '../engine/market.ts'
import type { LabBar } from '../engine/tradeLog.ts'
import { stableUuid } from '../prng.ts'
import type { KalshiEvent, KalshiMarket, KalshiSeries } from './marketGenerator.ts'
import { shardOf } from './shards.ts'
import { countText, dollars, rfc3339, structures } from './units.ts'

const statusWords = { open: 'active', closed: 'closed', resolved: 'finalized' } as const

export const statusWord = (status: LabStatus): string => statusWords[status]

const settlementSources = [{ name: 'Lab', url: 'https://example.com/lab' }]

export function marketRow(market: KalshiMarket, live: EngineMarket): Record<string, unknown> {
  const { catalog, event } = market
  const bid = live.status === 'open' ? live.book.bestBidMicros() : null
  const ask = live.status === 'open' ? live.book.bestAskMicros() : null
  const endMs = live.status === 'open' ? event.catalog.endMs : Math.min(event.catalog.endMs, live.statusAtMs)
  const last = live.lastTrade?.priceMicros ?? 0
  const before = live.priceAt(live.eventTs - 86_400_000)
  return {
    can_close_early: true,
    close_time: rfc3339(endMs),
    created_time: rfc3339(event.catalog.createdMs),
    event_ticker: event.ticker,
    exchange_index: shardOf(event.ticker),
    expected_expiration_time: rfc3339(event.catalog.endMs),
    expiration_time: rfc3339(event.catalog.endMs + 7 * 86_400_000),
    expiration_value: live.status === 'resolved' ? catalog.label : '',
    last_price_dollars: dollars(last),
    latest_expiration_time: rfc3339(event.catalog.endMs + 7 * 86_400_000),
    liquidity_dollars: '0.0000',
    market_type: 'binary',
    no_ask_dollars: dollars(bid === null ? 1_000_000 : 1_000_000 - bid),
    no_bid_dollars: dollars(ask === null ? 0 : 1_000_000 - ask),
    no_sub_title: catalog.label,
    notional_value_dollars: '1.0000',
    open_interest_fp: countText(Math.round(live.volumeHundredths / 3)),
    open_time: rfc3339(event.catalog.createdMs + 300_000),
    previous_price_dollars: dollars(before),
    previous_yes_ask_dollars: dollars(before),
    previous_yes_bid_dollars: dollars(before),
    price_level_structure: structures[live.book.grid.name],
    price_ranges: live.book.grid.ranges.map(({ startMicros, endMicros, stepMicros }) => ({
      end: dollars(endMicros),
      start: dollars(startMicros),
      step: dollars(stepMicros),
    })),
    result: live.result ?? '',
    rules_primary: event.catalog.rules,
    rules_secondary: '',
    settlement_timer_seconds: 1800,
    ...(live.status === 'resolved'
      ? {
          settlement_ts: rfc3339(live.statusAtMs),
          settlement_value_dollars: live.result === 'yes' ? '1.0000' : '0.0000',
        }
      : {}),
    status: statusWord(live.status),
    strike_type: 'structured',
    ticker: market.ticker,
    title: catalog.question,
    updated_time: rfc3339(live.statusAtMs),
    volume_24h_fp: countText(Math.round(live.volumeHundredths / 12)),
    volume_fp: countText(live.volumeHundredths),
    yes_ask_dollars: dollars(ask ?? 1_000_000),
    yes_ask_size_fp: countText(ask === null ? 0 : live.book.at(ASK, live.book.bestAsk)),
    yes_bid_dollars: dollars(bid ?? 0),
    yes_bid_size_fp: countText(bid === null ? 0 : live.book.at(BID, live.book.bestBid)),
    yes_sub_title: catalog.label,
  }
}

export function eventRow(
  event: KalshiEvent,
  nested: readonly Record<string, unknown>[] | null,
): Record<string, unknown> {
  return {
    available_on_brokers: true,
    category: event.catalog.category,
    collateral_return_type: event.catalog.exclusive ? 'MECNET' : '',
    event_ticker: event.ticker,
    exchange_index: shardOf(event.ticker),
    last_updated_ts: rfc3339(event.catalog.createdMs),
    ...(nested === null ? {} : { markets: nested }),
    mutually_exclusive: event.catalog.exclusive,
    series_ticker: event.series.ticker,
    settlement_sources: settlementSources,
    strike_date: rfc3339(event.catalog.endMs),
    strike_period: '',
    sub_title: `On ${rfc3339(event.catalog.endMs).slice(0, 10)}`,
    title: event.catalog.title,
  }
}

export const seriesRow = (series: KalshiSeries): Record<string, unknown> => ({
  additional_prohibitions: null,
  category: series.category,
  contract_terms_url: 'https://example.com/lab/terms.pdf',
  contract_url: 'https://example.com/lab/contract.pdf',
  exchange_index: shardOf(series.ticker),
  fee_multiplier: 1,
  fee_type: series.category === 'Sports' ? 'quadratic_with_maker_fees' : 'quadratic',
  frequency: 'custom',
  last_updated_ts: '2026-08-19T15:56:04.213478Z',
  settlement_sources: settlementSources,
  tags: series.tags,
  ticker: series.ticker,
  title: series.title,
})

/** Fields shared by REST and the `trade` channel. */
export function tradeFields(market: KalshiMarket, trade: LabTrade) {
  const side = trade.takerBuysYes ? 'yes' : 'no'
  return {
    trade_id: stableUuid(`${market.marketId}/trade/${trade.ordinal}`),
    yes_price_dollars: dollars(trade.priceMicros),
    no_price_dollars: dollars(1_000_000 - trade.priceMicros),
    count_fp: countText(Math.round(trade.size * 100)),
    taker_side: side,
    taker_outcome_side: side,
    taker_book_side: trade.takerBuysYes ? 'bid' : 'ask',
  }
}

export const tradeRow = (market: KalshiMarket, trade: LabTrade): Record<string, unknown> => ({
  ...tradeFields(market, trade),
  created_time: rfc3339(trade.atMs),
  is_block_trade: false,
  ticker: market.ticker,
})

/** `[price, count]` bids of one side in ascending price. NO levels are in NO prices unless `asYesPrice`. */
export function sideLevels(
  truth: MarketTruth,
  side: 'yes' | 'no',
  depth: number,
  asYesPrice: boolean,
): [string, string][] {
  const best = side === 'yes' ? truth.bids : truth.asks
  const levels = depth > 0 ? best.slice(0, depth) : best
  const rows = levels.map(([price, size]: Level): [number, string] => [
    side === 'yes' || asYesPrice ? price : 1_000_000 - price,
    countText(Math.round(size * 100)),
  ])
  return rows.sort((a, b) => a[0] - b[0]).map(([price, count]) => [dollars(price), count])
}

export const orderbookRow = (truth: MarketTruth, depth: number): Record<string, unknown> => ({
  no_dollars: sideLevels(truth, 'no', depth, false),
  yes_dollars: sideLevels(truth, 'yes', depth, false),
})

/**
 * Candles of the buckets that end in the window, built from the market's trades. An empty bucket has only the previous price. Past quotes are not
 * kept: they are set one step away from the trades.
 */
export function candleRows(live: EngineMarket, startSeconds: number, endSeconds: number, minutes: number) {
  const span = minutes * 60
  const firstEnd = Math.ceil(startSeconds / span) * span
  const bars = live.log.bars((firstEnd - span) * 1000, endSeconds * 1000, span * 1000)
  const byStart = new Map(bars.map((bar) => [bar.startMs, bar]))
  const rows: Record<string, unknown>[] = []
  let previous = live.priceAt((firstEnd - span) * 1000 - 1)
  for (let end = firstEnd; end <= endSeconds; end += span) {
    const bar = byStart.get((end - span) * 1000) ?? null
    rows.push(candleRow(live, end, previous, bar))
    previous = bar?.closeMicros ?? previous
  }
  return rows
}

function candleRow(live: EngineMarket, end: number, previous: number, bar: LabBar | null): Record<string, unknown> {
  const step = live.book.grid.stepMicros
  const ohlc = (shift: number) => ({
    close_dollars: dollars(clamp((bar?.closeMicros ?? previous) + shift)),
    high_dollars: dollars(clamp((bar?.highMicros ?? previous) + shift)),
    low_dollars: dollars(clamp((bar?.lowMicros ?? previous) + shift)),
    open_dollars: dollars(clamp((bar?.openMicros ?? previous) + shift)),
  })
  const mean = bar === null ? 0 : Math.round((bar.highMicros + bar.lowMicros) / 2000) * 1000
  return {
    end_period_ts: end,
    open_interest_fp: countText(Math.round(live.volumeHundredths / 3)),
    price: {
      ...(bar === null ? {} : { ...ohlc(0), mean_dollars: dollars(mean) }),
      previous_dollars: dollars(previous),
    },
    volume_fp: countText(bar?.hundredths ?? 0),
    yes_ask: ohlc(step),
    yes_bid: ohlc(-step),
  }
}

const clamp = (micros: number): number => Math.min(999_000, Math.max(1_000, micros))
