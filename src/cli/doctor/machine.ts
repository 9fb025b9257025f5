// Checks of this machine: Node, a folder, a port, the time.
import { statfsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '#config'
import { checkDataDir, readRuntime } from '#roles/runtimeFile'
import { listen } from '#server/gateway/gateway'
import type { Finding } from './finding.ts'

const nodeWanted = 22
export const freeSpaceMinBytes = 2 * 2 ** 30
/** Time-checked venue signatures are valid for some seconds. */
const aheadMaxMs = 2_000

export function nodeCheck(version: string): Finding {
  const major = Number(version.split('.')[0])
  if (major === nodeWanted) return { check: 'node', state: 'ok', message: version }
  const state = major < nodeWanted ? 'fail' : 'warn'
  return { check: 'node', state, message: `${version}; this version is built for Node ${nodeWanted}` }
}

export function dataDirCheck(dataDir: string): Finding {
  const check = 'data'
  try {
    const warning = checkDataDir(dataDir)
    const free = freeBytes(dataDir)
    const freeSpace = `${resolve(dataDir)}, ${(free / 2 ** 30).toFixed(1)} GiB free`
    const message = warning === null ? freeSpace : `${freeSpace}; ${warning}`
    return { check, state: warning !== null || free < freeSpaceMinBytes ? 'warn' : 'ok', message }
  } catch (error) {
    return { check, state: 'fail', message: (error as Error).message }
  }
}

export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** Taken and released: a port that cannot be taken now cannot be taken at start. */
export async function portCheck(
  { host, port, dataDir }: Pick<Config, 'host' | 'port' | 'dataDir'>,
  check = 'port',
): Promise<Finding> {
  const running = readRuntime(dataDir)
  // A gateway's port belongs to a gateway; the other one may belong to any program.
  if (running !== null && (running.url !== null || check !== 'port')) {
    const at = running.url === null ? '' : ` at ${running.url}`
    return { check, state: 'ok', message: `the program of this folder is running${at} (pid ${running.pid})` }
  }
  try {
    const listener = await listen({ host, port })
    listener.close()
    return { check, state: 'ok', message: `${host}:${port} is free` }
  } catch (error) {
    return { check, state: 'fail', message: (error as Error).message }
  }
}

/** From several venues, since a single one may be wrong. Positive: we are ahead. */
export function clockCheck(aheadMs: readonly (number | null)[]): Finding {
  const known = aheadMs.filter((each) => each !== null).sort((a, b) => a - b)
  if (known.length < 3) return { check: 'clock', state: 'warn', message: 'fewer than three venues reported the time' }
  const median = known[Math.floor(known.length / 2)]!
  const seconds = (Math.abs(median) / 1_000).toFixed(1)
  const message = `${seconds} s ${median < 0 ? 'behind' : 'ahead of'} ${known.length} venues`
  return { check: 'clock', state: Math.abs(median) > aheadMaxMs ? 'fail' : 'ok', message }
}
