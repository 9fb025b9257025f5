// Trailing orders by the best price that each has seen: heaps like those of the levels, in the opposite direction, so that a sample that
// improves no best price costs the same at any number of orders.
import type { Sample } from './bookSample.ts'
import type { Orders } from './orders.ts'
import { Thresholds } from './priceHeap.ts'
import { bestKind, kinds, unreachable } from './rule.ts'

export class Trails {
  /** Orders whose best improved since that was last reported. */
  readonly improved = new Set<number>()
  private readonly orders: Orders
  private readonly heaps: (Thresholds | null)[]
  /** By slot and kind: the lowest value that improves a best. */
  private readonly tops: Int32Array
  /** By slot. */
  private readonly counts: Int32Array

  constructor(orders: Orders, slots: number) {
    this.orders = orders
    this.heaps = new Array<Thresholds | null>(slots * kinds.length).fill(null)
    this.tops = new Int32Array(slots * kinds.length).fill(unreachable)
    this.counts = new Int32Array(slots)
  }

  add(handle: number): void {
    const { orders } = this
    this.counts[orders.slot[handle]!]!++
    this.put(handle)
  }

  remove(handle: number): void {
    const { orders } = this
    this.improved.delete(handle)
    this.counts[orders.slot[handle]!]!--
    this.take(handle)
  }

  improves(slot: number, values: Int32Array): boolean {
    if (this.counts[slot] === 0) return false
    const { tops } = this
    const at = slot * kinds.length
    for (let kind = 0; kind < kinds.length; kind++) if (tops[at + kind]! <= values[kind]!) return true
    return false
  }

  /** Writes the handles whose best is improved into `into`, from `at` on; returns the end. */
  reached(slot: number, values: Int32Array, into: Int32Array, at: number): number {
    if (this.counts[slot] === 0) return at
    let end = at
    for (let kind = 0; kind < kinds.length; kind++)
      end = this.heaps[slot * kinds.length + kind]?.reached(values[kind]!, into, end) ?? end
    return end
  }

  /** Takes over the sample's value as the best; false: it is not better. */
  improve(handle: number, { values }: Sample): boolean {
    const { orders } = this
    const value = values[bestKind(orders.kind[handle]!)]!
    if (value <= orders.best[handle]!) return false
    this.take(handle)
    orders.best[handle] = value
    this.put(handle)
    this.improved.add(handle)
    return true
  }

  private put(handle: number): void {
    const { orders } = this
    const at = this.indexOf(handle)
    const heap = this.heaps[at] ?? new Thresholds()
    this.heaps[at] = heap
    heap.add(orders.best[handle]! + 1, handle, orders.bestPlace)
    this.tops[at] = heap.top
  }

  private take(handle: number): void {
    const at = this.indexOf(handle)
    const heap = this.heaps[at]!
    heap.remove(handle, this.orders.bestPlace)
    this.tops[at] = heap.top
    if (heap.size === 0) this.heaps[at] = null
  }

  private indexOf(handle: number): number {
    const { orders } = this
    return orders.slot[handle]! * kinds.length + bestKind(orders.kind[handle]!)
  }
}
