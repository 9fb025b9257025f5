// The surface itself: sweeps every venue side once, then combines sides into rows. A dirty book costs its own clusters, a pass costs all.
//
//   book slot ─► sides reading it ─► swept ─► table (under the cluster's lock) ─► rows of the cluster ─► changed(cluster)

import { settlementMicros } from './fees.ts'
import { sideFlag } from './flags.ts'
import type { SurfacePlan } from './plan.ts'
import { SideSweeper } from './sweepSide.ts'
import { createTable, SurfaceTable, type TableMemory } from './table.ts'

export class Surface {
  readonly table: SurfaceTable
  /** Books that could not be read because their writer was inside; they are asked again by the next `recompute`. */
  busy = 0
  private readonly plan: SurfacePlan
  private readonly changed: (cluster: number) => void
  private readonly sweeper: SideSweeper
  private readonly payout: number
  /** Cost and fee of a side bought whole, NaN when it cannot be; and what settling takes, NaN when unknown. */
  private readonly total: Float64Array
  private readonly settling: Float64Array
  private readonly clusterOfSide: Int32Array
  private readonly sidesOfSlot: Map<number, number[]>
  private readonly dirtyClusters: number[] = []
  private readonly isDirty: Uint8Array

  constructor(plan: SurfacePlan, arena: SharedArrayBuffer, memory: TableMemory, changed: (cluster: number) => void) {
    this.plan = plan
    this.changed = changed
    this.table = new SurfaceTable(memory, plan)
    this.sweeper = new SideSweeper(arena, plan.contracts)
    this.payout = Math.round(plan.contracts * 1e6)
    this.total = new Float64Array(plan.sides).fill(NaN)
    this.settling = new Float64Array(plan.sides).fill(NaN)
    this.isDirty = new Uint8Array(plan.clusters)
    this.clusterOfSide = new Int32Array(plan.sides)
    this.sidesOfSlot = new Map()
    for (let cluster = 0; cluster < plan.clusters; cluster++) {
      for (let side = plan.clusterSide[cluster]!; side < plan.clusterSide[cluster + 1]!; side++) {
        this.clusterOfSide[side] = cluster
        const slot = plan.slot[side]!
        if (slot < 0) continue
        const sides = this.sidesOfSlot.get(slot)
        if (sides === undefined) this.sidesOfSlot.set(slot, [side])
        else sides.push(side)
      }
    }
  }

  /** A surface with a table of its own. */
  static alone(
    plan: SurfacePlan,
    arena: SharedArrayBuffer,
    changed: (cluster: number) => void = () => undefined,
  ): Surface {
    return new Surface(plan, arena, createTable(plan), changed)
  }

  /** Everything anew, whatever was said to be dirty. */
  pass(): void {
    this.dirtyClusters.length = 0
    this.isDirty.fill(0)
    for (let cluster = 0; cluster < this.plan.clusters; cluster++) this.cluster(cluster)
  }

  /** This book changed; its clusters are due. */
  dirty(slot: number): void {
    const sides = this.sidesOfSlot.get(slot)
    if (sides === undefined) return
    for (let i = 0; i < sides.length; i++) this.markCluster(this.clusterOfSide[sides[i]!]!)
  }

  /** The clusters of dirty books; how many there were. */
  recompute(): number {
    const count = this.dirtyClusters.length
    for (let i = 0; i < count; i++) {
      const cluster = this.dirtyClusters[i]!
      this.isDirty[cluster] = 0
      this.cluster(cluster)
    }
    this.dirtyClusters.splice(0, count)
    return count
  }

  get due(): number {
    return this.dirtyClusters.length
  }

  private markCluster(cluster: number): void {
    if (this.isDirty[cluster] === 1) return
    this.isDirty[cluster] = 1
    this.dirtyClusters.push(cluster)
  }

  private cluster(cluster: number): void {
    const { plan, table } = this
    let locked = false
    for (let side = plan.clusterSide[cluster]!; side < plan.clusterSide[cluster + 1]!; side++) {
      if (
        !this.sweeper.sweep(
          plan.slot[side]!,
          plan.generation[side]!,
          plan.complement[side] === 1,
          plan.fees[plan.fee[side]!]!,
        )
      ) {
        this.busy++
        this.markCluster(cluster)
        continue
      }
      const settlement = this.settlementOf(side)
      if (this.same(side, settlement)) continue
      if (!locked) Atomics.add(table.lock, cluster, 1)
      locked = true
      this.write(side, settlement)
    }
    this.rows(plan.clusterRow[cluster]!, plan.clusterRow[cluster + 1]!)
    if (!locked) return
    Atomics.add(table.lock, cluster, 1)
    this.changed(cluster)
  }

  private settlementOf(side: number): number {
    const { plan, sweeper } = this
    const fee = plan.settlements[plan.settlement[side]!]!
    const { result } = sweeper
    result.flags |= plan.sideFlags[side]!
    if (fee.kind === 'none') return 0
    if (fee.kind === 'profit_rate' && result.cost < 0) return -1
    const micros = settlementMicros(fee, this.payout, result.cost)
    if (micros < 0) result.flags |= sideFlag.settlementUnknown
    return micros
  }

  private same(side: number, settlement: number): boolean {
    const { table } = this
    const { result } = this.sweeper
    return (
      table.version[side] !== 0 &&
      table.flags[side] === result.flags &&
      table.cost[side] === result.cost &&
      table.fee[side] === result.fee &&
      table.filled[side] === result.filled &&
      table.asOf[side] === result.asOf &&
      table.vwap[side] === result.vwapMicros &&
      table.settlement[side] === settlement
    )
  }

  private write(side: number, settlement: number): void {
    const { table } = this
    const { result } = this.sweeper
    table.flags[side] = result.flags
    table.cost[side] = result.cost
    table.fee[side] = result.fee
    table.filled[side] = result.filled
    table.asOf[side] = result.asOf
    table.vwap[side] = result.vwapMicros
    table.settlement[side] = settlement
    table.version[side] = (table.version[side]! + 1) | 0
    const whole = (result.flags & (sideFlag.empty | sideFlag.thin | sideFlag.unavailable | sideFlag.feeUnknown)) === 0
    this.total[side] = whole ? result.cost + result.fee : NaN
    this.settling[side] = settlement < 0 ? NaN : settlement
  }

  private rows(from: number, to: number): void {
    const { payout, total, settling } = this
    const { rowYes, rowNo } = this.plan
    const { net } = this.table
    for (let row = from; row < to; row++) {
      const yes = rowYes[row]!
      const no = rowNo[row]!
      net[row] = payout - total[yes]! - total[no]! - Math.max(settling[yes]!, settling[no]!)
    }
  }
}
