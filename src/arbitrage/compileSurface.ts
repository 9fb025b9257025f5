// Clusters compiled to typed arrays: which book each side reads, which two sides make each row. Passed to a worker as they are.
import type { SlotHandle } from '#core/books/shared/layout'
import { priceDifferenceKind } from '#schemas/matches'
import {
  type BookSource,
  type ClusterInput,
  type ClusterMember,
  matchBands,
  membersMax,
  type PairFacts,
  validScore,
} from './cluster.ts'
import { compileFee, type FeeModel, type FeeProgram, type SettlementFee } from './fees.ts'
import { sideFlag } from './flags.ts'

/** A side is a question's YES or NO at one venue: what a leg can buy. Two of them per member, YES first. */
export interface SurfacePlan {
  /** Size of every leg; a whole number of hundredths. */
  contracts: number
  clusters: number
  sides: number
  rows: number
  /** First side and first row of each cluster, and the end after the last. */
  clusterSide: Int32Array
  clusterRow: Int32Array
  /** First row that buys its YES at each side, and the end after the last; none at a NO. */
  sideRow: Int32Array
  /** Slot in the shared books, −1 where no book is known. */
  slot: Int32Array
  generation: Int32Array
  complement: Uint8Array
  /** Flags known of a side before any book is read. */
  sideFlags: Uint16Array
  fee: Uint16Array
  settlement: Uint16Array
  fees: FeeProgram[]
  settlements: SettlementFee[]
  rowYes: Int32Array
  rowNo: Int32Array
}

/** What a leg's text is built from. */
export interface SideFacts {
  member: ClusterMember
  /** The outcome of the venue that is bought. */
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
  /** The pair waits for a review because its prices differ. */
  pricesDiffer: boolean
}

/**
 * A cluster's compiled form, independent of where its books are: reused from one surface to the next while its input is the same object.
 */
export interface CompiledCluster {
  /** Alternately YES and NO of each member. */
  sides: readonly SideFacts[]
  /** In the order of their YES sides, then of their NO sides. */
  rows: readonly RowFacts[]
  /** Index in `sides` of what each row buys. */
  yes: readonly number[]
  no: readonly number[]
  dropped: Omit<DroppedCounts, 'overLimit'>
}

/** The plan and, for the encoding thread only, the facts behind its numbers. */
export interface CompiledSurface {
  plan: SurfacePlan
  sideFacts: SideFacts[]
  rowFacts: RowFacts[]
  /** Those with rows in the plan. */
  clusters: ReadonlyMap<ClusterInput, CompiledCluster>
  dropped: DroppedCounts
}

export interface DroppedCounts {
  /** Rows whose pair is in the hidden band. */
  hidden: number
  /** Rows with an unknown band or an invalid score: reason `invalid-match-score`. */
  invalidMatchScore: number
  /** Second markets of one venue in a cluster, and venues that did not fit into a cluster of more than ten. */
  members: number
  /** Rows of clusters that no longer fit under `limit`. */
  overLimit: number
}

export interface CompileOptions {
  contracts: number
  /** Maximum number of rows published; clusters are taken in the given order while theirs fit. */
  limit: number
  /** Null: that book is not in shared memory. */
  slotOf(venue: string, bookId: string): SlotHandle | null
  /** Unchanged parts are reused from it. */
  previous?: CompiledSurface | null
}

/** A hundredth of a contract is the finest size supported, and above this the arithmetic would exceed exact doubles. */
export const contractsMax = 100_000

export const validContracts = (contracts: number): boolean =>
  contracts > 0 && contracts <= contractsMax && Math.round(contracts * 100) / 100 === contracts

