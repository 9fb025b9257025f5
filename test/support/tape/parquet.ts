// The columns in the footer of a Parquet file.
import type { TapeStore } from '#storage/clickhouse/client'

/** Each column's logical type, or its physical one when it has none, which readers use unchanged. */
export async function kindsOf(store: TapeStore, file: string): Promise<Record<string, string>> {
  const rows = await store.rows<{ name: string; physical: string; logical: string }>(
    `SELECT column.name AS name, column.physical_type AS physical, column.logical_type AS logical
FROM (SELECT arrayJoin(columns) AS column FROM file('${file}', ParquetMetadata)) FORMAT JSONEachRow`,
  )
  return Object.fromEntries(rows.map(({ name, physical, logical }) => [name, logical === 'None' ? physical : logical]))
}
