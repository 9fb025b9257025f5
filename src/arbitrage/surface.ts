// The surface itself: sweeps every venue side once, then combines sides into rows. A dirty book costs its own clusters, a pass costs all.
//
//   book slot ─► sides reading it ─► swept ─► table (under the cluster's lock) ─► rows of the cluster ─► changed(cluster)

import { membersMax } from './cluster.ts'
import { settlementMicros } from './fees.ts'
import { sideFlag } from './flags.ts'
import type { SurfacePlan } from './plan.ts'
import { SideSweeper } from './sweepSide.ts'
import { createTable, SurfaceTable, type TableMemory } from './table.ts'

// Constants of this module are part of the machine code, imported names are not (see sweepSide.ts).
const { settlementUnknown } = sideFlag
/** Any of these: the side cannot be bought whole at a known cost. */
const notWhole = sideFlag.empty | sideFlag.thin | sideFlag.unavailable | sideFlag.feeUnknown

/** No amount is below −1. */
const unknownSettlement = -2
/** Of a side whose writer was inside when its cluster was swept. */
const attemptsMax = 16

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
  /** No venue of the plan takes anything at settlement. */
  private readonly settlesFree: boolean
  /** How each side's book was locked when it was last swept whole; odd where it never was. */
  private readonly sweptLock: Int32Array
  private readonly clusterOfSide: Int32Array
  private readonly sidesOfSlot: Map<number, number[]>
  private readonly dirtyClusters: number[] = []
  private readonly isDirty: Uint8Array

  constructor(plan: SurfacePlan, arena: SharedArrayBuffer, memory: TableMemory, changed: (cluster: number) => void) {
    this.plan = plan
    this.changed = changed
    this.table = new SurfaceTable(memory, plan)
    this.table.net.fill(NaN)
    this.sweeper = new SideSweeper(arena, plan.contracts, 2 * membersMax)
    this.payout = Math.round(plan.contracts * 1e6)
    this.total = new Float64Array(plan.sides).fill(NaN)
    this.settling = new Float64Array(plan.sides).fill(NaN)
    this.settlesFree = plan.settlements.every(({ kind }) => kind === 'none')
    this.sweptLock = new Int32Array(plan.sides).fill(-1)
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

  /** Every cluster with a book that was written since it was last swept, whatever was said to be dirty. */
  pass(): void {
    this.dirtyClusters.length = 0
    this.isDirty.fill(0)
    for (let cluster = 0; cluster < this.plan.clusters; cluster++) this.cluster(cluster, cluster + 1)
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
      this.cluster(cluster, i + 1 < count ? this.dirtyClusters[i + 1]! : this.plan.clusters)
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

  /** `next` is worked on after it; its books are fetched from memory meanwhile. `plan.clusters` where there is none. */
  private cluster(cluster: number, next: number): void {
    const { plan, table, sweeper } = this
    const { clusterSide, slot } = plan
    const first = clusterSide[cluster]!
    const end = clusterSide[cluster + 1]!
    let written = false
    for (let side = first; side < end; side++) {
      if (sweeper.look(side - first, slot[side]!) !== this.sweptLock[side]) written = true
    }
    if (!written) return
    sweeper.fence()
    let ahead = clusterSide[next]!
    const aheadEnd = next < plan.clusters ? clusterSide[next + 1]! : ahead
    for (let side = first; side < end; side++, ahead++) {
      // Both sides of a market mostly read one book.
      if (ahead < aheadEnd && slot[ahead] !== slot[ahead - 1]) sweeper.fetch(slot[ahead]!)
      this.sweep(side - first, side)
    }
    sweeper.fence()
    if (!this.tell(cluster, first, end)) return
    this.rows(plan.clusterRow[cluster]!, plan.clusterRow[cluster + 1]!)
    Atomics.add(table.lock, cluster, 1)
    this.changed(cluster)
  }

  /** Writes the sides that came out otherwise than before. True: there were such, and the cluster's lock is held. */
  private tell(cluster: number, first: number, end: number): boolean {
    const { plan, table, sweeper, total, settling } = this
    const { swept } = sweeper
    const { version, flags, cost, fee, filled, asOf, vwap, settlement } = table
    let locked = false
    for (let side = first; side < end; side++) {
      const at = side - first
      if (!sweeper.holds(at, plan.slot[side]!) && !this.sweepAgain(at, side)) {
        this.busy++
        this.markCluster(cluster)
        continue
      }
      this.sweptLock[side] = sweeper.lockOf(at)
      const settled = this.settlementOf(side, swept.cost[at]!)
      const newFlags =
        swept.flags[at]! | plan.sideFlags[side]! | (settled === unknownSettlement ? settlementUnknown : 0)
      const newSettlement = settled === unknownSettlement ? -1 : settled
      const newCost = swept.cost[at]!
      const newFee = swept.fee[at]!
      if (
        version[side] !== 0 &&
        asOf[side] === swept.asOf[at] &&
        cost[side] === newCost &&
        fee[side] === newFee &&
        filled[side] === swept.filled[at] &&
        flags[side] === newFlags &&
        vwap[side] === swept.vwapMicros[at] &&
        settlement[side] === newSettlement
      )
        continue
      if (!locked) Atomics.add(table.lock, cluster, 1)
      locked = true
      flags[side] = newFlags
      cost[side] = newCost
      fee[side] = newFee
      filled[side] = swept.filled[at]!
      asOf[side] = swept.asOf[at]!
      vwap[side] = swept.vwapMicros[at]!
      settlement[side] = newSettlement
      version[side] = (version[side]! + 1) | 0
      total[side] = (newFlags & notWhole) === 0 ? newCost + newFee : NaN
      settling[side] = newSettlement < 0 ? NaN : newSettlement
    }
    return locked
  }

  private sweep(at: number, side: number): void {
    const { plan } = this
    this.sweeper.sweep(
      at,
      plan.slot[side]!,
      plan.generation[side]!,
      plan.complement[side] === 1,
      plan.fees[plan.fee[side]!]!,
    )
  }

  /** False when the book was being written at every attempt. */
  private sweepAgain(at: number, side: number): boolean {
    const { plan } = this
    for (let attempt = 1; attempt < attemptsMax; attempt++) {
      this.sweeper.look(at, plan.slot[side]!)
      this.sweeper.fence()
      this.sweep(at, side)
      this.sweeper.fence()
      if (this.sweeper.holds(at, plan.slot[side]!)) return true
    }
    return false
  }

  /** Micro-dollars; −1 where there is nothing to settle, `unknownSettlement` where nobody knows. */
  private settlementOf(side: number, cost: number): number {
    if (this.settlesFree) return 0
    const { plan } = this
    const fee = plan.settlements[plan.settlement[side]!]!
    if (fee.kind === 'none') return 0
    if (fee.kind === 'profit_rate' && cost < 0) return -1
    const micros = settlementMicros(fee, this.payout, cost)
    return micros < 0 ? unknownSettlement : micros
  }

  private rows(from: number, to: number): void {
    const { payout, total, settling } = this
    const { rowYes, rowNo } = this.plan
    const { net } = this.table
    if (this.settlesFree) {
      for (let row = from; row < to; row++) net[row] = payout - total[rowYes[row]!]! - total[rowNo[row]!]!
      return
    }
    for (let row = from; row < to; row++) {
      const yes = rowYes[row]!
      const no = rowNo[row]!
      net[row] = payout - total[yes]! - total[no]! - Math.max(settling[yes]!, settling[no]!)
    }
  }
}