export function compileSurface(clusters: readonly ClusterInput[], options: CompileOptions): CompiledSurface {
  const compiler = new SurfaceCompiler(options)
  for (const cluster of clusters) compiler.add(cluster)
  const work = compiler.finish()
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

const wordTables = ['clusterSide', 'clusterRow', 'sideRow', 'slot', 'generation', 'rowYes', 'rowNo'] as const

/** The same, one cluster at a time: thousands of them are compiled in slices, so that the thread stays responsive. */
export class SurfaceCompiler {
  private readonly options: CompileOptions
  private readonly dropped: DroppedCounts = { hidden: 0, invalidMatchScore: 0, members: 0, overLimit: 0 }
  private readonly clusters = new Map<ClusterInput, CompiledCluster>()
  private readonly sideFacts: SideFacts[] = []
  private readonly rowFacts: RowFacts[] = []
  private readonly rowYes: number[] = []
  private readonly rowNo: number[] = []
  private readonly clusterSide = [0]
  private readonly clusterRow = [0]
  private readonly sideRow: number[] = []
  private readonly slot: number[] = []
  private readonly generation: number[] = []
  private readonly complement: number[] = []
  private readonly sideFlags: number[] = []
  private readonly fee: number[] = []
  private readonly settlement: number[] = []
  private readonly fees = new Interned<FeeModel>()
  private readonly settlements = new Interned<SettlementFee>()

  constructor(options: CompileOptions) {
    this.options = options
  }

  add(cluster: ClusterInput): void {
    const compiled = this.options.previous?.clusters.get(cluster) ?? compileCluster(cluster)
    const { sides, rows, yes, no, dropped } = compiled
    this.dropped.members += dropped.members
    this.dropped.hidden += dropped.hidden
    this.dropped.invalidMatchScore += dropped.invalidMatchScore
    if (rows.length === 0) return
    if (this.rowFacts.length + rows.length > this.options.limit) {
      this.dropped.overLimit += rows.length
      return
    }
    this.clusters.set(cluster, compiled)
    const first = this.sideFacts.length
    const firstRow = this.rowFacts.length
    for (let i = 0; i < rows.length; i++) {
      this.rowYes.push(first + yes[i]!)
      this.rowNo.push(first + no[i]!)
      this.rowFacts.push(rows[i]!)
    }
    let row = 0
    for (let side = 0; side < sides.length; side++) {
      this.addSide(sides[side]!, firstRow + row)
      while (yes[row] === side) row++
    }
    this.clusterSide.push(this.sideFacts.length)
    this.clusterRow.push(this.rowFacts.length)
  }

  /** Yields between the tables. */
  *finish(): Generator<void, CompiledSurface, void> {
    const { sideFacts, rowFacts, dropped } = this
    this.sideRow.push(rowFacts.length)
    const numbers = {} as Record<(typeof wordTables)[number], Int32Array>
    for (const name of wordTables) {
      numbers[name] = new Int32Array(this[name])
      yield
    }
    const plan: SurfacePlan = {
      contracts: this.options.contracts,
      clusters: this.clusterSide.length - 1,
      sides: sideFacts.length,
      rows: rowFacts.length,
      ...numbers,
      complement: new Uint8Array(this.complement),
      sideFlags: new Uint16Array(this.sideFlags),
      fee: new Uint16Array(this.fee),
      settlement: new Uint16Array(this.settlement),
      fees: this.fees.values.map(compileFee),
      settlements: this.settlements.values,
    }
    return { plan, sideFacts, rowFacts, clusters: this.clusters, dropped }
  }

  private addSide(facts: SideFacts, firstRow: number): void {
    const { member, source } = facts
    const handle = source === null ? null : this.options.slotOf(member.venue, source.bookId)
    this.sideRow.push(firstRow)
    this.slot.push(handle?.slot ?? -1)
    this.generation.push(handle?.generation ?? 0)
    this.complement.push(source?.complement === true ? 1 : 0)
    this.fee.push(this.fees.indexOf(member.fee))
    this.settlement.push(this.settlements.indexOf(member.settlementFee))
    this.sideFlags.push(
      (source?.synthetic === true ? sideFlag.synthetic : 0) | (member.dark === true ? sideFlag.dark : 0),
    )
    this.sideFacts.push(facts)
  }
}

function compileCluster(cluster: ClusterInput): CompiledCluster {
  const dropped = { hidden: 0, invalidMatchScore: 0, members: 0 }
  const members = chosenMembers(cluster, dropped)
  const rows = rowsOf(cluster, members, dropped)
  return {
    sides: rows.length === 0 ? [] : members.flatMap((member) => [sideOf(member, 'yes'), sideOf(member, 'no')]),
    rows: rows.map(({ facts }) => facts),
    yes: rows.map(({ a }) => 2 * a),
    no: rows.map(({ b }) => 2 * b + 1),
    dropped,
  }
}

/** One per venue; of more venues than a cluster may have, those with the best pairs. In the cluster's order. */
function chosenMembers({ members, pairs }: ClusterInput, dropped: CompiledCluster['dropped']): ClusterMember[] {
  const byVenue = new Map<string, ClusterMember>()
  for (const member of members) if (!byVenue.has(member.venue)) byVenue.set(member.venue, member)
  const all = [...byVenue.values()]
  if (all.length <= membersMax) {
    dropped.members += members.length - all.length
    return all
  }
  const chosen = new Set<ClusterMember>()
  const take = (...some: ClusterMember[]): void => {
    const added = some.filter((member) => !chosen.has(member))
    if (chosen.size + added.length <= membersMax) for (const member of added) chosen.add(member)
  }
  for (const [a, b] of bestPairs(byVenue, pairs)) take(a, b)
  // Room that no pair with both members filled.
  for (const member of all) take(member)
  dropped.members += members.length - chosen.size
  return all.filter((member) => chosen.has(member))
}

/** Pairs that may have rows: the best band first, within a band those that may be executable, then by score. */
function bestPairs(
  members: ReadonlyMap<string, ClusterMember>,
  pairs: readonly PairFacts[],
): [ClusterMember, ClusterMember][] {
  const ranked = pairs.flatMap((pair) => {
    const a = members.get(pair.a)
    const b = members.get(pair.b)
    if (a === undefined || b === undefined || a === b || pair.matchBand === 'hidden' || !validScore(pair)) return []
    return [{ a, b, pair, executable: mayExecute(a) && mayExecute(b) }]
  })
  const bandOf = ({ pair }: (typeof ranked)[number]): number => matchBands.indexOf(pair.matchBand)
  ranked.sort(
    (x, y) =>
      bandOf(x) - bandOf(y) ||
      Number(y.executable) - Number(x.executable) ||
      (y.pair.matchScore ?? -1) - (x.pair.matchScore ?? -1),
  )
  return ranked.map(({ a, b }) => [a, b])
}

/** Nothing that is known before its books are read keeps it from being bought. */
const mayExecute = ({ dark, yesBook, noBook, fee, settlementFee }: ClusterMember): boolean =>
  dark !== true &&
  [yesBook, noBook].some((book) => book !== null && book.synthetic !== true) &&
  fee.kind !== 'unknown' &&
  settlementFee.kind !== 'unknown'

function rowsOf(
  cluster: ClusterInput,
  members: readonly ClusterMember[],
  dropped: CompiledCluster['dropped'],
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
    // Joined: a template's pieces would be retained until it is first looked up.
    key: [cluster.clusterId, yes.venue, no.venue].join(':'),
    cluster,
    pair,
    similarity: pair.similarity === undefined ? own : pair.similarity,
    verified: pair.resolutionEquivalence === 'verified',
    pricesDiffer: pair.matchDifferences.some(({ kind }) => kind === priceDifferenceKind),
  }
  return { a, b, facts }
}

/** Buying the question's YES on a venue of inverse polarity is buying that venue's NO. */
function sideOf(member: ClusterMember, question: 'yes' | 'no'): SideFacts {
  const side = (question === 'yes') === (member.polarity === 'same') ? 'yes' : 'no'
  return { member, side, source: side === 'yes' ? member.yesBook : member.noBook }
}

/** Deduplicates equal values, identified by their text. */
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
