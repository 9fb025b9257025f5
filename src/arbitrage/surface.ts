// The surface itself: sweeps every venue side once, then combines sides into rows. A dirty book costs its own clusters, a pass costs all.
//
//   book slot ─► sides reading it ─► swept ─► table (under the cluster's lock) ─► rows of the cluster ─► changed(cluster)

import { membersMax } from './cluster.ts'
import type { SurfacePlan } from './compileSurface.ts'
import { settlementMicros } from './fees.ts'
import { sideFlag } from './flags.ts'
import { netEdge } from './netEdge.ts'
import { BookWalker, walked as sweptAt, unread } from './sweepSide.ts'
import { createTable, SurfaceTable, type TableMemory } from './table.ts'

// Constants of this module are compiled into the machine code, imported names are not (see sweepSide.ts).
const edgeOf = netEdge
const { settlementUnknown } = sideFlag
const {
  cost: costAt,
  fee: feeAt,
  filled: filledAt,
  asOf: asOfAt,
  flags: flagsAt,
  settlement: settlementAt,
  size: placeSize,
} = sweptAt
/** Any of these: the side cannot be bought in full at a known cost. */
const notWhole = sideFlag.empty | sideFlag.thin | sideFlag.unavailable | sideFlag.feeUnknown

const clustersPerStep = 128

/** For a side whose book was being written when its cluster was swept. */
const attemptsMax = 16

export class Surface {
  readonly table: SurfaceTable
  /** Books that could not be read because they were being written; retried by the next `recompute`. */
  busy = 0
  private readonly plan: SurfacePlan
  private readonly changed: (cluster: number) => void
  private readonly sweeper: BookWalker
  private readonly payout: number
  /** Cost and fee of a side bought in full, NaN when it cannot be; and its settlement cost, NaN when unknown. */
  private readonly total: Float64Array
  private readonly settling: Float64Array
  /** No venue of the plan charges anything at settlement. */
  private readonly settlesFree: boolean
  private readonly clusterOfSide: Int32Array
  /** Built when a book is first marked dirty. */
  private sidesOfSlot: Map<number, number[]> | null = null
  private readonly dirtyClusters: number[] = []
  private readonly isDirty: Uint8Array

  constructor(plan: SurfacePlan, arena: SharedArrayBuffer, memory: TableMemory, changed: (cluster: number) => void) {
    this.plan = plan
    this.changed = changed
    this.table = new SurfaceTable(memory, plan)
    this.table.net.fill(NaN)
    this.sweeper = new BookWalker(arena, plan, 2 * membersMax)
    this.payout = Math.round(plan.contracts * 1e6)
    this.total = new Float64Array(plan.sides).fill(NaN)
    this.settling = new Float64Array(plan.sides).fill(NaN)
    this.settlesFree = plan.settlements.every(({ kind }) => kind === 'none')
    this.isDirty = new Uint8Array(plan.clusters)
    this.clusterOfSide = new Int32Array(plan.sides)
    for (let cluster = 0; cluster < plan.clusters; cluster++)
      this.clusterOfSide.fill(cluster, plan.clusterSide[cluster]!, plan.clusterSide[cluster + 1]!)
  }

  /** A surface with a table of its own. */
  static alone(
    plan: SurfacePlan,
    arena: SharedArrayBuffer,
    changed: (cluster: number) => void = () => undefined,
  ): Surface {
    return new Surface(plan, arena, createTable(plan), changed)
  }

  /** Every cluster with a book written since it was last swept, whether or not it was marked dirty. */
  pass(): void {
    this.dirtyClusters.length = 0
    this.isDirty.fill(0)
    for (let cluster = 0; cluster < this.plan.clusters; cluster++) this.cluster(cluster)
  }

  /** The same, a few clusters between yields, for callers that must stay responsive. */
  *passing(): Generator<void, void, void> {
    for (let cluster = 0; cluster < this.plan.clusters; cluster++) {
      if (cluster % clustersPerStep === 0) yield
      this.cluster(cluster)
    }
  }

  /** This book changed; its clusters are due. */
  dirty(slot: number): void {
    this.sidesOfSlot ??= sidesOfSlots(this.plan)
    const sides = this.sidesOfSlot.get(slot)
    if (sides === undefined) return
    for (let i = 0; i < sides.length; i++) this.markCluster(this.clusterOfSide[sides[i]!]!)
  }

