// The cost of buying a side, read directly from the shared book under its lock: exact integers on the common grid (prices in 0.0001, sizes
// in 0.01), big integers off it.
import * as layout from '#core/books/shared/layout'
import * as money from '#core/price'
import type { SurfacePlan } from './compileSurface.ts'
import { type FeeProgram, feeOfLevels, roundQuotient, type TakenLevel } from './fees.ts'
import { sideFlag } from './flags.ts'
import { unitsPerContract } from './table.ts'

// An imported name is looked up at every use, a constant of this module is compiled into the machine code: a fifth of the whole
// pass.
const { asksOf, bidsOf, isLive, coldDoubles, coldStep, coldWords, hotDoubles, hotLevels, hotWords, sharedLevels } =
  layout
const { lock, generation: holder, state: stateAt, bidPrices, askPrices } = layout.word
const { recvTs: recvAt, eventTs: eventAt, bidSizes, askSizes } = layout.double
const { bidPrices: coldBidPrices, askPrices: coldAskPrices } = layout.coldWord
const { bidSizes: coldBidSizes, askSizes: coldAskSizes } = layout.coldDouble
const { ONE } = money
const { unavailable, stale: staleFlag, empty, thin, window, feeUnknown } = sideFlag

/** Layout of a side's result. Money in micro-dollars, −1 for no number. One cache line each. */
export const walked = {
  cost: 0,
  fee: 1,
  /** Contracts. */
  filled: 2,
  /** Epoch ms. */
  asOf: 3,
  /** `unread` if the book was being written. */
  flags: 4,
  /** Free for use by the caller. */
  settlement: 5,
  size: 8,
} as const
export const unread = -2
const { cost: costAt, fee: feeAt, filled: filledAt, asOf: asOfAt, flags: flagsAt, size: placeSize } = walked

/** Not a flag of a side: it must still be swept with big integers. */
const later = -1
/**
 * Sizes are whole micro-contracts: anything further than this from a whole hundredth is off the grid, in hundredths.
 */
const gridSlack = 1e-6

const feeModes = { none: 0, total: 1, perLevel: 2, unknown: 3, curve: 4 } as const satisfies Record<
  FeeProgram['mode'],
  number
>
const { total: totalMode, perLevel: perLevelMode, unknown: unknownMode, curve: curveMode } = feeModes

/**
 * Sides are read without waiting for their writers: `look` at a cluster's, fence, `sweep` them, fence, and `holds` reports which of
 * them were not written meanwhile. A fence keeps the processor from fetching ahead: one for every side costs more than the sweep.
 */
export class BookWalker {
  readonly swept: Float64Array
  private readonly words: Int32Array
  private readonly doubles: Float64Array
  private readonly slots: number
  private readonly coldWordsAt: number
  private readonly coldDoublesAt: number
  private readonly plan: SurfacePlan
  private readonly feeMode: Uint8Array
  private readonly feeNum: Float64Array
  private readonly feeSteps: Float64Array
  private readonly feeStepMicros: Float64Array
  private readonly feeRounding: Uint8Array
  private readonly feeWeightMax: Float64Array
  private readonly fenceWord = new Int32Array(new SharedArrayBuffer(4))
  /** The lock as found for each place. */
  private readonly lockBefore: Int32Array
  /** Each side's book lock when it was last swept consistently; odd if it never was. */
  private readonly sweptLock: Int32Array
  /** Unused value: reads into it cannot be optimized away. */
  private fetched = 0
  private readonly wanted: number

  constructor(arena: SharedArrayBuffer, plan: SurfacePlan, places: number) {
    const view = layout.viewArena(arena)
    this.words = view.words
    this.doubles = view.doubles
    this.slots = view.slots
    this.coldWordsAt = view.coldWordsAt
    this.coldDoublesAt = view.coldDoublesAt
    this.plan = plan
    this.feeMode = Uint8Array.from(plan.fees, ({ mode }) => feeModes[mode])
    this.feeNum = Float64Array.from(plan.fees, ({ num }) => num)
    this.feeSteps = Float64Array.from(plan.fees, ({ steps }) => steps)
    this.feeStepMicros = Float64Array.from(plan.fees, ({ stepMicros }) => stepMicros)
    this.feeRounding = Uint8Array.from(plan.fees, ({ rounding }) => rounding)
    this.feeWeightMax = Float64Array.from(plan.fees, ({ weightMax }) => weightMax)
    this.swept = new Float64Array(places * placeSize)
    this.lockBefore = new Int32Array(places)
    this.sweptLock = new Int32Array(plan.sides).fill(-1)
    this.wanted = Math.round(plan.contracts * 100)
  }

