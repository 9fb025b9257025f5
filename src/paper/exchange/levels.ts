// A published book in the integer units of the fill model.
import type { BookUpdate } from '#schemas/topics'
import type { PaperBook, PaperLevel } from '../model/index.ts'

export const unitsPerOne = 1_000_000

export const toMillionths = (value: number): number => Math.round(value * unitsPerOne)

interface Core {
  bids: { price: number; size: number }[]
  asks: { price: number; size: number }[]
}

/** `at`: when it was received here, epoch ms. */
export function paperBookOf(update: BookUpdate, at: number): PaperBook {
  const { seq } = update
  if (update.state !== 'live') return { seq, at, isLive: false, bids: [], asks: [] }
  const { bids, asks } = JSON.parse(`${update.core.toString('latin1')}}`) as Core
  return { seq, at, isLive: true, bids: levelsOf(bids), asks: levelsOf(asks) }
}

const levelsOf = (levels: Core['bids']): PaperLevel[] =>
  levels.flatMap(({ price, size }): PaperLevel[] => {
    const units = toMillionths(size)
    return units > 0 && Number.isSafeInteger(units) ? [[toMillionths(price), units]] : []
  })
