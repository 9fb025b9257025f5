// Clusters compiled for the machine: which book each side reads, which two sides make each row. Typed arrays that cross to a worker as they are.
import type { SlotHandle } from '#books/shared/layout'
import {
  type BookSource,
  type ClusterInput,
  type ClusterMember,
  membersMax,
  type PairFacts,
  validScore,
} from './cluster.ts'
import { compileFee, type FeeModel, type FeeProgram, type SettlementFee } from './fees.ts'
import { sideFlag } from './flags.ts'

/** A question's YES or NO at one venue: what a leg can buy. Two of them per member, YES first. */
export interface SurfacePlan {
  /** Asked of every leg; a whole number of hundredths. */
  contracts: number
  clusters: number
  sides: number
  rows: number
  /** First side and first row of each cluster, and the end after the last. */
  clusterSide: Int32Array
  clusterRow: Int32Array
  /** Slot in the shared books, −1 where no book is known. */
  slot: Int32Array
  generation: Int32Array
  complement: Uint8Array
  /** What is known of a side before any book is read. */
  sideFlags: Uint16Array
  fee: Uint16Array
  settlement: Uint16Array
  fees: FeeProgram[]
  settlements: SettlementFee[]
  rowYes: Int32Array
  rowNo: Int32Array
}

/** What the words of a leg are made of. */
export interface SideFacts {
  member: ClusterMember
  /** Which outcome of the venue is bought. */
  side: 'yes' | 'no'
  source: BookSource | null
}

export interface RowFacts {
  /** `<clusterId>:<venueA>:<venueB>`: A sells the YES, B the NO. */
  key: string
  cluster: ClusterInput
  pair: PairFacts
  similarity: number | null
  verified: boolean
}

/** The plan and, for the encoding thread alone, the facts behind its numbers. */
export interface CompiledSurface {
  plan: SurfacePlan
  sideFacts: SideFacts[]
  rowFacts: RowFacts[]
  dropped: DroppedCounts
}

export interface DroppedCounts {
  /** Rows whose pair is in the hidden band. */
  hidden: number
  /** Rows with an unknown band or an impossible score: reason `invalid-match-score`. */
  invalidMatchScore: number
  /** Second markets of one venue in a cluster, and members beyond the tenth. */
  members: number
  /** Rows of clusters that no longer fit under `limit`. */
  overLimit: number
}

export interface CompileOptions {
  contracts: number
  /** Most rows published; clusters are taken in the order given while theirs fit. */
  limit: number
  /** Null: nobody keeps that book in shared memory. */
  slotOf(venue: string, bookId: string): SlotHandle | null
}

/** A hundredth of a contract is the finest size asked for, and above this the arithmetic would leave exact doubles. */
export const contractsMax = 100_000

export const validContracts = (contracts: number): boolean =>
  contracts > 0 && contracts <= contractsMax && Math.round(contracts * 100) / 100 === contracts

export function compileSurface(clusters: readonly ClusterInput[], options: CompileOptions): CompiledSurface {
  const dropped: DroppedCounts = { hidden: 0, invalidMatchScore: 0, members: 0, overLimit: 0 }
  const sideFacts: SideFacts[] = []
  const rowFacts: RowFacts[] = []
  const rowSides: [yes: number, no: number][] = []
  const clusterSide = [0]
  const clusterRow = [0]
  for (const cluster of clusters) {
    const members = onePerVenue(cluster.members, dropped)
    const rows = rowsOf(cluster, members, dropped)
    if (rows.length === 0) continue
    if (rowFacts.length + rows.length > options.limit) {
      dropped.overLimit += rows.length
      continue
    }
    const first = sideFacts.length
    for (const member of members) sideFacts.push(sideOf(member, 'yes'), sideOf(member, 'no'))
    for (const { a, b, facts } of rows) {
      rowSides.push([first + 2 * a, first + 2 * b + 1])
      rowFacts.push(facts)
    }
    clusterSide.push(sideFacts.length)
    clusterRow.push(rowFacts.length)
  }
  return { plan: planOf(sideFacts, rowSides, clusterSide, clusterRow, options), sideFacts, rowFacts, dropped }
}

