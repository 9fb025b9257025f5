// Forward-only migrations: numbered SQL files, applied once and in order, each in its own transaction. An applied file must not change; the next file
// corrects its mistakes.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Log } from '#core/log'
import { inTransaction, type Pool } from './pool.ts'

export interface Migration {
  number: number
  name: string
  sql: string
  checksum: string
}

/** Any number works as long as nothing else on the server uses it. */
const advisoryLock = 7_246_031_188
const waitForOthersMs = 60_000

export const migrationsFolder = fileURLToPath(new URL('../../../schemas/sql/postgres/', import.meta.url))

/** Files `001_name.sql` in order. Numbers without gaps, so that a forgotten file is noticed. */
export async function readMigrations(folder: string = migrationsFolder): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async (file, index) => {
      const number = Number(/^(\d{3})_[a-z0-9_]+\.sql$/.exec(file)?.[1] ?? Number.NaN)
      if (number !== index + 1) throw new Error(`migration ${file} should be number ${index + 1} in ${folder}`)
      const sql = await readFile(`${folder}/${file}`, 'utf8')
      return { number, name: file, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/**
 * Brings the database up to date; if several processes start at once, one migrates and the others wait. Returns what was applied.
 */
export async function migrate(pool: Pool, log: Log, migrations?: readonly Migration[]): Promise<string[]> {
  const known = migrations ?? (await readMigrations())
  const applied: string[] = []
  for (let done = false; !done; ) {
    done = await inTransaction(
      pool,
      async (client) => {
        await client.query('SELECT pg_advisory_xact_lock($1)', [advisoryLock])
        await client.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
          number integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`)
        const { rows } = await client.query<{ number: number; name: string; checksum: string }>(
          'SELECT number, name, checksum FROM schema_migrations ORDER BY number',
        )
        refuseForeignHistory(rows, known)
        const next = known[rows.length]
        if (next === undefined) return true
        await client.query(next.sql)
        await client.query('INSERT INTO schema_migrations (number, name, checksum) VALUES ($1, $2, $3)', [
          next.number,
          next.name,
          next.checksum,
        ])
        applied.push(next.name)
        return false
      },
      { statementTimeoutMs: waitForOthersMs },
    )
  }
  if (applied.length > 0) log.info({ applied }, 'PostgreSQL schema brought up to date')
  return applied
}

function refuseForeignHistory(
  rows: readonly { number: number; name: string; checksum: string }[],
  known: readonly Migration[],
): void {
  for (const [index, row] of rows.entries()) {
    const file = known[index]
    if (file === undefined) {
      throw new Error(
        `the database has migration ${row.name}, which this version does not know: it is newer than this program`,
      )
    }
    if (file.number !== row.number || file.checksum !== row.checksum) {
      throw new Error(
        `migration ${file.name} was changed after it had been applied as ${row.name}: restore the file and put the change into a new one`,
      )
    }
  }
}
