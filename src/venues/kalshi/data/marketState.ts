// What a session remembers of one requested market.
import { ONE } from '#core/price'
import { CrossedDeltaBuffer } from './crossedDeltaBuffer.ts'

/** No snapshot has named the book's sid yet. */
export const noSid = -1
/** An empty side. */
export const nothing = -1

export interface Watched {
  ticker: string
  sid: number
  live: boolean
  /** Included in a sibling's command: its own resync need not ask again. */
  covered: boolean
  /** False: the command that requested it was refused because of another market. `alone`: because of one that the venue did not name. */
  isRequested: boolean
  alone: boolean
  /** A snapshot was requested although the book is live: one that repeats the current number is the answer. */
  confirming: boolean
  /** Venue time of the newest delta applied, epoch ms. */
  lastTs: number
  held: CrossedDeltaBuffer
  /** A ticker waiting to be compared: its time, and its best prices (`nothing` for an empty side). 0: none waits. */
  tickerTs: number
  tickerBid: number
  tickerAsk: number
  mismatches: number
}

/** Tickers use 0 or 1 for a side without quotes. */
export const quoted = (micros: number): number => (micros > 0 && micros < ONE ? micros : nothing)

export const watched = (ticker: string): Watched => ({
  ticker,
  sid: noSid,
  live: false,
  covered: false,
  isRequested: true,
  alone: false,
  confirming: false,
  lastTs: 0,
  held: new CrossedDeltaBuffer(),
  tickerTs: 0,
  tickerBid: nothing,
  tickerAsk: nothing,
  mismatches: 0,
})
