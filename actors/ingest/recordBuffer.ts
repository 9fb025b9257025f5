// Tape rows of one venue on their way to the bus: one batch per outcome, in arrival order, with a bound for when the bus accepts none.
import type {
  CoverageEvent,
  TapeBatch,
  TapeBookRow,
  TapeDepthRow,
  TapeTradeRow,
  TopOfBookRow,
  TradeUpdate,
  WalletPoll,
  WalletTrade,
} from '#schemas/topics'
import type { OwnedBus } from './owner/fencedBus.ts'
import { recordedRow, walletTradeOf } from './snapshot.ts'

/**
 * Maximum waiting rows, some 100 bytes each. Further ones are lost, counted, and recorded as a gap of their outcome.
 */
export const tapeRowsMax = 1_000_000

/** Rows per message, some 300 bytes each: the backlog of a bus outage must not exceed the bus's message limit. */
export const messageRowsMax = 2_000
/** Book levels that weigh as much as one row. */
const levelsPerRow = 12

export class TapeBuffer {
  rows = 0
  lost = 0
  private batches = new Map<string, TapeBatch>()
  private walletTrades: WalletTrade[] = []
  private look: WalletPoll | null = null
  private readonly gapped = new Set<string>()
  private flushing: Promise<void> | null = null
  private readonly venue: string
  private readonly rowsMax: number
  private readonly recordsTraders: boolean

  constructor(venue: string, rowsMax: number = tapeRowsMax, recordsTraders = false) {
    this.venue = venue
    this.recordsTraders = recordsTraders
    this.rowsMax = rowsMax
  }

  topOfBook(row: TopOfBookRow): void {
    this.of(row.outcomeId)?.topOfBook.push(row)
  }

  trade(row: TapeTradeRow): void {
    this.of(row.outcomeId)?.trades.push(row)
  }

  book(row: TapeBookRow): void {
    this.of(row.outcomeId)?.books.push(row)
  }

  get hasCapacity(): boolean {
    return this.rows < this.rowsMax
  }

  /** False: the buffer is full. A gap row always fits: there is one per book. */
  depth(outcomeId: string, row: TapeDepthRow): boolean {
    const weight = Math.max(1, row.micros.length)
    const batch = row.type === 'gap' ? this.batchOf(outcomeId) : this.of(outcomeId, weight)
    if (batch === null) return false
    if (batch.depth === undefined) batch.depth = [row]
    else batch.depth.push(row)
    return true
  }

  /** A published trade; also for the record of traders, when they are recorded and it names its wallets. */
  addPublished(trade: TradeUpdate): void {
    this.trade(recordedRow(trade))
    if (!this.recordsTraders || this.rows >= this.rowsMax) return
    const walletTrade = walletTradeOf(trade)
    if (walletTrade === null) return
    this.rows++
    this.walletTrades.push(walletTrade)
  }

  /** All trades up to then, epoch ms, were published. Not passed on when some of them were dropped. */
  publishedUntil(until: number): void {
    if (this.recordsTraders && this.rows < this.rowsMax) this.look = { venue: this.venue, lookedAt: until }
  }

  /** Publishes everything gathered, when the bus accepts it; one flush at a time. `gap` describes what was lost meanwhile. */
  flush(bus: OwnedBus, gap: (outcomeId: string) => CoverageEvent): Promise<void> {
    if (this.flushing === null && this.batches.size === 0 && this.rows === 0 && this.look === null)
      return Promise.resolve()
    this.flushing ??= this.publish(bus, gap).finally(() => {
      this.flushing = null
    })
    return this.flushing
  }

  private async publish(bus: OwnedBus, gap: (outcomeId: string) => CoverageEvent): Promise<void> {
    await bus.ready()
    const taken = this.batches
    const { walletTrades, look } = this
    this.batches = new Map()
    this.walletTrades = []
    this.look = null
    this.rows = 0
    for (const batch of taken.values())
      for (const part of inParts(batch)) bus.publish('tape', `${this.venue}:${batch.outcomeId}`, part)
    for (const trade of walletTrades) bus.publish('walletTrades', this.venue, trade)
    if (look !== null) bus.publish('walletTrades', this.venue, look)
    for (const outcomeId of this.gapped) bus.publish('coverage', `${this.venue}:${outcomeId}`, gap(outcomeId))
    this.gapped.clear()
  }

  private of(outcomeId: string, weight = 1): TapeBatch | null {
    if (this.rows >= this.rowsMax) {
      this.lost += weight
      this.gapped.add(outcomeId)
      return null
    }
    this.rows += weight
    return this.batchOf(outcomeId)
  }

  private batchOf(outcomeId: string): TapeBatch {
    let batch = this.batches.get(outcomeId)
    if (batch === undefined) {
      batch = { venue: this.venue, outcomeId, topOfBook: [], trades: [], books: [] }
      this.batches.set(outcomeId, batch)
    }
    return batch
  }
}

/** Rows of each kind stay in order. */
function inParts(batch: TapeBatch): TapeBatch[] {
  const { topOfBook, trades, books, depth = [] } = batch
  if (topOfBook.length + trades.length + weightOf(books) + depthWeight(depth) <= messageRowsMax) return [batch]
  const parts: TapeBatch[] = []
  let rowsLeft = 0
  const partWith = (weight: number): TapeBatch => {
    if (rowsLeft < weight || parts.length === 0) {
      parts.push({ ...batch, topOfBook: [], trades: [], books: [], depth: [] })
      rowsLeft = messageRowsMax
    }
    rowsLeft -= weight
    return parts.at(-1)!
  }
  for (const row of topOfBook) partWith(1).topOfBook.push(row)
  for (const row of trades) partWith(1).trades.push(row)
  for (const row of books) partWith(weightOf([row])).books.push(row)
  for (const row of depth) partWith(depthWeight([row])).depth?.push(row)
  return parts
}

const depthWeight = (depth: readonly TapeDepthRow[]): number =>
  depth.reduce((sum, { micros }) => sum + 1 + micros.length / levelsPerRow, 0)

const weightOf = (books: readonly TapeBookRow[]): number =>
  books.reduce((sum, { bidMicros, askMicros }) => sum + 1 + (bidMicros.length + askMicros.length) / levelsPerRow, 0)
