// Evaluates armed orders against their books, sample by sample. Pure: books come in, decisions go out.
//
//   waiting ─qualifies at enough samples in a row, for long enough─► decided ─disarm─► gone
//      ▲                                                                │
//      └──── the book leaves, or becomes untrustworthy, before that ────┘
//
// An order is only evaluated while its level is reached: a sample that reaches nothing costs the same at any number of orders. One that was
// counting and is not evaluated, or does not qualify, starts over automatically, because its last sample is not the preceding one.
// The level of a trailing order moves with its best price (trails.ts). An order with a time counts nothing: it is decided by the first live book
// at that time or later, which need not be a new sample (times.ts).

import { type BookRead, isCrossed, Sample } from './bookSample.ts'
import { evidenceOf, type NewBest, type TriggerEvents, type Verdict } from './decision.ts'
import { type ArmedOrder, decided, free, Orders, waiting } from './orders.ts'
import { Thresholds } from './priceHeap.ts'
import { kinds, ownBest, trailingKey, unreachable } from './rule.ts'
import { Times } from './times.ts'
import { Trails } from './trails.ts'

/** Sequence of a slot that no book was written to. */
const unread = 0

/** More than these are evaluated for a sample in several turns. */
const atOnceMax = 256

/** Orders that one sample concerns, evaluated a stretch at a time. */
interface Pass {
  slot: number
  /** Number of the sample. */
  number: number
  /** Null: there is none, the book cannot be trusted. */
  sample: Sample | null
  /** Earlier counts and decisions are void. */
  isBroken: boolean
  handles: Int32Array
  /** The first of them that was not decided before. */
  waitingFrom: number
  /** The first of them whose best may improve. */
  bestsFrom: number
  at: number
}

export class Triggers {
  /** Orders held. */
  armed = 0
  private readonly orders = new Orders()
  private readonly trails: Trails
  private readonly timed = new Times(this.orders)
  private readonly heaps: (Thresholds | null)[]
  /** By slot and kind: what reaches the first order. */
  private readonly tops: Int32Array
  /** By slot. */
  private readonly counts: Int32Array
  private readonly generations: Int32Array
  private readonly breaks: Int32Array
  private readonly numbers: Int32Array
  private readonly seqs: Float64Array
  private readonly times: Float64Array
  private readonly isBusy: Uint8Array
  private readonly isMissed: Uint8Array
  private readonly decidedOf = new Map<number, number[]>()
  private readonly passes: Pass[] = []
  /** Pending notices, the newest of each order. Null: it is withdrawn. */
  private readonly outbox = new Map<number, Verdict | null>()
  private readonly sample = new Sample()
  private list = new Int32Array(64)

  /** Slots are 0 to `slots` − 1. */
  constructor(slots: number) {
    this.heaps = new Array<Thresholds | null>(slots * kinds.length).fill(null)
    this.tops = new Int32Array(slots * kinds.length).fill(unreachable)
    this.trails = new Trails(this.orders, slots)
    this.counts = new Int32Array(slots)
    this.generations = new Int32Array(slots)
    this.breaks = new Int32Array(slots)
    this.numbers = new Int32Array(slots)
    this.seqs = new Float64Array(slots)
    this.times = new Float64Array(slots)
    this.isBusy = new Uint8Array(slots)
    this.isMissed = new Uint8Array(slots)
  }

  /** An order waits for its book. */
  holds(slot: number): boolean {
    return this.counts[slot]! > 0
  }

  /** The required generation of the slot. */
  generationOf(slot: number): number {
    return this.generations[slot]!
  }

  /** True: the book must be followed from its current state, by `follow`, before an order on it is armed. */
  isNew(slot: number, generation: number): boolean {
    return this.counts[slot] === 0 || this.generations[slot] !== generation
  }

  /**
   * The book's current state is from before any order waited: samples begin with the next sequence. Null, or a book that was never written: its
   * first state may be as old.
   */
  follow(slot: number, generation: number, book: BookRead | null): void {
    if (this.counts[slot]! > 0) throw new Error('a slot changed hands while orders wait on its book')
    this.generations[slot] = generation
    this.breaks[slot] = book?.breaks ?? 0
    this.seqs[slot] = book?.seq ?? unread
    this.times[slot] = Number.NEGATIVE_INFINITY
  }

