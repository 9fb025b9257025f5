// What paper orders took from the levels of one side of a book: not available to later paper orders until the venue changes the level.
import { levelIndex, reaches, type Side } from './levels.ts'
import type { PaperLevel } from './types.ts'

interface Taken {
  /** The level's size when it was taken from. */
  levelSize: number
  size: number
}

export class TakenVolume {
  private readonly side: Side
  private readonly byPrice = new Map<number, Taken>()

  /** `side`: of the levels. */
  constructor(side: Side) {
    this.side = side
  }

  get isEmpty(): boolean {
    return this.byPrice.size === 0
  }

  clear(): void {
    if (this.byPrice.size > 0) this.byPrice.clear()
  }

  /** Removes levels that the venue changed. */
  onLevels(levels: readonly PaperLevel[]): void {
    if (this.byPrice.size === 0) return
    for (const [price, { levelSize }] of this.byPrice) {
      const index = levelIndex(levels, this.side, price, 0)
      if (index < 0 || levels[index]![1] !== levelSize) this.byPrice.delete(price)
    }
  }

  /** Size that an order of the other side at `limit` can still take. */
  available(levels: readonly PaperLevel[], orderSide: Side, limit: number): number {
    let size = 0
    for (const level of levels) {
      if (!reaches(orderSide, limit, level[0])) break
      size += this.left(level)
    }
    return size
  }

  /** Takes up to `size` from the levels, best first, and reports each part. The result is what was not available. */
  take(
    levels: readonly PaperLevel[],
    orderSide: Side,
    limit: number,
    size: number,
    report: (price: number, size: number) => void,
  ): number {
    let wanted = size
    for (const level of levels) {
      const [price, levelSize] = level
      if (wanted === 0 || !reaches(orderSide, limit, price)) break
      const part = Math.min(wanted, this.left(level))
      if (part === 0) continue
      const before = this.byPrice.get(price)
      if (before === undefined) this.byPrice.set(price, { levelSize, size: part })
      else before.size += part
      wanted -= part
      report(price, part)
    }
    return wanted
  }

  private left([price, levelSize]: PaperLevel): number {
    return this.byPrice.size === 0 ? levelSize : Math.max(0, levelSize - (this.byPrice.get(price)?.size ?? 0))
  }
}