  /** Prefetches the cache lines a sweep of these sides will read, while others are being swept. */
  fetch(first: number, end: number): void {
    const { words, slots } = this
    const { slot } = this.plan
    let fetched = 0
    for (let side = first; side < end; side++) {
      const bookSlot = slot[side]!
      // Both sides of a market usually read one book.
      if (bookSlot < 0 || bookSlot >= slots || bookSlot === slot[side - 1]) continue
      const base = bookSlot * hotWords
      fetched ^= words[base + lock]! ^ words[base + 2 * bidSizes]!
    }
    this.fetched ^= fetched
  }

  /** Records the locks. True: a book was written since it was last swept; a lock never has the same value again after a write. */
  look(first: number, end: number, place: number): boolean {
    const { words, slots, lockBefore, sweptLock } = this
    const { slot } = this.plan
    let written = false
    for (let side = first, at = place; side < end; side++, at++) {
      const bookSlot = slot[side]!
      const found = bookSlot >= 0 && bookSlot < slots ? words[bookSlot * hotWords + lock]! : 0
      lockBefore[at] = found
      if (found !== sweptLock[side]) written = true
    }
    return written
  }

  /** Prevents reordering of reads across it. */
  fence(): void {
    Atomics.add(this.fenceWord, 0, 1)
  }

  /** True: every book was consistent while it was swept. The places of the others are `unread`. */
  holds(first: number, end: number, place: number): boolean {
    const { words, slots, swept, lockBefore, sweptLock } = this
    const { slot } = this.plan
    let all = true
    for (let side = first, at = place; side < end; side++, at++) {
      const bookSlot = slot[side]!
      const before = lockBefore[at]!
      if (bookSlot >= 0 && bookSlot < slots && ((before & 1) !== 0 || words[bookSlot * hotWords + lock] !== before)) {
        swept[at * placeSize + flagsAt] = unread
        all = false
      } else sweptLock[side] = before
    }
    return all
  }

  /**
   * Fills the places from `place` on with these sides; not valid until `holds` confirms it. One loop without calls, so that every
   * address stays in a register.
   */
  sweep(first: number, end: number, place: number): void {
    const {
      words,
      doubles,
      swept,
      slots,
      coldWordsAt,
      coldDoublesAt,
      wanted,
      feeMode,
      feeNum,
      feeSteps,
      feeStepMicros,
      feeRounding,
      feeWeightMax,
    } = this
    const { slot, generation, complement, fee, sideFlags } = this.plan
    let anyLater = false
    let readSlot = -2
    let readGeneration = 0
    let base = 0
    let baseDoubles = 0
    let state = 0
    let bookAt = 0
    for (let side = first, at = place * placeSize; side < end; side++, at += placeSize) {
      const bookSlot = slot[side]!
      const bookGeneration = generation[side]!
      // Both sides of a market usually read one book.
      if (bookSlot !== readSlot || bookGeneration !== readGeneration) {
        readSlot = bookSlot
        readGeneration = bookGeneration
        base = bookSlot * hotWords
        baseDoubles = bookSlot * hotDoubles
        bookAt = -1
        if (bookSlot >= 0 && bookSlot < slots && words[base + holder] === bookGeneration) {
          const recvTs = doubles[baseDoubles + recvAt]!
          const eventTs = doubles[baseDoubles + eventAt]!
          state = words[base + stateAt]!
          // Zero: nothing was ever written there.
          if (recvTs > 0) bookAt = eventTs > 0 ? eventTs : recvTs
        }
      }
      swept[at + asOfAt] = bookAt
      if (bookAt < 0) {
        swept[at + costAt] = -1
        swept[at + feeAt] = -1
        swept[at + filledAt] = 0
        swept[at + flagsAt] = unavailable | sideFlags[side]!
        continue
      }
      const flipped = complement[side] === 1
      const count = Math.min(flipped ? bidsOf(state) : asksOf(state), sharedLevels)
      const pricesAt = base + (flipped ? bidPrices : askPrices)
      const sizesAt = baseDoubles + (flipped ? bidSizes : askSizes)
      const program = fee[side]!
      const mode = feeMode[program]!
      let left = wanted
      let cost = 0
      let weight = 0
      let feeMicros = 0
      let onGrid = mode !== curveMode
      for (let i = 0; i < count && left > 0; i++) {
        let priceAt = pricesAt + i
        let sizeAt = sizesAt + i
        if (i >= hotLevels) {
          priceAt = coldWordsAt + bookSlot * coldWords + (flipped ? coldBidPrices : coldAskPrices) + coldStep(i)
          sizeAt = coldDoublesAt + bookSlot * coldDoubles + (flipped ? coldBidSizes : coldAskSizes) + coldStep(i)
        }
        const price = words[priceAt]!
        const micros = flipped ? ONE - price : price
        const k = (micros * 0.01 + 0.5) | 0
        const hundredths = doubles[sizeAt]! * 100
        let taken = left
        if (!(hundredths >= left)) {
          taken = (hundredths + 0.5) | 0
          if (!(Math.abs(hundredths - taken) < gridSlack)) onGrid = false
        }
        if (k * 100 !== micros) onGrid = false
        cost += k * taken
        const levelWeight = taken * (k * (10_000 - k))
        weight += levelWeight
        if (mode === perLevelMode)
          feeMicros +=
            roundQuotient(levelWeight * feeNum[program]!, feeSteps[program]!, feeRounding[program]!) *
            feeStepMicros[program]!
        left -= taken
      }
      if (!onGrid || weight > feeWeightMax[program]!) {
        swept[at + flagsAt] = later
        anyLater = true
        continue
      }
      if (mode === totalMode)
        feeMicros =
          roundQuotient(weight * feeNum[program]!, feeSteps[program]!, feeRounding[program]!) * feeStepMicros[program]!
      const filled = wanted - left
      let flags = isLive(state) ? sideFlags[side]! : staleFlag | sideFlags[side]!
      if (mode === unknownMode) {
        feeMicros = -1
        flags |= feeUnknown
      }
      if (filled === 0) {
        flags |= empty
        cost = -1
        feeMicros = -1
      } else if (left > 0) flags |= count === sharedLevels ? thin | window : thin
      swept[at + costAt] = cost
      swept[at + feeAt] = feeMicros
      swept[at + filledAt] = filled / 100
      swept[at + flagsAt] = flags
    }
    if (anyLater) this.sweepLater(first, end, place)
  }