  arm(order: ArmedOrder): void {
    const { orders } = this
    const { handle, slot } = order
    this.disarm(handle)
    orders.put(order)
    // A current sample that is still being evaluated does not apply to this one.
    orders.last[handle] = this.numbers[slot]!
    this.counts[slot]!++
    this.armed++
    if (orders.isTrailing(handle)) {
      orders.key[handle] = trailingKey(orders.trailOf(handle), order.best)
      this.trails.add(handle)
    }
    this.wait(handle)
  }

  disarm(handle: number): void {
    const { orders } = this
    if (!orders.has(handle)) return
    if (orders.state[handle] === waiting) this.unwait(handle)
    else this.undecide(handle)
    if (orders.isTrailing(handle)) this.trails.remove(handle)
    orders.state[handle] = free
    this.outbox.delete(handle)
    this.counts[orders.slot[handle]!]!--
    this.armed--
  }

  /**
   * The book as read now; null: the slot belongs to another. `now`: epoch ms, on a monotonic clock. False: an earlier sample of it is
   * still being evaluated, and `again` of `work` asks for the book again.
   */
  take(slot: number, book: BookRead | null, now: number): boolean {
    if (this.isBusy[slot] === 1) {
      this.isMissed[slot] = 1
      return false
    }
    if (book === null || book.stale || isCrossed(book)) {
      this.numbers[slot]!++
      if (this.hasDecided(slot)) this.begin(slot, null, true)
      return true
    }
    let isBroken = book.breaks !== this.breaks[slot]
    this.breaks[slot] = book.breaks
    if (book.seq === this.seqs[slot]) {
      if (isBroken) {
        this.numbers[slot]!++
        if (this.hasDecided(slot)) this.begin(slot, null, true)
      }
      this.beginDue(slot, book, now)
      return true
    }
    const { sample } = this
    sample.read(book, now, Math.max(now, this.timed.checkedAt))
    isBroken ||= sample.time < this.times[slot]!
    const isFirst = this.seqs[slot] === unread
    this.seqs[slot] = sample.seq
    this.times[slot] = sample.time
    this.numbers[slot]! += isBroken ? 2 : 1
    if (isFirst) {
      this.beginDue(slot, book, now)
      return true
    }
    const { values } = sample
    if (
      this.reaches(slot, values) ||
      this.trails.improves(slot, values) ||
      this.hasDecided(slot) ||
      this.timed.hasDue(slot)
    )
      this.begin(slot, sample, isBroken)
    return true
  }

  /** When the next order with a time becomes due; may be too early. */
  get nextAt(): number {
    return this.timed.nextAt
  }

  /** Slots of orders that became due: their books must be taken now. */
  becomeDue(now: number): Iterable<number> {
    return this.timed.begin(now)
  }

  /** Continues samples that concern many orders, `max` orders of them. True: there is more. `again`: a book that was refused meanwhile. */
  work(max: number, again: (slot: number) => void): boolean {
    const pass = this.passes.shift()
    if (pass === undefined) return false
    this.evaluate(pass, max)
    if (pass.at < pass.handles.length) this.passes.push(pass)
    else {
      this.isBusy[pass.slot] = 0
      if (this.isMissed[pass.slot] === 1) {
        this.isMissed[pass.slot] = 0
        again(pass.slot)
      }
    }
    return this.passes.length > 0
  }

  /** True: there is something to report. */
  get hasNotices(): boolean {
    return this.outbox.size > 0 || this.trails.improved.size > 0
  }

  /** Pending notices, of at most `max` orders, and as many best prices. */
  drain(max: number): TriggerEvents {
    const { orders, outbox } = this
    const notices: TriggerEvents = { decisions: [], withdrawn: [], bests: this.drainBests(max) }
    let count = 0
    for (const [handle, verdict] of outbox) {
      if (count++ === max) break
      outbox.delete(handle)
      const wasNotified = orders.notified[handle] === 1
      orders.notified[handle] = verdict === null ? 0 : 1
      const serial = orders.serial[handle]!
      // Also for an order that was withdrawn and decided again since it was reported: its old evidence must not be acted on.
      if (verdict === null || wasNotified) notices.withdrawn.push({ handle, serial })
      if (verdict !== null) notices.decisions.push({ handle, serial, evidence: evidenceOf(verdict) })
    }
    return notices
  }

