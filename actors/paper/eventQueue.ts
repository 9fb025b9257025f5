// Events of paper orders that are not stored yet, in order, and the batches in which they are stored. An order is in a batch once: what follows
// under another version of it waits for the next batch.
import type { OrderEvents } from '#storage/postgres/paper/apply'

/** Orders per transaction. */
const ordersPerBatch = 100

export class EventQueue {
  private waiting: OrderEvents[] = []

  get size(): number {
    return this.waiting.length
  }

  add(events: readonly OrderEvents[]): void {
    for (const event of events) this.waiting.push(event)
  }

  clear(): void {
    this.waiting = []
  }

  /** To the front: they could not be stored. */
  putBack(events: OrderEvents): void {
    this.waiting.unshift(events)
  }

  /** Removes what waits of an order. */
  giveUp(executionId: string): OrderEvents[] {
    const given = this.waiting.filter((item) => item.executionId === executionId)
    this.waiting = this.waiting.filter((item) => item.executionId !== executionId)
    return given
  }

  /** The next batch, without the orders that wait; empty if nothing is left. */
  take(waits: (executionId: string) => boolean = () => false): OrderEvents[] {
    const batch = new Map<string, OrderEvents>()
    const rest: OrderEvents[] = []
    const held = new Set<string>()
    for (const item of this.waiting) {
      const { executionId, version, events } = item
      const known = batch.get(executionId)
      const fits = known === undefined ? batch.size < ordersPerBatch : known.version === version
      if (held.has(executionId) || !fits || waits(executionId)) {
        held.add(executionId)
        rest.push(item)
      } else batch.set(executionId, known === undefined ? item : { ...known, events: [...known.events, ...events] })
    }
    this.waiting = rest
    return [...batch.values()]
  }
}
