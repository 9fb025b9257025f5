// Fault 30: a process that handled secrets, and what it keeps of them. The venue here echoes them, disconnects, and refuses.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { createKey, generateKey } from '#platform/auth/keys'
import type { JsonObject } from '#schemas/executions'
import { sourceFiles } from '#test/conventions/source'
import { executionSuite } from '#test/support/execution/suite'
import { laneCases, madeRows } from '#test/support/laneCases'
import { venueCases } from '#test/support/venueCases'
import { statusLanes } from '#venues/registry'

const { pg, count } = executionSuite()
const main = fileURLToPath(new URL('../../../support/execution/keeper.main.ts', import.meta.url))

const cases = Object.values(laneCases).flatMap(({ secrets, ...laneCase }) =>
  secrets.map((made) => ({ ...laneCase, credentials: made() })),
)
const looks = statusLanes.flatMap(({ slug }) =>
  venueCases[slug].status.secrets.map((made) => ({ slug, credentials: made() })),
)
/** What is searched for: every secret; of a PEM the lines that are unique to it. */
const canaries = [...cases, ...looks]
  .flatMap(({ credentials }) => Object.values(credentials))
  .flatMap((text) => (text.startsWith('-----') ? text.split('\n').slice(3, -3) : [text]))

interface Answer {
  success: boolean
  data?: { executionId: string; status: string; unsigned: JsonObject }
}

type SecretCase = (typeof cases)[number]
type Reply = { status: number; body: unknown } | 'cut' | 'orderRefused' | 'keyRefused'

