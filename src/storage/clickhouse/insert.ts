// Tape batches as inserts: one body per table, each with the batch's token. Top of book and full depth go by column, the few irregular others by row.
import type { TapeBatch, TapeBookRow, TapeTradeRow } from '#schemas/topics'
import type { TapeStore } from './client.ts'
import { isMicros, isSize, isTime, noPrice, unitsOf } from './columnBuffers.ts'
import { type InsertTarget, Span } from './deduplication.ts'
import { DepthBlock } from './depthBlock.ts'
import type { Arrival } from './insertSequence.ts'
import { prefixed } from './native.ts'
import { RowBinary } from './rowBinary.ts'
import { TopOfBookBlock } from './topOfBookBlock.ts'

const trades = {
  table: 'trades',
  columns: ['venue', 'outcome_id', 'ts', 'trade_id', 'recv_delay', 'price', 'size', 'side', 'transaction_hash'],
} satisfies Partial<InsertTarget>
const books = {
  table: 'books',
  columns: ['venue', 'outcome_id', 'ts', 'recv_delay', 'bids', 'bid_sizes', 'asks', 'ask_sizes'],
} satisfies Partial<InsertTarget>

const sideNumber = { unknown: 0, buy: 1, sell: 2 } as const
/** Fixed part of one row, bytes; texts reserve their own space. */
const tradeBytes = 32
const levelBytes = 12

/** Rows of one insert, encoded as they arrive. */
export class TapeBlock {
  /** All rows added. */
  rows = 0
  /** Invalid rows (a price beyond 1, a size that is not a number): left out, counted and logged. */
  rejected = 0
  private readonly ts = new Span()
  private readonly recvTs = new Span()
  private readonly topOfBook = new TopOfBookBlock()
  private readonly depth = new DepthBlock()
  private readonly trades = new RowBinary()
  private readonly books = new RowBinary()

  /** Number of inserts it needs: one per table. */
  get inserts(): number {
    const { topOfBook, depth, trades, books } = this
    return [topOfBook.rows, depth.rows, trades.byteLength, books.byteLength].filter((held) => held > 0).length
  }

  add(batch: TapeBatch, arrival: Arrival): void {
    const { venue, outcomeId } = batch
    if (batch.topOfBook.length > 0) {
      const key = `${venue}:${outcomeId}`
      const next = (recvTs: number): number => arrival.next(key, recvTs)
      const numbers = this.topOfBook.outcome(venue, outcomeId)
      for (const row of batch.topOfBook) this.count(this.topOfBook.add(row, numbers, next), row)
    }
    for (const row of batch.depth ?? []) {
      this.count(this.depth.add(row, venue, outcomeId, batch.epoch ?? 0), row, Math.max(1, row.micros.length))
    }
    if (batch.trades.length + batch.books.length === 0) return
    // Every row begins with the same two texts: encoded once.
    const outcome = Buffer.concat([prefixed(venue), prefixed(outcomeId)])
    for (const row of batch.trades) this.count(writeTrade(this.trades, row, outcome), row)
    for (const row of batch.books) this.count(writeBook(this.books, row, outcome), row)
  }

  /**
   * Inserts its rows. With the same token it may be repeated after any failure without duplicating rows. `repeated`: another process tried it.
   */
  async insert(store: Pick<TapeStore, 'insert'>, token: string, repeated = false): Promise<void> {
    const { ts, recvTs } = this
    const within = `${ts.within('ts')} AND ${recvTs.within('ts + recv_delay')}`
    for (const [block, itsRows] of [
      [this.topOfBook, within],
      [this.depth, recvTs.within('recv_ts')],
    ] as const) {
      if (block.rows === 0) continue
      const { target, bytes } = block.finish(itsRows)
      await store.insert(target, bytes, `${token}/${target.table}`, repeated)
    }
    for (const [target, rows] of [
      [trades, this.trades],
      [books, this.books],
    ] as const) {
      if (rows.byteLength > 0) {
        await store.insert({ ...target, within }, rows.finish(), `${token}/${target.table}`, repeated)
      }
    }
  }

  private count(taken: boolean, { ts, recvTs }: { ts: number; recvTs: number }, rows = 1): void {
    if (!taken) {
      this.rejected += 1
      return
    }
    this.rows += rows
    this.ts.note(ts)
    this.recvTs.note(recvTs)
  }
}

function writeTrade(out: RowBinary, row: TapeTradeRow, outcome: Buffer): boolean {
  if (!isTime(row.ts) || !isTime(row.recvTs) || !isMicros(row.priceMicros) || !isSize(row.size)) return false
  out.raw(outcome)
  out.reserve(tradeBytes)
  out.uint64(row.ts)
  out.text(row.tradeId)
  out.reserve(tradeBytes)
  out.int64(row.recvTs - row.ts)
  out.uint32(row.priceMicros ?? noPrice)
  out.uint64(unitsOf(row.size))
  out.uint8(sideNumber[row.side])
  out.nullableText(row.transactionHash)
  return true
}

function writeBook(out: RowBinary, row: TapeBookRow, outcome: Buffer): boolean {
  const levels = row.bidMicros.length + row.askMicros.length
  if (row.bidMicros.length !== row.bidSizes.length || row.askMicros.length !== row.askSizes.length) return false
  if (!isTime(row.ts) || !isTime(row.recvTs)) return false
  if (!row.bidMicros.every(isMicros) || !row.askMicros.every(isMicros)) return false
  if (!row.bidSizes.every(isSize) || !row.askSizes.every(isSize)) return false
  out.raw(outcome)
  out.reserve(16)
  out.uint64(row.ts)
  out.int64(row.recvTs - row.ts)
  out.reserve(levels * levelBytes + 20)
  writeLevels(out, row.bidMicros, row.bidSizes)
  writeLevels(out, row.askMicros, row.askSizes)
  return true
}

function writeLevels(out: RowBinary, micros: readonly number[], sizes: readonly number[]): void {
  out.reserve(micros.length * levelBytes + 10)
  out.count(micros.length)
  for (const price of micros) out.uint32(price)
  out.count(sizes.length)
  for (const size of sizes) out.uint64(unitsOf(size))
}
