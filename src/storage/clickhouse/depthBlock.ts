// Full depth of one insert, column by column: one row per level.
import type { DepthType, TapeDepthRow } from '#schemas/topics'
import { isMicros, isSize, isTime, microsPerTick, noTick, unitsOf, unitsPerHundredth } from './columnBuffers.ts'
import type { InsertTarget } from './deduplication.ts'
import { Longs, Numbers, nativeBlock, Texts } from './native.ts'

/** In the order of the `type` column's values. */
export const depthTypes: readonly DepthType[] = ['start', 'snapshot', 'delta', 'same', 'gap']
const numberOfType = Object.fromEntries(depthTypes.map((type, i) => [type, i + 1])) as Record<DepthType, number>
/** Values of the `side` column. */
export const depthSides = { none: 0, bid: 1, ask: 2 } as const

const seqMax = 2 ** 32 - 1

export class DepthBlock {
  rows = 0
  private readonly venue = new Texts()
  private readonly outcomeId = new Texts()
  private readonly recvTs = new Longs('UInt64')
  private readonly recvDelay = new Longs('Int64')
  private readonly epoch = new Longs('UInt64')
  private readonly seq = new Numbers('UInt32')
  private readonly type = new Numbers('UInt8')
  private readonly side = new Numbers('UInt8')
  private readonly price = new Numbers('UInt16')
  private readonly priceFine = new Numbers('UInt8')
  private readonly size = new Longs('UInt64')
  private readonly sizeFine = new Numbers('UInt16')

  /** False, with nothing of it added, if it contains invalid values: readers notice the missing number. */
  add(change: TapeDepthRow, venue: string, outcomeId: string, epoch: number): boolean {
    const { ts, recvTs, seq, micros, sizes, bids } = change
    if (!isTime(ts) || !isTime(recvTs) || !(seq >= 0 && seq <= seqMax) || micros.length !== sizes.length) return false
    if (!micros.every(isMicros) || !sizes.every(isSize)) return false
    const venueNumber = this.venue.numberOf(venue)
    const outcomeNumber = this.outcomeId.numberOf(outcomeId)
    const count = Math.max(1, micros.length)
    for (let i = 0; i < count; i++) {
      this.venue.push(venueNumber)
      this.outcomeId.push(outcomeNumber)
      this.recvTs.push(recvTs)
      this.recvDelay.push(recvTs - ts)
      this.epoch.push(epoch)
      this.seq.push(seq)
      this.type.push(numberOfType[change.type])
      if (micros.length === 0) this.level(depthSides.none, null, 0)
      else this.level(i < bids ? depthSides.bid : depthSides.ask, micros[i]!, sizes[i]!)
    }
    this.rows += count
    return true
  }

  finish(within: string): { target: InsertTarget; bytes: Buffer } {
    const columns = [
      this.venue.column('venue'),
      this.outcomeId.column('outcome_id'),
      this.recvTs.column('recv_ts'),
      this.recvDelay.column('recv_delay'),
      this.epoch.column('epoch'),
      this.seq.column('seq'),
      this.type.column('type'),
      this.side.column('side'),
      this.price.column('price'),
      this.priceFine.column('price_fine'),
      this.size.column('size'),
      this.sizeFine.column('size_fine'),
    ]
    return {
      target: { table: 'depth', columns: columns.map(({ name }) => name), format: 'Native', within },
      bytes: nativeBlock(this.rows, columns),
    }
  }

  private level(side: number, micros: number | null, size: number): void {
    const units = unitsOf(size)
    const unitsFine = units % unitsPerHundredth
    const fine = micros === null ? 0 : micros % microsPerTick
    this.side.push(side)
    this.price.push(micros === null ? noTick : (micros - fine) / microsPerTick)
    this.priceFine.push(fine)
    this.size.push((units - unitsFine) / unitsPerHundredth)
    this.sizeFine.push(unitsFine)
  }
}
