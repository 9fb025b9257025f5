// Top-of-book rows of one insert, by column: the busiest table.
import type { TopOfBookRow } from '#schemas/topics'
import { isMicros, isSize, isTime, microsPerTick, noTick, unitsOf, unitsPerHundredth } from './columnBuffers.ts'
import type { InsertTarget } from './deduplication.ts'
import { Longs, type NativeColumn, Numbers, nativeBlock, Texts } from './native.ts'

/** One side's four columns. */
class Side {
  private readonly tick = new Numbers('UInt16')
  private readonly fine = new Numbers('UInt8')
  private readonly size = new Longs('UInt64')
  private readonly sizeFine = new Numbers('UInt16')

  push(micros: number | null, size: number): void {
    const units = unitsOf(size)
    const unitsFine = units % unitsPerHundredth
    const fine = micros === null ? 0 : micros % microsPerTick
    this.tick.push(micros === null ? noTick : (micros - fine) / microsPerTick)
    this.fine.push(fine)
    this.size.push((units - unitsFine) / unitsPerHundredth)
    this.sizeFine.push(unitsFine)
  }

  columns(name: 'bid' | 'ask'): NativeColumn[] {
    return [
      this.tick.column(name),
      this.fine.column(`${name}_fine`),
      this.size.column(`${name}_size`),
      this.sizeFine.column(`${name}_size_fine`),
    ]
  }
}

/** An outcome's indices in the two text columns: looked up once for all its rows. */
export interface OutcomeNumbers {
  venue: number
  outcomeId: number
}

export class TopOfBookBlock {
  rows = 0
  private readonly venue = new Texts()
  private readonly outcomeId = new Texts()
  private readonly ts = new Longs('UInt64')
  private readonly recvDelay = new Longs('Int64')
  private readonly seq = new Numbers('UInt16')
  private readonly bid = new Side()
  private readonly ask = new Side()

  outcome(venue: string, outcomeId: string): OutcomeNumbers {
    return { venue: this.venue.numberOf(venue), outcomeId: this.outcomeId.numberOf(outcomeId) }
  }

  /** False for an invalid row; `arrival` numbers only rows that are added. */
  add(row: TopOfBookRow, outcome: OutcomeNumbers, arrival: (recvTs: number) => number): boolean {
    if (!isTime(row.ts) || !isTime(row.recvTs) || !isMicros(row.bidMicros) || !isMicros(row.askMicros)) return false
    if (!isSize(row.bidSize) || !isSize(row.askSize)) return false
    this.rows += 1
    this.venue.push(outcome.venue)
    this.outcomeId.push(outcome.outcomeId)
    this.ts.push(row.ts)
    this.recvDelay.push(row.recvTs - row.ts)
    this.seq.push(arrival(row.recvTs))
    this.bid.push(row.bidMicros, row.bidSize)
    this.ask.push(row.askMicros, row.askSize)
    return true
  }

  /** `seq` is assigned by the writer. */
  finish(within: string): { target: InsertTarget; bytes: Buffer } {
    const columns = [
      this.venue.column('venue'),
      this.outcomeId.column('outcome_id'),
      this.ts.column('ts'),
      this.recvDelay.column('recv_delay'),
      this.seq.column('seq'),
      ...this.bid.columns('bid'),
      ...this.ask.columns('ask'),
    ]
    return {
      target: {
        table: 'top_of_book',
        columns: columns.map(({ name }) => name),
        format: 'Native',
        within,
        except: ['seq'],
      },
      bytes: nativeBlock(this.rows, columns),
    }
  }
}
