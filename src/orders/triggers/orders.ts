// State of each order, by its handle: columns of numbers, since there may be a hundred thousand of them and one sample may affect all.
import { type CompiledRule, noTime, trails } from './rule.ts'

export interface ArmedOrder extends CompiledRule {
  /** Small and dense: the smallest free one. */
  handle: number
  /** Of this arming: handles are reused. */
  serial: number
  /** The book's slot in shared memory, and its generation at the time. */
  slot: number
  generation: number
}

export const free = 0
export const waiting = 1
export const decided = 2

export class Orders {
  capacity = 0
  state = new Uint8Array(0)
  /** 1: the listener was notified that the order is decided. */
  notified = new Uint8Array(0)
  complement = new Uint8Array(0)
  kind = new Uint8Array(0)
  serial = new Int32Array(0)
  slot = new Int32Array(0)
  key = new Int32Array(0)
  confirmations = new Int32Array(0)
  spreadMax = new Int32Array(0)
  trail = new Uint8Array(0)
  distance = new Int32Array(0)
  /** Of a trailing order: as a value of `bestKind`. */
  best = new Int32Array(0)
  /** Its index among the trailing ones of its kind. */
  bestPlace = new Int32Array(0)
  at = new Float64Array(0)
  /** 1: the time of `at` has come. */
  isDue = new Uint8Array(0)
  dwellMs = new Int32Array(0)
  /** Its index among the waiting ones of its kind, or among the decided ones of its book. */
  place = new Int32Array(0)
  /** Consecutive qualifying samples so far. */
  samples = new Int32Array(0)
  /** Number of the last sample of its book that was checked against it and qualified. */
  last = new Int32Array(0)
  sizeMin = new Float64Array(0)
  /** Time of the first of `samples`. */
  firstAt = new Float64Array(0)

  put(order: ArmedOrder): void {
    const { handle } = order
    while (handle >= this.capacity) this.grow()
    this.state[handle] = waiting
    this.notified[handle] = 0
    this.complement[handle] = order.complement ? 1 : 0
    this.kind[handle] = order.kind
    this.serial[handle] = order.serial
    this.slot[handle] = order.slot
    this.key[handle] = order.key
    this.confirmations[handle] = order.confirmations
    this.spreadMax[handle] = order.spreadMax
    this.dwellMs[handle] = order.dwellMs
    this.samples[handle] = 0
    this.trail[handle] = order.trail
    this.distance[handle] = order.distance
    this.best[handle] = order.best
    this.at[handle] = order.at
    this.isDue[handle] = 0
    this.sizeMin[handle] = order.sizeMin
  }

  isTimed(handle: number): boolean {
    return this.at[handle] !== noTime
  }

  isTrailing(handle: number): boolean {
    return this.trail[handle] !== trails.none
  }

  /** What `rule.ts` needs of a trailing order. */
  trailOf(handle: number): Pick<CompiledRule, 'kind' | 'complement' | 'trail' | 'distance'> {
    return {
      kind: this.kind[handle]!,
      complement: this.complement[handle] === 1,
      trail: this.trail[handle]!,
      distance: this.distance[handle]!,
    }
  }

  has(handle: number): boolean {
    return handle < this.capacity && this.state[handle] !== free
  }

  private grow(): void {
    this.capacity = Math.max(64, this.capacity * 2)
    const wider = <T extends Uint8Array | Int32Array | Float64Array>(column: T): T => {
      const Column = column.constructor as new (length: number) => T
      const grown = new Column(this.capacity)
      grown.set(column)
      return grown
    }
    this.state = wider(this.state)
    this.notified = wider(this.notified)
    this.complement = wider(this.complement)
    this.kind = wider(this.kind)
    this.serial = wider(this.serial)
    this.slot = wider(this.slot)
    this.key = wider(this.key)
    this.confirmations = wider(this.confirmations)
    this.spreadMax = wider(this.spreadMax)
    this.dwellMs = wider(this.dwellMs)
    this.place = wider(this.place)
    this.samples = wider(this.samples)
    this.last = wider(this.last)
    this.trail = wider(this.trail)
    this.distance = wider(this.distance)
    this.best = wider(this.best)
    this.bestPlace = wider(this.bestPlace)
    this.at = wider(this.at)
    this.isDue = wider(this.isDue)
    this.sizeMin = wider(this.sizeMin)
    this.firstAt = wider(this.firstAt)
  }
}
