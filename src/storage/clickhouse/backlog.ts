// Rows waiting for ClickHouse in one process: encoded blocks, in order and bounded. The oldest are dropped first, and every drop is
// reported.
import { randomUUID } from 'node:crypto'
import type { TapeBatch } from '#schemas/topics'
import { TapeBlock } from './insert.ts'
import type { Arrival } from './insertSequence.ts'

/** Rows kept while ClickHouse is unavailable: five minutes at 6,600 rows a second, about 150 MB. */
export const backlogRowsMax = 2_000_000
/** A block is closed at this size: large enough for the engine's best throughput, small enough to drop alone. */
export const blockRowsMax = 50_000

export interface WaitingBlock {
  /** Constant across retries. */
  token: string
  block: TapeBlock
  /** When its first row arrived, epoch ms. */
  since: number
  outcomes: Map<string, LostRows>
}

/** Rows of one outcome that were dropped. */
export interface LostRows {
  venue: string
  outcomeId: string
  rows: number
  /** Epoch ms of the first and the last lost row. */
  from: number
  to: number
}

export class Backlog {
  rows = 0
  rejected = 0
  /** Unique to this run: no two processes and no two starts share an insert token. */
  readonly token = randomUUID()
  private blocks: WaitingBlock[] = []
  private created = 0
  private readonly arrival: Arrival
  private readonly rowsMax: number

  constructor(arrival: Arrival, rowsMax: number) {
    this.arrival = arrival
    this.rowsMax = rowsMax
  }

  /** Returns the rows that had to be dropped. */
  add(batch: TapeBatch, now: number): LostRows[] {
    const open = this.openBlock(now)
    const before = open.block.rows
    const rejectedBefore = open.block.rejected
    open.block.add(batch, this.arrival)
    const added = open.block.rows - before
    this.rejected += open.block.rejected - rejectedBefore
    if (added === 0) return []
    this.rows += added
    noteRows(open.outcomes, batch, added)
    const lost: LostRows[] = []
    // The newest block is never dropped: it is being filled.
    while (this.rows > this.rowsMax && this.blocks.length > 1) lost.push(...this.giveUpOldest())
    return lost
  }

  /** Closes and returns the oldest block; new rows go into another one. It stays counted until `done` or dropped. */
  take(): WaitingBlock | undefined {
    return this.blocks.shift()
  }

  /** The taken block is on the tape. */
  done(taken: WaitingBlock): void {
    this.rows -= taken.block.rows
  }

  /** When the oldest waiting row arrived, epoch ms; null when none waits. */
  oldest(): number | null {
    return this.blocks[0]?.since ?? null
  }

  /** Number of inserts the oldest block needs. */
  oldestInserts(): number {
    return this.blocks[0]?.block.inserts ?? 0
  }

  waitingRows(): number {
    let rows = 0
    for (const { block } of this.blocks) rows += block.rows
    return rows
  }

  giveUpAll(): LostRows[] {
    const lost: LostRows[] = []
    while (this.blocks.length > 0) lost.push(...this.giveUpOldest())
    return lost
  }

  private giveUpOldest(): LostRows[] {
    const oldest = this.blocks.shift()
    if (oldest === undefined) return []
    this.rows -= oldest.block.rows
    return [...oldest.outcomes.values()]
  }

  private openBlock(now: number): WaitingBlock {
    const last = this.blocks.at(-1)
    if (last !== undefined && last.block.rows < Math.min(blockRowsMax, this.rowsMax)) return last
    const fresh: WaitingBlock = {
      token: `${this.token}:${this.created++}`,
      block: new TapeBlock(),
      since: now,
      outcomes: new Map(),
    }
    this.blocks.push(fresh)
    return fresh
  }
}

function noteRows(outcomes: Map<string, LostRows>, batch: TapeBatch, rows: number): void {
  const key = `${batch.venue}:${batch.outcomeId}`
  let from = Number.POSITIVE_INFINITY
  let to = 0
  for (const list of [batch.topOfBook, batch.trades, batch.books, batch.depth ?? []]) {
    for (const { recvTs } of list) {
      from = Math.min(from, recvTs)
      to = Math.max(to, recvTs)
    }
  }
  const seen = outcomes.get(key)
  if (seen === undefined) outcomes.set(key, { venue: batch.venue, outcomeId: batch.outcomeId, rows, from, to })
  else {
    seen.rows += rows
    seen.from = Math.min(seen.from, from)
    seen.to = Math.max(seen.to, to)
  }
}
