// Starts the embedded engine as a child process, restarts it on the same port when it dies, and stops it.
import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { backoffMs } from '#core/backoff'
import { type Clock, systemClock, type Timer } from '#core/clock'
import { type Log, silentLog } from '#core/log'
import { pause } from '#core/pause'
import type { EngineOrder, EngineReply } from './main.ts'

/** A predecessor that was killed with its parent needs a moment to release the directory. */
const startTries = 40
const startRetryMs = 250
/** After this the child is killed: everything it acknowledged is on disk anyway. */
const stopDeadlineMs = 7_000
const restartBackoff = { baseMs: 200, capMs: 5_000 }

export interface EngineProcess {
  url: string
  password: string
  /** Of the current child; changes when the engine is restarted. */
  pid(): number | undefined
  stop(): Promise<void>
}

export interface SpawnOptions {
  /** Directory of the tape. */
  path: string
  /** 0 (default) takes a free port and keeps it across restarts. */
  port?: number
  /** Default: a random one, so that only this process reads the tape. Empty: none. */
  password?: string
  clock?: Clock
  log?: Log
}

export async function spawnEngine(options: SpawnOptions): Promise<EngineProcess> {
  const { clock = systemClock, log = silentLog, password = randomBytes(24).toString('base64url') } = options
  const path = resolve(options.path)
  await mkdir(path, { recursive: true })
  let stopping = false
  let restart: Timer | undefined
  let failures = 0
  let { child, port } = await startChild({ kind: 'start', path, port: options.port ?? 0, password }, clock)
  watch()

  function watch(): void {
    const watched = child
    watched.once('exit', (code, signal) => {
      if (stopping || watched !== child) return
      log.error({ code, signal }, 'the embedded ClickHouse engine died; restarting')
      scheduleRestart()
    })
  }

  function scheduleRestart(): void {
    restart = clock.after(backoffMs(failures++, restartBackoff, Math.random), () => {
      startChild({ kind: 'start', path, port, password }, clock).then(
        (started) => {
          if (stopping) return void endChild(started.child, clock)
          failures = 0
          child = started.child
          port = started.port
          watch()
        },
        (error: unknown) => {
          log.error({ err: error }, 'the embedded ClickHouse engine does not start')
          if (!stopping) scheduleRestart()
        },
      )
    })
  }

  return {
    url: `http://127.0.0.1:${port}`,
    password,
    pid: () => child.pid,
    async stop() {
      stopping = true
      restart?.cancel()
      await endChild(child, clock)
    },
  }
}

async function startChild(order: EngineOrder, clock: Clock): Promise<{ child: ChildProcess; port: number }> {
  for (let attempt = 0; ; attempt++) {
    const child = forkEngine()
    const reply = await firstReply(child, order)
    if (reply.kind === 'ready') return { child, port: reply.port }
    child.kill('SIGKILL')
    if (attempt + 1 >= startTries || !isHeld(reply.message)) throw new Error(explain(reply.message))
    await pause(clock, startRetryMs)
  }
}

function forkEngine(): ChildProcess {
  const entry = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './main.ts' : './main.js', import.meta.url))
  return fork(entry, [], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // Enough threads for every connection of the engine to compute while files are written.
    env: { PATH: undefined, UV_THREADPOOL_SIZE: '10', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

function firstReply(child: ChildProcess, order: EngineOrder): Promise<EngineReply> {
  return new Promise((settle) => {
    child.once('message', (reply: EngineReply) => settle(reply))
    child.once('error', (error) => settle({ kind: 'failed', message: error.message }))
    child.once('exit', (code, signal) =>
      settle({ kind: 'failed', message: `the engine process ended (${signal ?? code})` }),
    )
    child.send(order)
  })
}

/** Another process still holds the directory (or, on a restart, the port). */
const isHeld = (message: string): boolean => /lock|another server|already|in use|EADDRINUSE/i.test(message)

function explain(message: string): string {
  const { platform, arch } = process
  if (/lib-|platform|Cannot find|not supported|GLIBC|dlopen/i.test(message)) {
    return `the embedded ClickHouse engine (npm chdb) does not load on ${platform}-${arch}: it is built for Linux with glibc and for macOS, x64 and arm64. Set CLICKHOUSE_URL to a ClickHouse server instead. (${message})`
  }
  return `the embedded ClickHouse engine does not start: ${message}`
}

function endChild(child: ChildProcess, clock: Clock): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((settle) => {
    const timer = clock.after(stopDeadlineMs, () => child.kill('SIGKILL'))
    child.once('exit', () => {
      timer.cancel()
      settle()
    })
    if (child.connected) child.disconnect()
  })
}
