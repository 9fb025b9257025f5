// The hash that every change carries, held against the book we made of the changes: a level lost far behind the best shows in nothing else.
//
// It is the SHA-1 of the whole book as compact JSON (py-clob-client `utilities.py`), which eleven recorded books bear out. Two of its members, the
// least order size and whether the market is a neg-risk one, are in no frame of the socket, and the last trade's price is written in two
// ways: they are found by trying until a hash fits. Until one has, nothing is judged; so a venue that hashes otherwise costs a few tries and
// no book. The last trade's price may stand in a hash before any frame tells it (py-clob-client-v2 issue 117, 88 ms): hence two hashes must
// disagree, some time apart, and after every trade and snapshot one has to fit anew.
import { hash } from 'node:crypto'
import { ONE } from '#lib/price'
import { ASK, BID, type BookSide, type BookWriter } from '../../venue.ts'
import type { AssetState } from './assets.ts'
import { UNSAID } from './frame.ts'
import { scratch } from './scratch.ts'

const { bytes, view } = scratch

/** A book is hashed no more often than this: some 30 us for a hundred levels. */
export const hashEveryMs = 250
/** And any book of a connection no more often than this: 200 a second, below a hundredth of a core. */
export const hashPauseMs = 5
/** A book that did not fit is judged again by the first change after this. */
export const hashConfirmMs = 250
/** Hashes of an asset that nothing fits before nobody tries any more, until its next snapshot. */
const triesMax = 5
/** A larger book is left to the comparison with the venue's own. */
const levelsMax = 500

const QUOTE = 0x22
const hashLength = 40
/** Where the market's id stands in the one form of frame whose hashes are noted. */
const marketAt = '{"market":"'.length
const marketEnd = marketAt + 66

export interface HashShape {
  minOrderSize: string
  negRisk: boolean
  /** The last trade's price as `0.870`, else as `0.87`. */
  padded: boolean
}
const shapes: readonly HashShape[] = [true, false].flatMap((padded) =>
  ['5', '15', '1'].flatMap((minOrderSize) => [false, true].map((negRisk) => ({ minOrderSize, negRisk, padded }))),
)

/** What is known of an asset's hash. Times are of receipt, epoch ms. */
export class HashState {
  /** With which the last hash fitted; null before one did. */
  shape: HashShape | null = null
  tries = 0
  checkedAt = 0
  /** A hash that did not fit, and none since that did; 0: none. */
  doubtAt = 0
  /** The last one that fitted: the same again beside another book is a hash that was not made anew. */
  fitted = ''
  lastTradeMicros = UNSAID

  /** A snapshot has replaced the book, or there was a trade. Snapshots after the first do not always say the price. */
  renew(lastTradeMicros: number): void {
    if (lastTradeMicros !== this.lastTradeMicros) this.shape = null
    if (lastTradeMicros !== UNSAID) this.lastTradeMicros = lastTradeMicros
    this.doubtAt = 0
    this.tries = 0
  }

  isDue(recvTs: number): boolean {
    if (this.doubtAt !== 0) return Math.abs(recvTs - this.doubtAt) >= hashConfirmMs
    return Math.abs(recvTs - this.checkedAt) >= hashEveryMs && this.tries < triesMax
  }
}

const prices = new Int32Array(levelsMax)
const sizes = new Float64Array(levelsMax)

/** `unknown`: it says nothing. `doubtful`: it did not fit for the first time. `wrong`: twice in a row, the book is not the one that was hashed. */
export type HashVerdict = 'fits' | 'unknown' | 'doubtful' | 'wrong'

/** The frame stands in the scratch area, its hash at `at`; the book has all changes of the frame, whose time is `ts`. */
export function judgeHash(asset: AssetState, book: BookWriter, at: number, ts: number, recvTs: number): HashVerdict {
  const { hashes } = asset
  hashes.checkedAt = recvTs
  if (bytes[at + hashLength] !== QUOTE || asset.tickMicros <= 0) return 'unknown'
  const told = text(at, at + hashLength)
  const head = `{"market":"${text(marketAt, marketEnd)}","asset_id":"${asset.id}","timestamp":"${ts}","hash":"",`
  const bids = levels(book, BID)
  const asks = levels(book, ASK)
  if (bids === null || asks === null) return 'unknown'
  const levelsText = `${head}"bids":[${bids}],"asks":[${asks}],`
  const tail = `"tick_size":"${decimal(asset.tickMicros)}"`
  const { lastTradeMicros } = hashes
  const fits = ({ minOrderSize, negRisk, padded }: HashShape): boolean => {
    const last =
      lastTradeMicros === UNSAID ? '' : padded ? (lastTradeMicros / ONE).toFixed(3) : decimal(lastTradeMicros)
    const rest = `"min_order_size":"${minOrderSize}",${tail},"neg_risk":${negRisk},"last_trade_price":"${last}"}`
    return hash('sha1', levelsText + rest) === told
  }
  const shape = hashes.shape === null ? shapes.find(fits) : fits(hashes.shape) ? hashes.shape : undefined
  if (shape !== undefined) {
    Object.assign(hashes, { shape, tries: 0, doubtAt: 0, fitted: told })
    return 'fits'
  }
  if (hashes.shape === null) {
    hashes.tries++
    return 'unknown'
  }
  if (told === hashes.fitted) return 'unknown'
  if (hashes.doubtAt === 0) {
    hashes.doubtAt = recvTs
    return 'doubtful'
  }
  // Whatever was wrong, the next hash has to fit before another is believed against a book.
  hashes.doubtAt = 0
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
    // Prices are at most ten thousand different ones; anything else is not worth keeping.
    if (decimals.size < 20_000) decimals.set(micros, found)
  }
  return found
}

const text = (from: number, to: number): string => {
  let out = ''
  for (let i = from; i < to; i++) out += String.fromCharCode(view.getUint8(i))
  return out
}
