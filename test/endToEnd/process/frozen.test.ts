// Fault 38: the stores of a running program are suspended, one after the other. It reports that, answers in time, and recovers without a
// restart.
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { eventually } from '#test/support/cluster/client'
import { type Program, startProgram } from './program.ts'

// The process table is read from /proc. A separate program, so only in the long form.
const applies = existsSync('/proc/self/cmdline') && process.env.CROSSBOOK_TEST_LONG === '1'

let dataDir: string
let demo: Program
let frozen: number[] = []

beforeAll(async () => {
  if (!applies) return
  dataDir = await mkdtemp(join(tmpdir(), 'crossbook-frozen-'))
  demo = await startProgram('lab/demo.ts', { DATA_DIR: dataDir, CROSSBOOK_PINNED_MARKETS: '5' })
}, 90_000)
afterEach(() => thaw())
afterAll(async () => {
  await demo?.end('SIGTERM')
  if (applies) await rm(dataDir, { recursive: true, force: true })
}, 60_000)

function freeze(isOne: (command: string) => boolean): void {
  frozen = demo.descendants().filter((pid) => isOne(commandLine(pid)))
  expect(frozen.length).toBeGreaterThan(0)
  for (const pid of frozen) process.kill(pid, 'SIGSTOP')
}
function thaw(): void {
  for (const pid of frozen.splice(0)) process.kill(pid, 'SIGCONT')
}
function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

interface Answer {
  status: number
  code: string | undefined
  message: string
  degraded: string[] | undefined
  tookMs: number
}

/** No caller waits longer than ten seconds. */
async function request(
  path: string,
  { method = 'GET', body }: { method?: string; body?: object } = {},
): Promise<Answer> {
  const startedAt = performance.now()
  const response = await fetch(`${demo.ready.url}${path}`, {
    method,
    signal: AbortSignal.timeout(10_000),
    headers: {
      authorization: `Bearer ${demo.ready.apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const { error, data } = (text.startsWith('{"success"') ? JSON.parse(text) : {}) as {
    error?: { code: string; message: string }
    data?: { degraded?: string[] }
  }
  return {
    status: response.status,
    code: error?.code,
    message: error?.message ?? '',
    degraded: data?.degraded,
    tookMs: performance.now() - startedAt,
  }
}

const ready = () => request('/ready')
/** The program stays ready: it is the only one. */
const serves = (degraded: string[]) =>
  eventually(async () => {
    const answer = await ready()
    expect([answer.status, answer.degraded]).toEqual([200, degraded])
  })
const order = (outcome: string) => ({
  outcome,
  outcomeSide: 'YES',
  isBuy: true,
  price: 0.5,
  size: 5,
})

it.runIf(applies)(
  'PostgreSQL: it is named, writes are refused, the process stays up, and it recovers',
  async () => {
    await serves([])
    freeze((command) => /postgres(:| -D)/.test(command))
    await serves(['postgres'])
    expect((await request('/health')).status).toBe(200)
    const answers = await Promise.all([
      request('/v1/exec/kalshi/orders/build', { method: 'POST', body: order('LAB') }),
      request('/v1/exec/executions'),
      request('/v1/webhooks', { method: 'POST', body: { url: 'http://127.0.0.1:8090/', events: ['execution.built'] } }),
      request(`/v1/exec/kalshi/orders/${crypto.randomUUID()}`, { method: 'DELETE' }),
      request('/api/polymarket/fetchMarkets?limit=1'),
    ])
    for (const { status } of answers) expect(status).toBe(503)
    thaw()
    await serves([])
  },
  60_000,
)

it.runIf(applies)(
  'the engine: it is named, history is refused, books continue, and it recovers',
  async () => {
    await serves([])
    freeze((command) => command.includes('engine/main'))
    await serves(['clickhouse'])
    const since = Date.now() - 60_000
    const answers = await Promise.all([
      request(`/v1/history/replay?venue=kalshi&outcomeId=LAB&kind=tob&since=${since}&until=${since + 1_000}`),
      request(`/v1/history/arbitrage?since=${since}&until=${since + 1_000}`),
    ])
    for (const answer of answers) expect([answer.status, answer.code]).toEqual([503, 'HISTORY_UNAVAILABLE'])
    thaw()
    await serves([])
  },
  60_000,
)
