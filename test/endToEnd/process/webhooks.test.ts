// The demo as an operator runs it, the receiver of the docs as its user runs it: an order is filled, and every transition arrives verified.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sign } from '#platform/webhooks/index'
import { freePort } from '#test/support/freePort'
import { prefillPostgres } from '#test/support/postgres'
import { type Program, startProgram } from './program.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const patient = { timeout: 30_000, interval: 100 }
let dataDir: string
let demo: Program
let port: number
let receiver: ChildProcess
const printed: string[] = []

function run(example: string, args: readonly string[] = []): ChildProcess {
  const lab = JSON.parse(readFileSync(join(dataDir, 'runtime.json'), 'utf8')).lab as { polymarket: { CLOB: string } }
  return spawn(process.execPath, [example, ...args], {
    cwd: root,
    env: {
      PATH: process.env.PATH ?? '',
      KEY: demo.ready.apiKey,
      CROSSBOOK_URL: demo.ready.url,
      WEBHOOK_PORT: String(port),
      CLOB: lab.polymarket.CLOB,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

const callApi = async (method: string, path: string, body?: unknown) => {
  const answer = await fetch(`${demo.ready.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${demo.ready.apiKey}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.json()
  return { status: answer.status, body: text as { data: unknown; error: { code: string } } }
}

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'crossbook-webhooks-'))
  await prefillPostgres(dataDir)
  port = await freePort()
  demo = await startProgram('lab/demo.ts', {
    DATA_DIR: dataDir,
    CROSSBOOK_WEBHOOK_ALLOW: `127.0.0.1:${port}`,
    CROSSBOOK_ARBITRAGE: 'false',
    CROSSBOOK_PINNED_MARKETS: '3',
    // Job events during the test.
    CROSSBOOK_CATALOG_INTERVAL_MS: '1000',
  })
  receiver = run('docs/examples/webhook.mjs', ['3'])
  createInterface({ input: receiver.stdout! }).on('line', (line) => printed.push(line))
  await vi.waitFor(() => expect(printed[0]).toMatch(/^listening /), patient)
}, 120_000)
afterAll(async () => {
  receiver?.kill('SIGKILL')
  await demo?.end('SIGTERM')
  rmSync(dataDir, { recursive: true, force: true })
}, 30_000)

describe('the demo with the receiver of the docs', () => {
  it('the receiver accepts nothing unsigned, old or changed', async () => {
    const now = Math.floor(Date.now() / 1000)
    const body = '{"status":"filled"}'
    const attempts: Record<string, string>[] = [
      {},
      { 'x-service-timestamp': String(now) },
      { 'x-service-timestamp': String(now), 'x-service-signature': '' },
      { 'x-service-timestamp': 'soon', 'x-service-signature': sign('guess', now, body) },
      { 'x-service-timestamp': String(now), 'x-service-signature': sign('guess', now, body) },
      { 'x-service-timestamp': String(now), 'x-service-signature': sign('guess', now, body).slice(0, 20) },
      { 'x-service-timestamp': String(now - 3_600), 'x-service-signature': sign('guess', now - 3_600, body) },
    ]
    for (const headers of attempts) {
      const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })
      expect(answer.status, JSON.stringify(headers)).toBe(401)
    }
    expect(printed).toHaveLength(1)
  })

  it('an order from build to fill causes three verified deliveries, and the receiver leaves nothing behind', async () => {
    const order = run('docs/examples/order.mjs')
    let output = ''
    order.stdout!.on('data', (chunk: Buffer) => {
      output += String(chunk)
    })
    expect(await once(order, 'exit')).toEqual([0, null])
    const executionId = /^built ([0-9a-f-]{36}) /m.exec(output)![1]
    await vi.waitFor(() => expect(printed).toHaveLength(4), patient)
    const bodies = printed.slice(1).map((line) => {
      expect(line).toMatch(/^verified execution\.status\.changed \{/)
      return JSON.parse(line.slice(line.indexOf('{')))
    })
    expect(bodies.map((body) => [body.executionId, body.status]).sort()).toEqual(
      [
        [executionId, 'submitted'],
        [executionId, 'acked'],
        [executionId, 'filled'],
      ].sort(),
    )
    if (receiver.exitCode === null) expect(await once(receiver, 'exit')).toEqual([0, null])
    expect((await callApi('GET', '/v1/webhooks')).body.data).toEqual([])
  })

  it('job events reach every endpoint registered for them, here signed by a secret stored only sealed, under a key only its owner can read', async () => {
    const events: string[] = []
    const server = createHttpServer((request, response) => {
      events.push(String(request.headers['x-service-event']))
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    try {
      const url = `http://127.0.0.1:${port}/jobs`
      const made = await callApi('POST', '/v1/webhooks', { url, events: ['ingest.run.completed'] })
      expect(made.status).toBe(200)
      await vi.waitFor(() => expect(events).toContain('ingest.run.completed'), patient)
      expect(statSync(join(dataDir, 'webhook.key')).mode & 0o777).toBe(0o600)
      const metrics = await (await fetch(`${demo.ready.url}/metrics`)).text()
      expect(metrics).toMatch(/^crossbook_webhook_deliveries_delivered_total [1-9]/m)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })

  it.each(['http://127.0.0.1:1/', 'https://localhost/', 'https://169.254.169.254/', 'https://[::ffff:127.0.0.1]/'])(
    '%s is refused: loopback is open at one port only',
    async (url) => {
      const refused = await callApi('POST', '/v1/webhooks', { url, events: ['ingest.run.completed'] })
      expect([refused.status, refused.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    },
  )
})
