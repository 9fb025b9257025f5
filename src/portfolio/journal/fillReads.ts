// Reads the stored fills of accounts. Stored fills never change, and those of an account become visible in the order of their ids, so what was
// read of an account is kept for a while, and the next read fetches what is newer.
import { Fault } from '#core/fault'
import { forEachYielding } from '#core/yieldToEventLoop'
import { executionVenues, refreshedVenues } from '#schemas/venues'
import type { FillRow } from '#storage/postgres/executions/findExecutions'
import type { FilledOrderRow, FillPosition } from '#storage/postgres/portfolio/findFills'
import type { JournalPorts } from '../ports.ts'
import { FillEntries } from './fillEntries.ts'

/** Rows of a statement, a megabyte or two. */
const pageRows = 2_000
/** Rows read in one turn of the event loop. */
const perTurn = 200
/** Entries kept of all accounts together, some hundred bytes each. */
export const keptMax = 200_000

const venues: readonly string[] = [...executionVenues, ...refreshedVenues]

interface AccountFills {
  entries: FillEntries
  /** The last id that was read, by venue. */
  seen: Map<string, string>
}

type FillPorts = Pick<JournalPorts, 'store' | 'lanes'>

export class FillReads {
  /** By account, the least recently read first. */
  private readonly kept = new Map<string, AccountFills>()
  private keptEntries = 0
  /** By account, the last read that began. */
  private readonly running = new Map<string, Promise<unknown>>()
  private readonly ports: FillPorts

  constructor(ports: FillPorts) {
    this.ports = ports
  }

  /**
   * Reads of one account follow each other: one that begins later also has what was stored since. Throws NOT_SUPPORTED for more than `max`
   * entries.
   */
  read(accountId: string, max: number): Promise<FillEntries> {
    const before = this.running.get(accountId)
    const start = () => this.readNewer(accountId, max)
    // The failure of an earlier read is that reader's.
    const read = before === undefined ? start() : before.then(start, start)
    this.running.set(accountId, read)
    const ended = (): void => {
      if (this.running.get(accountId) === read) this.running.delete(accountId)
    }
    read.then(ended, ended)
    return read
  }

  private async readNewer(accountId: string, max: number): Promise<FillEntries> {
    const known = this.take(accountId)
    const state: AccountFills = known ?? { entries: new FillEntries(), seen: new Map() }
    for (let after: FillPosition | null = null; ; ) {
      const rows: FillRow[] = await this.page(accountId, known === null ? { after } : { seen: state.seen })
      await this.add(state, rows)
      if (state.entries.size > max) throw tooMany(max)
      const last = rows.at(-1)
      if (last === undefined || rows.length < pageRows) break
      after = { venue: last.venue, id: last.id }
    }
    this.keep(accountId, state)
    return state.entries
  }

  private page(
    accountId: string,
    from: { after: FillPosition | null } | { seen: ReadonlyMap<string, string> },
  ): Promise<FillRow[]> {
    const { store } = this.ports
    if ('after' in from) return store.findFills({ accountId, after: from.after, limit: pageRows })
    const seen = venues.map((venue) => ({ venue, id: from.seen.get(venue) ?? '0' }))
    return store.findNewFills({ accountId, seen, limit: pageRows })
  }

  private async add({ entries, seen }: AccountFills, rows: readonly FillRow[]): Promise<void> {
    const ids = [...new Set(rows.map(({ execution_id }) => execution_id))]
    const orders = new Map<string, FilledOrderRow>()
    if (ids.length > 0) for (const order of await this.ports.store.findFilledOrders(ids)) orders.set(order.id, order)
    await forEachYielding(rows, perTurn, (row) => {
      const order = orders.get(row.execution_id)
      if (order === undefined) throw new Error(`execution ${row.execution_id} of fill ${row.id} is gone`)
      entries.add(row, order, this.ports.lanes.get(row.venue)?.readFill)
      seen.set(row.venue, row.id)
    })
  }

  /** Not kept while it is read: a read that fails may have added a part of a page. */
  private take(accountId: string): AccountFills | null {
    const state = this.kept.get(accountId)
    if (state === undefined) return null
    this.kept.delete(accountId)
    this.keptEntries -= state.entries.size
    return state
  }

  private keep(accountId: string, state: AccountFills): void {
    if (state.entries.size > keptMax) return
    this.kept.set(accountId, state)
    this.keptEntries += state.entries.size
    for (const [oldest] of this.kept) {
      if (this.keptEntries <= keptMax) return
      this.take(oldest)
    }
  }
}

export const tooMany = (max: number): Fault =>
  new Fault('NOT_SUPPORTED', `this account has more than ${max} entries, more than a portfolio is computed from`)
