// What buying one side costs, read straight from the shared book under its lock: exact integers on the common grid (prices in 0.0001,
// sizes in 0.01), big integers off it.
import * as layout from '#books/shared/layout'
import * as money from '#lib/price'
import { curveMicros, curveUsd, type FeeProgram, feeOfLevels, feeOfWeight, type TakenLevel } from './fees.ts'
import { sideFlag } from './flags.ts'

// An imported name is looked up at every use, a constant of this module is part of the machine code: a fifth of the whole pass.
const { priceStep, sharedLevels, sizeStep, slotDoubles, slotWords } = layout
const { lock, generation: holder, live, bids, asks } = layout.word
const { recvTs: recvAt, eventTs: eventAt } = layout.double
const { bidPrices, askPrices, bidSizes, askSizes } = layout.offset
const { ONE } = money
const { unavailable, stale: staleFlag, empty, thin, window, feeUnknown } = sideFlag

/** What was found, a place per side, used again for every cluster. Money in micro-dollars, −1 where there is no number. */
export class SweptSides {
  readonly flags: Int32Array
  readonly vwapMicros: Int32Array
  readonly cost: Float64Array
  readonly fee: Float64Array
  /** Contracts. */
  readonly filled: Float64Array
  /** Epoch ms. */
  readonly asOf: Float64Array

  constructor(places: number) {
    this.flags = new Int32Array(places)
    this.vwapMicros = new Int32Array(places)
    this.cost = new Float64Array(places)
    this.fee = new Float64Array(places)
    this.filled = new Float64Array(places)
    this.asOf = new Float64Array(places)
  }
}

/** Sizes off the grid are counted in micro-contracts, the finest any venue sends. */
export const unitsPerContract = 1_000_000

/**
 * Sides are read without waiting for their writers: `look` at many, fence, `sweep` them, fence, and `holds` tells which of them nobody
 * wrote meanwhile. A fence keeps the processor from fetching ahead: one for every side costs more than the sweep.
 */
export class SideSweeper {
  readonly swept: SweptSides
  private readonly words: Int32Array
  private readonly doubles: Float64Array
  private readonly slots: number
  private readonly fenceWord = new Int32Array(new SharedArrayBuffer(4))
  /** The lock as each place found it. */
  private readonly lockBefore: Int32Array
  /** Means nothing: what is read into it cannot be left out. */
  private fetched = 0
  private readonly wanted: number
  private readonly contracts: number

  constructor(arena: SharedArrayBuffer, contracts: number, places: number) {
    this.words = new Int32Array(arena)
    this.doubles = new Float64Array(arena)
    this.slots = Math.floor(this.words.length / slotWords)
    this.swept = new SweptSides(places)
    this.lockBefore = new Int32Array(places)
    this.contracts = contracts
    this.wanted = Math.round(contracts * 100)
  }

  /** Asks for the lines a sweep will read, so that they are on their way while another side is swept. */
  fetch(slot: number): void {
    if (slot < 0 || slot >= this.slots) return
    const { words } = this
    const base = slot * slotWords
    this.fetched ^= words[base + lock]! ^ words[base + bidPrices]! ^ words[base + 2 * bidSizes]!
  }

  /** Before a fence: remembers how the lock stands, and answers it. It never stands twice alike with a write between. */
  look(at: number, slot: number): number {
    const found = slot >= 0 && slot < this.slots ? this.words[slot * slotWords + lock]! : 0
    this.lockBefore[at] = found
    return found
  }

  lockOf(at: number): number {
    return this.lockBefore[at]!
  }

  /** Nothing read before it is read after it. */
  fence(): void {
    Atomics.add(this.fenceWord, 0, 1)
  }

  /** After a second fence: the book in place `at` was whole when it was swept. */
  holds(at: number, slot: number): boolean {
    if (slot < 0 || slot >= this.slots) return true
    const before = this.lockBefore[at]!
    return (before & 1) === 0 && this.words[slot * slotWords + lock] === before
  }

