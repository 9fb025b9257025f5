// Resting orders of one side, grouped by price: best price first, and in the order of their arrival within a price.
import { levelIndex, type Side, sizeWithin } from './levels.ts'
import { QueuePosition } from './queuePosition.ts'
import type { PaperBook, PaperLevel, PaperOrderRequest } from './types.ts'

export interface PaperOrder {
  readonly request: PaperOrderRequest
  remaining: number
  /** In flight until its latency has passed. */
  state: 'in_flight' | 'working' | 'closed'
  arrivesAt: number
  /** Entries of the schedule that name it. */
  dueCount: number
}

export interface RestingOrder {
  readonly order: PaperOrder
  readonly queue: QueuePosition
  /** Trades before this time cannot fill it. */
  restedAt: number
  /** Time of the book in which its queue position was read. */
  queuedAt: number
  /** Opposite size within its limit at the last check: only what was added since can fill it. Null: restored, and no book was seen yet. */
  crossedSize: number | null
}

export interface PriceGroup {
  readonly price: number
  /** In order of arrival. */
  readonly orders: RestingOrder[]
  /** The venue's size at this price in the last live book. */
  levelSize: number
  /** Where the level was in the last live book. */
  hint: number
  /** An opposite level was within this price in the last live book. */
  isCrossed: boolean
}

export class WorkingOrders {
  readonly side: Side
  /** Best price first. */
  readonly groups: PriceGroup[] = []

  constructor(side: Side) {
    this.side = side
  }

  rest(order: PaperOrder, restedAt: number, book: PaperBook | null, crossedSize: number | null): RestingOrder {
    const { groups, side } = this
    const { price } = order.request
    let at = 0
    while (at < groups.length && (side === 'buy' ? groups[at]!.price > price : groups[at]!.price < price)) at++
    let group = groups[at]
    if (group?.price !== price) {
      group = { price, orders: [], levelSize: 0, hint: 0, isCrossed: false }
      if (book !== null) this.locate(group, book)
      groups.splice(at, 0, group)
    }
    if (crossedSize !== null && crossedSize > 0) group.isCrossed = true
    const queuedAt = book?.at ?? Number.NEGATIVE_INFINITY
    const resting = { order, queue: new QueuePosition(group.levelSize), restedAt, queuedAt, crossedSize }
    group.orders.push(resting)
    return resting
  }

  remove(order: PaperOrder): void {
    const { groups } = this
    const at = groups.findIndex(({ price }) => price === order.request.price)
    const group = groups[at]
    if (group === undefined) return
    const index = group.orders.findIndex((resting) => resting.order === order)
    if (index >= 0) group.orders.splice(index, 1)
    if (group.orders.length === 0) groups.splice(at, 1)
  }

  /** Reads a live book that follows a live one. */
  follow(levels: readonly PaperLevel[], at: number, cancelShareAhead: number): void {
    const { groups, side } = this
    for (let i = 0; i < groups.length; i++) {
      const group = groups[i]!
      const known = levels[group.hint]
      let size = 0
      if (known !== undefined && known[0] === group.price) size = known[1]
      else {
        const index = levelIndex(levels, side, group.price, group.hint)
        if (index >= 0) {
          group.hint = index
          size = levels[index]![1]
        }
      }
      if (size === group.levelSize) continue
      const decrease = group.levelSize - size
      group.levelSize = size
      if (decrease <= 0) continue
      for (const { queue } of group.orders) queue.decreased(decrease, size, at, cancelShareAhead)
    }
  }

  /** Reads the first live book after a gap: everything queues at the end of its level. */
  requeue(book: PaperBook, at: number): void {
    for (const group of this.groups) {
      this.locate(group, book)
      for (const resting of group.orders) {
        resting.queue.requeue(group.levelSize)
        resting.restedAt = at
        resting.queuedAt = book.at
        if (resting.crossedSize !== null) continue
        resting.crossedSize = this.crossedSizeOf(group.price, book)
        if (resting.crossedSize > 0) group.isCrossed = true
      }
    }
  }

  /** Opposite size within `price`. */
  crossedSizeOf(price: number, book: PaperBook): number {
    return sizeWithin(this.side === 'buy' ? book.asks : book.bids, this.side, price)
  }

  private locate(group: PriceGroup, book: PaperBook): void {
    const levels = this.side === 'buy' ? book.bids : book.asks
    const index = levelIndex(levels, this.side, group.price, group.hint)
    group.hint = Math.max(0, index)
    group.levelSize = levels[index]?.[1] ?? 0
  }
}
