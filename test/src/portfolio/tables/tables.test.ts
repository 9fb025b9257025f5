import { expect, it } from 'vitest'
import type { Column } from '#portfolio/tables/columns'
import { csvOf } from '#portfolio/tables/csv'
import { parquetOf } from '#portfolio/tables/parquet'

type Row = Readonly<Record<'text' | 'decimal' | 'time', string | null>>
const columns: readonly Column<Row>[] = (['text', 'decimal', 'time'] as const).map(
  (type): Column<Row> => ({
    name: type,
    type,
    of: (row) => row[type],
  }),
)
const rowOf = (text: string | null): Row => ({ text, decimal: null, time: null })

it.each([
  ['=1+1', `'=1+1`],
  ['+1', `'+1`],
  ['-1', `'-1`],
  ['@sum', `'@sum`],
  [' =1', `' =1`],
  ['\t=1', `'\t=1`],
  ['a,b', '"a,b"'],
  ['say "x"', '"say ""x"""'],
  ['a\nb', '"a\nb"'],
  ['', '""'],
  [null, ''],
  ['plain', 'plain'],
])('writes the text %j as %s', (text, field) => {
  expect(csvOf(columns, [rowOf(text)])).toBe(`text,decimal,time\r\n${field},,\r\n`)
})

it('writes a decimal below zero as it is', () => {
  expect(csvOf(columns, [{ text: 'a', decimal: '-1.5', time: '2026-11-30T00:00:00.000Z' }])).toBe(
    'text,decimal,time\r\na,-1.5,2026-11-30T00:00:00.000Z\r\n',
  )
})

it.each([[[]], [[rowOf('a')]], [[rowOf(null), rowOf('b')]]])('writes %j as a Parquet file', (rows) => {
  const file = parquetOf(columns, rows)
  expect([file.subarray(0, 4).toString(), file.subarray(-4).toString()]).toEqual(['PAR1', 'PAR1'])
})
