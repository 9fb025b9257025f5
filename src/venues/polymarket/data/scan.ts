// Byte scanner for the three hot frames (price_change, book, last_trade_price), alone or in an array. It assumes compact JSON with the venue's
// key names, checks every assumption and returns false for anything else: the frame then goes to JSON.parse (parse.ts). What it accepts equals
// what parse.ts makes of the same bytes; a test over mutated frames compares the two.
//
// Top-level keys are accepted in any order (the venue's, and the alphabetical one of re-serialized recordings); inside a change and a
// level the order is fixed.
import { ASK, BID } from '../../venue.ts'
import type { AssetState } from './assetState.ts'
import type { AssetTable } from './assets.ts'
import { scannedBytesMax, scratch } from './buffers.ts'
import { BOOK, type DecodedFrame, PRICE_CHANGE, TRADE } from './frame.ts'
import { scanChange } from './scanChange.ts'
import { readSide, scanChanges, scanLevels } from './scanRows.ts'
import {
  four,
  literal,
  literalAt,
  marketIsPlain,
  readAsset,
  readMicros,
  readMillis,
  readSize,
  skipHash,
  skipMarket,
  skipText,
} from './scanValues.ts'
import { UNKNOWN } from './unknown.ts'

const { bytes, view } = scratch

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

const marketKey = literal('"market":"')
const changesKey = literal('"price_changes":')
const timeKey = literal('"timestamp":"')
const eventKey = literal('"event_type":"')
const assetKey = literal('"asset_id":"')
const hashKey = literal('"hash":"')
const bidsKey = literal('"bids":[')
const asksKey = literal('"asks":[')
const tickKey = literal('"tick_size":"')
const lastKey = literal('"last_trade_pric')
const lastKeyEnd = four('e":"')
const priceKey = literal('"price":"')
const sizeKey = literal('"size":"')
const sideKey = literal('"side":"')
const feeKey = literal('"fee_rate_bps":"')
const transactionKey = literal('"transaction_has')
const transactionKeyEnd = four('h":"')

const eventChange = literal('price_change"')
const eventTrade = literal('last_trade_price')
const eventBook = four('book')

/** Keys by their first four letters. */
const prefixMarket = four('mark')
const prefixPrice = four('pric')
const prefixTime = four('time')
const prefixEvent = four('even')
const prefixAsset = four('asse')
const prefixHash = four('hash')
const prefixBids = four('bids')
const prefixAsks = four('asks')
const prefixTick = four('tick')
const prefixLast = four('last')
const prefixSize = four('size')
const prefixSide = four('side')
const prefixFee = four('fee_')
const prefixTransaction = four('tran')

/** Keys found in a message. A repeated key goes to JSON.parse, where the last wins. */
const hasMarket = 1
const hasChanges = 2
const hasTime = 4
const hasEvent = 8
const hasAsset = 16
const hasHash = 32
const hasBids = 64
const hasAsks = 128
const hasTick = 256
const hasLast = 512
const hasPrice = 1024
const hasSize = 2048
const hasSide = 4096
const hasFee = 8192
const hasTransaction = 16384
/** Indexed by message kind. */
const needed = [
  hasChanges | hasTime | hasEvent,
  hasAsset | hasTime | hasBids | hasAsks | hasEvent,
  hasAsset | hasTime | hasPrice | hasSize | hasSide | hasEvent,
] as const
const allowed = [
  needed[PRICE_CHANGE] | hasMarket,
  needed[BOOK] | hasMarket | hasHash | hasTick | hasLast,
  needed[TRADE] | hasMarket | hasFee | hasTransaction,
] as const

/** Decodes `frame` into `into`. False: not read, and the content of `into` is meaningless. */
export function scan(frame: Uint8Array, assets: AssetTable, into: DecodedFrame): boolean {
  const { length } = frame
  if (length > scannedBytesMax || length < 2) return false
  bytes.set(frame)
  into.clear()
  if (scanChange(length, assets, into)) return true
  if (bytes[0] === OPEN_BRACE) return scanMessage(0, assets, into) === length
  if (bytes[0] !== OPEN_BRACKET) return false
  if (bytes[1] === CLOSE_BRACKET) return length === 2
  let pos = 1
  while (bytes[pos] === OPEN_BRACE) {
    pos = scanMessage(pos, assets, into)
    if (pos < 0 || pos >= length) return false
    const next = bytes[pos++]
    if (next === CLOSE_BRACKET) return pos === length
    if (next !== COMMA) return false
  }
  return false
}

