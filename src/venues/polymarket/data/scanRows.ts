// The two lists in hot frames: changes and levels. Their order of fields is fixed. The comparisons are written out instead of in a function, and
// with plain constants: the loops are too large for the engine to inline calls into, and a call costs as much as the comparison.
import { ASK, BID, type BookSide } from '../../venue.ts'
import type { AssetTable } from './assets.ts'
import { scratch } from './buffers.ts'
import type { DecodedFrame } from './frame.ts'
import { four, literal, readAsset, readMicros, readSize, skipHash } from './scanValues.ts'

const { bytes, view } = scratch

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const CLOSE_BRACE = 0x7d

const { head: itemAssetHead, tail: itemAssetTail, length: itemAssetLength } = literal('{"asset_id":"')
const { head: itemPriceHead, tail: itemPriceTail, length: itemPriceLength } = literal(',"price":"')
const { head: itemSizeHead, tail: itemSizeTail, length: itemSizeLength } = literal(',"size":"')
const { head: itemSideHead, tail: itemSideTail, length: itemSideLength } = literal(',"side":"')
const { head: itemHashHead, tail: itemHashTail, length: itemHashLength } = literal(',"hash":"')
const { head: itemBestBidHead, tail: itemBestBidTail, length: itemBestBidLength } = literal(',"best_bid":"')
const { head: itemBestAskHead, tail: itemBestAskTail, length: itemBestAskLength } = literal(',"best_ask":"')
const { head: levelPriceHead, tail: levelPriceTail, length: levelPriceLength } = literal('{"price":"')
const buy = four('BUY"')
const sell = four('SELL')

/** At the opening bracket. An empty list is left to JSON.parse. */
export function scanChanges(from: number, assets: AssetTable, into: DecodedFrame): number {
  if (bytes[from] !== OPEN_BRACKET) return -1
  let pos = from + 1
  for (;;) {
    const row = into.rows
    if (row === into.prices.length && !into.growRows()) return -1
    if (
      view.getFloat64(pos, true) !== itemAssetHead ||
      view.getFloat64(pos + itemAssetLength - 8, true) !== itemAssetTail
    )
      return -1
    pos = readAsset(pos + itemAssetLength, assets, into.rowAssets, row)
    if (
      pos < 0 ||
      view.getFloat64(pos, true) !== itemPriceHead ||
      view.getFloat64(pos + itemPriceLength - 8, true) !== itemPriceTail
    )
      return -1
    pos = readMicros(pos + itemPriceLength, into.prices, row)
    if (
      pos < 0 ||
      view.getFloat64(pos, true) !== itemSizeHead ||
      view.getFloat64(pos + itemSizeLength - 8, true) !== itemSizeTail
    )
      return -1
    pos = readSize(pos + itemSizeLength, into.sizes, row)
    if (
      pos < 0 ||
      view.getFloat64(pos, true) !== itemSideHead ||
      view.getFloat64(pos + itemSideLength - 8, true) !== itemSideTail
    )
      return -1
    pos = readSide(pos + itemSideLength, into.sides, row)
    if (
      pos < 0 ||
      view.getFloat64(pos, true) !== itemHashHead ||
      view.getFloat64(pos + itemHashLength - 8, true) !== itemHashTail
    )
      return -1
    pos = skipHash(pos + itemHashLength)
    if (
      pos < 0 ||
      view.getFloat64(pos, true) !== itemBestBidHead ||
      view.getFloat64(pos + itemBestBidLength - 8, true) !== itemBestBidTail
    )
      return -1
    pos = readMicros(pos + itemBestBidLength, into.bestBids, row)
    if (
      pos < 0 ||
      view.getFloat64(pos, true) !== itemBestAskHead ||
      view.getFloat64(pos + itemBestAskLength - 8, true) !== itemBestAskTail
    )
      return -1
    pos = readMicros(pos + itemBestAskLength, into.bestAsks, row)
    if (pos < 0 || bytes[pos] !== CLOSE_BRACE) return -1
    into.hashes[row] = 0
    into.rows = row + 1
    const next = bytes[pos + 1]
    pos += 2
    if (next === CLOSE_BRACKET) return pos
    if (next !== COMMA) return -1
  }
}

/** After the opening bracket. */
export function scanLevels(from: number, side: BookSide, into: DecodedFrame): number {
  let pos = from
  if (bytes[pos] === CLOSE_BRACKET) return pos + 1
  for (;;) {
    const row = into.rows
    if (row === into.prices.length && !into.growRows()) return -1
    if (
      view.getFloat64(pos, true) !== levelPriceHead ||
      view.getFloat64(pos + levelPriceLength - 8, true) !== levelPriceTail
    )
      return -1
    pos = readMicros(pos + levelPriceLength, into.prices, row)
    if (
      pos < 0 ||
      view.getFloat64(pos, true) !== itemSizeHead ||
      view.getFloat64(pos + itemSizeLength - 8, true) !== itemSizeTail
    )
      return -1
    pos = readSize(pos + itemSizeLength, into.sizes, row)
    if (pos < 0 || bytes[pos] !== CLOSE_BRACE) return -1
    into.rowAssets[row] = null
    into.sides[row] = side
    into.rows = row + 1
    const next = bytes[pos + 1]
    pos += 2
    if (next === CLOSE_BRACKET) return pos
    if (next !== COMMA) return -1
  }
}

/** Past the closing quote. BUY is the bid side, SELL the ask side. */
export function readSide(from: number, into: Uint8Array, index: number): number {
  const word = view.getInt32(from, true)
  if (word === buy) {
    into[index] = BID
    return from + 4
  }
  if (word !== sell || bytes[from + 4] !== QUOTE) return -1
  into[index] = ASK
  return from + 5
}
