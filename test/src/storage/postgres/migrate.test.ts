import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { silentLog } from '#core/log'
import { type Migration, migrate, readMigrations } from '#storage/postgres/migrate'
import { createPool, type Pool } from '#storage/postgres/pool'
import { loadCursorSecret } from '#storage/postgres/settings'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()

const file = (number: number, sql: string): Migration => ({
  number,
  name: `${String(number).padStart(3, '0')}_x.sql`,
  sql,
  checksum: createHash('sha256').update(sql).digest('hex'),
})

async function onEmpty(work: (pool: Pool) => Promise<void>): Promise<void> {
  const pool = createPool({ url: await postgres.server.createDatabase({ empty: true }), log: silentLog })
  try {
    await work(pool)
  } finally {
    await pool.end()
  }
}

const tables = async (pool: Pool) =>
  (await pool.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")).rows.map(
    (r) => r.tablename,
  )

describe('migrations', () => {
  test('applies all migrations to an empty database once', () =>
    onEmpty(async (pool) => {
      const names = (await readMigrations()).map((migration) => migration.name)
      expect(await migrate(pool, silentLog)).toEqual(names)
      expect(await migrate(pool, silentLog)).toEqual([])
      expect(await tables(pool)).toEqual(
        expect.arrayContaining(['accounts', 'api_keys', 'catalog_markets', 'run_log', 'schema_migrations', 'settings']),
      )
    }))

  test('applies each file once when several processes start at the same time', () =>
    onEmpty(async (pool) => {
      const applied = await Promise.all(Array.from({ length: 5 }, () => migrate(pool, silentLog)))
      expect(applied.flat().sort()).toEqual((await readMigrations()).map((migration) => migration.name))
    }))

  test('applies a later file on top; a failing one leaves nothing behind and can be fixed', () =>
    onEmpty(async (pool) => {
      const first = file(1, 'CREATE TABLE a (x int)')
      await migrate(pool, silentLog, [first])
      const broken = file(2, 'CREATE TABLE b (x int); CREATE TABLE a (x int)')
      await expect(migrate(pool, silentLog, [first, broken])).rejects.toMatchObject({ code: '42P07' })
      expect(await tables(pool)).toEqual(['a', 'schema_migrations'])
      expect(await migrate(pool, silentLog, [first, file(2, 'CREATE TABLE b (x int)')])).toEqual(['002_x.sql'])
    }))

  test('names an applied file that was changed, and rejects a database newer than the program', () =>
    onEmpty(async (pool) => {
      await migrate(pool, silentLog, [file(1, 'CREATE TABLE a (x int)'), file(2, 'SELECT 1')])
      const changed = [file(1, 'CREATE TABLE a (y int)'), file(2, 'SELECT 1')]
      await expect(migrate(pool, silentLog, changed)).rejects.toThrow(
        /001_x\.sql was changed after it had been applied/,
      )
      await expect(migrate(pool, silentLog, [file(1, 'CREATE TABLE a (x int)')])).rejects.toThrow(/002_x\.sql.*newer/)
    }))

  test('010: copies stored titles next to the ranks, except titles that are too long', () =>
    onEmpty(async (pool) => {
      const all = await readMigrations()
      await migrate(pool, silentLog, all.slice(0, 9))
      const long = Array.from({ length: 300 }, (_, i) => `verbose${i}`)
      for (const [id, words] of Object.entries({ short: ['will', 'it', 'rain'], long })) {
        await pool.query(
          `INSERT INTO catalog_markets (venue, id, position, tags, active, volume_rank, liquidity_rank, newest_rank, digest, doc)
           VALUES ('kalshi', $1, 0, '{}', true, 0, 0, 0, '', '{}')`,
          [id],
        )
        await pool.query(
          `INSERT INTO catalog_titles (kind, venue, id, active, volume_rank, liquidity_rank, newest_rank, title)
           VALUES ('m', 'kalshi', $1, true, 0, 0, 0, array_to_tsvector($2))`,
          [id, words],
        )
      }
      await migrate(pool, silentLog, all)
      const { rows } = await pool.query(
        'SELECT id, tsvector_to_array(title_words) AS words FROM catalog_markets ORDER BY id',
      )
      expect(rows).toEqual([
        { id: 'long', words: null },
        { id: 'short', words: ['it', 'rain', 'will'] },
      ])
    }))
})

test('creates one random cursor secret, however many callers load it at once', async () => {
  const secrets = await Promise.all(Array.from({ length: 8 }, () => loadCursorSecret(postgres.pool)))
  expect(new Set(secrets.map((secret) => secret.toString('hex'))).size).toBe(1)
  expect(secrets[0]).toHaveLength(32)
  const other = createPool({ url: await postgres.server.createDatabase(), log: silentLog })
  expect((await loadCursorSecret(other)).equals(secrets[0]!)).toBe(false)
  await other.end()
})
