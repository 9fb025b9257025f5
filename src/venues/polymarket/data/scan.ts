// Byte scanner for the three hot frames (price_change, book, last_trade_price), alone or in an array. It assumes compact JSON with the venue's
// key names, checks every assumption and answers false for anything else: the frame then goes to JSON.parse (parse.ts). What it accepts equals
// what parse.ts makes of the same bytes; a test over mutated frames holds the two together.
//
// The frame is copied into one scratch area, so that a DataView over it compares eight bytes at a time. Top-level keys are taken in any order
// (the venue's, and the alphabetical one of recordings that were serialised again); inside a change and a level the order is fixed.
import { ONE } from '#lib/price'
import { ASK, BID } from '../../venue.ts'
import { type AssetState, type AssetTable, sameWords, scannedIdLengthMin, wordCount, wordOffset } from './assets.ts'
import { exactDigitsMax, powersOfTen } from './decimal.ts'
import { BOOK, type DecodedFrame, PRICE_CHANGE, TRADE, UNSAID } from './frame.ts'

/** Larger frames go to JSON.parse; a snapshot of 5,000 levels fits. */
export const scannedBytesMax = 256 * 1024
/** Never written, so that every loop over digits or text meets a byte that ends it. */
const guardBytes = 256

const bytes = new Uint8Array(scannedBytesMax + guardBytes)
const view = new DataView(bytes.buffer)

const QUOTE = 0x22
const COMMA = 0x2c
const DOT = 0x2e
const ZERO = 0x30
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

const four = (text: string): number => Buffer.from(text, 'latin1').readInt32LE(0)
const eight = (text: string): number => Buffer.from(text, 'latin1').readDoubleLE(0)

/** A text of 8 to 16 bytes, compared as its first and its last eight. ASCII never makes a NaN or a zero, so `===` compares the bytes. */
interface Literal {
  length: number
  head: number
  tail: number
}
const literal = (text: string): Literal => {
  if (text.length < 8 || text.length > 16) throw new RangeError(`literal of ${text.length} bytes`)
  return { length: text.length, head: eight(text), tail: eight(text.slice(-8)) }
}

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
const priceKey = literal('"price":"')
const sizeKey = literal('"size":"')
const sideKey = literal('"side":"')
const feeKey = literal('"fee_rate_bps":"')
const transactionKey = literal('"transaction_has')
const lastKeyEnd = four('e":"')
const transactionKeyEnd = four('h":"')

const itemAsset = literal('{"asset_id":"')
const itemPrice = literal('","price":"')
const itemSize = literal('","size":"')
const itemSide = literal('","side":"')
const itemHash = literal(',"hash":"')
const itemBestBid = literal('","best_bid":"')
const itemBestAsk = literal('","best_ask":"')
const levelPrice = literal('{"price":"')

const eventChange = literal('price_change"')
const eventTrade = literal('last_trade_price')
const eventBook = four('book')
const buy = four('BUY"')
const sell = four('SELL')

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

/** Which keys a message had. A second one of a kind goes to JSON.parse, where the last wins. */
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
const needOfChange = hasChanges | hasTime | hasEvent
const mayOfChange = needOfChange | hasMarket
const needOfBook = hasAsset | hasTime | hasBids | hasAsks | hasEvent
const mayOfBook = needOfBook | hasMarket | hasHash | hasTick | hasLast
const needOfTrade = hasAsset | hasTime | hasPrice | hasSize | hasSide | hasEvent
const mayOfTrade = needOfTrade | hasMarket | hasFee | hasTransaction

/** Bytes a quoted text may hold without JSON escapes or UTF-8: everything printable but `"` and `\`. */
const plain = new Uint8Array(256)
for (let byte = 0x20; byte < 0x7f; byte++) plain[byte] = byte === QUOTE || byte === BACKSLASH ? 0 : 1

/** The cursor: where the next byte to judge stands. */
let at = 0
/** The asset the last `readAsset` met, null when it is not one of ours. */
let asset: AssetState | null = null
/** The first of our assets in this message, whose remembered market text spares a check. */
let firstAsset: AssetState | null = null

