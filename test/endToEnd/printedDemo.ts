// `npm run demo` as a stranger starts it, and the documents' shell blocks run against it as printed: only its port and its folder are others.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '#test/support/freePort'

const run = promisify(execFile)
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Which `sh` blocks a document prints. */
export const blocksIn = (page: string): string[] => [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text]) => text!)

export interface PrintedDemo {
  dataDir: string
  /** What it said of itself when it served. */
  ready: Readonly<Record<string, string>>
  /** What the commands of `script` print together. Throws with `stderr` when one of them fails. */
  shell(script: string): Promise<string>
  stop(): Promise<void>
}

export async function startPrintedDemo(...args: string[]): Promise<PrintedDemo> {
  const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-printed-'))
  const webhookPort = String(await freePort())
  const demo = spawn('npm', ['run', '--silent', 'demo', '--', ...args], {
    cwd: root,
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir, CROSSBOOK_WEBHOOK_ALLOW: `127.0.0.1:${webhookPort}` },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const exited = once(demo, 'exit')
  const ready = await readyOf(demo.stdout)
  const url = ready.url!
  return {
    dataDir,
    ready,
    async shell(script) {
      const moved = script
        .replaceAll('http://127.0.0.1:8080', url)
        .replaceAll('./.data/demo', dataDir)
        // Starting npx costs more than most of what it starts.
        .replaceAll('npx node', process.execPath)
      const env = { ...process.env, DATA_DIR: dataDir, CROSSBOOK_URL: url, WEBHOOK_PORT: webhookPort }
      const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', moved], { cwd: root, env, timeout: 120_000 })
      return stdout
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
