// `npm run demo` as a new user starts it, and the documents' shell blocks run against it as printed: only its port and its folder differ.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '#test/support/freePort'
import { prefillPostgres } from '#test/support/postgres'

const run = promisify(execFile)
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Which `sh` blocks a document prints. */
export const blocksIn = (page: string): string[] => [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text]) => text!)

export interface PrintedDemo {
  url: string
  dataDir: string
  /** The origin whose pages may read responses; nothing is served there yet. */
  pageOrigin: string
  /** Its ready message. */
  ready: Readonly<Record<string, string>>
  /** The port that webhooks may be delivered to. */
  webhookPort: number
  /** The combined output of the commands in `script`. Throws with `stderr` when one of them fails. */
  shell(script: string): Promise<string>
  /** Kills the program without notice, and leaves its folder. */
  kill(): Promise<void>
  /** Ends it and removes its folder. */
  stop(): Promise<void>
}

/** In a folder of its own, where the database is already prepared. */
export async function startPrintedDemo(...args: string[]): Promise<PrintedDemo> {
  const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-printed-'))
  await prefillPostgres(dataDir)
  return startPrintedDemoIn({ project: root, dataDir, args })
}

export interface PrintedDemoOptions {
  project: string
  dataDir: string
  args?: readonly string[]
  env?: NodeJS.ProcessEnv
}

export async function startPrintedDemoIn(options: PrintedDemoOptions): Promise<PrintedDemo> {
  const { project: cwd, dataDir, args = [], env: around = process.env } = options
  const webhookPort = await freePort()
  const pageOrigin = `http://127.0.0.1:${await freePort()}`
  const demo = spawn('npm', ['run', '--silent', 'demo', '--', ...args], {
    cwd,
    env: {
      ...around,
      PORT: '0',
      DATA_DIR: dataDir,
      CROSSBOOK_WEBHOOK_ALLOW: `127.0.0.1:${webhookPort}`,
      CROSSBOOK_CORS_ORIGINS: pageOrigin,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const exited = once(demo, 'exit')
  const ready = await readyOf(demo.stdout)
  const url = ready.url!
  const { pid } = JSON.parse(readFileSync(join(dataDir, 'runtime.json'), 'utf8')) as { pid: number }
  return {
    url,
    dataDir,
    pageOrigin,
    ready,
    webhookPort,
    async shell(script) {
      const moved = script
        .replaceAll('http://127.0.0.1:8080', url)
        .replaceAll('./.data/demo', dataDir)
        // Starting npx costs more than most of what it starts.
        .replaceAll('npx node', process.execPath)
      const env = { ...around, DATA_DIR: dataDir, CROSSBOOK_URL: url, WEBHOOK_PORT: String(webhookPort) }
      try {
        return (await run('bash', ['-euo', 'pipefail', '-c', moved], { cwd, env, timeout: 120_000 })).stdout
      } catch (error) {
        // The output up to the failure, which its error does not contain.
        const { message, stdout } = error as Error & { stdout?: string }
        throw new Error(`${message}\nafter it had printed: ${stdout?.slice(-2_000)}`, { cause: error })
      }
    },
    async kill() {
      process.kill(pid, 'SIGKILL')
      await exited
    },
    async stop() {
      process.kill(-demo.pid!, 'SIGINT')
      await exited
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function readyOf(stdout: NodeJS.ReadableStream): Promise<Record<string, string>> {
  const ready = 'crossbook ready '
  for await (const line of createInterface({ input: stdout })) {
    if (line.startsWith(ready)) return JSON.parse(line.slice(ready.length)) as Record<string, string>
  }
  throw new Error('the demo ended before it was ready')
}
