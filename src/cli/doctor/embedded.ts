// The stores in the data folder: can they be kept there, and can this version read what is there? Nothing is started to find out.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkWritable } from '#roles/runtimeFile'
import { findBinaries, majorOf } from '#storage/postgres/binaries'
import type { Finding } from './finding.ts'
import { freeBytes, freeSpaceMinBytes } from './machine.ts'

export async function embeddedPostgres(dataDir: string): Promise<Finding> {
  const check = 'postgres'
  const folder = join(dataDir, 'postgres')
  try {
    const brought = majorOf(await findBinaries())
    const file = join(folder, 'PG_VERSION')
    const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : null
    if (kept !== null && kept !== brought) {
      const message = `${folder} is of PostgreSQL ${kept}, and this release ships PostgreSQL ${brought}: dump it with the older version and restore it, or set DATABASE_URL`
      return { check, state: 'fail', message }
    }
    return folderCheck(check, folder, `embedded, PostgreSQL ${brought}`, kept !== null)
  } catch (error) {
    return { check, state: 'fail', message: (error as Error).message }
  }
}

export function embeddedEngine(dataDir: string): Finding {
  const check = 'engine'
  const folder = join(dataDir, 'tape')
  try {
    import.meta.resolve('chdb')
  } catch {
    return {
      check,
      state: 'fail',
      message: 'the embedded ClickHouse engine (npm chdb) is not installed: set CLICKHOUSE_URL',
    }
  }
  return folderCheck(check, folder, 'embedded', existsSync(join(folder, 'engine')))
}

function folderCheck(check: string, folder: string, what: string, isThere: boolean): Finding {
  // Missing folders are created in the data folder, which has a check of its own.
  if (!existsSync(folder))
    return { check, state: 'ok', message: `${what}; ${folder} will be created at the first start` }
  try {
    checkWritable(folder)
  } catch (error) {
    return { check, state: 'fail', message: `${what}; ${(error as Error).message}` }
  }
  const free = freeBytes(folder)
  const message = `${what}; ${folder} ${isThere ? 'has data' : 'is empty'}, ${(free / 2 ** 30).toFixed(1)} GiB free`
  return { check, state: free < freeSpaceMinBytes ? 'warn' : 'ok', message }
}
