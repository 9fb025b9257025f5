// Forward-only migrations: every file of schemas/sql/clickhouse once, in numeric order.
import { readdir, readFile } from 'node:fs/promises'

const folder = new URL('../../../schemas/sql/clickhouse/', import.meta.url)

/** What a migration needs of the store. */
interface MigratedStore {
  rows<T>(sql: string): Promise<T[]>
  command(sql: string): Promise<void>
}

/**
 * Two processes may migrate at the same time: ClickHouse has no transactions around tables, so every statement is written
 * to change nothing the second time (`IF NOT EXISTS`).
 */
export async function migrateTape(store: MigratedStore): Promise<number[]> {
  await store.command(
    `CREATE TABLE IF NOT EXISTS tape_migrations (number UInt32, name String, applied_at DateTime64(3, 'UTC') DEFAULT now64(3))
     ENGINE = MergeTree ORDER BY number`,
  )
  const applied = new Set(
    (await store.rows<{ number: number }>('SELECT DISTINCT number FROM tape_migrations FORMAT JSONEachRow')).map(
      (row) => row.number,
    ),
  )
  const done: number[] = []
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()) {
    const number = Number(name.slice(0, 4))
    if (applied.has(number)) continue
    for (const statement of statementsOf(await readFile(new URL(name, folder), 'utf8'))) await store.command(statement)
    await store.command(`INSERT INTO tape_migrations (number, name) SELECT ${number}, '${name}'`)
    done.push(number)
  }
  return done
}

/** Statements end with `;` at the end of a line; comments may contain anything else. */
export function statementsOf(file: string): string[] {
  return file
    .split('\n')
    .filter((line) => !/^\s*--/.test(line))
    .join('\n')
    .split(/;[ \t]*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}