/** Decodes `frame` into `into`. False: not read, and what `into` holds means nothing. */
export function scan(frame: Uint8Array, assets: AssetTable, into: DecodedFrame): boolean {
  const { length } = frame
  if (length > scannedBytesMax || length < 2) return false
  bytes.set(frame)
  into.clear()
  at = 0
  if (bytes[0] === OPEN_BRACE) return scanMessage(assets, into) && at === length
  if (bytes[0] !== OPEN_BRACKET) return false
  at = 1
  if (bytes[1] === CLOSE_BRACKET) return length === 2
  for (;;) {
    if (bytes[at] !== OPEN_BRACE || !scanMessage(assets, into)) return false
    const next = bytes[at++]
    if (next === CLOSE_BRACKET) return at === length
    if (next !== COMMA || at >= length) return false
  }
}

function scanMessage(assets: AssetTable, into: DecodedFrame): boolean {
  let has = 0
  let kind = -1
  let ts = 0
  let marketAt = 0
  let marketLength = 0
  let own: AssetState | null = null
  let lastTrade = UNSAID
  let tick = UNSAID
  let price = 0
  let size = 0
  let side: typeof BID | typeof ASK = BID
  let transaction: string | null = null
  firstAsset = null
  into.open()
  do {
    at++ // the brace or the comma
    let bit: number
    switch (view.getInt32(at + 1, true)) {
      case prefixMarket: {
        if (!step(marketKey)) return false
        marketAt = at
        marketLength = conditionIdLength
        if (bytes[at + conditionIdLength] !== QUOTE) {
          if (!skipText()) return false
          marketLength = 0
          at--
        } else at += conditionIdLength
        at++
        bit = hasMarket
        break
      }
      case prefixPrice: {
        if (step(priceKey)) {
          price = readMicros()
          if (price < 0) return false
          at++
          bit = hasPrice
        } else {
          if (!step(changesKey) || bytes[at++] !== OPEN_BRACKET || !scanChanges(assets, into)) return false
          bit = hasChanges
        }
        break
      }
      case prefixTime: {
        if (!step(timeKey)) return false
        ts = readInteger()
        if (ts < 0) return false
        at++
        bit = hasTime
        break
      }
      case prefixEvent: {
        if (!step(eventKey)) return false
        if (stands(eventChange)) {
          kind = PRICE_CHANGE
          at += eventChange.length
        } else if (view.getInt32(at, true) === eventBook && bytes[at + 4] === QUOTE) {
          kind = BOOK
          at += 5
        } else if (stands(eventTrade) && bytes[at + eventTrade.length] === QUOTE) {
          kind = TRADE
          at += eventTrade.length + 1
        } else return false
        bit = hasEvent
        break
      }
      case prefixAsset: {
        if (!step(assetKey) || !readAsset(assets)) return false
        own = asset
        at++
        bit = hasAsset
        break
      }
      case prefixHash: {
        if (!step(hashKey) || !skipText()) return false
        bit = hasHash
        break
      }
      case prefixBids: {
        if (!step(bidsKey) || !scanLevels(BID, into)) return false
        bit = hasBids
        break
      }
      case prefixAsks: {
        if (!step(asksKey) || !scanLevels(ASK, into)) return false
        bit = hasAsks
        break
      }
      case prefixTick: {
        if (!step(tickKey)) return false
        tick = readMicros()
        if (tick < 0) return false
        at++
        bit = hasTick
        break
      }
      case prefixLast: {
        if (!step(lastKey) || view.getInt32(at, true) !== lastKeyEnd) return false
        at += 4
        if (bytes[at] !== QUOTE) {
          lastTrade = readMicros()
          if (lastTrade < 0) return false
        }
        at++
        bit = hasLast
        break
      }
      case prefixSize: {
        if (!step(sizeKey)) return false
        size = readSize()
        if (size < 0) return false
        at++
        bit = hasSize
        break
      }
      case prefixSide: {
        if (!step(sideKey)) return false
        side = readSide()
        if (at < 0) return false
        bit = hasSide
        break
      }
      case prefixFee: {
        if (!step(feeKey) || !skipText()) return false
        bit = hasFee
        break
      }
      case prefixTransaction: {
        if (!step(transactionKey) || view.getInt32(at, true) !== transactionKeyEnd) return false
        at += 4
        const from = at
        if (!skipText()) return false
        transaction = at - 1 > from ? latin1(from, at - 1) : null
        bit = hasTransaction
        break
      }
      default:
        return false
    }
    if ((has & bit) !== 0) return false
    has |= bit
  } while (bytes[at] === COMMA)
  if (bytes[at++] !== CLOSE_BRACE) return false
  if (marketLength > 0 && !marketIsPlain(marketAt, marketLength, own ?? firstAsset)) return false
  if (kind === PRICE_CHANGE) {
    if ((has & needOfChange) !== needOfChange || (has & ~mayOfChange) !== 0) return false
  } else if (kind === BOOK) {
    if ((has & needOfBook) !== needOfBook || (has & ~mayOfBook) !== 0) return false
  } else {
    if ((has & needOfTrade) !== needOfTrade || (has & ~mayOfTrade) !== 0) return false
    if (!into.push(own, side, price, size, UNSAID, UNSAID)) return false
  }
  into.close(kind as typeof PRICE_CHANGE, ts, own, lastTrade, tick, transaction)
  return true
}

