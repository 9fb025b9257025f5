// Lines of full depth, one per level.
import { depthSides, depthTypes } from '#storage/clickhouse/depthBlock'
import type { NativeShape, ReadBlock } from '#storage/clickhouse/nativeReader'
import type { ReplayPosition } from '../tape.ts'
import type { Chunks } from './byteChunks.ts'
import { putSize } from './fixedPoint.ts'
import { putLong, putShifted, putTime, timeAt } from './int64.ts'
import { fixed, fixedBytesMax, putFixed, putPrice, putWhole, TimeText } from './numberFormat.ts'
import type { LinesJob, RowWriter } from './rowWriter.ts'

/** As in the table. */
export const depthShape = [
  { name: 'recv_ts', type: 'UInt64' },
  { name: 'recv_delay', type: 'Int64' },
  { name: 'epoch', type: 'UInt64' },
  { name: 'seq', type: 'UInt32' },
  { name: 'type', type: 'UInt8' },
  { name: 'side', type: 'UInt8' },
  { name: 'price', type: 'UInt16' },
  { name: 'price_fine', type: 'UInt8' },
  { name: 'size', type: 'UInt64' },
  { name: 'size_fine', type: 'UInt16' },
] as const satisfies readonly NativeShape[]

const wordsOf = {
  ndjson: {
    ts: fixed('{"k":"l2","ts":'),
    type: fixed(',"type":"'),
    side: fixed('","side":'),
    bid: fixed('"bid"'),
    ask: fixed('"ask"'),
    price: fixed(',"price":'),
    size: fixed(',"size":'),
    recvTs: fixed(',"recvTs":'),
    seq: fixed(',"seq":'),
    epoch: fixed(',"epoch":'),
    none: fixed('null'),
    end: fixed('}\n'),
  },
  csv: {
    ts: fixed(''),
    type: fixed(','),
    side: fixed(','),
    bid: fixed('bid'),
    ask: fixed('ask'),
    price: fixed(','),
    size: fixed(','),
    recvTs: fixed(','),
    seq: fixed(','),
    epoch: fixed(','),
    none: fixed(''),
    end: fixed('\n'),
  },
} as const

const noType = fixed('')
/** By their number. */
const types = [noType, ...depthTypes.map((type) => fixed(type))]

/** The names, and the longest texts of six numbers. */
const rowBytesMax = 100 + 6 * 26 + fixedBytesMax

export function depthWriter({ format, mirrored }: LinesJob): RowWriter {
  const words = wordsOf[format ?? 'ndjson']
  const [times, otherTimes] = [new TimeText(), new TimeText()]
  const bidSide = mirrored ? depthSides.ask : depthSides.bid

  return {
    columns: depthShape,

    write({ view, columns }: ReadBlock, from: number, to: number, chunks: Chunks): void {
      const places = columns.map((column) => column.at) as [number, number, number, number, number]
      const [recvAt, delayAt, epochAt, seqAt, typeAt] = places
      const [sideAt, priceAt, fineAt, sizeAt, sizeFineAt] = columns.slice(5).map(({ at }) => at) as typeof places
      for (let row = from; row < to; row++) {
        chunks.reserve(rowBytesMax)
        const out = chunks.view
        const side = view.getUint8(sideAt + row)
        let end = putFixed(out, chunks.at, words.ts)
        end = putShifted(out, end, times, view, recvAt + 8 * row, delayAt + 8 * row, -1)
        end = putFixed(out, putFixed(out, end, words.type), types[view.getUint8(typeAt + row)] ?? noType)
        end = putFixed(out, end, words.side)
        if (side === depthSides.none) {
          end = putFixed(out, putFixed(out, end, words.none), words.price)
          end = putFixed(out, putFixed(out, end, words.none), words.size)
          end = putFixed(out, end, words.none)
        } else {
          end = putFixed(out, putFixed(out, end, side === bidSide ? words.bid : words.ask), words.price)
          end = putPrice(out, end, view.getUint16(priceAt + 2 * row, true), view.getUint8(fineAt + row), mirrored)
          end = putFixed(out, end, words.size)
          end = putSize(out, end, view, sizeAt + 8 * row, view.getUint16(sizeFineAt + 2 * row, true))
        }
        end = putTime(out, putFixed(out, end, words.recvTs), otherTimes, view, recvAt + 8 * row)
        end = putWhole(out, putFixed(out, end, words.seq), view.getUint32(seqAt + 4 * row, true))
        end = putLong(out, putFixed(out, end, words.epoch), view, epochAt + 8 * row)
        chunks.at = putFixed(out, end, words.end)
      }
    },

    positionOf({ view, columns }: ReadBlock, row: number): ReplayPosition {
      const [recvAt, , epochAt, seqAt] = columns.map((column) => column.at) as [number, number, number, number]
      return {
        ts: timeAt(view, recvAt + 8 * row),
        tie: `${timeAt(view, epochAt + 8 * row)}.${view.getUint32(seqAt + 4 * row, true)}`,
      }
    },
  }
}
