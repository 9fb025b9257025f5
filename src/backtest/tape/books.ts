// Books of the tape as the stream shows them, and as the fill model takes them.
import { ONE } from '#core/price'
import type { PaperBook, PaperTrade } from '#paper/model/index'
import type { TradeData } from '#schemas/topics'

export interface TapeLevel {
  price: number
  size: number
}

export interface TapeBook {
  bids: readonly TapeLevel[]
  asks: readonly TapeLevel[]
  /** Of the event, epoch ms. */
  timestamp: number
}

/** Millionths of a contract. */
export const sizeUnits = 1_000_000

interface ReusedBook extends PaperBook {
  bids: [price: number, size: number][]
  asks: [price: number, size: number][]
}

const empty = (): ReusedBook => ({ seq: 0, at: 0, isLive: false, bids: [], asks: [] })

/** Books of one feed for the fill model, which keeps each until the next one: two take turns, so that events allocate none. */
export class PaperBooks {
  private next = empty()
  private last = empty()

  of(book: TapeBook, seq: number, at: number, isLive: boolean): PaperBook {
    const made = this.next
    this.next = this.last
    this.last = made
    made.seq = seq
    made.at = at
    made.isLive = isLive
    fill(made.bids, book.bids)
    fill(made.asks, book.asks)
    return made
  }
}

function fill(levels: ReusedBook['bids'], from: readonly TapeLevel[]): void {
  if (levels.length > from.length) levels.length = from.length
  for (let i = 0; i < from.length; i++) {
    const { price, size } = from[i]!
    const level = levels[i]
    if (level === undefined) levels.push([Math.round(price * ONE), Math.round(size * sizeUnits)])
    else {
      level[0] = Math.round(price * ONE)
      level[1] = Math.round(size * sizeUnits)
    }
  }
}

const takerSides = { Buy: 'buy', Sell: 'sell', Unknown: null } as const

/** Null: a trade without a price cannot fill anything. */
export const paperTradeOf = ({ id, price, shares, type }: TradeData, at: number): PaperTrade | null =>
  price === null
    ? null
    : { id, at, price: Math.round(price * ONE), size: Math.round(shares * sizeUnits), takerSide: takerSides[type] }

const mirrorLevel = ({ price, size }: TapeLevel): TapeLevel => ({ price: (ONE - Math.round(price * ONE)) / ONE, size })

/** The same book from the other side. */
export const mirrored = ({ bids, asks, timestamp }: TapeBook): TapeBook => ({
  bids: asks.map(mirrorLevel),
  asks: bids.map(mirrorLevel),
  timestamp,
})

/** Micros; null: one side is empty. */
export function midOf({ bids, asks }: TapeBook): number | null {
  const bid = bids[0]
  const ask = asks[0]
  return bid === undefined || ask === undefined ? null : Math.round(((bid.price + ask.price) * ONE) / 2)
}
