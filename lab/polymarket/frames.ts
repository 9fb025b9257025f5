// The frames of polymarket's market channel as text, keys as recorded in 2026.
import { BID, type Side } from '../engine/book.ts'
import type { EngineMarket, LabTrade } from '../engine/market.ts'
import { orderBookSummary, priceText, sizeText, tradeView } from './encode.ts'
import type { PolyMarket } from './marketGenerator.ts'

/**
 * One level's new total, reported for both tokens. Concatenated by hand: this is the frame of a burst.
 * `inFull`: the hashes are those of the current books; otherwise those of the last change reported in full.
 */
export function priceChangeFrame(
  poly: PolyMarket,
  market: EngineMarket,
  side: Side,
  index: number,
  inFull: boolean,
): string {
  const { book } = market
  const price = book.grid.prices[index]!
  const size = sizeText(book.at(side, index) / 100)
  const bid = book.bestBidMicros() ?? 0
  const ask = book.bestAskMicros() ?? 1_000_000
  const [yesHash, noHash] = inFull ? bookHashes(poly, market) : (lastHashes.get(poly) ?? bookHashes(poly, market))
  return (
    `{"market":"${poly.conditionId}","price_changes":[` +
    `{"asset_id":"${poly.tokens[0]}","price":"${priceText(price)}","size":"${size}","side":"${side === BID ? 'BUY' : 'SELL'}",` +
    `"hash":"${yesHash}","best_bid":"${priceText(bid)}","best_ask":"${priceText(ask)}"},` +
    `{"asset_id":"${poly.tokens[1]}","price":"${priceText(1_000_000 - price)}","size":"${size}","side":"${side === BID ? 'SELL' : 'BUY'}",` +
    `"hash":"${noHash}","best_bid":"${priceText(1_000_000 - ask)}","best_ask":"${priceText(1_000_000 - bid)}"}],` +
    `"timestamp":"${market.eventTs}","event_type":"price_change"}`
  )
}

/** The token the trade is reported on, and the frame. */
export function lastTradePriceFrame(poly: PolyMarket, trade: LabTrade): [asset: string, text: string] {
  const view = tradeView(poly, trade)
  const frame = {
    market: poly.conditionId,
    asset_id: view.asset,
    price: priceText(view.priceMicros),
    size: sizeText(trade.size),
    fee_rate_bps: '0',
    side: view.side,
    timestamp: String(trade.atMs),
    event_type: 'last_trade_price',
    transaction_hash: view.transactionHash,
  }
  return [view.asset, JSON.stringify(frame)]
}

export const tickSizeFrame = (
  poly: PolyMarket,
  asset_id: string,
  oldMicros: number,
  newMicros: number,
  timestamp: string,
) =>
  JSON.stringify({
    market: poly.conditionId,
    asset_id,
    old_tick_size: priceText(oldMicros),
    new_tick_size: priceText(newMicros),
    timestamp,
    event_type: 'tick_size_change',
  })

export const bestBidAskFrame = (poly: PolyMarket, side: 0 | 1, bid: number, ask: number, timestamp: string) =>
  JSON.stringify({
    event_type: 'best_bid_ask',
    market: poly.conditionId,
    asset_id: poly.tokens[side],
    best_bid: priceText(side === 0 ? bid : 1_000_000 - ask),
    best_ask: priceText(side === 0 ? ask : 1_000_000 - bid),
    spread: priceText(ask - bid),
    timestamp,
  })

export const marketResolvedFrame = (poly: PolyMarket, winner: 0 | 1, timestamp: string) =>
  JSON.stringify({
    event_type: 'market_resolved',
    id: poly.id,
    market: poly.conditionId,
    assets_ids: poly.tokens,
    winning_asset_id: poly.tokens[winner],
    winning_outcome: poly.outcomes[winner],
    timestamp,
    tags: poly.event.tags.map(({ slug }) => slug),
  })

export function newMarketFrame(poly: PolyMarket, stepMicros: number, timestamp: string): string {
  const { event } = poly
  const { title, rules } = event.catalog
  return JSON.stringify({
    event_type: 'new_market',
    id: poly.id,
    question: poly.catalog.question,
    market: poly.conditionId,
    slug: poly.slug,
    description: rules,
    assets_ids: poly.tokens,
    outcomes: poly.outcomes,
    event_message: { id: event.id, ticker: event.slug, slug: event.slug, title, description: rules },
    timestamp,
    tags: event.tags.map(({ slug }) => slug),
    condition_id: poly.conditionId,
    active: true,
    clob_token_ids: poly.tokens,
    sports_market_type: '',
    line: '',
    game_start_time: '',
    order_price_min_tick_size: priceText(stepMicros),
    group_item_title: poly.catalog.label,
  })
}

function bookHashes(poly: PolyMarket, market: EngineMarket): [string, string] {
  const truth = market.truth()
  const { stepMicros } = market.book.grid
  const of = (side: 0 | 1) => orderBookSummary(poly, side, truth, stepMicros, market.lastTrade).hash
  const hashes: [string, string] = [of(0), of(1)]
  lastHashes.set(poly, hashes)
  return hashes
}

const lastHashes = new WeakMap<PolyMarket, [string, string]>()