/** `0x` and 64 hex digits. */
const conditionIdLength = 66

/** Behind the opening bracket, to behind the closing one. An empty list is left to JSON.parse. */
function scanChanges(assets: AssetTable, into: DecodedFrame): boolean {
  for (;;) {
    if (!step(itemAsset) || !readAsset(assets)) return false
    const owner = asset
    if (firstAsset === null) firstAsset = owner
    if (!step(itemPrice)) return false
    const price = readMicros()
    if (price < 0 || !step(itemSize)) return false
    const size = readSize()
    if (size < 0 || !step(itemSide)) return false
    const side = readSide()
    if (at < 0 || !step(itemHash) || !skipHash() || !step(itemBestBid)) return false
    const bestBid = readMicros()
    if (bestBid < 0 || !step(itemBestAsk)) return false
    const bestAsk = readMicros()
    if (bestAsk < 0 || bytes[at + 1] !== CLOSE_BRACE) return false
    at += 2
    if (!into.push(owner, side, price, size, bestBid, bestAsk)) return false
    const next = bytes[at++]
    if (next === CLOSE_BRACKET) return true
    if (next !== COMMA) return false
  }
}

/** Behind the opening bracket, to behind the closing one. */
function scanLevels(side: typeof BID | typeof ASK, into: DecodedFrame): boolean {
  if (bytes[at] === CLOSE_BRACKET) {
    at++
    return true
  }
  for (;;) {
    if (!step(levelPrice)) return false
    const price = readMicros()
    if (price < 0 || !step(itemSize)) return false
    const size = readSize()
    if (size < 0 || bytes[at + 1] !== CLOSE_BRACE) return false
    at += 2
    if (!into.push(null, side, price, size, UNSAID, UNSAID)) return false
    const next = bytes[at++]
    if (next === CLOSE_BRACKET) return true
    if (next !== COMMA) return false
  }
}

const stands = (text: Literal): boolean =>
  view.getFloat64(at, true) === text.head && view.getFloat64(at + text.length - 8, true) === text.tail

/** Steps over `text` when it stands here. */
function step(text: Literal): boolean {
  const from = at
  if (view.getFloat64(from, true) !== text.head || view.getFloat64(from + text.length - 8, true) !== text.tail)
    return false
  at = from + text.length
  return true
}

/** Sets `asset` and leaves the cursor on the closing quote. The usual lengths are tried first. */
function readAsset(assets: AssetTable): boolean {
  const from = at
  let length = 77
  if (bytes[from + 77] !== QUOTE) {
    if (bytes[from + 76] === QUOTE) length = 76
    else if (bytes[from + 78] === QUOTE) length = 78
    else {
      length = 0
      while (length < 76 && bytes[from + length] !== QUOTE) length++
    }
  }
  if (length < scannedIdLengthMin || bytes[from + length] !== QUOTE) return false
  at = from + length
  asset = assets.find(view, from, length)
  return asset !== null || allDigits(from, length)
}

/** Digits in every byte (and `:;<=>?`, which JSON text may hold as well). */
function allDigits(from: number, length: number): boolean {
  for (let i = wordCount(length) - 1; i >= 0; i--) {
    const word = from + wordOffset(i, length)
    if (((view.getInt32(word, true) ^ 0x30303030) & 0xf0f0f0f0) !== 0) return false
    if (((view.getInt32(word + 4, true) ^ 0x30303030) & 0xf0f0f0f0) !== 0) return false
  }
  return true
}

