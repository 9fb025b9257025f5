// Tape batches as inserts: one RowBinary body per table, each with the batch's token.
import type { TapeBatch, TapeBookRow, TapeTradeRow, TopOfBookRow } from '#schemas/topics'
import type { Arrival } from './arrival.ts'
import type { InsertTarget, TapeStore } from './client.ts'
import { isMicros, isSize, isTime, microsPerTick, noPrice, noTick, sizeUnits, unitsPerHundredth } from './packing.ts'
import { prefixed, RowBinary } from './rowBinary.ts'

const topOfBook: InsertTarget = {
  table: 'top_of_book',
  columns: [
    'venue',
    'outcome_id',
    'ts',
    'recv_delay',
    'seq',
    'bid',
    'bid_fine',
    'bid_size',
    'bid_size_fine',
    'ask',
    'ask_fine',
    'ask_size',
    'ask_size_fine',
  ],
}
const trades: InsertTarget = {
  table: 'trades',
  columns: ['venue', 'outcome_id', 'ts', 'trade_id', 'recv_delay', 'price', 'size', 'side', 'transaction_hash'],
}
const books: InsertTarget = {
  table: 'books',
  columns: ['venue', 'outcome_id', 'ts', 'recv_delay', 'bids', 'bid_sizes', 'asks', 'ask_sizes'],
}

const sideNumber = { unknown: 0, buy: 1, sell: 2 } as const
/** Fixed part of one row, bytes; texts make their own room. */
const topOfBookBytes = 44
const tradeBytes = 32
const levelBytes = 12

/** Every row of a batch begins with the same two texts: encoded once. */
interface OutcomePrefix {
  key: string
  bytes: Buffer
}

/** Rows of one insert, encoded as they come. */
export class TapeBlock {
  /** All rows taken. */
  rows = 0
  /** Rows that say something impossible (a price beyond 1, a size that is no number): left out, to be counted and logged. */
  rejected = 0
  private readonly topOfBook = new RowBinary()
  private readonly trades = new RowBinary()
  private readonly books = new RowBinary()

  add(batch: TapeBatch, arrival: Arrival): void {
    const outcome: OutcomePrefix = {
      key: `${batch.venue}:${batch.outcomeId}`,
      bytes: Buffer.concat([prefixed(batch.venue), prefixed(batch.outcomeId)]),
    }
    for (const row of batch.topOfBook) this.count(writeTopOfBook(this.topOfBook, row, outcome, arrival))
    for (const row of batch.trades) this.count(writeTrade(this.trades, row, outcome))
    for (const row of batch.books) this.count(writeBook(this.books, row, outcome))
  }

  get byteLength(): number {
    return this.topOfBook.byteLength + this.trades.byteLength + this.books.byteLength
  }

  /** Inserts what it holds. With the same token it may be repeated after any failure: no row is doubled. */
  async insert(store: Pick<TapeStore, 'insert'>, token: string): Promise<void> {
    for (const [target, rows] of [
      [topOfBook, this.topOfBook],
      [trades, this.trades],
      [books, this.books],
    ] as const) {
      if (rows.byteLength > 0) await store.insert(target, rows.finish(), `${token}/${target.table}`)
    }
  }

  private count(taken: boolean): void {
    if (taken) this.rows += 1
    else this.rejected += 1
  }
}

function writeTopOfBook(out: RowBinary, row: TopOfBookRow, outcome: OutcomePrefix, arrival: Arrival): boolean {
  if (!isTime(row.ts) || !isTime(row.recvTs) || !isMicros(row.bidMicros) || !isMicros(row.askMicros)) return false
  if (!isSize(row.bidSize) || !isSize(row.askSize)) return false
  out.raw(outcome.bytes)
  out.reserve(topOfBookBytes)
  out.uint64(row.ts)
  out.int64(row.recvTs - row.ts)
  out.uint16(arrival.next(outcome.key, row.recvTs))
  writeSide(out, row.bidMicros, row.bidSize)
  writeSide(out, row.askMicros, row.askSize)
  return true
}

function writeSide(out: RowBinary, micros: number | null, size: number): void {
  const units = Math.round(size * sizeUnits)
  const fine = units % unitsPerHundredth
  out.uint16(micros === null ? noTick : Math.floor(micros / microsPerTick))
  out.uint8(micros === null ? 0 : micros % microsPerTick)
  out.uint64((units - fine) / unitsPerHundredth)
  out.uint16(fine)
}

function writeTrade(out: RowBinary, row: TapeTradeRow, outcome: OutcomePrefix): boolean {
  if (!isTime(row.ts) || !isTime(row.recvTs) || !isMicros(row.priceMicros) || !isSize(row.size)) return false
  out.raw(outcome.bytes)
  out.reserve(tradeBytes)
  out.uint64(row.ts)
  out.text(row.tradeId)
  out.reserve(tradeBytes)
  out.int64(row.recvTs - row.ts)
  out.uint32(row.priceMicros ?? noPrice)
  out.uint64(Math.round(row.size * sizeUnits))
  out.uint8(sideNumber[row.side])
  out.nullableText(row.transactionHash)
  return true
}

function writeBook(out: RowBinary, row: TapeBookRow, outcome: OutcomePrefix): boolean {
  const levels = row.bidMicros.length + row.askMicros.length
  if (row.bidMicros.length !== row.bidSizes.length || row.askMicros.length !== row.askSizes.length) return false
  if (!isTime(row.ts) || !isTime(row.recvTs)) return false
  if (!row.bidMicros.every(isMicros) || !row.askMicros.every(isMicros)) return false
  if (!row.bidSizes.every(isSize) || !row.askSizes.every(isSize)) return false
  out.raw(outcome.bytes)
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
  for (const size of sizes) out.uint64(Math.round(size * sizeUnits))
}
