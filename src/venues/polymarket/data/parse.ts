// The JSON.parse path: everything the byte scanner did not take. Writes the same columns for the hot messages, and lists the rare
// ones.

import { parseMicros } from '#core/price'
import { parseFrameJson } from '#net/jsonScan'
import { fieldOf } from '../../shared/socket/bookSession.ts'
import { mayHaveLevels } from '../../shared/socket/bookSynchronizer.ts'
import { ASK, BID } from '../../venue.ts'
import {
  WsBestBidAsk,
  WsBook,
  WsFlatPriceChange,
  WsLastTrade,
  WsMarketResolved,
  WsNewMarket,
  WsPriceChange,
  WsTickSize,
} from '../wireStream.ts'
import type { AssetState } from './assetState.ts'
import type { AssetTable } from './assets.ts'
import { parseMillis, parseSize } from './decimal.ts'
import { BOOK, type DecodedFrame, PRICE_CHANGE, TRADE } from './frame.ts'
import { UNKNOWN } from './unknown.ts'

/** Events that touch no level, mapped to our types. Times are the venue's, epoch ms. */
export type NonBookEvent =
  | { kind: 'tickSize'; assetId: string; tickMicros: number; ts: number }
  | { kind: 'bestBidAsk'; assetId: string; bidMicros: number; askMicros: number; ts: number }
  | { kind: 'newMarket'; marketId: string; ts: number }
  | { kind: 'resolved'; marketId: string; ts: number }

/** The contents of a text frame besides the rows written into the columns. */
export interface ParsedFrame {
  rare: NonBookEvent[]
  /** One reason for each message that fits nothing we know. */
  malformed: string[]
  /** Our assets named by messages about a book's levels that could not be read. */
  unread: Set<AssetState>
}

/** Non-JSON texts the server sends. */
const controlTexts = new Set(['PONG', 'PING', 'NO NEW ASSETS'])

export function parse(frame: Buffer, assets: AssetTable, into: DecodedFrame): ParsedFrame {
  into.clear()
  const parsed: ParsedFrame = { rare: [], malformed: [], unread: new Set() }
  const text = frame.toString('utf8')
  // Control texts are short: a large frame is not trimmed and copied for nothing.
  if (text.length < 32 && controlTexts.has(text.trim())) return parsed
  let value: unknown
  try {
    value = parseFrameJson(text)
  } catch {
    parsed.malformed.push('no JSON')
    // It may have been about any of them.
    if (mayHaveLevels(text)) for (const asset of assets.all()) parsed.unread.add(asset)
    return parsed
  }
  for (const message of Array.isArray(value) ? value : [value]) {
    const reason = readMessage(message, assets, into, parsed.rare)
    if (reason === null) continue
    into.abandon()
    parsed.malformed.push(reason)
    if (!isAboutLevels(message)) continue
    const named = [...assetsIn(message, assets)]
    for (const asset of hidesAsset(message) ? assets.all() : named) parsed.unread.add(asset)
  }
  return parsed
}

/** Fields in which the venue has sent levels or their changes, by any of its forms. */
const levelFields = ['price_changes', 'changes', 'bids', 'asks', 'buys', 'sells'] as const

function isAboutLevels(message: unknown): boolean {
  if (typeof message !== 'object' || message === null) return false
  const type = 'event_type' in message ? message.event_type : undefined
  return type === 'price_change' || type === 'book' || levelFields.some((name) => name in message)
}

/** It names a market, and no asset, ours or another. */
function hidesAsset(message: unknown): boolean {
  const rows = [message, ...rowsIn(message)]
  return (
    typeof fieldOf(message, 'market') === 'string' && !rows.some((row) => typeof fieldOf(row, 'asset_id') === 'string')
  )
}

/** The message's own asset, and those of its changes. */
function* assetsIn(message: unknown, assets: AssetTable): Generator<AssetState> {
  for (const row of [message, ...rowsIn(message)]) {
    const id = fieldOf(row, 'asset_id')
    const asset = typeof id === 'string' ? assets.get(id) : null
    if (asset !== null) yield asset
  }
}

const rowsIn = (message: unknown): unknown[] =>
  ['price_changes', 'changes'].flatMap((name) => {
    const rows = fieldOf(message, name)
    return Array.isArray(rows) ? (rows as unknown[]) : []
  })

/** Null when the message was read, otherwise why not; the caller drops rows of a refused message. */
function readMessage(message: unknown, assets: AssetTable, into: DecodedFrame, rare: NonBookEvent[]): string | null {
  if (typeof message !== 'object' || message === null) return 'no object'
  const index = into.open()
  const type = 'event_type' in message ? message.event_type : undefined
  switch (type) {
    case 'price_change': {
      if ('price_changes' in message) {
        const { data } = WsPriceChange.safeParse(message)
        return data === undefined ? 'price_change of another shape' : readChanges(data, assets, into, index)
      }
      const { data } = WsFlatPriceChange.safeParse(message)
      return data === undefined ? 'price_change of another shape' : readFlatChange(data, assets, into, index)
    }
    case 'book': {
      const { data } = WsBook.safeParse(message)
      return data === undefined ? 'book of another shape' : readBook(data, assets, into, index)
    }
    case 'last_trade_price': {
      const { data } = WsLastTrade.safeParse(message)
      return data === undefined ? 'last_trade_price of another shape' : readTrade(data, assets, into, index)
    }
    default: {
      const event = readRare(type, message)
      if (typeof event === 'string') return event
      rare.push(event)
      return null
    }
  }
}

