// Small tables as Parquet. Decimals are texts: their digits are exact, and their scales differ.
import { parquetWriteBuffer } from 'hyparquet-writer'
import type { Column, ColumnType } from './columns.ts'

const typeOf = { text: 'STRING', decimal: 'STRING', boolean: 'BOOLEAN', time: 'TIMESTAMP' } as const satisfies Record<
  ColumnType,
  string
>

export function parquetOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Buffer {
  const columnData = columns.map((column) => ({
    name: column.name,
    type: typeOf[column.type],
    data: rows.map((row) => {
      const value = column.of(row)
      return column.type === 'time' && typeof value === 'string' ? new Date(value) : value
    }),
  }))
  return Buffer.from(parquetWriteBuffer({ columnData, createdBy: 'crossbook' }))
}
