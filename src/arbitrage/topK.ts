// The best few of many, without sorting all of them: a heap of those kept, the worst on top.

export class TopK<T> {
  private readonly limit: number
  private readonly order: (a: T, b: T) => number
  private readonly heap: T[] = []

  /** Keeps at most `limit`: the first ones in `order`. */
  constructor(limit: number, order: (a: T, b: T) => number) {
    this.limit = limit
    this.order = order
  }

  offer(item: T): void {
    const { heap } = this
    if (heap.length < this.limit) this.rise(heap.push(item) - 1)
    else if (this.limit > 0 && this.order(item, heap[0]!) < 0) {
      heap[0] = item
      this.sink()
    }
  }

  /** Best first. Nothing may be offered afterwards. */
  sorted(): T[] {
    return this.heap.sort(this.order)
  }

  private rise(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1
      if (this.order(this.heap[at]!, this.heap[parent]!) <= 0) return
      this.swap(at, parent)
      at = parent
    }
  }

  private sink(): void {
    const { heap, order } = this
    for (let at = 0; ; ) {
      const left = 2 * at + 1
      if (left >= heap.length) return
      const worse = left + 1 < heap.length && order(heap[left + 1]!, heap[left]!) > 0 ? left + 1 : left
      if (order(heap[at]!, heap[worse]!) >= 0) return
      this.swap(at, worse)
      at = worse
    }
  }

  private swap(a: number, b: number): void {
    const { heap } = this
    const item = heap[a]!
    heap[a] = heap[b]!
    heap[b] = item
  }
}

export function bestOf<T>(items: Iterable<T>, limit: number, order: (a: T, b: T) => number): T[] {
  const best = new TopK(limit, order)
  for (const item of items) best.offer(item)
  return best.sorted()
}
