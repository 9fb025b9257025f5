// The triggers engine without a thread: a flush evaluates the changed books before it returns.
import { SharedBooksReader, SharedDepth } from '#core/books/shared/index'
import { systemClock } from '#core/clock'
import type { CreateEngine } from '#orders/triggers/engine'
import { Triggers } from '#orders/triggers/triggers'

export const inlineTriggers =
  (arena: SharedArrayBuffer): CreateEngine =>
  ({ notified: report }) => {
    const reader = new SharedBooksReader(arena)
    const depth = new SharedDepth()
    const held = new Triggers(reader.capacity)
    const touched = new Set<number>()
    const bookOf = (slot: number, generation: number) =>
      reader.read(slot, depth, generation, 1) === 'ok' ? depth : null
    return {
      get armed() {
        return held.armed
      },
      isAwake: true,
      start: () => undefined,
      arm(orders) {
        for (const order of orders) {
          const { slot, generation } = order
          if (held.isNew(slot, generation)) held.follow(slot, generation, bookOf(slot, generation))
          held.arm(order)
        }
      },
      disarm: (handles) => handles.forEach(held.disarm, held),
      touch: (slot) => void touched.add(slot),
      flush() {
        for (const slot of touched)
          if (held.holds(slot)) held.take(slot, bookOf(slot, held.generationOf(slot)), systemClock.steady())
        touched.clear()
        for (const slot of held.becomeDue(systemClock.now()))
          held.take(slot, bookOf(slot, held.generationOf(slot)), systemClock.steady())
        while (held.work(Infinity, () => undefined));
        while (held.hasNotices) report(held.drain(Infinity))
      },
      stop: async () => undefined,
    }
  }
