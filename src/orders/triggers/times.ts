// Orders that wait for a time, and then for a live book: those whose time has not come, and by slot those whose book has not been live since.
import type { Orders } from './orders.ts'
import { noTime } from './rule.ts'

export class Times {
  /** The next one; may be that of an order that was removed. */
  nextAt = noTime
  /** Time of the last check for due orders. A book read after it is dated no earlier, even if the steady clock is behind the machine's clock. */
  checkedAt = 0
  private readonly orders: Orders
  private readonly ahead = new Set<number>()
  private readonly due = new Map<number, Set<number>>()

  constructor(orders: Orders) {
    this.orders = orders
  }

  add(handle: number): void {
    const { orders } = this
    if (orders.isDue[handle] === 1) this.addDue(handle)
    else {
      this.ahead.add(handle)
      this.nextAt = Math.min(this.nextAt, orders.at[handle]!)
    }
  }

  remove(handle: number): void {
    if (this.ahead.delete(handle)) return
    const slot = this.orders.slot[handle]!
    const handles = this.due.get(slot)!
    handles.delete(handle)
    if (handles.size === 0) this.due.delete(slot)
  }

  hasDue(slot: number): boolean {
    return this.due.size > 0 && this.due.has(slot)
  }

  dueOf(slot: number): Iterable<number> {
    return this.due.get(slot) ?? []
  }

  /** Orders whose time has come from now on count as due; returns their slots. One pass over all that wait, at most once for each time. */
  begin(now: number): Set<number> {
    this.checkedAt = now
    const slots = new Set<number>()
    if (now < this.nextAt) return slots
    const { orders } = this
    this.nextAt = noTime
    for (const handle of this.ahead) {
      const at = orders.at[handle]!
      if (at > now) {
        this.nextAt = Math.min(this.nextAt, at)
        continue
      }
      this.ahead.delete(handle)
      orders.isDue[handle] = 1
      this.addDue(handle)
      slots.add(orders.slot[handle]!)
    }
    return slots
  }

  private addDue(handle: number): void {
    const slot = this.orders.slot[handle]!
    const handles = this.due.get(slot) ?? new Set<number>()
    this.due.set(slot, handles)
    handles.add(handle)
  }
}
