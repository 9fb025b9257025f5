// Reads changes of orders, whichever process wrote them: each change once, in whatever order transactions commit. Rows of the four tables
// (audit, fills, events of conditional orders and of algorithms) are numbered, but numbers become visible in the order of commits: a missing
// number is queried again until every transaction that had begun by then has ended. All four are read in one database snapshot, so an end never
// precedes its fills.
//
// NOTIFY only wakes the reader, because a notification is lost with its connection: with subscribers, changes are read every second anyway.
// There is no sequence per account. After a disconnect, a client catches up with fills by their cursor.
import { Sequence } from '#orders/stream/sequence'
import {
  type AlgorithmChange,
  type ChangeKind,
  type ChangePage,
  type ChangeQuery,
  type ConditionalChange,
  type FillChange,
  lastChange,
  readAlgorithms,
  readConditionals,
  readFills,
  readStatuses,
  type StatusChange,
} from '#storage/postgres/orderChanges/readChanges'
import { inTransaction, type Pool, type Queryable } from '#storage/postgres/pool'

/** Rows per read. */
const pageRows = 1_000
/** Per kind and read. The rest, after an outage perhaps, is covered by a new snapshot. */
const pagesMax = 100
const statementTimeoutMs = 1_500
/** How far before the last number a read begins: open transactions there may still commit. */
const rewind = 2_000

export interface Changes {
  fills: FillChange[]
  statuses: StatusChange[]
  conditionals: ConditionalChange[]
  algorithms: AlgorithmChange[]
  /** Changes may have been missed. */
  lost: boolean
}

const nothing = (): Changes => ({ fills: [], statuses: [], conditionals: [], algorithms: [], lost: false })

export class Follower {
  private readonly pool: Pool
  private readonly algorithms: Sequence
  private readonly conditionals: Sequence
  private readonly statuses: Sequence
  private readonly fills: Sequence
  /** Read but not passed on yet: a read that fails halfway loses nothing. */
  private found = nothing()

  private constructor(pool: Pool, starts: Readonly<Record<ChangeKind, number>>) {
    this.pool = pool
    this.algorithms = new Sequence(starts.algorithm)
    this.conditionals = new Sequence(starts.conditional)
    this.statuses = new Sequence(starts.status)
    this.fills = new Sequence(starts.fill)
  }

  /** Everything that commits from now on will be read. */
  static async start(pool: Pool): Promise<Follower> {
    const from = async (kind: ChangeKind) => Math.max(0, (await lastChange(pool, kind)) - rewind)
    const follower = new Follower(pool, {
      algorithm: await from('algorithm'),
      conditional: await from('conditional'),
      status: await from('status'),
      fill: await from('fill'),
    })
    // For no account: changes already visible are skipped.
    await follower.read([])
    return follower
  }

  /**
   * New changes of these accounts; those of other accounts are skipped for good. Read in one snapshot: a status comes with all its
   * fills.
   */
  async read(accounts: readonly string[]): Promise<Changes> {
    await inTransaction(
      this.pool,
      async (client) => {
        await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
        await this.follow(client, this.algorithms, readAlgorithms, accounts, this.found.algorithms)
        await this.follow(client, this.conditionals, readConditionals, accounts, this.found.conditionals)
        await this.follow(client, this.statuses, readStatuses, accounts, this.found.statuses)
        await this.follow(client, this.fills, readFills, accounts, this.found.fills)
      },
      { statementTimeoutMs },
    )
    const { found } = this
    this.found = nothing()
    return found
  }

  private async follow<Row>(
    db: Queryable,
    sequence: Sequence,
    read: (db: Queryable, query: ChangeQuery) => Promise<ChangePage<Row>>,
    accounts: readonly string[],
    into: Row[],
  ): Promise<void> {
    for (let pages = 0; pages < pagesMax; pages++) {
      const { after, missing } = sequence
      const page = await read(db, { after, missing, limit: pageRows, accounts })
      const { rowsInOrder: newRows, lost } = sequence.take(page)
      for (const row of newRows) into.push(row)
      this.found.lost ||= lost
      if (!page.isFull) return
    }
    this.found.lost = true
  }
}
