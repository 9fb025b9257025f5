// Where a worker leaves what it found: shared memory with one sequence lock per cluster. Money in micro-dollars; −1 where there is no number.
import type { SurfacePlan } from './plan.ts'

export interface TableMemory {
  words: SharedArrayBuffer
  doubles: SharedArrayBuffer
}

const doublesPerSide = 5
const wordsPerSide = 3

export const createTable = ({
  clusters,
  sides,
  rows,
}: Pick<SurfacePlan, 'clusters' | 'sides' | 'rows'>): TableMemory => ({
  words: new SharedArrayBuffer((clusters + sides * wordsPerSide) * 4),
  doubles: new SharedArrayBuffer((sides * doublesPerSide + rows) * 8),
})

/** The same arrays for both threads; nothing here locks. */
export class SurfaceTable {
  /** Odd while the cluster is being written. */
  readonly lock: Int32Array
  /** Bits of `sideFlag`. */
  readonly flags: Int32Array
  /** Volume-weighted price in millionths, −1 when nothing could be taken. */
  readonly vwap: Int32Array
  /** Rises with every change of the side: two sums of versions are equal only when neither leg changed. */
  readonly version: Int32Array
  /** What was filled costs this. */
  readonly cost: Float64Array
  readonly fee: Float64Array
  /** Taken at settlement when this leg wins. */
  readonly settlement: Float64Array
  /** Contracts, up to what was asked. */
  readonly filled: Float64Array
  /** Time of the book, epoch ms. */
  readonly asOf: Float64Array
  /** Payout less all costs, micro-dollars; NaN where a part is missing. */
  readonly net: Float64Array

  constructor(memory: TableMemory, { clusters, sides, rows }: Pick<SurfacePlan, 'clusters' | 'sides' | 'rows'>) {
    const words = (index: number): Int32Array => new Int32Array(memory.words, (clusters + index * sides) * 4, sides)
    const doubles = (index: number): Float64Array => new Float64Array(memory.doubles, index * sides * 8, sides)
    this.lock = new Int32Array(memory.words, 0, clusters)
    this.flags = words(0)
    this.vwap = words(1)
    this.version = words(2)
    this.cost = doubles(0)
    this.fee = doubles(1)
    this.settlement = doubles(2)
    this.filled = doubles(3)
    this.asOf = doubles(4)
    this.net = new Float64Array(memory.doubles, doublesPerSide * sides * 8, rows)
  }
}

/** A read-modify-write on memory of its own orders the loads before it against those after it. */
const fence = new Int32Array(new SharedArrayBuffer(4))

/** Runs `read` on a cluster nobody is writing; false when the writer was inside at every attempt: come back later. */
export function readCluster(table: SurfaceTable, cluster: number, read: () => void): boolean {
  for (let attempt = 0; attempt < 16; attempt++) {
    const before = Atomics.load(table.lock, cluster)
    if ((before & 1) !== 0) continue
    read()
    Atomics.add(fence, 0, 1)
    if (Atomics.load(table.lock, cluster) === before) return true
  }
  return false
}
