// The hash that every change carries, checked against the book we built from the changes: nothing else reveals a lost level far from the
// best.
//
// It is the SHA-1 of the whole book as compact JSON (py-clob-client `utilities.py`), as confirmed by eleven recorded books. Two of its
// members, the minimum order size and the neg-risk flag, are in no frame of the socket, and the last trade's price is written in two ways:
// they are found by trial until a hash matches. Until then no book is rejected, so a venue with a different hash costs a few tries and no
// book. The last trade's price may be in a hash before any frame reports it (py-clob-client-v2 issue 117, 88 ms): hence two hashes must
// disagree, some time apart, and after every trade and snapshot one has to match first.
import { hash } from 'node:crypto'
import { ONE } from '#core/price'
import { ASK, BID, type BookSide, type BookWriter } from '../../venue.ts'
import { isPositionId } from '../ids.ts'
import type { AssetState } from './assetState.ts'
import { scratch } from './buffers.ts'
import type { HashShape } from './hashState.ts'
import { UNKNOWN } from './unknown.ts'

const { bytes, view } = scratch

/** Minimum time between hashes on one connection: 200 a second, below a hundredth of a core. */
export const hashPauseMs = 5
/** A larger book is left to the comparison with the venue's own. */
const levelsMax = 500

const QUOTE = 0x22
const hashLength = 40
/** Offset of the market's id in the only form of frame whose hashes are recorded. */
const marketAt = '{"market":"'.length
const marketEnd = marketAt + 66

const shapes: readonly HashShape[] = [true, false].flatMap((padded) =>
  ['5', '15', '1'].flatMap((minOrderSize) => [false, true].map((negRisk) => ({ minOrderSize, negRisk, padded }))),
)

const prices = new Int32Array(levelsMax)
const sizes = new Float64Array(levelsMax)

/** `unknown`: inconclusive. `doubtful`: first mismatch. `wrong`: second consecutive mismatch, the book is not the one that was hashed. */
export type ChecksumResult = 'fits' | 'unknown' | 'doubtful' | 'wrong'

/** The frame is in the scratch area, its hash at `at`; the book has all changes of the frame, whose time is `ts`. */
export function checkChecksum(
  asset: AssetState,
  book: BookWriter,
  at: number,
  ts: number,
  recvTs: number,
): ChecksumResult {
  const { hashes } = asset
  hashes.checkedAt = recvTs
  if (bytes[at + hashLength] !== QUOTE || asset.tickMicros <= 0) return 'unknown'
  const reportedHash = text(at, at + hashLength)
  const head = `{"market":"${text(marketAt, marketEnd)}","asset_id":"${asset.id}","timestamp":"${ts}","hash":"",`
  const bids = levels(book, BID)
  const asks = levels(book, ASK)
  if (bids === null || asks === null) return 'unknown'
  const levelsText = `${head}"bids":[${bids}],"asks":[${asks}],`
  // Recorded on 2026-10-05.
  const version = isPositionId(asset.id) ? ',"version":"v2"' : ''
  const tail = `"tick_size":"${decimal(asset.tickMicros)}"`
  const { lastTradeMicros } = hashes
  const fits = ({ minOrderSize, negRisk, padded }: HashShape): boolean => {
    const last =
      lastTradeMicros === UNKNOWN ? '' : padded ? (lastTradeMicros / ONE).toFixed(3) : decimal(lastTradeMicros)
    const rest = `"min_order_size":"${minOrderSize}",${tail},"neg_risk":${negRisk},"last_trade_price":"${last}"${version}}`
    return hash('sha1', levelsText + rest) === reportedHash
  }
  const shape = hashes.shape === null ? shapes.find(fits) : fits(hashes.shape) ? hashes.shape : undefined
  if (shape !== undefined) {
    Object.assign(hashes, { shape, tries: 0, mismatchAt: 0, fitted: reportedHash })
    return 'fits'
  }
  if (hashes.shape === null) {
    hashes.tries++
    return 'unknown'
  }
  if (reportedHash === hashes.fitted) return 'unknown'
  if (hashes.mismatchAt === 0) {
    hashes.mismatchAt = recvTs
    return 'doubtful'
  }
  // After a mismatch a hash has to match before another one counts against the book.
  hashes.mismatchAt = 0
  hashes.shape = null
  return 'wrong'
}

/** Worst first, as the venue writes them; null when there are too many. */
function levels(book: BookWriter, side: BookSide): string | null {
  const count = book.copyLevels(side, levelsMax, prices, sizes)
  if (count === levelsMax) return null
  let out = ''
  for (let i = count - 1; i >= 0; i--) {
    out += `{"price":"${decimal(prices[i] as number)}","size":"${sizes[i]}"}`
    if (i > 0) out += ','
  }
  return out
}

const decimals = new Map<number, string>()

/** `0.41`: no trailing zeros. */
function decimal(micros: number): string {
  let found = decimals.get(micros)
  if (found === undefined) {
    found = String(micros / ONE)
    // There are at most ten thousand distinct prices; anything else is not worth caching.
    if (decimals.size < 20_000) decimals.set(micros, found)
  }
  return found
}

const text = (from: number, to: number): string => {
  let out = ''
  for (let i = from; i < to; i++) out += String.fromCharCode(view.getUint8(i))
  return out
}
