// The armed orders, by id and by the small number they have at the worker, each with the book it waits for. Books with waiting orders have a slot in
// shared memory; an order whose book cannot be watched stays armed, and watching is retried from time to time. A stopped order (trading is halted)
// is not watched until it is added again.
import type { SlotHandle } from '#core/books/shared/index'
import type { NewBest } from '#orders/triggers/decision'
import type { TriggerEngine } from '#orders/triggers/engine'
import type { ArmedOrder } from '#orders/triggers/orders'
import { bestValue, compileRule, trails } from '#orders/triggers/rule'
import type { WatchedOrder } from '#storage/postgres/conditional/find'
import type { TrailBest } from '#storage/postgres/conditional/trailBests'
import { UnsavedBests } from './unsavedBests.ts'

/** Location of an outcome's book. */
export interface TriggerSource {
  bookId: string
  /** The outcome is one minus that book. */
  complement: boolean
}

interface Held {
  id: string
  accountId: string
  venue: string
  bookId: string
  armed: ArmedOrder
  /** Of the row that it was put from. */
  changedIn: string
}

export interface BlockedOrder {
  id: string
  accountId: string
  venue: string
  /** On a monotonic clock. */
  since: number
}

export interface ArmedSetOptions {
  engine: Pick<TriggerEngine, 'arm' | 'disarm'>
  /** Null: no free slot. */
  slotOf(venue: string, bookId: string): SlotHandle | null
  /** The book is live now. */
  isProven(venue: string, bookId: string): boolean
}

/** Handles per message. */
const armedPerMessage = 1_000

export class ArmedSet {
  /** Books were added or removed since this was last set to false. */
  booksChanged = false
  readonly bests = new UnsavedBests()
  private readonly options: ArmedSetOptions
  /** By handle. */
  private readonly held: (Held | null)[] = []
  private readonly freeHandles: number[] = []
  private readonly handles = new Map<string, number>()
  /** By venue and book: orders waiting on it. */
  private readonly waiting = new Map<string, Map<string, number>>()
  private readonly unwatched = new Map<string, WatchedOrder>()
  private readonly stoppedById = new Map<string, BlockedOrder>()
  private serials = 0
  private toArm: ArmedOrder[] = []
  private toDisarm: number[] = []

  constructor(options: ArmedSetOptions) {
    this.options = options
  }

  /** Orders whose books are watched. */
  get watchedCount(): number {
    return this.handles.size
  }

  /** Armed orders whose books cannot be watched now. */
  get unwatchedCount(): number {
    return this.unwatched.size
  }

  /** Armed orders that are stopped. */
  get stoppedCount(): number {
    return this.stoppedById.size
  }

  /** In its current arming: an order that triggered and was armed again is a different one. */
  has({ id, changed_in }: Pick<WatchedOrder, 'id' | 'changed_in'>): boolean {
    const handle = this.handles.get(id)
    return handle !== undefined && this.held[handle]!.changedIn === changed_in
  }

  /** Different from `has`: it may be armed without being watched. */
  unwatchedOrders(limit: number): WatchedOrder[] {
    const orders: WatchedOrder[] = []
    for (const order of this.unwatched.values()) if (orders.push(order) === limit) break
    // The following ones come first next time.
    for (const order of orders) {
      this.unwatched.delete(order.id)
      this.unwatched.set(order.id, order)
    }
    return orders
  }

  /** Sent to the worker at the next `flush`. Null: its book cannot be watched. */
  put(order: WatchedOrder, source: TriggerSource | null): void {
    const { id, venue, account_id: accountId, changed_in: changedIn } = order
    if (this.has(order)) return
    // Its counts so far are void.
    this.drop(id)
    const slot = source === null ? null : this.options.slotOf(venue, source.bookId)
    if (source === null || slot === null) {
      this.unwatched.set(id, order)
      return
    }
    const handle = this.freeHandles.pop() ?? this.held.length
    this.serials = (this.serials + 1) | 0
    const { generation } = slot
    const rule = compileRule(order.trigger_rule, source.complement)
    let { best } = rule
    for (const own of [order.trail_best, this.bests.get(id)])
      if (own !== null) best = Math.max(best, bestValue(rule, own))
    const armed: ArmedOrder = { ...rule, handle, serial: this.serials, slot: slot.slot, generation, best }
    this.held[handle] = { id, accountId, venue, bookId: source.bookId, armed, changedIn }
    this.handles.set(id, handle)
    this.count(venue, source.bookId, 1)
    this.toArm.push(armed)
  }