  private sweepLater(first: number, end: number, place: number): void {
    for (let side = first, at = place * placeSize; side < end; side++, at += placeSize) {
      if (this.swept[at + flagsAt] === later) this.sweepFine(side, at)
    }
  }

  /** With big integers. The cost is rounded up to a micro-dollar: never cheaper than it is. */
  private sweepFine(side: number, at: number): void {
    const { words, doubles, swept, plan } = this
    const bookSlot = plan.slot[side]!
    const base = bookSlot * hotWords
    const flipped = plan.complement[side] === 1
    const state = words[base + stateAt]!
    const count = Math.min(flipped ? bidsOf(state) : asksOf(state), sharedLevels)
    const pricesAt = base + (flipped ? bidPrices : askPrices)
    const sizesAt = bookSlot * hotDoubles + (flipped ? bidSizes : askSizes)
    const coldPricesAt = this.coldWordsAt + bookSlot * coldWords + (flipped ? coldBidPrices : coldAskPrices)
    const coldSizesAt = this.coldDoublesAt + bookSlot * coldDoubles + (flipped ? coldBidSizes : coldAskSizes)
    const unit = unitsPerContract
    const wanted = Math.round(plan.contracts * unit)
    const taken: TakenLevel[] = []
    let left = wanted
    let pico = 0n
    for (let i = 0; i < count && left > 0; i++) {
      const size = doubles[i < hotLevels ? sizesAt + i : coldSizesAt + coldStep(i)]!
      const units = Math.min(left, Math.round(size * unit))
      if (!(units > 0)) continue
      const price = words[i < hotLevels ? pricesAt + i : coldPricesAt + coldStep(i)]!
      const micros = flipped ? ONE - price : price
      taken.push({ micros, units })
      pico += BigInt(units) * BigInt(micros)
      left -= units
    }
    const program = plan.fees[plan.fee[side]!]!
    const nothing = left === wanted
    let flags = plan.sideFlags[side]! | (isLive(state) ? 0 : staleFlag)
    if (program.mode === 'unknown') flags |= feeUnknown
    if (nothing) flags |= empty
    else if (left > 0) flags |= count === sharedLevels ? thin | window : thin
    swept[at + costAt] = nothing ? -1 : Number((pico + BigInt(unit - 1)) / BigInt(unit))
    swept[at + feeAt] = nothing || program.mode === 'unknown' ? -1 : feeOfLevels(program, taken, unit)
    swept[at + filledAt] = (wanted - left) / unit
    swept[at + flagsAt] = flags
  }
}
