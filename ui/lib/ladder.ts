// A book as rows to draw: a fixed number of rows per side, each with its cumulative size.
import type { Level } from '#schemas/marketData'

export interface LadderRow {
  price: number
  size: number
  /** Contracts from the best level to this one. */
  depth: number
  /** `depth` as a share of the deeper side, 0 to 1. */
  share: number
  /** In a merged book: the venues with orders at this price. */
  venues?: readonly { id: string; size: number }[] | undefined
}

export interface Ladder {
  /** Best first; null where there is no such level. */
  bids: (LadderRow | null)[]
  asks: (LadderRow | null)[]
  /** Null while one side is empty. */
  spread: number | null
}

type Drawn = Level & Pick<LadderRow, 'venues'>

export interface Sides {
  bids: readonly Drawn[]
  asks: readonly Drawn[]
}

export function ladderOf({ bids, asks }: Sides, rows: number): Ladder {
  const most = Math.max(depthOf(bids, rows), depthOf(asks, rows))
  const [bid, ask] = [bids[0], asks[0]]
  return {
    bids: drawn(bids, rows, most),
    asks: drawn(asks, rows, most),
    spread: bid === undefined || ask === undefined ? null : Math.round((ask.price - bid.price) * 1e6) / 1e6,
  }
}

const depthOf = (levels: readonly Level[], rows: number): number =>
  levels.slice(0, rows).reduce((sum, { size }) => sum + size, 0)

function drawn(levels: readonly Drawn[], rows: number, most: number): (LadderRow | null)[] {
  let depth = 0
  return Array.from({ length: rows }, (_, i) => {
    const level = levels[i]
    if (level === undefined) return null
    depth += level.size
    return { ...level, depth, share: depth / most }
  })
}
