import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, expect, it } from 'vitest'
import { readConfig } from '#config'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createKey } from '#platform/auth/keys'
import { openStores, type Stores } from '#roles/stores'
import { compileCache } from '#test/support/compileCache'
import { projectRoot } from '#test/support/compose'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()
const wanted = { account: 'acme', plan: 'free', scopes: ['read'] } as const

let stores: Stores | null = null
afterEach(async () => {
  await stores?.close()
  stores = null
  await postgres.pool.query(`DELETE FROM settings WHERE name = 'lab'`)
})

/** A process with one role, which is enough to open the database. */
const open = async (environment: Record<string, string>): Promise<void> => {
  const config = { ...readConfig({ ...environment, DATABASE_URL: postgres.url }), roles: new Set(['jobs'] as const) }
  stores = await openStores(config, { clock: systemClock, log: silentLog })
}

it('marks keys as test keys when the database belongs to a program with a lab, whatever creates them', async () => {
  await open({})
  expect((await createKey(postgres.pool, wanted)).apiKey).toMatch(/^xb_live_/)
  await stores!.close()
  await open({ CROSSBOOK_LAB: 'true' })
  expect((await createKey(postgres.pool, wanted)).apiKey).toMatch(/^xb_test_/)
})

it('marks keys as test keys even before such a program has run', async () => {
  const env = { PATH: process.env.PATH, ...compileCache(), DATABASE_URL: postgres.url, CROSSBOOK_LAB: 'true' }
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'src/cli.ts', 'keys', 'create'],
    { cwd: projectRoot, env },
  )
  expect(stdout).toMatch(/^key +xb_test_/)
}, 60_000)
