// The README's first page, run as printed: its shell blocks against a real `npm run demo`, with only the port and the data folder moved.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1]!)
const tour = blocks.find((block) => block.includes('export KEY='))!
const order = blocks.find((block) => block.includes('order.mjs'))!
const across = blocks.find((block) => block.includes('crossbook arb'))!

let demo: ChildProcess
let dataDir: string
let webhookPort: string
let ready: { url: string; stream: string; apiKey: string }

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return String(port)
}

beforeAll(async () => {
  webhookPort = await freePort()
  dataDir = mkdtempSync(join(tmpdir(), 'crossbook-readme-'))
  demo = spawn('npm', ['run', '--silent', 'demo'], {
    cwd: root,
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: dataDir,
      CROSSBOOK_WEBHOOK_ALLOW: `127.0.0.1:${webhookPort}`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  for await (const line of createInterface({ input: demo.stdout! })) {
    if (!line.startsWith('crossbook ready ')) continue
    ready = JSON.parse(line.slice('crossbook ready '.length))
    break
  }
}, 90_000)

afterAll(async () => {
  const exited = new Promise((resolve) => demo.once('exit', resolve))
  process.kill(-demo.pid!, 'SIGINT')
  await exited
  rmSync(dataDir, { recursive: true, force: true })
}, 30_000)

/** Runs a block's lines in one shell, after the tour's exports; answers what each command printed, in order. */
async function take(block: string): Promise<string[]> {
  const exports = tour.split('\n').filter((line) => line.startsWith('export '))
  const lines = [...new Set([...exports, ...block.split('\n')])].join('\n')
  const moved = lines.replaceAll('http://127.0.0.1:8080', ready.url).replaceAll('./.data/demo', dataDir)
  const script = moved
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => (line.startsWith('export ') ? line : `${line}\nprintf '\\n@@\\n'`))
    .join('\n')
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, CROSSBOOK_URL: ready.url, WEBHOOK_PORT: webhookPort },
    timeout: 60_000,
  })
  return stdout.split('\n@@\n').slice(0, -1)
}

describe('the README', () => {
  it('names two commands that are scripts of this package', () => {
    const scripts = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts as Record<string, string>
    expect(blocks[0]!.trim().split('\n')).toEqual(['npm ci', 'npm run demo'])
    for (const [, name] of readme.matchAll(/npm run ([a-z:-]+)/g)) expect(Object.keys(scripts), name).toContain(name)
  })

  it('shows a book, its complement, a watch, raw frames, a replay and the venues, exactly as printed', async () => {
    const [yesText, noText, watched, frames, replay, status] = await take(tour)
    const yes = JSON.parse(yesText!)
    const no = JSON.parse(noText!)
    expect(yes.data).toMatchObject({ provenance: { source: 'service-live' }, synthetic: false })
    expect(yes.data.bids.length).toBeGreaterThan(0)
    expect(no.data.bids.length + no.data.asks.length).toBeGreaterThan(0)
    expect(watched).toMatch(/subscribed to orderbook/)
    expect(watched).toMatch(/book +bid 0\.\d+/)
    const types = frames!
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).type)
    expect(types).toHaveLength(10)
    expect(types).toEqual(expect.arrayContaining(['auth', 'subscribed', 'snapshot', 'update']))
    const lines = replay!
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.at(-1)).toMatchObject({ k: 'cursor', rows: lines.length - 1 })
    expect(lines.length).toBeGreaterThan(1)
    expect(lines[0]).toMatchObject({ k: 'tob', ts: expect.any(Number), bid: expect.anything() })
    expect(JSON.parse(status!).data.venues.map((venue: { connection: string }) => venue.connection)).toEqual([
      'connected',
      'connected',
    ])
  }, 90_000)

  it('shows the surface as a table, a row over HTTP, its history and a match, exactly as printed', async () => {
    await vi.waitFor(
      async () => {
        const [table] = await take('npx crossbook arb --once --limit 1')
        expect(table).toMatch(/[1-9]\d* rows/)
      },
      { timeout: 60_000, interval: 1_000 },
    )
    const [table, arbitrage, history, matches] = await take(across)
    expect(table).toMatch(/EDGE \$.*BUY YES.*BUY NO/)
    const [row] = JSON.parse(arbitrage!).data
    expect(row).toMatchObject({ executable: true, resolutionEquivalence: 'verified', matchBand: 'verified' })
    const explained = [...readme.matchAll(/^\| ((?:`[^`]+`(?:, )?)+) \|/gm)].flatMap(([, names]) =>
      [...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
    )
    for (const field of Object.keys(row)) {
      expect(
        explained.some((name) => name === field || name.startsWith(`${field}.`)),
        field,
      ).toBe(true)
    }
    const lines = history!
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines[0]).toMatchObject({ k: 'arbitrage', best: { executable: true } })
    expect(JSON.parse(matches!).data).toHaveLength(1)
  }, 150_000)

  it('takes an order from build to fill and tells of it by webhook, exactly as printed', async () => {
    const [, walk, told, venues, executions, fills] = await take(order)
    const [built, submitted, filled] = walk!.trim().split('\n')
    expect(built).toMatch(/^built [0-9a-f-]{36} built true$/)
    expect(submitted).toMatch(/^submitted (acked|filled) true$/)
    expect(filled).toMatch(/^filled \[\{/)
    const verified = told!.trim().split('\n')
    expect(verified.shift()).toMatch(/^listening [0-9a-f-]{36}$/)
    const transitions = verified.map((line) => JSON.parse(line.replace('verified execution.status.changed ', '')))
    expect(new Set(transitions.map(({ executionId }) => executionId))).toEqual(new Set([built!.split(' ')[1]]))
    expect(transitions.map(({ status }) => status)).toEqual(expect.arrayContaining(['submitted', 'filled']))
    const armed = JSON.parse(venues!).data.filter((lane: { armed: boolean }) => lane.armed)
    expect(armed.map((lane: { venue: string }) => lane.venue).sort()).toEqual([
      'hyperliquid',
      'kalshi',
      'myriad',
      'novig',
      'opinion',
      'pascal',
      'polymarket',
      'polymarket_us',
      'predictfun',
    ])
    expect(JSON.parse(executions!).data[0]).toMatchObject({ executionId: built!.split(' ')[1], status: 'filled' })
    expect(JSON.parse(fills!).data[0]).toMatchObject({ executionId: built!.split(' ')[1], venue: 'polymarket' })
  }, 90_000)
})