/** Answers as the test wants, and echoes the request to its sender. */
async function startVenue() {
  /** The case of the current call; a venue knows only its own secrets. */
  const state: { laneCase: SecretCase; reply: Reply } = { laneCase: cases[0]!, reply: 'cut' }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { laneCase, reply } = state
      const { method = '', url: path = '', headers } = request
      const read = laneCase.made.reads?.({ method, path, headers, text: Buffer.concat(chunks).toString() })
      // Reads before an order is built always succeed.
      if (read !== undefined && read !== 'cut' && read.status === undefined) {
        return void response.writeHead(200).end(JSON.stringify(read.body))
      }
      if (reply === 'cut') return void request.socket.destroy()
      // Both echo the request.
      const echo = `${JSON.stringify(headers)} ${JSON.stringify(laneCase.credentials)}`
      const { status, body } =
        reply === 'orderRefused'
          ? { status: 400, body: laneCase.words.refusal.body(echo) }
          : reply === 'keyRefused'
            ? { status: 401, body: laneCase.words.wrongKey!.body(echo) }
            : reply
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    state,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** The words that are in the file, read in overlapping chunks. */
async function wordsIn(path: string, words: readonly string[]): Promise<string[]> {
  const found = new Set<string>()
  const file = await open(path)
  try {
    const overlap = Math.max(...words.map(({ length }) => length))
    const buffer = Buffer.alloc(8 * 1024 * 1024)
    let kept = 0
    for (;;) {
      const { bytesRead } = await file.read(buffer, kept, buffer.length - kept)
      if (bytesRead === 0) return [...found]
      const text = buffer.subarray(0, kept + bytesRead)
      for (const one of words) if (text.includes(one)) found.add(one)
      const tail = Math.min(overlap, text.length)
      text.copy(buffer, 0, text.length - tail)
      kept = tail
    }
  } finally {
    await file.close()
  }
}

it('fault 30: no secret stays in the heap, log, tables or responses, whether requests succeed, fail or break off', async () => {
  const venue = await startVenue()
  const dir = await mkdtemp(join(tmpdir(), 'crossbook-heap-'))
  const { apiKey } = await createKey(pg.pool, { account: 'keeper', plan: 'enterprise', scopes: ['read', 'trade'] })
  const unknownKey = generateKey()
  const searched = [...canaries, apiKey, unknownKey]
  const mark = randomUUID()
  const child = spawn(process.execPath, ['--expose-gc', main, pg.url, venue.url, mark, JSON.stringify(madeRows)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  try {
    const log: string[] = []
    child.stderr.on('data', (chunk: Buffer) => log.push(chunk.toString()))
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const url = (await lines.next()).value as string
    expect(url, log.join('')).toMatch(/^http/)

    const answers: string[] = []
    let requestCount = 0
    const post = async (path: string, body: unknown, key = apiKey): Promise<Answer> => {
      const response = await fetch(`${url}/v1/exec/${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'idempotency-key': `k${requestCount++}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      })
      const text = await response.text()
      answers.push(text, JSON.stringify([...response.headers]))
      return JSON.parse(text)
    }

    const accepted = {
      order_id: 'o-1',
      orderId: 7,
      id: 'u-1',
      status: 'open',
      symbol: 's',
      side: 'buy',
      outcome: 'yes',
    }
    const replies: Reply[] = [
      'cut',
      'orderRefused',
      'keyRefused',
      { status: 401, body: {} },
      { status: 401, body: { message: 'no such key' } },
      { status: 500, body: {} },
      { status: 201, body: accepted },
    ]
    const statuses = new Set<string>()
    for (const laneCase of cases) {
      const { signed } = laneCase
      const secrets = { ...laneCase.names, ...laneCase.credentials }
      const { slug } = laneCase.lane
      const { order } = laneCase.made
      for (const reply of replies) {
        Object.assign(venue.state, { laneCase, reply })
        const built = await post(`${slug}/orders/build`, order)
        expect(built, JSON.stringify(built)).toMatchObject({ success: true })
        const { executionId: id, unsigned } = built.data!
        // A signature is not secret, but it is sent with the secrets.
        const signature = await signed(unsigned, 'order')
        const sent = await post(`${slug}/orders/${id}/submit`, { ...secrets, ...signature })
        statuses.add(sent.data?.status ?? 'refused')
        await post(`${slug}/orders/${id}/refresh`, secrets)
        // Invalid requests: secrets in the wrong place, an extra one, of the wrong type, for an unknown execution.
        await post(`${slug}/orders/build`, { ...order, ...secrets })
        await post(`${slug}/orders/build`, { ...order, dryRun: true, ...secrets })
        await post(`${slug}/orders/${id}/cancel`, secrets)
        await post(`${slug}/orders/${id}/submit`, { ...secrets, extra: Object.values(secrets) })
        await post(`${slug}/orders/${id}/refresh`, { more: secrets })
        await post(`${slug}/orders/${mark}/submit`, secrets)
        await post(`${slug}/orders/${id}/submit`, secrets, unknownKey)
      }
    }
    // An execution that was not built here is only queried.
    for (const { slug, credentials } of looks) {
      const [laneCase] = cases
      Object.assign(venue.state, { laneCase: { ...laneCase, credentials }, reply: 'cut' })
      const id = (await post(`${laneCase!.lane.slug}/orders/build`, laneCase!.made.order)).data!.executionId
      await pg.pool.query(`UPDATE executions SET venue = $2, venue_ref = 'o-1', status = 'acked' WHERE id = $1`, [
        id,
        slug,
      ])
      for (const reply of replies) {
        Object.assign(venue.state, { reply })
        await post(`${slug}/orders/${id}/refresh`, credentials)
        await post(`${slug}/orders/${id}/refresh`, { ...credentials, more: Object.values(credentials) })
        await post(`${slug}/orders/${id}/submit`, credentials)
        await post(`${slug}/orders/${mark}/refresh`, credentials)
      }
    }
    // Every possible end of an attempt occurred.
    expect([...statuses].toSorted()).toEqual(['acked', 'failed', 'refused', 'submitted'])

    const metrics = await (await fetch(`${url}/metrics`)).text()
    const title = process.platform === 'linux' ? await readFile(`/proc/${child.pid}/cmdline`, 'utf8') : ''
    const shown = { answers: answers.join('\n'), log: log.join(''), metrics, title }
    for (const [name, text] of Object.entries(shown))
      for (const canary of searched) expect(text.includes(canary), `${name} shows ${canary}`).toBe(false)

    const { rows: tables } = await pg.pool.query<{ name: string }>(
      `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
    )
    expect(tables.length).toBeGreaterThan(10)
    for (const { name } of tables) {
      const hits = await count(`${name} t WHERE t::text LIKE ANY ($1)`, [searched.map((canary) => `%${canary}%`)])
      expect(hits, name).toBe(0)
    }

    const snapshot = join(dir, 'keeper.heapsnapshot')
    child.stdin.write(`${snapshot}\n`)
    const control = (await lines.next()).value as string
    expect(control).toContain(mark)
    expect(await wordsIn(snapshot, [control, ...searched])).toEqual([control])
  } finally {
    child.kill('SIGKILL')
    venue.close()
    await rm(dir, { recursive: true, force: true })
  }
}, 120_000)

it('fault 30: executions and adapters import only PostgreSQL and HTTP modules, no Kafka topic, ClickHouse or file', () => {
  const files = sourceFiles('src').filter(({ path }) => /^src\/(executions|venues\/[^/]+\/exec)\//.test(path))
  expect(files.length).toBeGreaterThan(80)
  const sinks = /^(src\/storage\/(kafka|clickhouse|bus)\/|src\/history\/|node:fs|fs)/
  const found = files.flatMap(({ path, imports }) =>
    imports
      .filter(({ specifier, target }) => sinks.test(target ?? specifier))
      .map(({ specifier }) => `${path} → ${specifier}`),
  )
  expect(found).toEqual([])
})