  /** Fills place `at`; not to be believed before `holds` says so. One function, so that every number stays in a register. */
  sweep(at: number, slot: number, generation: number, complement: boolean, program: FeeProgram): void {
    const { words, doubles, swept } = this
    if (slot < 0 || slot >= this.slots) {
      this.unavailable(at)
      return
    }
    const base = slot * slotWords
    const baseDoubles = slot * slotDoubles
    const recvTs = doubles[baseDoubles + recvAt]!
    // Zero: nothing was ever written there.
    if (words[base + holder] !== generation || !(recvTs > 0)) {
      this.unavailable(at)
      return
    }
    const eventTs = doubles[baseDoubles + eventAt]!
    const count = Math.min(words[base + (complement ? bids : asks)]!, sharedLevels)
    const pricesAt = base + (complement ? bidPrices : askPrices)
    const sizesAt = baseDoubles + (complement ? bidSizes : askSizes)
    const { mode } = program
    const { wanted } = this
    let left = wanted
    let cost = 0
    let weight = 0
    let fee = 0
    let onGrid = true
    for (let i = 0; i < count && left > 0; i++) {
      const price = words[pricesAt + priceStep(i)]!
      const micros = complement ? ONE - price : price
      const k = (micros * 0.01 + 0.5) | 0
      const size = doubles[sizesAt + sizeStep(i)]!
      let t = left
      if (!(size * 100 >= left)) {
        t = (size * 100 + 0.5) | 0
        onGrid = t / 100 === size
      }
      if (k * 100 !== micros || !onGrid) {
        onGrid = false
        break
      }
      cost += k * t
      const levelWeight = t * (k * (10_000 - k))
      weight += levelWeight
      if (mode === 'perLevel') fee += feeOfWeight(program, levelWeight)
      else if (mode === 'curve') fee += curveUsd(program, micros / ONE, t / 100)
      left -= t
    }
    if (!onGrid || weight > program.weightMax) this.sweepFine(at, pricesAt, sizesAt, count, complement, program)
    else {
      const filled = wanted - left
      if (mode === 'total') fee = feeOfWeight(program, weight)
      else if (mode === 'curve') fee = curveMicros(program, fee)
      else if (mode === 'unknown') fee = -1
      swept.cost[at] = cost
      swept.fee[at] = fee
      swept.filled[at] = filled / 100
      swept.vwapMicros[at] = filled === 0 ? -1 : Math.round((cost * 100) / filled)
    }
    this.finish(at, eventTs > 0 ? eventTs : recvTs, words[base + live] !== 1, count)
  }

  /** The same with big integers. The cost is rounded up to a micro-dollar: never cheaper than it is. */
  private sweepFine(
    at: number,
    pricesAt: number,
    sizesAt: number,
    count: number,
    complement: boolean,
    program: FeeProgram,
  ): void {
    const { words, doubles, swept } = this
    const unit = unitsPerContract
    const wanted = Math.round(this.contracts * unit)
    const taken: TakenLevel[] = []
    let left = wanted
    let pico = 0n
    for (let i = 0; i < count && left > 0; i++) {
      const units = Math.min(left, Math.round(doubles[sizesAt + sizeStep(i)]! * unit))
      if (!(units > 0)) continue
      const price = words[pricesAt + priceStep(i)]!
      const micros = complement ? ONE - price : price
      taken.push({ micros, units })
      pico += BigInt(units) * BigInt(micros)
      left -= units
    }
    const filled = wanted - left
    const cost = Number((pico + BigInt(unit - 1)) / BigInt(unit))
    swept.cost[at] = cost
    swept.fee[at] = program.mode === 'unknown' ? -1 : feeOfLevels(program, taken, unit)
    swept.filled[at] = filled / unit
    swept.vwapMicros[at] =
      filled === 0 ? -1 : Number((2n * BigInt(cost) * BigInt(unit) + BigInt(filled)) / (2n * BigInt(filled)))
  }

  /** What the numbers of a side mean. */
  private finish(at: number, asOf: number, stale: boolean, count: number): void {
    const { swept } = this
    const filled = swept.filled[at]!
    let flags = (stale ? staleFlag : 0) | (swept.fee[at]! < 0 ? feeUnknown : 0)
    if (filled === 0) {
      flags |= empty
      swept.cost[at] = -1
      swept.fee[at] = -1
    } else if (filled !== this.contracts) flags |= thin | (count === sharedLevels ? window : 0)
    swept.flags[at] = flags
    swept.asOf[at] = asOf
  }

  private unavailable(at: number): void {
    const { swept } = this
    swept.flags[at] = unavailable
    swept.cost[at] = -1
    swept.fee[at] = -1
    swept.filled[at] = 0
    swept.vwapMicros[at] = -1
    swept.asOf[at] = -1
  }
}
