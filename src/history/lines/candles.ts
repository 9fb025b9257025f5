// Lines of candles. They are far fewer than trades and the engine computes them in doubles, so each line's text is built individually.
import type { NativeShape, ReadBlock } from '#storage/clickhouse/nativeReader'
import type { ReplayPosition } from '../tape.ts'
import type { Chunks } from './byteChunks.ts'
import { putLong, putTime, timeAt } from './int64.ts'
import { fixed, fixedBytesMax, putFixed, TimeText, writeQuotient } from './numberFormat.ts'
import type { LinesJob, RowWriter } from './rowWriter.ts'
import { ascii, encoded } from './stringEscape.ts'

export const candlesShape = [
  { name: 'ts', type: 'UInt64' },
  { name: 'open', type: 'Float64' },
  { name: 'high', type: 'Float64' },
  { name: 'low', type: 'Float64' },
  { name: 'close', type: 'Float64' },
  { name: 'volume', type: 'Float64' },
  { name: 'trades', type: 'UInt64' },
] as const satisfies readonly NativeShape[]

const formats = {
  ndjson: {
    head: ascii('{"k":"candles","ts":'),
    named: (venue: string, resolution: string) =>
      Buffer.concat([ascii(',"venue":'), encoded(venue, 'json'), ascii(',"resolution":'), encoded(resolution, 'json')]),
    values: ['open', 'high', 'low', 'close', 'volume'].map((name) => fixed(`,"${name}":`)),
    trades: fixed(',"trades":'),
    end: fixed('}\n'),
  },
  csv: {
    head: ascii(''),
    named: (venue: string, resolution: string) =>
      Buffer.concat([ascii(','), encoded(venue, 'csv'), ascii(','), encoded(resolution, 'csv')]),
    values: Array.from({ length: 5 }, () => fixed(',')),
    trades: fixed(','),
    end: fixed('\n'),
  },
} as const

/** Names, two times and five doubles. */
const rowBytesMax = 120 + 7 * 26 + fixedBytesMax

export function candlesWriter({ format, venue, resolution }: LinesJob): RowWriter {
  if (resolution === null) throw new Error('candles need a resolution')
  const words = formats[format ?? 'ndjson']
  const named = words.named(venue, resolution)
  const times = new TimeText()

  return {
    columns: candlesShape,

    write({ view, columns }: ReadBlock, from: number, to: number, chunks: Chunks): void {
      const at = columns.map((column) => column.at)
      for (let row = from; row < to; row++) {
        chunks.reserve(rowBytesMax + named.length)
        const { view: out, bytes: memory } = chunks
        memory.set(words.head, chunks.at)
        let end = putTime(out, chunks.at + words.head.length, times, view, at[0]! + 8 * row)
        memory.set(named, end)
        end += named.length
        for (let i = 0; i < words.values.length; i++) {
          end = putFixed(out, end, words.values[i]!)
          end = writeQuotient(out, end, view.getFloat64(at[i + 1]! + 8 * row, true))
        }
        end = putLong(out, putFixed(out, end, words.trades), view, at[6]! + 8 * row)
        chunks.at = putFixed(out, end, words.end)
      }
    },

    positionOf: ({ view, columns }: ReadBlock, row: number): ReplayPosition => ({
      ts: timeAt(view, columns[0]!.at + 8 * row),
      tie: '',
    }),
  }
}