/** On the closing quote afterwards; −1 when it is no plain decimal in [0,1] with at most six places. */
function readMicros(): number {
  let pos = at
  const whole = (bytes[pos++] as number) - ZERO
  if (whole !== 0 && whole !== 1) return -1
  let byte = bytes[pos] as number
  if (byte === QUOTE) {
    at = pos
    return whole * ONE
  }
  if (byte !== DOT) return -1
  const from = ++pos
  let fraction = 0
  for (byte = bytes[pos] as number; byte !== QUOTE; byte = bytes[++pos] as number) {
    const digit = byte - ZERO
    if (digit < 0 || digit > 9 || pos - from >= 6) return -1
    fraction = fraction * 10 + digit
  }
  const places = pos - from
  if (places === 0 || (whole === 1 && fraction !== 0)) return -1
  at = pos
  return whole * ONE + fraction * (microsPerUnit[places] as number)
}
/** Micros that the last of n places stands for. */
const microsPerUnit = new Int32Array([0, 100_000, 10_000, 1_000, 100, 10, 1])

/** On the closing quote afterwards; −1 when it is no plain decimal of at most 15 digits. Exactly `Number(text)`. */
function readSize(): number {
  const from = at
  let pos = from
  let mantissa = 0
  let dot = 0
  for (let byte = bytes[pos] as number; byte !== QUOTE; byte = bytes[++pos] as number) {
    const digit = byte - ZERO
    if (digit >= 0 && digit <= 9) mantissa = mantissa * 10 + digit
    else if (byte === DOT && dot === 0 && pos > from) dot = pos
    else return -1
    if (pos - from > exactDigitsMax) return -1
  }
  const digits = dot === 0 ? pos - from : pos - from - 1
  if (digits === 0 || digits > exactDigitsMax || (dot !== 0 && dot === pos - 1)) return -1
  at = pos
  return dot === 0 ? mantissa : mantissa / (powersOfTen[pos - dot - 1] as number)
}

/** On the closing quote afterwards; −1 when it is no unsigned integer of at most 15 digits. */
function readInteger(): number {
  const from = at
  let pos = from
  let value = 0
  for (let byte = bytes[pos] as number; byte !== QUOTE; byte = bytes[++pos] as number) {
    const digit = byte - ZERO
    if (digit < 0 || digit > 9 || pos - from >= exactDigitsMax) return -1
    value = value * 10 + digit
  }
  if (pos === from) return -1
  at = pos
  return value
}

/** Behind the closing quote afterwards; the cursor is negative when it is neither side. */
function readSide(): typeof BID | typeof ASK {
  const word = view.getInt32(at, true)
  if (word === buy) {
    at += 4
    return BID
  }
  at = word === sell && bytes[at + 4] === QUOTE ? at + 5 : -1
  return ASK
}

/** On the closing quote afterwards. The venue's hashes have 40 hex digits; other plain text is taken byte by byte. */
function skipHash(): boolean {
  const from = at
  if (bytes[from + 40] !== QUOTE || !hexLike(from, 40)) {
    if (!skipText()) return false
    at--
    return true
  }
  at = from + 40
  return true
}

/** Every byte has the high nibble 3 or 6: hex digits, and nothing that JSON text may not hold. `length` is a multiple of 4. */
function hexLike(from: number, length: number): boolean {
  let wrong = 0
  for (let word = from; word < from + length; word += 4) {
    const high = view.getInt32(word, true) >>> 4
    wrong |= ((high & 0x0a0a0a0a) ^ 0x02020202) | (((high ^ (high >>> 2)) & 0x01010101) ^ 0x01010101)
  }
  return wrong === 0
}

/** Behind the closing quote afterwards. Escapes, control characters and non-ASCII are refused. */
function skipText(): boolean {
  let pos = at
  while (plain[bytes[pos] as number] === 1) pos++
  if (bytes[pos] !== QUOTE) return false
  at = pos + 1
  return true
}

/** A market's text hardly ever changes under an asset: comparing it with the one checked before is cheaper than judging it again. */
function marketIsPlain(from: number, length: number, known: AssetState | null): boolean {
  const words = known?.marketWords
  if (words !== undefined && words.length > 0 && sameWords(view, from, length, words)) return true
  for (let pos = from; pos < from + length; pos++) if (plain[bytes[pos] as number] !== 1) return false
  if (known !== null) {
    known.marketWords = new Float64Array(wordCount(length))
    for (let i = 0; i < known.marketWords.length; i++)
      known.marketWords[i] = view.getFloat64(from + wordOffset(i, length), true)
  }
  return true
}

const latin1 = (from: number, to: number): string => Buffer.from(bytes.buffer, from, to - from).toString('latin1')
