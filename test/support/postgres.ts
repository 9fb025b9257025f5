// A real PostgreSQL for tests: one embedded server per test process, whose files run one after the other, and a fresh copy of the migrated
// database for each of them.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll } from 'vitest'
import { silentLog } from '#core/log'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#storage/postgres/embedded'
import { migrate } from '#storage/postgres/migrate'
import { createPool, type Pool, type PoolOptions } from '#storage/postgres/pool'
import { testHome } from './globalSetup.ts'

export interface TestPostgres {
  /** Administrator's address of the server, without a database of its own. */
  adminUrl: string
  /** Address of a new database with the current schema and no rows. */
  createDatabase(options?: { empty?: boolean }): Promise<string>
  /** Also while it is in use. */
  dropDatabase(url: string): Promise<void>
  stop(): Promise<void>
}

/** No data outlives the test, so nothing waits for the disk. */
const carelessSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '160' }

/** With the current schema in its database, which no connection uses: a template may not be in use while it is copied. */
async function startMigrated(dataDir: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, log: silentLog, settings: carelessSettings })
  const pool = createPool({ url: server.url, log: silentLog })
  await migrate(pool, silentLog)
  await pool.end()
  return server
}

/** Data of a stopped server, migrated. The first processes of a run make it; copying it is faster than initdb and migrations. */
async function prepareData(home: string): Promise<string> {
  const folder = join(home, 'postgres-prepared')
  if (existsSync(folder)) return folder
  const draft = await mkdtemp(join(home, 'postgres-draft-'))
  await (await startMigrated(draft)).stop()
  try {
    await rename(draft, folder)
  } catch (error) {
    // Another process was faster.
    if (!existsSync(folder)) throw error
    await rm(draft, { recursive: true, force: true })
  }
  return folder
}

/** With owners: when started by root, the data belong to a separate user. */
async function copyPrepared(home: string, dataDir: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', `${await prepareData(home)}/.`, dataDir])
}

/** For a whole program on a new data directory, where its first start is not what is tested: it needs neither initdb nor migrations. */
export async function prefillPostgres(dataDir: string): Promise<void> {
  const home = process.env[testHome]
  if (home !== undefined) await copyPrepared(home, dataDir)
}

/** For suites and tools that manage their own lifetime. `home`: the folder of the test run, where one prepared server serves all processes. */
export async function startTestPostgres(home?: string): Promise<TestPostgres> {
  const dataDir = await mkdtemp(join(home ?? tmpdir(), 'crossbook-postgres-'))
  if (home !== undefined) await copyPrepared(home, dataDir)
  const server = await startMigrated(dataDir)
  const adminUrl = server.url.replace(/[^/]*$/, 'postgres')
  let made = 0
  let copying: Promise<unknown> = Promise.resolve()
  return {
    adminUrl,
    async createDatabase({ empty = false } = {}) {
      const name = `test_${made++}`
      // One copy at a time: two of one template would be refused.
      const copy = copying.then(() =>
        runAs(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${empty ? 'template0' : 'crossbook'}`),
      )
      copying = copy.catch(() => undefined)
      await copy
      return server.url.replace(/[^/]*$/, name)
    },
    dropDatabase: (url) => runAs(adminUrl, `DROP DATABASE ${url.slice(url.lastIndexOf('/') + 1)} WITH (FORCE)`),
    async stop() {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function runAs(url: string, sql: string): Promise<void> {
  // Copying a database can take a while on a busy machine.
  const pool = createPool({ url, log: silentLog, connectionsMax: 1, statementTimeoutMs: 60_000 })
  try {
    await pool.query(sql)
  } finally {
    await pool.end()
  }
}

/** The server of this process. It ends with the process, and its data is deleted at the end of the run (globalSetup.ts). */
let shared: Promise<TestPostgres> | undefined

export const sharedPostgres = (): Promise<TestPostgres> => {
  shared ??= startTestPostgres(process.env[testHome])
  return shared
}

/** Within a test file: a database of its own. Call it at the top of the file or of a `describe`. */
export function withPostgres(options: { empty?: boolean; pool?: Partial<PoolOptions> } = {}): {
  readonly pool: Pool
  readonly url: string
  readonly server: TestPostgres
} {
  let server: TestPostgres | undefined
  let url: string | undefined
  let pool: Pool | undefined
  const made = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('PostgreSQL is available from beforeAll to afterAll only')
    return value
  }
  beforeAll(async () => {
    server = await sharedPostgres()
    url = await server.createDatabase(options)
    pool = createPool({ url, log: silentLog, ...options.pool })
  })
  afterAll(async () => {
    await pool?.end()
    if (url !== undefined) await server?.dropDatabase(url)
  })
  return {
    get pool() {
      return made(pool)
    },
    get url() {
      return made(url)
    },
    get server() {
      return made(server)
    },
  }
}