function scanMessage(from: number, assets: AssetTable, into: DecodedFrame): number {
  let pos = from
  let has = 0
  let kind: typeof PRICE_CHANGE | typeof BOOK | typeof TRADE = PRICE_CHANGE
  let marketAt = 0
  let marketEnd = 0
  const message = into.open()
  const firstRow = into.rows
  do {
    const key = pos + 1 // after the brace or the comma
    let bit = 0
    switch (view.getInt32(key + 1, true)) {
      case prefixMarket:
        if (!literalAt(key, marketKey)) return -1
        marketAt = key + marketKey.length
        pos = marketEnd = skipMarket(marketAt)
        bit = hasMarket
        break
      case prefixPrice:
        if (literalAt(key, changesKey)) {
          pos = scanChanges(key + changesKey.length, assets, into)
          bit = hasChanges
        } else {
          if (!literalAt(key, priceKey)) return -1
          pos = readMicros(key + priceKey.length, into.prices, firstRow)
          bit = hasPrice
        }
        break
      case prefixTime:
        if (!literalAt(key, timeKey)) return -1
        pos = readMillis(key + timeKey.length, into.times, message)
        bit = hasTime
        break
      case prefixEvent: {
        if (!literalAt(key, eventKey)) return -1
        const name = key + eventKey.length
        if (literalAt(name, eventChange)) {
          kind = PRICE_CHANGE
          pos = name + eventChange.length
        } else if (view.getInt32(name, true) === eventBook && bytes[name + 4] === QUOTE) {
          kind = BOOK
          pos = name + 5
        } else if (literalAt(name, eventTrade) && bytes[name + eventTrade.length] === QUOTE) {
          kind = TRADE
          pos = name + eventTrade.length + 1
        } else return -1
        bit = hasEvent
        break
      }
      case prefixAsset:
        if (!literalAt(key, assetKey)) return -1
        pos = readAsset(key + assetKey.length, assets, into.assets, message)
        bit = hasAsset
        break
      case prefixHash:
        if (!literalAt(key, hashKey)) return -1
        pos = skipHash(key + hashKey.length)
        bit = hasHash
        break
      case prefixBids:
        if (!literalAt(key, bidsKey)) return -1
        pos = scanLevels(key + bidsKey.length, BID, into)
        bit = hasBids
        break
      case prefixAsks:
        if (!literalAt(key, asksKey)) return -1
        pos = scanLevels(key + asksKey.length, ASK, into)
        bit = hasAsks
        break
      case prefixTick:
        if (!literalAt(key, tickKey)) return -1
        pos = readMicros(key + tickKey.length, into.ticks, message)
        bit = hasTick
        break
      case prefixLast: {
        const value = key + lastKey.length + 4
        if (!literalAt(key, lastKey) || view.getInt32(value - 4, true) !== lastKeyEnd) return -1
        pos = bytes[value] === QUOTE ? value + 1 : readMicros(value, into.lastTrades, message)
        bit = hasLast
        break
      }
      case prefixSize:
        if (!literalAt(key, sizeKey)) return -1
        pos = readSize(key + sizeKey.length, into.sizes, firstRow)
        bit = hasSize
        break
      case prefixSide:
        if (!literalAt(key, sideKey)) return -1
        pos = readSide(key + sideKey.length, into.sides, firstRow)
        bit = hasSide
        break
      case prefixFee:
        if (!literalAt(key, feeKey)) return -1
        pos = skipText(key + feeKey.length)
        bit = hasFee
        break
      case prefixTransaction: {
        const value = key + transactionKey.length + 4
        if (!literalAt(key, transactionKey) || view.getInt32(value - 4, true) !== transactionKeyEnd) return -1
        pos = skipText(value)
        into.transactions[message] = pos > value + 1 ? latin1(value, pos - 1) : null
        bit = hasTransaction
        break
      }
      default:
        return -1
    }
    if (pos < 0 || (has & bit) !== 0) return -1
    has |= bit
  } while (bytes[pos] === COMMA)
  const need = needed[kind] as number
  if (bytes[pos] !== CLOSE_BRACE || (has & need) !== need || (has & ~(allowed[kind] as number)) !== 0) return -1
  if (kind === TRADE) {
    into.rowAssets[firstRow] = into.assets[message] as AssetState | null
    into.bestBids[firstRow] = UNKNOWN
    into.bestAsks[firstRow] = UNKNOWN
    into.rows = firstRow + 1
  }
  if ((has & hasMarket) !== 0 && !marketIsPlain(marketAt, marketEnd, knownAsset(into, message, firstRow))) return -1
  into.close(kind)
  return pos + 1
}

/** An asset of ours that the message names, on which to remember its market's text. */
const knownAsset = (into: DecodedFrame, message: number, firstRow: number): AssetState | null =>
  (into.assets[message] as AssetState | null) ??
  (into.rows > firstRow ? (into.rowAssets[firstRow] as AssetState | null) : null)

const latin1 = (from: number, to: number): string => Buffer.from(bytes.buffer, from, to - from).toString('latin1')
