// One Crossbook process per data directory. The lock names its owner, so that a lock left behind by kill -9 is recognized and taken over.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isAlive, stampOf } from './ingestProcesses.ts'

interface Owner {
  pid: number
  stamp: string
}

/** Locks held by this process: its own pid would otherwise be taken for another live owner, or for a stale one. */
const heldHere = new Set<string>()

/** Takes the lock or throws a message that names the owner. Returns the release, which is idempotent. */
export function lockDataDir(lockFile: string, dataDir: string): () => void {
  if (heldHere.has(lockFile)) throw new Error(`data directory ${dataDir} is already open in this process`)
  const owner: Owner = { pid: process.pid, stamp: stampOf(process.pid) }
  const content = JSON.stringify(owner)
  for (let attempt = 0; !tryCreate(lockFile, content); attempt++) {
    const holder = readOwner(lockFile)
    if (attempt > 2 || (holder !== null && isSameProcessAlive(holder))) {
      throw new Error(
        `data directory ${dataDir} is in use by process ${holder?.pid ?? 'unknown'}: stop it first, or set another DATA_DIR`,
      )
    }
    rmSync(lockFile, { force: true })
  }
  heldHere.add(lockFile)
  return () => {
    if (heldHere.delete(lockFile)) rmSync(lockFile, { force: true })
  }
}

function tryCreate(lockFile: string, content: string): boolean {
  try {
    writeFileSync(lockFile, content, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function readOwner(lockFile: string): Owner | null {
  try {
    const owner = JSON.parse(readFileSync(lockFile, 'utf8')) as Partial<Owner>
    return typeof owner.pid === 'number' && typeof owner.stamp === 'string' ? (owner as Owner) : null
  } catch {
    // Partially written by a process that died, or already gone: it has no owner.
    return null
  }
}

/** Every lock of this process is in `heldHere`: otherwise an earlier process with the same pid left it. */
const isSameProcessAlive = ({ pid, stamp }: Owner) => pid !== process.pid && isAlive(pid) && stampOf(pid) === stamp
