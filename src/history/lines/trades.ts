// Lines of trades.
import { ONE } from '#core/price'
import { noPrice } from '#storage/clickhouse/columnBuffers'
import type { NativeShape, ReadBlock, ReadColumn } from '#storage/clickhouse/nativeReader'
import type { ReplayPosition } from '../tape.ts'
import type { Chunks } from './byteChunks.ts'
import { putUnits } from './fixedPoint.ts'
import { putShifted, putTime, timeAt } from './int64.ts'
import { fixed, fixedBytesMax, putFixed, putMillionths, TimeText } from './numberFormat.ts'
import type { LinesJob, RowWriter } from './rowWriter.ts'
import { ascii, encoded, jsonBytesMax, putCsv, putJson } from './stringEscape.ts'

const columns = [
  { name: 'ts', type: 'UInt64' },
  { name: 'recv_delay', type: 'Int64' },
  { name: 'price', type: 'UInt32' },
  { name: 'size', type: 'UInt64' },
  { name: 'side_number', type: 'Int8' },
  { name: 'trade_id', type: 'String' },
  { name: 'transaction_hash', type: 'Nullable(String)' },
] as const satisfies readonly NativeShape[]
const outcomeColumn = { name: 'outcome', type: 'String' } as const satisfies NativeShape

/** With the outcome last if each row has its own. */
export const tradesShape = (isNamed: boolean): readonly NativeShape[] =>
  isNamed ? [...columns, outcomeColumn] : columns

const numbers = {
  price: fixed(',"price":'),
  size: fixed(',"size":'),
  side: fixed(',"side":'),
  recvTs: fixed(',"recvTs":'),
}
const comma = fixed(',')
const formats = {
  ndjson: {
    head: ascii('{"k":"trades","ts":'),
    venue: ascii(',"venue":'),
    outcomeId: ascii(',"outcomeId":'),
    tradeId: ascii(',"tradeId":'),
    hash: ascii(',"transactionHash":'),
    ...numbers,
    // As in the column; buying one side is selling the other.
    sides: [fixed('"unknown"'), fixed('"buy"'), fixed('"sell"')],
    none: fixed('null'),
    end: fixed('}\n'),
    text: putJson,
    encode: (text: string) => encoded(text, 'json'),
  },
  csv: {
    head: ascii(''),
    venue: ascii(','),
    outcomeId: ascii(','),
    tradeId: ascii(','),
    hash: ascii(','),
    ...{ price: comma, size: comma, side: comma, recvTs: comma },
    sides: [fixed('unknown'), fixed('buy'), fixed('sell')],
    none: fixed(''),
    end: fixed('\n'),
    text: putCsv,
    encode: (text: string) => encoded(text, 'csv'),
  },
} as const

/** Everything but texts that vary by row. */
const fixedRowBytesMax = 120 + 5 * 26 + fixedBytesMax

export function tradesWriter({ format, mirrored, venue, outcomeId }: LinesJob): RowWriter {
  const words = formats[format ?? 'ndjson']
  const times = [new TimeText(), new TimeText()] as const
  const sides = mirrored ? [words.sides[0], words.sides[2], words.sides[1]] : words.sides
  const named = outcomeId === null ? [words.outcomeId] : [words.outcomeId, words.encode(outcomeId), words.tradeId]
  const before = Buffer.concat([words.venue, words.encode(venue), ...named])

  return {
    columns: tradesShape(outcomeId === null),

    write({ view, columns }: ReadBlock, from: number, to: number, chunks: Chunks): void {
      const [tsAt, delayAt, priceAt, sizeAt, sideAt] = columns.map(({ at }) => at) as [
        number,
        number,
        number,
        number,
        number,
      ]
      const [id, hash, outcome] = columns.slice(5) as [ReadColumn, ReadColumn, ReadColumn | undefined]
      for (let row = from; row < to; row++) {
        chunks.reserve(
          fixedRowBytesMax +
            before.length +
            jsonBytesMax(
              lengthOf(id, row) + lengthOf(hash, row) + (outcome === undefined ? 0 : lengthOf(outcome, row)),
            ) +
            4,
        )
        const { view: out, bytes: memory } = chunks
        memory.set(words.head, chunks.at)
        let end = putTime(out, chunks.at + words.head.length, times[0], view, tsAt + 8 * row)
        memory.set(before, end)
        end += before.length
        if (outcome !== undefined) {
          end = words.text(out, end, view, outcome.starts[row]!, outcome.ends[row]!)
          memory.set(words.tradeId, end)
          end += words.tradeId.length
        }
        end = words.text(out, end, view, id.starts[row]!, id.ends[row]!)
        const price = view.getUint32(priceAt + 4 * row, true)
        end = putFixed(out, end, words.price)
        if (price === noPrice) end = putFixed(out, end, words.none)
        else end = putMillionths(out, end, mirrored ? ONE - price : price)
        end = putUnits(out, putFixed(out, end, words.size), view, sizeAt + 8 * row)
        end = putFixed(out, putFixed(out, end, words.side), sides[view.getInt8(sideAt + row)] ?? sides[0]!)
        memory.set(words.hash, end)
        end += words.hash.length
        if (view.getUint8(hash.at + row) === 1) end = putFixed(out, end, words.none)
        else end = words.text(out, end, view, hash.starts[row]!, hash.ends[row]!)
        end = putShifted(out, putFixed(out, end, words.recvTs), times[1], view, tsAt + 8 * row, delayAt + 8 * row, 1)
        chunks.at = putFixed(out, end, words.end)
      }
    },

    positionOf({ view, bytes, columns }: ReadBlock, row: number): ReplayPosition {
      const [ts, , , , , id] = columns as [ReadColumn, ReadColumn, ReadColumn, ReadColumn, ReadColumn, ReadColumn]
      return {
        ts: timeAt(view, ts.at + 8 * row),
        tie: Buffer.from(bytes.buffer, bytes.byteOffset + id.starts[row]!, lengthOf(id, row)).toString(),
      }
    },
  }
}

const lengthOf = ({ starts, ends }: ReadColumn, row: number): number => ends[row]! - starts[row]!
