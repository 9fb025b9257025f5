// What this machine gives: Node, a folder, a port, the time.
import { statfsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '#config'
import { openDoor } from '#gateway/gateway'
import { checkDataDir, readRuntime } from '#run/runtimeFile'
import type { Finding } from '../doctor.ts'

const nodeWanted = 22
const roomWantedBytes = 2 * 2 ** 30
/** Signatures that venues check by the clock live some seconds. */
const aheadMaxMs = 2_000

export function nodeCheck(version: string): Finding {
  const major = Number(version.split('.')[0])
  if (major === nodeWanted) return { check: 'node', state: 'ok', says: version }
  const state = major < nodeWanted ? 'fail' : 'warn'
  return { check: 'node', state, says: `${version}; this version is built for Node ${nodeWanted}` }
}

export function dataDirCheck(dataDir: string): Finding {
  const check = 'data'
  try {
    checkDataDir(dataDir)
    const { bavail, bsize } = statfsSync(dataDir)
    const gib = (bavail * bsize) / 2 ** 30
    const says = `${resolve(dataDir)}, ${gib.toFixed(1)} GiB free`
    return { check, state: bavail * bsize < roomWantedBytes ? 'warn' : 'ok', says }
  } catch (error) {
    return { check, state: 'fail', says: (error as Error).message }
  }
}

/** Taken and given back: what cannot be taken now cannot be taken by a start. */
export async function portCheck({ host, port, dataDir }: Pick<Config, 'host' | 'port' | 'dataDir'>): Promise<Finding> {
  const check = 'port'
  const running = readRuntime(dataDir)
  if (running !== null && running.url !== null)
    return { check, state: 'ok', says: `the program of this folder is serving ${running.url} (pid ${running.pid})` }
  try {
    const door = await openDoor({ host, port })
    door.close()
    return { check, state: 'ok', says: `${host}:${port} is free` }
  } catch (error) {
    return { check, state: 'fail', says: (error as Error).message }
  }
}

/** By the word of several venues: one may be wrong itself. Positive: we are ahead. */
export function clockCheck(aheadMs: readonly (number | null)[]): Finding {
  const known = aheadMs.filter((each) => each !== null).sort((a, b) => a - b)
  if (known.length < 3) return { check: 'clock', state: 'warn', says: 'fewer than three venues reported the time' }
  const median = known[Math.floor(known.length / 2)]!
  const seconds = (Math.abs(median) / 1_000).toFixed(1)
  const says = `${seconds} s ${median < 0 ? 'behind' : 'ahead of'} ${known.length} venues`
  return { check: 'clock', state: Math.abs(median) > aheadMaxMs ? 'fail' : 'ok', says }
}
