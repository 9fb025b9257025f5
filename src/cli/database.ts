// Gives a command a database: the running program's, else DATABASE_URL, else the embedded one for as long as the command takes.
import { readConfig } from '#config'
import { createLog } from '#lib/log'
import { findRunningEmbedded, startEmbeddedPostgres } from '#storage/postgres/embedded'
import { migrate } from '#storage/postgres/migrate'
import { createPool, type Pool } from '#storage/postgres/pool'

export async function withDatabase<T>(run: (pool: Pool) => Promise<T>): Promise<T> {
  const config = readConfig()
  const log = createLog('warn')
  const running = config.databaseUrl ?? (await findRunningEmbedded(config.dataDir))
  const embedded = running === null ? await startEmbeddedPostgres({ dataDir: config.dataDir, log }) : null
  const pool = createPool({ url: running ?? embedded!.url, log, applicationName: 'crossbook-cli' })
  try {
    await migrate(pool, log)
    return await run(pool)
  } finally {
    await pool.end()
    await embedded?.stop()
  }
}