  private drainBests(max: number): NewBest[] {
    const { orders } = this
    const { improved } = this.trails
    const bests: NewBest[] = []
    for (const handle of improved) {
      if (bests.length === max) break
      improved.delete(handle)
      const best = ownBest(orders.trailOf(handle), orders.best[handle]!)
      bests.push({ handle, serial: orders.serial[handle]!, best })
    }
    return bests
  }

  private reaches(slot: number, values: Int32Array): boolean {
    const { tops } = this
    const at = slot * kinds.length
    return (
      tops[at]! <= values[0]! ||
      tops[at + 1]! <= values[1]! ||
      tops[at + 2]! <= values[2]! ||
      tops[at + 3]! <= values[3]! ||
      tops[at + 4]! <= values[4]! ||
      tops[at + 5]! <= values[5]!
    )
  }

  /** Usually nothing is decided anywhere. */
  private hasDecided(slot: number): boolean {
    return this.decidedOf.size > 0 && this.decidedOf.has(slot)
  }

  private begin(slot: number, sample: Sample | null, isBroken: boolean): void {
    const number = this.numbers[slot]!
    const list = this.listFor(slot)
    let end = 0
    for (const handle of this.decidedOf.get(slot) ?? []) list[end++] = handle
    const waitingFrom = end
    for (let kind = 0; sample !== null && kind < kinds.length; kind++)
      end = this.heaps[slot * kinds.length + kind]?.reached(sample.values[kind]!, list, end) ?? end
    if (sample !== null) for (const handle of this.timed.dueOf(slot)) list[end++] = handle
    const bestsFrom = end
    if (sample !== null) end = this.trails.reached(slot, sample.values, list, end)
    this.start({ slot, number, sample, isBroken, handles: list.subarray(0, end), waitingFrom, bestsFrom, at: 0 })
  }

  /** The book is live, but its state is no new sample: it counts only for orders whose time has come. */
  private beginDue(slot: number, book: BookRead, now: number): void {
    if (!this.timed.hasDue(slot)) return
    if (this.isBusy[slot] === 1) {
      this.isMissed[slot] = 1
      return
    }
    const list = this.listFor(slot)
    let end = 0
    for (const handle of this.timed.dueOf(slot)) list[end++] = handle
    const { sample } = this
    sample.read(book, now, Math.max(now, this.timed.checkedAt))
    const number = this.numbers[slot]!
    const handles = list.subarray(0, end)
    this.start({ slot, number, sample, isBroken: false, handles, waitingFrom: 0, bestsFrom: end, at: 0 })
  }

  /** Each order at most twice: it is decided, or its level, its time or its best is reached. */
  private listFor(slot: number): Int32Array<ArrayBuffer> {
    if (this.list.length < 2 * this.counts[slot]!) this.list = new Int32Array(4 * this.counts[slot]!)
    return this.list
  }

  private start(pass: Pass): void {
    const { slot, sample, handles } = pass
    if (handles.length <= atOnceMax) {
      this.evaluate(pass, handles.length)
      return
    }
    this.isBusy[slot] = 1
    this.passes.push({ ...pass, sample: sample?.copy() ?? null, handles: handles.slice() })
  }

  private evaluate(pass: Pass, max: number): void {
    const { orders } = this
    const { slot, number, sample, isBroken, handles, waitingFrom, bestsFrom } = pass
    const end = Math.min(handles.length, pass.at + max)
    for (let i = pass.at; i < end; i++) {
      const handle = handles[i]!
      // Disarmed since, perhaps armed again: then it begins with the next sample.
      if (orders.state[handle] === free || orders.slot[handle] !== slot) continue
      if (orders.isTimed(handle) ? orders.isDue[handle] === 0 : orders.last[handle] === number) continue
      if (i >= bestsFrom) {
        if (orders.isTrailing(handle) && this.isWithinLimits(handle, sample!) && this.trails.improve(handle, sample!))
          this.moveLevel(handle)
        continue
      }
      const qualifies = sample !== null && this.qualifies(handle, sample)
      if (i < waitingFrom) {
        if (orders.state[handle] !== decided || (qualifies && !isBroken)) continue
        this.withdraw(handle)
      }
      if (!qualifies || orders.state[handle] === decided) continue
      if (orders.isTimed(handle)) this.decideInTime(handle, sample)
      else this.count(handle, sample, number)
    }
    pass.at = end
  }

