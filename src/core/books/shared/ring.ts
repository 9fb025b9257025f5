// Passes slot numbers from one thread to another through shared memory: no message, no allocation, no loss. Single producer, single consumer.

/** int32 words. Each end writes its own cache line to avoid contention. */
const control = { head: 0, tail: 16, sleeping: 32 } as const
const controlWords = 48

/** Memory of one ring, posted to the other thread once. */
export interface RingMemory {
  /** Control words, then the entries. */
  words: SharedArrayBuffer
  /** One int32 per slot: 1 while the slot waits in the ring. */
  dirty: SharedArrayBuffer
}

/**
 * `slots`: numbers 0 to slots − 1 may be pushed. `capacity` (rounded up to a power of two) bounds the queue. With the default a push
 * never finds the ring full: a slot is queued at most once, and once more in the batch being drained, whose places are freed at its end.
 */
export function createRing(slots: number, capacity = 2 * slots): RingMemory {
  const entries = 2 ** Math.ceil(Math.log2(Math.max(2, capacity)))
  return {
    words: new SharedArrayBuffer((controlWords + entries) * 4),
    dirty: new SharedArrayBuffer(slots * 4),
  }
}

export class RingProducer {
  private readonly words: Int32Array
  private readonly dirty: Int32Array
  private readonly mask: number
  /** Counts up through the int32 range and wraps; only differences are meaningful. */
  private tail: number
  private knownHead: number

  constructor({ words, dirty }: RingMemory) {
    this.words = new Int32Array(words)
    this.dirty = new Int32Array(dirty)
    this.mask = this.words.length - controlWords - 1
    this.tail = Atomics.load(this.words, control.tail)
    this.knownHead = Atomics.load(this.words, control.head)
  }

  /**
   * Queues a slot that has news; the consumer sees it after `flush`. True also when the slot is already queued: one visit sees
   * both. False when the ring is full or the slot does not exist: nothing was queued; push again after the consumer has moved on.
   */
  push(slot: number): boolean {
    if (!(slot >= 0 && slot < this.dirty.length)) return false
    if (Atomics.exchange(this.dirty, slot, 1) === 1) return true
    if (((this.tail - this.knownHead) | 0) > this.mask) {
      this.knownHead = Atomics.load(this.words, control.head)
      if (((this.tail - this.knownHead) | 0) > this.mask) {
        Atomics.store(this.dirty, slot, 0)
        return false
      }
    }
    this.words[controlWords + (this.tail & this.mask)] = slot
    this.tail = (this.tail + 1) | 0
    return true
  }

  /** True while the slot is queued. */
  waits(slot: number): boolean {
    return Atomics.load(this.dirty, slot) === 1
  }

  /** Makes the pushes since the last flush visible and wakes the consumer if it sleeps. Once per batch, not once per push. */
  flush(): void {
    Atomics.store(this.words, control.tail, this.tail)
    if (Atomics.load(this.words, control.sleeping) === 1) Atomics.notify(this.words, control.tail, 1)
  }
}

export class RingConsumer {
  private readonly words: Int32Array
  private readonly dirty: Int32Array
  private readonly mask: number
  private head: number

  constructor({ words, dirty }: RingMemory) {
    this.words = new Int32Array(words)
    this.dirty = new Int32Array(dirty)
    this.mask = this.words.length - controlWords - 1
    this.head = Atomics.load(this.words, control.head)
  }

  /** Visits queued slots, at most `max`, in the order pushed; returns how many. */
  drain(visit: (slot: number) => void, max = Infinity): number {
    const ready = (Atomics.load(this.words, control.tail) - this.head) | 0
    const count = Math.min(ready, max)
    for (let i = 0; i < count; i++) {
      const slot = this.words[controlWords + (this.head & this.mask)]!
      this.head = (this.head + 1) | 0
      // Before the visit: an update that arrives while the book is being read must queue the slot again.
      Atomics.store(this.dirty, slot, 0)
      visit(slot)
    }
    if (count > 0) Atomics.store(this.words, control.head, this.head)
    return count
  }

  /**
   * Blocks this thread until something is queued or the timeout passes; true when something is. Worker threads only.
   */
  wait(timeoutMs: number): boolean {
    Atomics.store(this.words, control.sleeping, 1)
    if (Atomics.load(this.words, control.tail) === this.head)
      Atomics.wait(this.words, control.tail, this.head, timeoutMs)
    Atomics.store(this.words, control.sleeping, 0)
    return Atomics.load(this.words, control.tail) !== this.head
  }
}