function planOf(
  sideFacts: readonly SideFacts[],
  rowSides: readonly [number, number][],
  clusterSide: readonly number[],
  clusterRow: readonly number[],
  { contracts, slotOf }: CompileOptions,
): SurfacePlan {
  const count = sideFacts.length
  const fees = new Interned<FeeModel>()
  const settlements = new Interned<SettlementFee>()
  const plan: SurfacePlan = {
    contracts,
    clusters: clusterSide.length - 1,
    sides: count,
    rows: rowSides.length,
    clusterSide: Int32Array.from(clusterSide),
    clusterRow: Int32Array.from(clusterRow),
    slot: new Int32Array(count),
    generation: new Int32Array(count),
    complement: new Uint8Array(count),
    sideFlags: new Uint16Array(count),
    fee: new Uint16Array(count),
    settlement: new Uint16Array(count),
    fees: [],
    settlements: [],
    rowYes: Int32Array.from(rowSides, ([yes]) => yes),
    rowNo: Int32Array.from(rowSides, ([, no]) => no),
  }
  sideFacts.forEach(({ member, source }, side) => {
    const handle = source === null ? null : slotOf(member.venue, source.bookId)
    plan.slot[side] = handle?.slot ?? -1
    plan.generation[side] = handle?.generation ?? 0
    plan.complement[side] = source?.complement === true ? 1 : 0
    plan.fee[side] = fees.indexOf(member.fee)
    plan.settlement[side] = settlements.indexOf(member.settlementFee)
    plan.sideFlags[side] =
      (source?.synthetic === true ? sideFlag.synthetic : 0) | (member.dark === true ? sideFlag.dark : 0)
  })
  plan.fees = fees.values.map(compileFee)
  plan.settlements = settlements.values
  return plan
}

function onePerVenue(members: readonly ClusterMember[], dropped: DroppedCounts): ClusterMember[] {
  const byVenue = new Map<string, ClusterMember>()
  for (const member of members) {
    if (byVenue.has(member.venue) || byVenue.size === membersMax) dropped.members++
    else byVenue.set(member.venue, member)
  }
  return [...byVenue.values()]
}

function rowsOf(
  cluster: ClusterInput,
  members: readonly ClusterMember[],
  dropped: DroppedCounts,
): { a: number; b: number; facts: RowFacts }[] {
  const rows: { a: number; b: number; facts: RowFacts }[] = []
  const at = new Map(members.map((member, index) => [member.venue, index]))
  const seen = new Set<number>()
  for (const pair of cluster.pairs) {
    const a = at.get(pair.a)
    const b = at.get(pair.b)
    if (a === undefined || b === undefined || a === b) continue
    const id = Math.min(a, b) * membersMax + Math.max(a, b)
    if (seen.has(id)) continue
    seen.add(id)
    if (!validScore(pair)) dropped.invalidMatchScore += 2
    else if (pair.matchBand === 'hidden') dropped.hidden += 2
    else rows.push(rowOf(cluster, members, pair, a, b), rowOf(cluster, members, pair, b, a))
  }
  return rows.sort((x, y) => x.a - y.a || x.b - y.b)
}

function rowOf(cluster: ClusterInput, members: readonly ClusterMember[], pair: PairFacts, a: number, b: number) {
  const [yes, no] = [members[a]!, members[b]!]
  const own = yes.similarity === null || no.similarity === null ? null : Math.min(yes.similarity, no.similarity)
  const facts: RowFacts = {
    key: `${cluster.clusterId}:${yes.venue}:${no.venue}`,
    cluster,
    pair,
    similarity: pair.similarity === undefined ? own : pair.similarity,
    verified: pair.resolutionEquivalence === 'verified',
  }
  return { a, b, facts }
}

/** Buying the question's YES on a venue of inverse polarity is buying that venue's NO. */
function sideOf(member: ClusterMember, question: 'yes' | 'no'): SideFacts {
  const side = (question === 'yes') === (member.polarity === 'same') ? 'yes' : 'no'
  return { member, side, source: side === 'yes' ? member.yesBook : member.noBook }
}

/** Equal values once, told apart by their words. */
class Interned<T> {
  readonly values: T[] = []
  private readonly at = new Map<string, number>()

  indexOf(value: T): number {
    const key = JSON.stringify(value)
    let index = this.at.get(key)
    if (index === undefined) {
      index = this.values.push(value) - 1
      this.at.set(key, index)
    }
    return index
  }
}
