// What buying one side costs, read straight from the shared book under its lock: exact integers on the common grid (prices in 0.0001,
// sizes in 0.01), big integers off it.
import { double, offset, sharedLevels, slotDoubles, slotWords, word } from '#books/shared/layout'
import { ONE } from '#lib/price'
import { curveMicros, curveUsd, type FeeProgram, feeOfLevels, feeOfWeight, type TakenLevel } from './fees.ts'
import { sideFlag } from './flags.ts'

/** Reused for every sweep. Money in micro-dollars, −1 where there is no number. */
export interface SweptSide {
  flags: number
  cost: number
  fee: number
  /** Contracts. */
  filled: number
  vwapMicros: number
  /** Epoch ms. */
  asOf: number
}

const attemptsMax = 16

/** Sizes off the grid are counted in micro-contracts, the finest any venue sends. */
export const unitsPerContract = 1_000_000

export class SideSweeper {
  readonly result: SweptSide = { flags: 0, cost: 0, fee: 0, filled: 0, vwapMicros: 0, asOf: 0 }
  private readonly words: Int32Array
  private readonly doubles: Float64Array
  private readonly slots: number
  private readonly fence = new Int32Array(new SharedArrayBuffer(4))
  private readonly wanted: number
  private readonly contracts: number
  private count = 0
  private stale = false
  private asOf = 0
  private cost = 0
  private fee = 0
  /** Hundredths still wanted after the grid pass. */
  private left = 0
  private readonly prices = new Int32Array(sharedLevels)
  private readonly sizes = new Float64Array(sharedLevels)

  constructor(arena: SharedArrayBuffer, contracts: number) {
    this.words = new Int32Array(arena)
    this.doubles = new Float64Array(arena)
    this.slots = Math.floor(this.words.length / slotWords)
    this.contracts = contracts
    this.wanted = Math.round(contracts * 100)
  }

  /** Fills `result`; false when the book was being written at every attempt. */
  sweep(slot: number, generation: number, complement: boolean, fee: FeeProgram): boolean {
    if (slot < 0 || slot >= this.slots) return this.unavailable()
    const base = slot * slotWords
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      const before = Atomics.load(this.words, base + word.lock)
      if ((before & 1) !== 0) continue
      const present = this.words[base + word.generation] === generation
      const onGrid = present && this.head(slot, base, complement) ? this.take(slot, base, complement, fee) : true
      if (!onGrid) this.copy(slot, base, complement)
      Atomics.add(this.fence, 0, 1)
      if (Atomics.load(this.words, base + word.lock) !== before) continue
      if (!present || this.asOf === 0) return this.unavailable()
      if (onGrid) this.settleGrid(fee)
      else this.settleFine(fee)
      return true
    }
    return false
  }

  /** False when nothing was ever written there. */
  private head(slot: number, base: number, complement: boolean): boolean {
    const at = slot * slotDoubles
    const eventTs = this.doubles[at + double.eventTs]!
    const recvTs = this.doubles[at + double.recvTs]!
    this.asOf = recvTs > 0 ? (eventTs > 0 ? eventTs : recvTs) : 0
    this.stale = this.words[base + word.live] !== 1
    this.count = Math.min(this.words[base + (complement ? word.bids : word.asks)]!, sharedLevels)
    return this.asOf > 0
  }

  /** Takes levels best first while they stand on the grid; false at the first that does not. */
  private take(slot: number, base: number, complement: boolean, program: FeeProgram): boolean {
    const { words, doubles, count } = this
    const pricesAt = base + (complement ? offset.bidPrices : offset.askPrices)
    const sizesAt = slot * slotDoubles + (complement ? offset.bidSizes : offset.askSizes)
    const { mode } = program
    let left = this.wanted
    let cost = 0
    let weight = 0
    let fee = 0
    for (let i = 0; i < count && left > 0; i++) {
      const micros = complement ? ONE - words[pricesAt + i]! : words[pricesAt + i]!
      const k = (micros / 100) | 0
      if (k * 100 !== micros) return false
      const size = doubles[sizesAt + i]!
      let t = left
      if (!(size * 100 >= left)) {
        t = Math.round(size * 100)
        if (t / 100 !== size) return false
      }
      cost += k * t
      const levelWeight = t * (k * (10_000 - k))
      weight += levelWeight
      if (mode === 'perLevel') fee += feeOfWeight(program, levelWeight)
      else if (mode === 'curve') fee += curveUsd(program, micros / ONE, t / 100)
      left -= t
    }
    if (weight > program.weightMax) return false
    if (mode === 'total') fee = feeOfWeight(program, weight)
    this.cost = cost
    this.fee = fee
    this.left = left
    return true
  }

  private copy(slot: number, base: number, complement: boolean): void {
    const pricesAt = base + (complement ? offset.bidPrices : offset.askPrices)
    const sizesAt = slot * slotDoubles + (complement ? offset.bidSizes : offset.askSizes)
    for (let i = 0; i < this.count; i++) {
      this.prices[i] = complement ? ONE - this.words[pricesAt + i]! : this.words[pricesAt + i]!
      this.sizes[i] = this.doubles[sizesAt + i]!
    }
  }

  private settleGrid(program: FeeProgram): void {
    const filled = this.wanted - this.left
    const { mode } = program
    this.settle(
      this.cost,
      mode === 'unknown' ? -1 : mode === 'curve' ? curveMicros(program, this.fee) : this.fee,
      filled / 100,
      filled === 0 ? -1 : Math.round((this.cost * 100) / filled),
      this.left === 0,
    )
  }

  /** The same with big integers. The cost is rounded up to a micro-dollar: never cheaper than it is. */
  private settleFine(program: FeeProgram): void {
    const unit = unitsPerContract
    const taken: TakenLevel[] = []
    let left = Math.round(this.contracts * unit)
    let pico = 0n
    for (let i = 0; i < this.count && left > 0; i++) {
      const units = Math.min(left, Math.round(this.sizes[i]! * unit))
      if (!(units > 0)) continue
      taken.push({ micros: this.prices[i]!, units })
      pico += BigInt(units) * BigInt(this.prices[i]!)
      left -= units
    }
    const filled = Math.round(this.contracts * unit) - left
    const cost = Number((pico + BigInt(unit - 1)) / BigInt(unit))
    this.settle(
      cost,
      program.mode === 'unknown' ? -1 : feeOfLevels(program, taken, unit),
      filled / unit,
      filled === 0 ? -1 : Number((2n * BigInt(cost) * BigInt(unit) + BigInt(filled)) / (2n * BigInt(filled))),
      left === 0,
    )
  }

  private settle(cost: number, fee: number, filled: number, vwapMicros: number, full: boolean): void {
    const { result } = this
    const nothing = filled === 0
    result.flags = (this.stale ? sideFlag.stale : 0) | (fee < 0 ? sideFlag.feeUnknown : 0)
    if (nothing) result.flags |= sideFlag.empty
    else if (!full) result.flags |= sideFlag.thin | (this.count === sharedLevels ? sideFlag.window : 0)
    result.cost = nothing ? -1 : cost
    result.fee = nothing ? -1 : fee
    result.filled = filled
    result.vwapMicros = vwapMicros
    result.asOf = this.asOf
  }

  private unavailable(): true {
    const { result } = this
    this.asOf = 0
    result.flags = sideFlag.unavailable
    result.cost = -1
    result.fee = -1
    result.filled = 0
    result.vwapMicros = -1
    result.asOf = -1
    return true
  }
}