  /** Recomputes the clusters of dirty books; returns how many. */
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
    const { plan, table, sweeper } = this
    const first = plan.clusterSide[cluster]!
    const end = plan.clusterSide[cluster + 1]!
    if (!sweeper.look(first, end, 0)) return
    sweeper.fetch(first, end)
    sweeper.fence()
    sweeper.sweep(first, end, 0)
    sweeper.fence()
    if (!sweeper.holds(first, end, 0)) this.sweepAgain(cluster, first, end)
    if (!this.settlesFree) this.settle(first, end)
    if (!this.writeChanges(cluster, first, end)) return
    this.rows(first, end)
    Atomics.add(table.lock, cluster, 1)
    this.changed(cluster)
  }

  /** Writes the sides that changed. True: there were some, and the cluster's lock is held. */
  private writeChanges(cluster: number, first: number, end: number): boolean {
    const { table, total, settling } = this
    const { swept } = this.sweeper
    const { version, flags, cost, fee, filled, asOf, settlement } = table
    let locked = false
    for (let side = first, at = 0; side < end; side++, at += placeSize) {
      const newCost = swept[at + costAt]!
      const newFee = swept[at + feeAt]!
      const newFilled = swept[at + filledAt]!
      const newAsOf = swept[at + asOfAt]!
      const newFlags = swept[at + flagsAt]! | 0
      const newSettlement = swept[at + settlementAt]!
      if (newFlags === unread) continue
      if (
        version[side] !== 0 &&
        asOf[side] === newAsOf &&
        cost[side] === newCost &&
        fee[side] === newFee &&
        filled[side] === newFilled &&
        flags[side] === newFlags &&
        settlement[side] === newSettlement
      )
        continue
      if (!locked) Atomics.add(table.lock, cluster, 1)
      locked = true
      flags[side] = newFlags
      cost[side] = newCost
      fee[side] = newFee
      filled[side] = newFilled
      asOf[side] = newAsOf
      settlement[side] = newSettlement
      version[side] = (version[side]! + 1) | 0
      total[side] = (newFlags & notWhole) === 0 ? newCost + newFee : NaN
      settling[side] = newSettlement < 0 ? NaN : newSettlement
    }
    return locked
  }

  /** Retries books that were being written. Those written at every attempt stay `unread`, and due. */
  private sweepAgain(cluster: number, first: number, end: number): void {
    const { sweeper } = this
    for (let side = first, place = 0; side < end; side++, place++) {
      const isUnread = (): boolean => sweeper.swept[place * placeSize + flagsAt] === unread
      for (let attempt = 1; attempt < attemptsMax && isUnread(); attempt++) {
        sweeper.look(side, side + 1, place)
        sweeper.fence()
        sweeper.sweep(side, side + 1, place)
        sweeper.fence()
        sweeper.holds(side, side + 1, place)
      }
      if (!isUnread()) continue
      this.busy++
      this.markCluster(cluster)
    }
  }

  /** Settlement cost in micro-dollars; −1 if there is nothing to settle, or it is unknown. */
  private settle(first: number, end: number): void {
    const { plan, payout } = this
    const { swept } = this.sweeper
    for (let side = first, at = 0; side < end; side++, at += placeSize) {
      const fee = plan.settlements[plan.settlement[side]!]!
      const cost = swept[at + costAt]!
      const unpriced = fee.kind === 'profit_rate' && cost < 0
      const micros = unpriced ? -1 : settlementMicros(fee, payout, cost)
      swept[at + settlementAt] = micros
      if (micros < 0 && !unpriced && swept[at + flagsAt] !== unread)
        swept[at + flagsAt] = swept[at + flagsAt]! | settlementUnknown
    }
  }

  private rows(first: number, end: number): void {
    const { payout, total, settling, settlesFree } = this
    const { sideRow, rowNo } = this.plan
    const { net } = this.table
    for (let yes = first; yes < end; yes++) {
      const to = sideRow[yes + 1]!
      const costYes = total[yes]!
      if (settlesFree)
        for (let row = sideRow[yes]!; row < to; row++) net[row] = edgeOf(payout, costYes, total[rowNo[row]!]!, 0, 0)
      else
        for (let row = sideRow[yes]!; row < to; row++) {
          const no = rowNo[row]!
          net[row] = edgeOf(payout, costYes, total[no]!, settling[yes]!, settling[no]!)
        }
    }
  }
}

function sidesOfSlots({ slot: slots, sides: count }: SurfacePlan): Map<number, number[]> {
  const sidesOf = new Map<number, number[]>()
  for (let side = 0; side < count; side++) {
    const slot = slots[side]!
    if (slot < 0) continue
    const sides = sidesOf.get(slot)
    if (sides === undefined) sidesOf.set(slot, [side])
    else sides.push(side)
  }
  return sidesOf
}
