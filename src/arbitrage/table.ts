// A worker's results: shared memory with one sequence lock per cluster. Money in micro-dollars; −1 for no number.
import type { SurfacePlan } from './compileSurface.ts'

/** Sizes off the grid are counted in micro-contracts, the finest any venue sends. */
export const unitsPerContract = 1_000_000

/** Shared with the worker, or private to the owner of a copy. */
export interface TableMemory {
  words: SharedArrayBuffer | ArrayBuffer
  doubles: SharedArrayBuffer | ArrayBuffer
}

type Shape = Pick<SurfacePlan, 'clusters' | 'sides' | 'rows'>

const doublesPerSide = 5
const wordsPerSide = 2
const wordBytes = ({ clusters, sides }: Shape): number => (clusters + sides * wordsPerSide) * 4
const doubleBytes = ({ sides, rows }: Shape): number => (sides * doublesPerSide + rows) * 8

export const createTable = (shape: Shape): TableMemory => ({
  words: new SharedArrayBuffer(wordBytes(shape)),
  doubles: new SharedArrayBuffer(doubleBytes(shape)),
})

/** For the encoding thread's own copy. */
export const ownedTable = (shape: Shape): SurfaceTable =>
  new SurfaceTable({ words: new ArrayBuffer(wordBytes(shape)), doubles: new ArrayBuffer(doubleBytes(shape)) }, shape)

/** The same arrays for both threads; nothing here locks. */
export class SurfaceTable {
  /** Odd while the cluster is being written. */
  readonly lock: Int32Array
  /** Bits of `sideFlag`. */
  readonly flags: Int32Array
  /**
   * 0 until first written; increases with every change of the side: two sums of versions are equal only when neither leg changed.
   */
  readonly version: Int32Array
  /** Cost of what was filled. */
  readonly cost: Float64Array
  readonly fee: Float64Array
  /** Charged at settlement when this leg wins. */
  readonly settlement: Float64Array
  /** Contracts, up to the requested size. */
  readonly filled: Float64Array
  /** Time of the book, epoch ms. */
  readonly asOf: Float64Array
  /** Payout less all costs, micro-dollars; NaN where a part is missing. */
  readonly net: Float64Array

  constructor(memory: TableMemory, { clusters, sides, rows }: Shape) {
    const words = (index: number): Int32Array => new Int32Array(memory.words, (clusters + index * sides) * 4, sides)
    const doubles = (index: number): Float64Array => new Float64Array(memory.doubles, index * sides * 8, sides)
    this.lock = new Int32Array(memory.words, 0, clusters)
    this.flags = words(0)
    this.version = words(1)
    this.cost = doubles(0)
    this.fee = doubles(1)
    this.settlement = doubles(2)
    this.filled = doubles(3)
    this.asOf = doubles(4)
    this.net = new Float64Array(memory.doubles, doublesPerSide * sides * 8, rows)
  }

  /** Volume-weighted price in millionths, −1 when nothing could be taken. Computed only when printed, not in every pass. */
  vwap(side: number): number {
    const units = Math.round(this.filled[side]! * unitsPerContract)
    if (units === 0) return -1
    const cost = this.cost[side]!
    const weighed = cost * unitsPerContract
    if (weighed <= Number.MAX_SAFE_INTEGER) return Math.round(weighed / units)
    return Number((2n * BigInt(cost) * BigInt(unitsPerContract) + BigInt(units)) / (2n * BigInt(units)))
  }
}

/** A row's price difference before fees in millionths, NaN when a side has no price. */
export function spreadMicros(table: SurfaceTable, yes: number, no: number): number {
  const [buy, sell] = [table.vwap(yes), table.vwap(no)]
  return buy < 0 || sell < 0 ? Number.NaN : 1_000_000 - sell - buy
}

/** A read-modify-write on separate memory orders the loads before it against those after it. */
const fence = new Int32Array(new SharedArrayBuffer(4))

const attemptsMax = 16

/** Copies one whole cluster; false if it was being written at every attempt: retry later. */
export function copyCluster(from: SurfaceTable, to: SurfaceTable, plan: SurfacePlan, cluster: number): boolean {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const before = Atomics.load(from.lock, cluster)
    if ((before & 1) !== 0) continue
    for (let side = plan.clusterSide[cluster]!; side < plan.clusterSide[cluster + 1]!; side++) {
      to.flags[side] = from.flags[side]!
      to.version[side] = from.version[side]!
      to.cost[side] = from.cost[side]!
      to.fee[side] = from.fee[side]!
      to.settlement[side] = from.settlement[side]!
      to.filled[side] = from.filled[side]!
      to.asOf[side] = from.asOf[side]!
    }
    for (let row = plan.clusterRow[cluster]!; row < plan.clusterRow[cluster + 1]!; row++) to.net[row] = from.net[row]!
    Atomics.add(fence, 0, 1)
    if (Atomics.load(from.lock, cluster) === before) return true
  }
  return false
}
