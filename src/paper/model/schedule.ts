// What becomes due at known times: arrivals of requests and expiries. Equal times keep the order in which they were added.

interface Due<T> {
  at: number
  what: T
}

export class Schedule<T extends { orderId: string }> {
  /** Latest first, so that the next one is removed from the end. */
  private readonly entries: Due<T>[] = []

  /** Infinity: nothing is due. */
  get nextAt(): number {
    return this.entries.at(-1)?.at ?? Number.POSITIVE_INFINITY
  }

  add(at: number, what: T): void {
    const { entries } = this
    let low = 0
    let high = entries.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (entries[middle]!.at > at) low = middle + 1
      else high = middle
    }
    entries.splice(low, 0, { at, what })
  }

  /** The next one. */
  shift(): Due<T> | undefined {
    return this.entries.pop()
  }

  /** Removes everything of an order. */
  remove(orderId: string): void {
    const { entries } = this
    for (let i = entries.length - 1; i >= 0; i--) if (entries[i]!.what.orderId === orderId) entries.splice(i, 1)
  }
}
