// Short digests of the results of a capture, equal for equal content: levels of a book, trades of an outcome.
import { createHash } from 'node:crypto'
import type { BookUpdate, TapeTradeRow } from '#schemas/topics'
import type { BookState } from './lines.ts'

const digestOf = (content: Buffer | string): string =>
  createHash('sha1').update(content).digest('base64url').slice(0, 16)

const timestamp = Buffer.from(',"timestamp":')
const asks = Buffer.from('"asks":[')
const bids = Buffer.from('"bids":[')
/** The text of one level is shorter. */
const levelMax = 80

/** The time is left out: at venues without one it is that of the receipt. */
export function stateOf({ marketId, state, staleReason, core }: BookUpdate): BookState {
  const end = core.lastIndexOf(timestamp)
  const levels = end < 0 ? core : core.subarray(0, end)
  const [bid, ask] = [bestAfter(levels, bids), bestAfter(levels, asks)]
  return {
    bookId: marketId,
    state,
    ...(staleReason === undefined ? {} : { reason: staleReason }),
    levels: digestOf(levels),
    ...(bid === undefined ? {} : { bid }),
    ...(ask === undefined ? {} : { ask }),
  }
}

function bestAfter(core: Buffer, side: Buffer): string | undefined {
  const from = core.indexOf(side)
  if (from < 0) return undefined
  const text = core.toString('latin1', from + side.length, from + side.length + levelMax)
  return /^\{[^}]*\}/.exec(text)?.[0]
}

/** Trades of one outcome, in order. */
export class TradeDigest {
  count = 0
  digest = ''

  add({ tradeId, ts, recvTs, priceMicros, size, side }: TapeTradeRow): void {
    this.count++
    // Without a time of its own a trade has that of its receipt, which a replay cannot repeat to the millisecond.
    const time = ts === recvTs ? '' : ts
    this.digest = digestOf(`${this.digest}\n${tradeId}|${time}|${priceMicros}|${size}|${side}`)
  }
}
