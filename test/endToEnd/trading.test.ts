// docs/trading.md as printed: its shell blocks against one demo of all the lanes that they trade at, and its fields against the lanes' own.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { lanes } from '#venues/registry'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(join(root, 'docs/trading.md'), 'utf8')
const [setup, ...sections] = page.split(/^## /m) as [string, ...string[]]
const sectionOf = new Map(sections.map((text) => [text.slice(0, text.indexOf('\n')), text]))
const shellIn = (text: string): string | undefined => /```sh\n([\s\S]*?)```/.exec(text)?.[1]
const worked = [...sectionOf].filter(([, text]) => shellIn(text) !== undefined).map(([venue]) => venue)
/** All of them in the long form; else two today and others tomorrow: each costs its lab a second. */
const day = Math.floor(Date.now() / 86_400_000)
const tried =
  process.env.CROSSBOOK_TEST_LONG === '1' ? worked : [0, 1].map((i) => worked[(2 * day + i) % worked.length]!)

describe('docs/trading.md', () => {
  it('has a section for every lane', () => {
    expect([...sectionOf.keys()]).toEqual(Object.keys(lanes))
  })

  it.each(Object.entries(lanes))('%s: names every field of its body, of submit and of refresh', (venue, lane) => {
    const named = new Set([...sectionOf.get(venue)!.matchAll(/`(\w+)`/g)].map(([, name]) => name))
    const fieldsOf = (body: z.ZodType) =>
      Object.keys(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }).properties ?? {})
    const bodies = [lane.order.body, ...[lane.cancel, lane.modify, lane.redeem].flatMap((verb) => verb?.body ?? [])]
    const fields = [...bodies.flatMap(fieldsOf), ...(lane.submit?.fields ?? []), ...(lane.refresh?.fields ?? [])]
    for (const field of fields) expect(named, field).toContain(field)
  })
})

interface Answer {
  success: boolean
  data?: { status: string }
  error?: { code: string; retryable: boolean }
}

describe('its commands', () => {
  let demo: ChildProcess
  let dataDir: string
  let url: string
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'crossbook-trading-'))
    demo = spawn('npm', ['run', '--silent', 'demo', '--', '--venues', tried.join(',')], {
      cwd: root,
      env: { ...process.env, PORT: '0', DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    })
    for await (const line of createInterface({ input: demo.stdout! })) {
      if (!line.startsWith('crossbook ready ')) continue
      url = JSON.parse(line.slice('crossbook ready '.length)).url
      break
    }
  }, 120_000)
  afterAll(async () => {
    const exited = new Promise((resolve) => demo.once('exit', resolve))
    process.kill(-demo.pid!, 'SIGINT')
    await exited
    rmSync(dataDir, { recursive: true, force: true })
  }, 30_000)

  /** Only the port, the data folder and the wrapper around node are others. */
  async function take(block: string): Promise<Answer[]> {
    const script = `${shellIn(setup)}${block}`
      .replaceAll('http://127.0.0.1:8080', url)
      .replaceAll('./.data/demo', dataDir)
      .replaceAll('npx node', process.execPath)
    const env = { ...process.env, DATA_DIR: dataDir, CROSSBOOK_URL: url }
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: root, env, timeout: 60_000 })
    return stdout
      .trim()
      .split('\n')
      .map((line): Answer => JSON.parse(line))
  }

  it.each(tried)(
    '%s: built, sent and read back',
    async (venue) => {
      let told = await take(shellIn(sectionOf.get(venue)!)!)
      // A machine that has more to do says so, and asks to be asked again.
      for (let left = 2; left > 0 && told.some(({ error }) => error?.retryable === true); left--)
        told = await take(shellIn(sectionOf.get(venue)!)!)
      for (const { success, error } of told) expect([success, error]).toEqual([true, undefined])
      const statuses = told.map(({ data }) => data?.status)
      expect(statuses).toHaveLength(2)
      for (const status of statuses) expect(['acked', 'filled']).toContain(status)
    },
    90_000,
  )
})
