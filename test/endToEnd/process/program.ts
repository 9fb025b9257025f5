// A program of this project as an operator runs it: started from the shell, observed by its output, ended by signals. Lists the processes
// it leaves behind.
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Served } from '#test/support/cluster/client'
import { compileCache } from '#test/support/compileCache'
import { programOptions } from '#test/support/programOptions'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const readyWithinMs = 60_000
const outputKept = 20_000

export interface Ready {
  url: string
  stream: string
  /** Only the demo prints one. */
  apiKey: string
}

export interface Program {
  pid: number
  ready: Ready
  served: Served
  output(): string
  /** Every process it started, and those they started. */
  descendants(): number[]
  /** Resolves with the exit code, null when a signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

const inherited = (): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  ...compileCache(),
})

/** `file` from the root of the project, with only the given environment. Resolves with its ready line. */
export async function startProgram(
  file: string,
  env: Readonly<Record<string, string>>,
  { words = [], readyMs = readyWithinMs }: { words?: readonly string[]; readyMs?: number } = {},
): Promise<Program> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...programOptions, file, ...words], {
    cwd: root,
    env: { ...inherited(), PORT: '0', LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let output = ''
  const exited = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => {
      running.delete(child)
      resolve(code)
    })
  })
  const ready = await new Promise<Ready>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${file} is not ready:\n${output}`)), readyMs)
    const take = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-outputKept)
      const line = /^crossbook ready (.*)$/m.exec(output)?.[1]
      if (line === undefined) return
      clearTimeout(late)
      resolve(JSON.parse(line) as Ready)
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    void exited.then((code) => reject(new Error(`${file} ended with ${code} before it was ready:\n${output}`)))
  })
  const pid = child.pid!
  return {
    pid,
    ready,
    served: { url: ready.url, stream: ready.stream, apiKey: ready.apiKey },
    output: () => output,
    descendants: () => descendantsOf(pid),
    end(signal) {
      child.kill(signal)
      return exited
    },
  }
}

export interface Printed {
  code: number
  lines: string[]
  error: string
  pid: number
}

/** The output of `crossbook …`, and its exit code. */
export const cli = (dataDir: string, ...words: string[]): Promise<Printed> => runCli(words, { DATA_DIR: dataDir })

/** The same with only the given environment. */
export const runCli = (words: readonly string[], env: Readonly<Record<string, string>>): Promise<Printed> =>
  runProgram('src/cli.ts', words, env)

/** `file` from the root of the project, until it ends. */
export const runProgram = (
  file: string,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Printed> => run(process.execPath, ['--disable-warning=ExperimentalWarning', file, ...words], env)

/** As it is written in the documentation. */
export const npx = (words: readonly string[], env: Readonly<Record<string, string>>): Promise<Printed> =>
  run('npx', words, env)

function run(file: string, words: readonly string[], env: Readonly<Record<string, string>>): Promise<Printed> {
  return new Promise((resolve) => {
    const options = { cwd: root, env: { ...inherited(), ...env }, timeout: 60_000 }
    const child = execFile(file, [...words], options, (error, stdout, stderr) =>
      resolve({
        code: error === null ? 0 : typeof error.code === 'number' ? error.code : -1,
        lines: stdout.trimEnd().split('\n'),
        error: stderr,
        pid: child.pid!,
      }),
    )
  })
}

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Every process it started, and those they started. */
export function descendantsOf(pid: number): number[] {
  const children = new Map<number, number[]>()
  for (const [id, parent] of processTable()) children.set(parent, [...(children.get(parent) ?? []), id])
  const found: number[] = []
  for (let queue = [pid]; queue.length > 0; ) {
    queue = queue.flatMap((one) => children.get(one) ?? [])
    found.push(...queue)
  }
  return found
}

/** Pairs of process and parent. Linux lists them in files; small images have no `ps`. */
function processTable(): [pid: number, parent: number][] {
  if (!existsSync('/proc/self/stat')) {
    const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    return table
      .trim()
      .split('\n')
      .map((row) => row.trim().split(/\s+/).map(Number) as [number, number])
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name): [number, number][] => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        // pid (name, which may hold anything) state ppid …
        return [[Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])]]
      } catch {
        // The process ended in the meantime.
        return []
      }
    })
}
