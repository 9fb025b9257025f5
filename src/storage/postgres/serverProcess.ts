// One PostgreSQL server process: start, readiness, stop. When to do so is decided elsewhere.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '#core/clock'
import { pause } from '#core/pause'
import type { RunAs } from './dropPrivileges.ts'
import { commandOf, isAlive } from './ingestProcesses.ts'

export interface ServerProcess {
  pid: number
  /** Resolves with the last lines of its log once the process has ended, for any reason. */
  exited: Promise<string>
  /** Fast shutdown: rolls back open transactions and flushes everything. No-op if it is already gone. */
  stop(): Promise<void>
}

const readyWithinMs = 60_000
const pollMs = 15
/** Then it is killed, which costs a recovery at the next start but no data: we ourselves have ten seconds to exit. */
const stopWithinMs = 7_000
/** An orphan flushes first; on a busy disk that takes a while, and nothing waits for us yet. */
const orphanStopsWithinMs = 30_000
const logTailBytes = 4_096

export async function startServer(
  program: string,
  runAs: RunAs,
  cluster: string,
  port: number,
  settings: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const line = runAs.command(program, ['-D', cluster, '-p', String(port), ...flags])
  // Its own process group: Ctrl-C reaches only ours, so that we still have a database while we drain.
  const child = spawn(line.program, line.args, {
    ...line.ids,
    detached: true,
    // Our own working directory may be inaccessible to the server's user.
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { LC_ALL: 'C', TZ: 'UTC' },
  })
  let tail = ''
  child.stderr.on('data', (chunk: Buffer) => {
    tail = (tail + chunk.toString()).slice(-logTailBytes)
  })
  let gone = false
  const exited = new Promise<string>((resolve) => {
    const leave = (reason: string) => {
      gone = true
      resolve(`${tail}${reason}`.trim())
    }
    child.once('error', (error) => leave(error.message))
    // Backends may hold stderr open a little longer than the server lives, so not `close`.
    child.once('exit', (code, signal) => leave(`exit code ${code ?? 'none'}, signal ${signal ?? 'none'}`))
  })
  const leash = child.pid === undefined ? null : tieToUs(child.pid)
  const free = exited.then(() => leash?.kill('SIGKILL'))

  const stop = async () => {
    if (!gone) child.kill('SIGINT')
    const harder = systemClock.after(stopWithinMs, () => child.kill('SIGQUIT'))
    await exited
    harder.cancel()
    await free
  }

  for (let waitedMs = 0; !gone && !isReady(cluster, child.pid); waitedMs += pollMs) {
    if (waitedMs > readyWithinMs) {
      await stop()
      throw new Error(`PostgreSQL was not ready within ${readyWithinMs} ms: ${tail}`)
    }
    await pause(systemClock, pollMs)
  }
  if (gone) throw new Error(`PostgreSQL did not start: ${await exited}`)
  return { pid: child.pid!, exited, stop }
}

/**
 * A shell that waits for our end of a pipe to close, which happens however we die, including kill -9, and then stops the
 * server. It is ended first whenever the server exits, so that it never signals an unrelated process that got the same id.
 */
function tieToUs(pid: number): ChildProcess {
  const leash = spawn('sh', ['-c', 'read _; kill -INT "$1"', 'sh', String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // Without a shell the server merely outlives a kill -9; the next start then finds and stops it.
  leash.on('error', () => undefined)
  leash.stdin?.on('error', () => undefined)
  leash.unref()
  return leash
}

/** Line 1 of postmaster.pid is the server's process id, line 4 its port, line 8 its state. */
function readPidFile(cluster: string): { pid: number; port: number; state: string } | null {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(lines[0]), port: Number(lines[3]), state: lines[7]?.trim() ?? '' }
  } catch {
    return null
  }
}

function isReady(cluster: string, pid: number | undefined): boolean {
  const file = readPidFile(cluster)
  return file !== null && file.pid === pid && file.state === 'ready'
}

/** Port of a server that currently serves this cluster, whether or not this process started it. */
export function findServingPort(cluster: string): number | null {
  const file = readPidFile(cluster)
  if (file === null || file.state !== 'ready' || !isAlive(file.pid) || commandOf(file.pid) !== 'postgres') return null
  return file.port
}

/**
 * Before a start: a server that outlived its owner is stopped; a pid file that names an unrelated process is removed, which PostgreSQL
 * itself would not do.
 */
export async function removeStalePidfile(cluster: string): Promise<void> {
  const file = readPidFile(cluster)
  if (file === null || !(file.pid > 0)) return
  if (!isAlive(file.pid) || commandOf(file.pid) !== 'postgres') {
    rmSync(join(cluster, 'postmaster.pid'), { force: true })
    return
  }
  process.kill(file.pid, 'SIGINT')
  for (let waitedMs = 0; isAlive(file.pid); waitedMs += pollMs) {
    if (waitedMs > orphanStopsWithinMs) {
      throw new Error(`an earlier PostgreSQL (process ${file.pid}) still holds ${cluster} and does not stop`)
    }
    await pause(systemClock, pollMs)
  }
}
