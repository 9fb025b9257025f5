// Byte scanner for the three hot frames (price_change, book, last_trade_price), alone or in an array. It assumes compact JSON with the venue's key
// names, checks every assumption, and answers false for anything else: the frame then goes to JSON.parse (parse.ts). What it accepts equals
// what parse.ts makes of the same bytes; a property test over mutated frames holds the two together.
//
// The frame is copied into one scratch area so that a DataView over it can compare eight bytes at a time; nothing is read outside the copy.
// Top-level keys are taken in any order (the venue's own and the alphabetical one of re-serialised recordings); inside a change and a level the
// order is fixed.
import { ASK, BID } from '../../venue.ts'
import { type AssetState, type AssetTable, sameWords, scannedIdLengthMin, wordCount, wordOffset } from './assets.ts'
import { exactDigitsMax, powersOfTen } from './decimal.ts'
import { BOOK, type DecodedFrame, PRICE_CHANGE, TRADE, UNSAID } from './frame.ts'

/** Larger frames go to JSON.parse: a snapshot of 5,000 levels fits. */
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
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

const four = (text: string): number => Buffer.from(text, 'latin1').readInt32LE(0)
const eight = (text: string): number => Buffer.from(text, 'latin1').readDoubleLE(0)

/** First four letters of each key we know. */
const keyMarket = four('mark')
const keyPrice = four('pric')
const keyTime = four('time')
const keyEvent = four('even')
const keyAsset = four('asse')
const keyHash = four('hash')
const keyBids = four('bids')
const keyAsks = four('asks')
const keyTick = four('tick')
const keyLast = four('last')
const keySize = four('size')
const keySide = four('side')
const keyFee = four('fee_')
const keyTransaction = four('tran')

/** Which keys a message had, one bit each: a second one of a kind goes to JSON.parse, where the last wins. */
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

const lit = {
  ket_: eight('ket":"00'.slice(0, 8)),
}
void lit

const quoteColonQuote = four('t":"')
const assetKey = eight('asset_id')
const marketKeyTail = four('et":')
const changesKey = eight('price_ch')
const changesTail = eight('nges":[{')
const timeKey = eight('timestam')
const timeTail = four('p":"')
const eventKey = eight('event_ty')
const eventTail = four('pe":')
const hashTail = four('":"0') & 0x00ffffff
const listTail = four('":[0') & 0x00ffffff
const idTail = hashTail
const tickKey = eight('tick_siz')
const tickTail = four('e":"')
const lastKey = eight('last_tra')
const lastTail = eight('_price":')
const priceTail = four('e":"')
const feeKey = eight('fee_rate')
const feeTail = eight('_bps":"0')
void [marketKeyTail, feeTail, quoteColonQuote]
const transactionKey = eight('transact')
const transactionTail = eight('hash":"0')
void transactionTail

const kindChange = eight('price_ch')
const kindChangeTail = eight('change"0')
void kindChangeTail
const kindBook = four('book')
const kindTrade = eight('last_tra')
const kindTradeTail = eight('e_price"')
const kindChangeEnd = eight('_change"')

const itemAsset = eight('"asset_i')
const itemAssetTail = four('d":"')
const itemPrice = eight('","price')
const itemPriceTail = four('e":"')
const itemSize = eight('","size"')
const itemSizeTail = four('e":"')
const itemSide = eight('","side"')
const itemSideTail = four('e":"')
const itemHash = eight('","hash"')
const itemHashTail = four('h":"')
const itemBid = eight('","best_')
const itemBidTail = eight('_bid":"0')
void itemBidTail
const bidTail = eight('t_bid":"')
const askTail = eight('t_ask":"')
const levelOpen = eight('{"price"')
const levelOpenTail = four('e":"')
const BUY = four('BUY"')
const SELL = four('SELL')
