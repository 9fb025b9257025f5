import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Longs, Numbers, nativeBlock, prefixed } from '#storage/clickhouse/native'
import { NativeReader, type NativeShape, type ReadBlock, UnknownColumns } from '#storage/clickhouse/nativeReader'

const shape: readonly NativeShape[] = [
  { name: 'at', type: 'UInt64' },
  { name: 'count', type: 'UInt16' },
  { name: 'text', type: 'String' },
]

interface Row {
  at: number
  count: number
  text: string
}

function blockOf(rows: readonly Row[]): Buffer {
  const [at, count] = [new Longs('UInt64'), new Numbers('UInt16')]
  for (const row of rows) {
    at.push(row.at)
    count.push(row.count)
  }
  const text = { name: 'text', type: 'String', parts: rows.map((row) => prefixed(row.text)) }
  return nativeBlock(rows.length, [at.column('at'), count.column('count'), text])
}

function rowsOf({ rows, bytes, view, columns }: ReadBlock): Row[] {
  const [at, count, text] = columns as [ReadBlock['columns'][0], ReadBlock['columns'][0], ReadBlock['columns'][0]]
  return Array.from({ length: rows }, (_, row) => ({
    at: Number(view.getBigUint64(at.at + 8 * row, true)),
    count: view.getUint16(count.at + 2 * row, true),
    text: Buffer.from(bytes.subarray(text.starts[row], text.ends[row])).toString(),
  }))
}

function read(pieces: readonly Uint8Array[]): { rows: Row[]; open: number } {
  const reader = new NativeReader(shape)
  const rows: Row[] = []
  for (const piece of pieces) {
    reader.push(piece)
    for (let block = reader.next(); block !== null; block = reader.next()) rows.push(...rowsOf(block))
  }
  return { rows, open: reader.open }
}

const row = fc.record({
  at: fc.nat(Number.MAX_SAFE_INTEGER),
  count: fc.nat(65_535),
  // Length prefixes of one byte and of two.
  text: fc.oneof(fc.string(), fc.string({ minLength: 120, maxLength: 140 })),
})
const blocks = fc.array(fc.array(row, { maxLength: 5 }), { maxLength: 4 })

test('reads blocks as written, however the bytes are split', () => {
  fc.assert(
    fc.property(blocks, fc.array(fc.nat(400), { maxLength: 12 }), (all, cuts) => {
      const bytes = Uint8Array.from(Buffer.concat(all.map(blockOf)))
      const ends = [...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length]
      const pieces = ends.map((end, i) => bytes.slice(i === 0 ? 0 : ends[i - 1], end))
      expect(read(pieces)).toEqual({ rows: all.flat(), open: 0 })
    }),
  )
})

test('skips an incomplete block and reports its bytes', () => {
  const whole = blockOf([{ at: 1, count: 2, text: 'three' }])
  for (let length = 1; length < whole.length; length++)
    expect(read([Uint8Array.from(whole.subarray(0, length))])).toEqual({ rows: [], open: length })
})

test('rejects unknown columns, and fails when they follow a block that was read', () => {
  const known = Uint8Array.from(blockOf([{ at: 1, count: 2, text: '' }]))
  const other = Uint8Array.from(
    nativeBlock(0, [
      new Longs('Int64').column('at'),
      new Numbers('UInt16').column('count'),
      { name: 'text', type: 'String', parts: [] },
    ]),
  )
  expect(() => read([other])).toThrow(UnknownColumns)
  expect(() => read([Uint8Array.from(nativeBlock(0, []))])).toThrow(UnknownColumns)
  expect(() => read([known, other])).toThrow('broke off between two blocks: at Int64 instead of at UInt64')
  const complaint = Uint8Array.from(Buffer.from('Code: 241. DB::Exception: memory limit exceeded'))
  expect(() => read([known, complaint])).toThrow('broke off between two blocks')
})