  private qualifies(handle: number, sample: Sample): boolean {
    const { orders } = this
    const isReached = orders.isTimed(handle) || orders.key[handle]! <= sample.values[orders.kind[handle]!]!
    return isReached && this.isWithinLimits(handle, sample)
  }

  private isWithinLimits(handle: number, { spread, sizes }: Sample): boolean {
    const { orders } = this
    return spread <= orders.spreadMax[handle]! && sizes[orders.kind[handle]! >> 1]! >= orders.sizeMin[handle]!
  }

  /** Its best has improved: a sample that does that is not at the level, so the order is not decided. */
  private moveLevel(handle: number): void {
    const { orders } = this
    this.unwait(handle)
    orders.key[handle] = trailingKey(orders.trailOf(handle), orders.best[handle]!)
    this.wait(handle)
  }

  private decideInTime(handle: number, sample: Sample): void {
    const { orders } = this
    orders.samples[handle] = 1
    orders.firstAt[handle] = sample.time
    this.decide(handle, sample)
  }

  private count(handle: number, sample: Sample, number: number): void {
    const { orders } = this
    const goesOn = orders.samples[handle]! > 0 && orders.last[handle] === ((number - 1) | 0)
    if (goesOn) orders.samples[handle]!++
    else {
      orders.samples[handle] = 1
      orders.firstAt[handle] = sample.time
    }
    orders.last[handle] = number
    if (orders.samples[handle]! < orders.confirmations[handle]!) return
    if (sample.time - orders.firstAt[handle]! >= orders.dwellMs[handle]!) this.decide(handle, sample)
  }

  private decide(handle: number, sample: Sample): void {
    const { orders } = this
    const kind = orders.kind[handle]!
    this.unwait(handle)
    orders.state[handle] = decided
    const slot = orders.slot[handle]!
    const decidedHandles = this.decidedOf.get(slot)
    orders.place[handle] = decidedHandles?.length ?? 0
    if (decidedHandles === undefined) this.decidedOf.set(slot, [handle])
    else decidedHandles.push(handle)
    this.outbox.set(handle, {
      kind,
      complement: orders.complement[handle] === 1,
      value: sample.values[kind]!,
      time: sample.time,
      firstAt: orders.firstAt[handle]!,
      samples: orders.samples[handle]!,
      spread: sample.oneSided ? null : sample.spread,
      size: sample.sizes[kind >> 1]!,
      seq: sample.seq,
      trail: orders.isTrailing(handle) ? { best: orders.best[handle]!, key: orders.key[handle]! } : null,
      timed: orders.isTimed(handle) ? { at: orders.at[handle]!, readAt: sample.readAt } : null,
    })
  }

  private withdraw(handle: number): void {
    const { orders } = this
    this.undecide(handle)
    orders.state[handle] = waiting
    orders.samples[handle] = 0
    this.wait(handle)
    if (orders.notified[handle] === 1) this.outbox.set(handle, null)
    else this.outbox.delete(handle)
  }

  private undecide(handle: number): void {
    const { orders } = this
    const slot = orders.slot[handle]!
    const decidedHandles = this.decidedOf.get(slot)!
    const moved = decidedHandles.pop()!
    if (moved !== handle) {
      decidedHandles[orders.place[handle]!] = moved
      orders.place[moved] = orders.place[handle]!
    }
    if (decidedHandles.length === 0) this.decidedOf.delete(slot)
  }

  private wait(handle: number): void {
    const { orders } = this
    if (orders.isTimed(handle)) {
      this.timed.add(handle)
      return
    }
    const at = orders.slot[handle]! * kinds.length + orders.kind[handle]!
    const heap = this.heaps[at] ?? new Thresholds()
    this.heaps[at] = heap
    heap.add(orders.key[handle]!, handle, orders.place)
    this.tops[at] = heap.top
  }

  private unwait(handle: number): void {
    const { orders } = this
    if (orders.isTimed(handle)) {
      this.timed.remove(handle)
      return
    }
    const at = orders.slot[handle]! * kinds.length + orders.kind[handle]!
    const heap = this.heaps[at]!
    heap.remove(handle, orders.place)
    this.tops[at] = heap.top
    // A book without waiting orders holds no memory.
    if (heap.size === 0) this.heaps[at] = null
  }
}