  /** Best prices as the worker reports them: kept for a worker that starts again, and to be saved. */
  improve(bests: readonly NewBest[]): void {
    for (const { best, ...arming } of bests) {
      const id = this.idOf(arming)
      if (id === null) continue
      const { armed } = this.held[arming.handle]!
      armed.best = Math.max(armed.best, bestValue(armed, best))
      this.bests.note({ id, best })
    }
  }

  /** The stored best of an order, perhaps of another process. If it is better, the order is armed with it: its count starts over. */
  adopt({ id, best }: TrailBest): void {
    const handle = this.handles.get(id)
    if (handle === undefined) return
    const held = this.held[handle]!
    const value = bestValue(held.armed, best)
    if (held.armed.trail === trails.none || value <= held.armed.best) return
    this.serials = (this.serials + 1) | 0
    held.armed = { ...held.armed, best: value, serial: this.serials }
    this.toArm.push(held.armed)
  }

  /** False: its book may have stopped being live without the worker having noticed. */
  isProven(arming: Pick<ArmedOrder, 'handle' | 'serial'>): boolean {
    const held = this.held[arming.handle]
    return held?.armed.serial === arming.serial && this.options.isProven(held.venue, held.bookId)
  }

  /** It is no longer armed, or no longer to be watched. */
  drop(id: string): void {
    this.unwatched.delete(id)
    this.stoppedById.delete(id)
    const handle = this.handles.get(id)
    if (handle === undefined) return
    const { venue, bookId } = this.held[handle]!
    this.handles.delete(id)
    this.held[handle] = null
    this.count(venue, bookId, -1)
    // The handle is reused only once the worker knows: until then it belongs to this order.
    this.toDisarm.push(handle)
  }

  /** Only if it is still this arming. */
  dropArming(arming: Pick<ArmedOrder, 'handle' | 'serial'>): void {
    const id = this.idOf(arming)
    if (id !== null) this.drop(id)
  }

  /** Not watched until it is put again; then it counts from zero. */
  stop({ id, accountId, venue, since }: BlockedOrder): void {
    this.drop(id)
    this.stoppedById.set(id, { id, accountId, venue, since })
  }

  stopArming(arming: Pick<ArmedOrder, 'handle' | 'serial'>, since: number): void {
    const held = this.held[arming.handle]
    if (held?.armed.serial === arming.serial) this.stop({ ...held, since })
  }

  /** Stops all watched orders that satisfy the predicate. */
  stopWhere(isStopped: (of: { accountId: string; venue: string }) => boolean, since: number): void {
    for (const held of this.held) if (held !== null && isStopped(held)) this.stop({ ...held, since })
  }

  stoppedOrders(): IterableIterator<BlockedOrder> {
    return this.stoppedById.values()
  }

  /** If it is still this arming; null: it is gone. */
  idOf({ handle, serial }: Pick<ArmedOrder, 'handle' | 'serial'>): string | null {
    const held = this.held[handle]
    return held?.armed.serial === serial ? held.id : null
  }

  isWaitedFor(venue: string, bookId: string): boolean {
    return this.waiting.get(venue)?.has(bookId) === true
  }

  /** Sends additions and removals to the worker. */
  flush(): void {
    const { toArm, toDisarm } = this
    this.toArm = []
    this.toDisarm = []
    if (toDisarm.length > 0) this.options.engine.disarm(toDisarm)
    for (const handle of toDisarm) this.freeHandles.push(handle)
    // One that was removed before it was sent.
    const still = toArm.filter(({ handle, serial }) => this.held[handle]?.armed.serial === serial)
    if (still.length > 0) this.options.engine.arm(still)
  }

  /** Sends all orders to a worker that has none, a part at a time. */
  *sendAll(): Generator<void, void, void> {
    for (let from = 0; from < this.held.length; from += armedPerMessage) {
      const stretch: ArmedOrder[] = []
      for (const held of this.held.slice(from, from + armedPerMessage)) if (held !== null) stretch.push(held.armed)
      if (stretch.length > 0) this.options.engine.arm(stretch)
      yield
    }
  }

  private count(venue: string, bookId: string, by: 1 | -1): void {
    const books = this.waiting.get(venue) ?? new Map<string, number>()
    this.waiting.set(venue, books)
    const before = books.get(bookId) ?? 0
    if (before + by > 0) books.set(bookId, before + by)
    else books.delete(bookId)
    if (before === 0 || before + by === 0) this.booksChanged = true
  }
}
