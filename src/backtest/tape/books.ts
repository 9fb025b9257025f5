// Books of the tape as the stream shows them, and as the fill model takes them.
import { ONE } from '#core/price'
import type { PaperBook, PaperLevel, PaperTrade } from '#paper/model/index'
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

const paperLevel = ({ price, size }: TapeLevel): PaperLevel => [Math.round(price * ONE), Math.round(size * sizeUnits)]

export const paperBookOf = (book: TapeBook, seq: number, at: number, isLive: boolean): PaperBook => ({
  seq,
  at,
  isLive,
  bids: book.bids.map(paperLevel),
  asks: book.asks.map(paperLevel),
})

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
