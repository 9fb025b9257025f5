// Gives a command a database: DATABASE_URL, else that of the program that runs on DATA_DIR or of the demo in its folder, else, where nothing
// runs, the one that lies in DATA_DIR for as long as the command takes.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readConfig } from '#config'
import { createLog } from '#lib/log'
import { readRuntime } from '#run/runtimeFile'
import { findRunningEmbedded, startEmbeddedPostgres } from '#storage/postgres/embedded'
import { migrate } from '#storage/postgres/migrate'
import { createPool, type Pool } from '#storage/postgres/pool'
import { markAsLab } from '#storage/postgres/settings'
import { showProgress } from './progress.ts'

export async function withDatabase<T>(run: (pool: Pool) => Promise<T>): Promise<T> {
  const config = readConfig()
  const log = createLog('warn')
  const running = config.databaseUrl ?? (await findRunning(config.dataDir))
  const progress = showProgress()
  if (running === null) progress.say(`starting the database in ${resolve(config.dataDir)}`)
  const starting = running === null ? startEmbeddedPostgres({ dataDir: config.dataDir, log }) : null
  const embedded = await (starting ?? Promise.resolve(null)).finally(progress.done)
  const pool = createPool({ url: running ?? embedded!.url, log, applicationName: 'crossbook-cli' })
  try {
    await migrate(pool, log)
    // Also before the program itself has been started once.
    if (config.lab) await markAsLab(pool)
    return await run(pool)
  } finally {
    await pool.end()
    await embedded?.stop()
  }
}

/** Address of the running program's database; null when nothing runs, and there is one to start. Throws where neither is so. */
async function findRunning(dataDir: string): Promise<string | null> {
  const folders = [dataDir, join(dataDir, 'demo')]
  for (const folder of folders) {
    const url = await findRunningEmbedded(folder)
    if (url !== null) return url
  }
  // A key put into another database than the program's is one that it refuses.
  const beside = folders.find((folder) => readRuntime(folder) !== null)
  if (beside !== undefined)
    throw new Error(`a program is running on ${resolve(beside)} with its own DATABASE_URL: set the same one`)
  if (existsSync(join(dataDir, 'postgres'))) return null
  throw new Error(
    `nothing is running on ${resolve(dataDir)}, and it contains no database: start the program first, or set DATA_DIR or DATABASE_URL`,
  )
}
