// Gives a command a database: DATABASE_URL, else that of the program running on DATA_DIR or of the demo in its folder, else, when nothing
// runs, the one in DATA_DIR, started for the duration of the command.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readConfig } from '#config'
import { jsonOf, type Lines } from '#core/commandOutput'
import { createLog } from '#core/log'
import { readRuntime } from '#roles/runtimeFile'
import { findRunningEmbedded, startEmbeddedPostgres } from '#storage/postgres/embedded'
import { migrate } from '#storage/postgres/migrate'
import { createPool, type Pool } from '#storage/postgres/pool'
import { markAsLab } from '#storage/postgres/settings'
import type { JsonOption } from './options.ts'
import { print, printJson } from './output.ts'
import { showProgress } from './progress.ts'

/** Runs a command that prints lines against the program's database. */
export async function runOnDatabase(run: (pool: Pool) => Promise<Lines>, { json }: JsonOption = {}): Promise<void> {
  const output = await withDatabase(run)
  if (json === true) printJson(...jsonOf(output))
  else print(...output)
}

export async function withDatabase<T>(run: (pool: Pool) => Promise<T>): Promise<T> {
  const config = readConfig()
  const log = createLog('warn')
  const running = config.databaseUrl ?? (await findRunning(config.dataDir))
  const progress = showProgress()
  if (running === null) progress.show(`starting the database in ${resolve(config.dataDir)}`)
  const starting = running === null ? startEmbeddedPostgres({ dataDir: config.dataDir, log }) : null
  const embedded = await (starting ?? Promise.resolve(null)).finally(progress.done)
  const pool = createPool({ url: running ?? embedded!.url, log, applicationName: 'crossbook-cli' })
  try {
    await migrate(pool, log)
    // Even before the program itself has ever been started.
    if (config.lab) await markAsLab(pool)
    return await run(pool)
  } finally {
    await pool.end()
    await embedded?.stop()
  }
}

/** Address of the running program's database; null when nothing runs and there is one to start. Throws when neither applies. */
async function findRunning(dataDir: string): Promise<string | null> {
  const folders = [dataDir, join(dataDir, 'demo')]
  for (const folder of folders) {
    const url = await findRunningEmbedded(folder)
    if (url !== null) return url
  }
  // The program would refuse a key written to a different database than its own.
  const runningFolder = folders.find((folder) => readRuntime(folder) !== null)
  if (runningFolder !== undefined)
    throw new Error(`a program is running on ${resolve(runningFolder)} with its own DATABASE_URL: set the same one`)
  if (existsSync(join(dataDir, 'postgres'))) return null
  throw new Error(
    `no program is running with DATA_DIR=${resolve(dataDir)}, and there is no database in it: start the program first, or set DATA_DIR or DATABASE_URL`,
  )
}
