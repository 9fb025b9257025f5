// One role process of a cluster: started like an operator would start it, killed like a crash would.
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileCache } from '../compileCache.ts'
import { programOptions } from '../programOptions.ts'
import { tailOf } from './logTail.ts'

const program = fileURLToPath(new URL('../../../src/main.ts', import.meta.url))
/** The program's own shutdown limit, plus an allowance for a busy machine. */
const stopDeadlineMs = 45_000
/** Of each stream, for the message of a failed test. */
const outputKept = 20_000

const running = new Set<ChildProcess>()
// A test run that is aborted leaves no process behind.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export interface RoleProcess {
  readonly name: string
  /** Null while it does not run. */
  readonly pid: number | null
  /** Address of its gateway; changes with every start. */
  readonly url: string
  /** ws://…/v1/stream */
  readonly stream: string
  /** Address for operations, whatever its roles. */
  readonly operations: string
  /** Resolves when the ready line was printed. Rejects while it runs. */
  start(): Promise<void>
  /** kill -9 */
  kill(): Promise<void>
  /** SIGSTOP: it is alive, holds its sockets, and does nothing until `wake`. */
  pause(): void
  /** Harmless when it is not suspended, or does not run. */
  wake(): void
  /** SIGTERM; resolves with the exit code, null when it had to be killed or did not run. */
  stop(): Promise<number | null>
  /** Last log lines of the current or the last run. */
  output(): string
}

export interface RoleProcessOptions {
  name: string
  roles: string
  env: Readonly<Record<string, string>>
  dataDir: string
  readyDeadlineMs?: number
  /** Its log goes to this file instead of memory, also after this process has died. */
  logFile?: string
  /** It ended without a request, after it was ready. */
  onEnd?: (reason: string) => void
  /** Ctrl-C in our terminal does not reach it. */
  detached?: boolean
}

export function roleProcess({
  name,
  roles,
  env,
  dataDir,
  readyDeadlineMs = 60_000,
  logFile,
  onEnd,
  detached = false,
}: RoleProcessOptions): RoleProcess {
  let child: ChildProcess | null = null
  let isEnding = false
  let isReady = false
  let facts: { url?: string; stream?: string; operations?: string } = {}
  let output = ''

  const lastOutput = (): string => (logFile === undefined ? output : tailOf(logFile))

  async function start(): Promise<void> {
    if (child !== null) throw new Error(`${name} is already running`)
    mkdirSync(dataDir, { recursive: true })
    output = ''
    isEnding = false
    isReady = false
    if (logFile !== undefined) mkdirSync(dirname(logFile), { recursive: true })
    const log = logFile === undefined ? null : openSync(logFile, 'a')
    const started = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...programOptions, program], {
      env: {
        PATH: process.env.PATH ?? '',
        HOME: process.env.HOME ?? '',
        ...compileCache(),
        ROLES: roles,
        DATA_DIR: dataDir,
        ...env,
      },
      stdio: ['ignore', 'pipe', log ?? 'pipe'],
      detached,
    })
    if (log !== null) closeSync(log)
    child = started
    running.add(started)
    const ended = new Promise<never>((_, reject) => {
      started.once('exit', (code, signal) => {
        running.delete(started)
        if (child === started) child = null
        if (isReady && !isEnding) onEnd?.(signal ?? `exit code ${code}`)
        reject(new Error(`${name} ended (${signal ?? code}) before it was ready:\n${lastOutput()}`))
      })
    })
    ended.catch(() => undefined)
    const ready = new Promise<void>((resolve) => {
      const take = (chunk: Buffer): void => {
        output = (output + chunk.toString()).slice(-outputKept)
        const line = /^crossbook ready (.*)$/m.exec(output)?.[1]
        if (line === undefined) return
        facts = JSON.parse(line) as typeof facts
        isReady = true
        resolve()
      }
      started.stdout?.on('data', take)
      started.stderr?.on('data', (chunk: Buffer) => {
        output = (output + chunk.toString()).slice(-outputKept)
      })
    })
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`${name} is not ready:\n${lastOutput()}`)), readyDeadlineMs)
    })
    try {
      await Promise.race([ready, ended, late])
    } finally {
      clearTimeout(timer)
    }
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    const ending = child
    if (ending === null) return null
    isEnding = true
    const exited = new Promise<number | null>((resolve) => ending.once('exit', (code) => resolve(code)))
    ending.kill(signal)
    // A suspended process receives the signal only after it is woken.
    ending.kill('SIGCONT')
    const timer = setTimeout(() => ending.kill('SIGKILL'), stopDeadlineMs)
    const code = await exited
    clearTimeout(timer)
    return code
  }

  const served = (value: string | undefined): string => {
    if (value === undefined) throw new Error(`${name} serves no gateway`)
    return value
  }
  return {
    name,
    get pid() {
      return child?.pid ?? null
    },
    get url() {
      return served(facts.url)
    },
    get stream() {
      return served(facts.stream)
    },
    get operations() {
      if (facts.operations === undefined) throw new Error(`${name} has no port for operations`)
      return facts.operations
    },
    start,
    pause: () => void child?.kill('SIGSTOP'),
    wake: () => void child?.kill('SIGCONT'),
    async kill() {
      await end('SIGKILL')
    },
    stop: () => end('SIGTERM'),
    output: lastOutput,
  }
}