/** The form since 2025-09. */
function readChanges(message: WsPriceChange, assets: AssetTable, into: DecodedFrame, index: number): string | null {
  const ts = parseMillis(message.timestamp)
  if (ts === null) return 'timestamp'
  for (const change of message.price_changes) {
    const price = parseMicros(change.price)
    const size = parseSize(change.size)
    const bestBid = readBest(change.best_bid)
    const bestAsk = readBest(change.best_ask)
    if (price === null || size === null || bestBid === null || bestAsk === null) return 'price or size'
    const side = change.side === 'BUY' ? BID : ASK
    if (!into.push(assets.get(change.asset_id), side, price, size, bestBid, bestAsk)) return 'too many changes'
  }
  into.times[index] = ts
  into.close(PRICE_CHANGE)
  return null
}

/** The form until 2025-09: one change, no best prices to check against. */
function readFlatChange(
  message: WsFlatPriceChange,
  assets: AssetTable,
  into: DecodedFrame,
  index: number,
): string | null {
  const ts = parseMillis(message.timestamp)
  const price = parseMicros(message.price)
  const size = parseSize(message.size)
  if (ts === null || price === null || size === null) return 'price, size or timestamp'
  into.push(assets.get(message.asset_id), message.side === 'BUY' ? BID : ASK, price, size, UNKNOWN, UNKNOWN)
  into.times[index] = ts
  into.close(PRICE_CHANGE)
  return null
}

function readBook(message: WsBook, assets: AssetTable, into: DecodedFrame, index: number): string | null {
  const ts = parseMillis(message.timestamp)
  const tick = readMaybe(message.tick_size)
  const lastTrade = readMaybe(message.last_trade_price)
  if (ts === null || tick === null || lastTrade === null) return 'timestamp, tick or last trade'
  for (const side of [BID, ASK] as const)
    for (const level of side === BID ? message.bids : message.asks) {
      const price = parseMicros(level.price)
      const size = parseSize(level.size)
      if (price === null || size === null) return 'price or size'
      if (!into.push(null, side, price, size, UNKNOWN, UNKNOWN)) return 'too many levels'
    }
  into.times[index] = ts
  into.assets[index] = assets.get(message.asset_id)
  into.lastTrades[index] = lastTrade
  into.ticks[index] = tick
  into.close(BOOK)
  return null
}

function readTrade(message: WsLastTrade, assets: AssetTable, into: DecodedFrame, index: number): string | null {
  const ts = parseMillis(message.timestamp)
  const price = parseMicros(message.price)
  const size = parseSize(message.size)
  if (ts === null || price === null || size === null) return 'price, size or timestamp'
  const asset = assets.get(message.asset_id)
  into.push(asset, message.side === 'BUY' ? BID : ASK, price, size, UNKNOWN, UNKNOWN)
  into.times[index] = ts
  into.assets[index] = asset
  into.transactions[index] = message.transaction_hash || null
  into.close(TRADE)
  return null
}

function readRare(type: unknown, message: object): NonBookEvent | string {
  switch (type) {
    case 'tick_size_change': {
      const { data } = WsTickSize.safeParse(message)
      const ts = data && parseMillis(data.timestamp)
      const tickMicros = data && parseMicros(data.new_tick_size)
      if (data === undefined || ts == null || !tickMicros) return 'tick_size_change of another shape'
      return { kind: 'tickSize', assetId: data.asset_id, tickMicros, ts }
    }
    case 'best_bid_ask': {
      const { data } = WsBestBidAsk.safeParse(message)
      const ts = data && parseMillis(data.timestamp)
      const bidMicros = data && readBest(data.best_bid)
      const askMicros = data && readBest(data.best_ask)
      if (data === undefined || ts == null || bidMicros == null || askMicros == null)
        return 'best_bid_ask of another shape'
      return { kind: 'bestBidAsk', assetId: data.asset_id, bidMicros, askMicros, ts }
    }
    case 'new_market':
    case 'market_resolved': {
      const { data } = (type === 'new_market' ? WsNewMarket : WsMarketResolved).safeParse(message)
      const ts = data && parseMillis(data.timestamp)
      if (data === undefined || ts == null) return `${type} of another shape`
      return { kind: type === 'new_market' ? 'newMarket' : 'resolved', marketId: data.id, ts }
    }
    default:
      return 'unknown event_type'
  }
}

/** UNKNOWN when absent or empty; null for an invalid price. */
const readMaybe = (text: string | null | undefined): number | null => (text ? parseMicros(text) : UNKNOWN)

/** Like `readMaybe`, but an empty string means that the side is empty: 0. */
const readBest = (text: string | null | undefined): number | null => (text === '' ? 0 : readMaybe(text))
