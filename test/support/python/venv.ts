// Python environments for tests that run published Python packages: created once for each list of requirements, kept under .cache.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { lacks } from '#test/support/required'

const run = promisify(execFile)
const cache = fileURLToPath(new URL('../../../.cache/python', import.meta.url))

/** Time limit of `pythonVenv`: the timeout of a hook or test that calls it should be longer. */
export const pythonDeadlineMs = 300_000
const outputMaxBytes = 16 * 2 ** 20

export interface RunOptions {
  env?: Record<string, string>
  timeoutMs?: number
  cwd?: string
}

export interface Python {
  /** Its interpreter. Packages' own scripts are run as modules (`-m`), because the folder is moved after they were written. */
  interpreter: string
  /** Runs the interpreter and resolves with its output; rejects with its standard error when it fails or takes longer. */
  run(args: string[], options?: RunOptions): Promise<string>
}

/** `python` is null when there is none; `reason` then says why, for the message of a skipped test. */
export type PythonVenv = { python: Python; reason: null } | { python: null; reason: string }

/**
 * An environment with exactly these packages. `requirements` names every one of them, including dependencies, each pinned to one version
 * (`pydantic==2.14.3`): nothing else is installed, and an incomplete list is an error, as is a Python package that fails to build.
 */
export async function pythonVenv(requirements: readonly string[]): Promise<PythonVenv> {
  const found = await findVenv(requirements, 'python3')
  if (found.reason !== null) lacks('python', found.reason)
  return found
}

/** The same with another command, and no failure when there is none. */
export async function findVenv(requirements: readonly string[], command: string): Promise<PythonVenv> {
  for (const each of requirements) {
    if (!/^[\w.-]+(\[[\w,-]+\])?==[\w.+!-]+$/.test(each)) throw new Error(`not pinned to one version: ${each}`)
  }
  const deadline = AbortSignal.timeout(pythonDeadlineMs)
  const version = await versionOf(command, deadline)
  if (version === null)
    return { python: null, reason: `${command} 3.10 or newer with its venv module is not installed` }
  const digest = createHash('sha256').update(JSON.stringify([version, ...requirements].sort()))
  const home = join(cache, digest.digest('hex').slice(0, 16))
  if (!existsSync(home)) {
    const reason = await make(home, command, requirements, deadline)
    if (reason !== null) return { python: null, reason }
  }
  return { python: pythonAt(join(home, 'bin', 'python')), reason: null }
}

/** Null for anything that cannot create an environment: Debian ships `ensurepip` separately, in python3-venv. */
async function versionOf(command: string, signal: AbortSignal): Promise<string | null> {
  const script = 'import sys, ensurepip; print(sys.version.split()[0]); sys.exit(sys.version_info < (3, 10))'
  return run(command, ['-c', script], { signal }).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  )
}

/** In a folder of its own until it is complete: another process may be creating the same, and a killed one must not leave a partial one. */
async function make(home: string, command: string, requirements: readonly string[], signal: AbortSignal) {
  await mkdir(cache, { recursive: true })
  const draft = await mkdtemp(`${home}.`)
  const pip = [join(draft, 'bin', 'python'), '-m', 'pip', '--disable-pip-version-check', '--quiet'] as const
  try {
    await run(command, ['-m', 'venv', draft], { signal })
    const install = ['install', '--no-deps', '--only-binary', ':all:', '--retries', '1', '--timeout', '20']
    const failure = await run(pip[0], [...pip.slice(1), ...install, ...requirements], { signal }).then(
      () => null,
      (error: { stderr?: string; message: string }) => error.stderr?.trim().split('\n').at(-1) || error.message,
    )
    if (failure !== null) return `its packages could not be installed: ${failure}`
    await run(pip[0], [...pip.slice(1), 'check'], { signal })
    await rename(draft, home).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
    return null
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

export function pythonAt(interpreter: string): Python {
  return {
    interpreter,
    run: async (args, { env = {}, timeoutMs = 20_000, cwd } = {}) => {
      const options = { env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...env }, timeout: timeoutMs, cwd }
      const done = await run(interpreter, args, { ...options, killSignal: 'SIGKILL', maxBuffer: outputMaxBytes })
      return done.stdout
    },
  }
}
