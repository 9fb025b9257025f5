// The statements in docs/cluster.md that create the database. Its owner, who is not a superuser, can migrate and use it.
import { expect, test } from 'vitest'
import { silentLog } from '#core/log'
import { createKey } from '#platform/auth/keys'
import { migrate, readMigrations } from '#storage/postgres/migrate'
import { createPool } from '#storage/postgres/pool'
import { sampleOf } from '#test/support/docs/samples'
import { sharedPostgres } from '#test/support/postgres'

test('an administrator creates it as printed, and the program works in it as its owner', async () => {
  const server = await sharedPostgres()
  // The test server already has this role and this database.
  const printed = sampleOf('docs/cluster.md', 'CREATE ROLE').replaceAll(/\bcrossbook\b/g, 'documented')
  const statements = printed.split(';').flatMap((text) => (text.trim() === '' ? [] : [text]))
  expect(statements).toHaveLength(2)
  const password = /PASSWORD '([^']+)'/.exec(printed)![1]!
  const admin = createPool({ url: server.adminUrl, log: silentLog, statementTimeoutMs: 60_000 })
  const url = new URL(server.adminUrl)
  url.pathname = '/documented'
  try {
    for (const statement of statements) await admin.query(statement)
    url.username = 'documented'
    url.password = password
    const pool = createPool({ url: url.href, log: silentLog })
    try {
      expect(await migrate(pool, silentLog)).toHaveLength((await readMigrations()).length)
      const { apiKey } = await createKey(pool, { account: 'a', plan: 'enterprise', scopes: ['read'] })
      expect(apiKey).toMatch(/^xb_live_/)
    } finally {
      await pool.end()
    }
  } finally {
    await admin.query('DROP DATABASE IF EXISTS documented WITH (FORCE)')
    await admin.query('DROP ROLE IF EXISTS documented')
    await admin.end()
  }
})
