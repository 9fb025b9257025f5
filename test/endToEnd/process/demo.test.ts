// The demo as a process: its output, its end by signal or by kill, the state after the next start, and the command line used with it.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, eventually, type Served } from '#test/support/cluster/client'
import {
  checkOperatorData,
  createOperatorData,
  type OperatorData,
  type Receiver,
  startReceiver,
} from '#test/support/ownedResources'
import { startTraceCollector, type TraceCollector } from '#test/support/traceCollector'
import { tryEveryTool } from './mcpTools.ts'
import { cli, isAlive, type Program, runProgram, startProgram } from './program.ts'

/** The documented limit for a signal. */
const stopsWithinMs = 10_000

let dataDir: string
let demo: Program
let collector: TraceCollector
let receiver: Receiver
const everStarted = new Set<number>()

async function start(): Promise<void> {
  demo = await startProgram('lab/demo.ts', {
    DATA_DIR: dataDir,
    CROSSBOOK_PINNED_MARKETS: '5',
    CROSSBOOK_TRACES_URL: collector.url,
    CROSSBOOK_TRACES_RATIO: '1',
    CROSSBOOK_WEBHOOK_ALLOW: receiver.host,
  })
  for (const pid of [demo.pid, ...demo.descendants()]) everStarted.add(pid)
}

const withKey = (apiKey: string): Served => ({ ...demo.served, apiKey })

/** The market that the command line would choose, too. */
async function mostActive(venue: string): Promise<string> {
  return eventually(async () => {
    const { body } = await ask(demo.served, `/api/${venue}/fetchMarkets?limit=1&sort=volume`)
    const [market] = body.data as { outcomes: { outcomeId: string }[] }[]
    expect(market).toBeDefined()
    return market!.outcomes[0]!.outcomeId
  })
}

async function tops(venue: string, outcomeId: string, since: number, until: number): Promise<string[]> {
  const query = `venue=${venue}&outcomeId=${outcomeId}&kind=tob&since=${since}&until=${until}&limit=20000`
  const { status, text } = await ask(demo.served, `/v1/history/replay?${query}`)
  expect(status, text.slice(0, 300)).toBe(200)
  return text.trimEnd().split('\n').slice(0, -1)
}

beforeAll(async () => {
  collector = await startTraceCollector()
  receiver = await startReceiver()
  dataDir = await mkdtemp(join(tmpdir(), 'crossbook-demo-'))
  await start()
}, 90_000)
afterAll(async () => {
  if (isAlive(demo.pid)) await demo.end('SIGINT')
  await collector.stop()
  receiver.stop()
  await rm(dataDir, { recursive: true, force: true })
}, 60_000)

describe('the metrics used by Prometheus and Grafana', () => {
  it('are all exported by the program', async () => {
    const { text } = await ask(demo.served, '/metrics')
    const exported = new Set(
      [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].flatMap(([, name, type]) => namesOf(name!, type!)),
    )
    for (const file of ['alerts.yml', 'grafana/dashboards/crossbook.json']) {
      const queried = readFileSync(new URL(`../../../ops/${file}`, import.meta.url), 'utf8').match(
        /crossbook_[a-z0-9_]+/g,
      )!
      expect(queried.length, file).toBeGreaterThan(10)
      expect(
        [...new Set(queried)].filter((name) => !exported.has(name)),
        file,
      ).toEqual([])
    }
  })
})

describe('its own telemetry', () => {
  it('a request that needs a venue is one trace, with simulated venues as well', async () => {
    const outcomeId = await mostActive('kalshi')
    await eventually(async () => {
      await ask(demo.served, `/api/kalshi/fetchOHLCV?outcomeId=${outcomeId}&resolution=1h`)
      const parent = collector.spans.find(({ name, kind }) => name === 'fetchOHLCV' && kind === 2)
      expect(parent).toBeDefined()
      const childSpan = collector.spans.find(({ parentSpanId }) => parentSpanId === parent!.spanId)
      expect(childSpan).toMatchObject({ traceId: parent!.traceId, attributes: { 'crossbook.venue': 'kalshi' } })
    })
  })

  it('every response with provenance says that its data are simulated', async () => {
    for (const path of ['/api/kalshi/fetchMarkets?limit=1', '/api/kalshi/loadMarkets', '/v1/status', '/v1/venues']) {
      const { body } = await ask(demo.served, path)
      expect(body.provenance, path).toMatchObject({ source: expect.any(String), lab: true })
    }
  })
})

const namesOf = (name: string, type: string): string[] =>
  type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name]

describe('crossbook on the command line, with a running program', () => {
  /** Rotated or revoked. */
  const ended: string[] = []

  it('creates, lists, rotates and revokes keys', async () => {
    const issued = await keyOf(cli(dataDir, 'keys', 'create', '--plan', 'builder', '--account', 'ops'))
    expect((await ask(withKey(issued.key), '/v1/status')).status).toBe(200)
    const listed = await cli(dataDir, 'keys', 'list', '--account', 'ops')
    expect(listed.lines.join('\n')).toContain(issued.id)
    expect(listed.lines.join('\n')).not.toContain(issued.key)

    const rotated = await keyOf(cli(dataDir, 'keys', 'rotate', issued.id))
    expect((await ask(withKey(rotated.key), '/v1/status')).status).toBe(200)
    expect(await cli(dataDir, 'keys', 'revoke', rotated.id)).toMatchObject({ code: 0 })
    ended.push(issued.key, rotated.key)
  }, 90_000)

  it('watches a market for a given number of frames and ends', async () => {
    const { code, lines, error } = await cli(dataDir, 'watch', 'kalshi', '--frames', '5')
    expect(code, error).toBe(0)
    expect(lines.filter((line) => !line.includes('subscribed to'))).toHaveLength(5)
    expect(lines.join('\n')).toMatch(/subscribed to orderbook/)
    expect(lines.join('\n')).toMatch(/book +bid 0\.\d+/)
    const raw = await cli(dataDir, 'watch', 'polymarket', '--frames', '5', '--json')
    expect(raw.code, raw.error).toBe(0)
    expect(raw.lines.map((line) => (JSON.parse(line) as { type: string }).type)).toContain('snapshot')
  })

  it('offers tools to language models, each of which answers', async () => {
    expect(await tryEveryTool(demo.served)).toEqual([])
  }, 150_000)

  it('shows the arbitrage surface, with rows of pairs that both venues list', async () => {
    const rows = await eventually(async () => {
      const { code, lines, error } = await cli(dataDir, 'arb', '--executable', '--json')
      expect(code, error).toBe(0)
      expect(lines.length).toBeGreaterThan(1)
      return lines.map((line) => JSON.parse(line) as { matchBand: string; legs: Record<string, { venue: string }> })
    })
    for (const { matchBand, legs } of rows) {
      expect(matchBand).toBe('verified')
      expect([legs.buyYes!.venue, legs.buyNo!.venue].sort()).toEqual(['kalshi', 'polymarket'])
    }
    const { lines } = await cli(dataDir, 'arb', '--limit', '3')
    expect(lines[0]).toMatch(/EDGE .* QUESTION/)
    expect(lines.at(-1)).toMatch(/rows, \d+ arbitrage/)
  })

  it('explains its options', async () => {
    const { code, lines } = await runProgram('lab/demo.ts', ['--help'], {})
    expect(code).toBe(0)
    expect(lines.join('\n')).toMatch(/^ {2}npm run demo -- --venues \w+,\w+$/m)
  })

  it('reports errors and fails', async () => {
    expect(await cli(dataDir, 'watch', 'nowhere', '--frames', '1')).toMatchObject({ code: 1 })
    expect(await cli(dataDir, 'keys', 'create', '--plan', 'golden')).toMatchObject({
      code: 1,
      error: expect.stringMatching(/plan must be one of/),
    })
    expect(await cli(dataDir, 'keys', 'revoke', '00000000-0000-4000-8000-000000000000')).toMatchObject({ code: 1 })
  })

  // Last: the program stops accepting both within the same time, which passes during the tests before.
  it('no longer accepts the rotated key and the revoked one', async () => {
    expect(ended).toHaveLength(2)
    for (const key of ended)
      await eventually(async () => expect((await ask(withKey(key), '/v1/status')).status).toBe(401), 60_000)
    expect((await ask(demo.served, '/v1/status')).status).toBe(200)
  }, 150_000)
})

async function keyOf(printed: ReturnType<typeof cli>): Promise<{ key: string; id: string }> {
  const { code, lines, error } = await printed
  expect(code, error).toBe(0)
  const word = (name: string): string => lines.find((line) => line.startsWith(name))!.split(/\s+/)[1]!
  const issued = { key: word('key'), id: word('id') }
  expect(issued.key).toMatch(/^xb_test_[0-9A-Za-z]{43}$/)
  return issued
}

describe('the end of the program', () => {
  let left: { apiKey: string; seeded: OperatorData }
  let taped: { venue: string; outcomeId: string; since: number; until: number; lines: string[] }[]

  it('SIGINT ends it in time, with exit code 0 and no process left', async () => {
    const read: Omit<(typeof taped)[number], 'lines'>[] = []
    for (const venue of ['polymarket', 'kalshi']) {
      const outcomeId = await mostActive(venue)
      const since = Date.now() - 3_600_000
      const until = await eventually(async () => {
        expect((await tops(venue, outcomeId, since, Date.now())).length).toBeGreaterThan(5)
        return Date.now()
      })
      read.push({ venue, outcomeId, since, until })
    }
    taped = []
    for (const { venue, outcomeId, since, until } of read) {
      await eventually(async () => {
        const { body } = await ask(demo.served, `/v1/history/coverage?venue=${venue}&outcomeId=${outcomeId}`)
        const { completeUntil } = body.meta as { completeUntil: string | null }
        expect(Date.parse(completeUntil ?? '')).toBeGreaterThanOrEqual(until)
      }, 60_000)
      taped.push({ venue, outcomeId, since, until, lines: await tops(venue, outcomeId, since, until) })
    }
    const { lab } = JSON.parse(readFileSync(join(dataDir, 'runtime.json'), 'utf8'))
    const { served } = demo
    left = { apiKey: served.apiKey, seeded: await createOperatorData(served, lab.polymarket.CLOB, receiver) }
    for (const pid of demo.descendants()) everStarted.add(pid)
    expect(everStarted.size, 'the stores are separate processes').toBeGreaterThan(2)
    const stopped = demo.end('SIGINT')
    const code = await Promise.race([stopped, late(stopsWithinMs)])
    expect(code, demo.output()).toBe(0)
    await eventually(() => expect([...everStarted].filter(isAlive)).toEqual([]))
  }, 150_000)

  it('keys can be listed and issued while nothing runs, and nothing runs afterwards', async () => {
    const issued = await keyOf(cli(dataDir, 'keys', 'create', '--account', 'while-stopped'))
    const listed = await cli(dataDir, 'keys', 'list')
    expect(listed.lines.join('\n')).toContain(issued.id)
    expect(await cli(dataDir, 'keys', 'revoke', issued.id)).toMatchObject({ code: 0 })
  }, 60_000)

  it('the next start finds the tape, the key, orders and sealed secrets, also in a copy of the folder at another path', async () => {
    const restored = await mkdtemp(join(tmpdir(), 'crossbook-restored-'))
    // With owners: when started by root, the database belongs to a separate user.
    execFileSync('cp', ['-a', `${dataDir}/.`, restored])
    await rm(dataDir, { recursive: true })
    dataDir = restored
    await start()
    for (const { venue, outcomeId, since, until, lines } of taped) {
      expect(lines.length).toBeGreaterThan(0)
      expect(await tops(venue, outcomeId, since, until)).toEqual(lines)
    }
    await checkOperatorData(withKey(left.apiKey), left.seeded, receiver)
  }, 90_000)

  it('after kill -9 it starts again, with the tape and the same key, and ends cleanly', async () => {
    const { apiKey } = demo.ready
    for (const pid of demo.descendants()) everStarted.add(pid)
    await demo.end('SIGKILL')
    await start()
    expect(demo.ready.apiKey).toBe(apiKey)
    for (const { venue, outcomeId, since, until, lines } of taped) {
      expect(await tops(venue, outcomeId, since, until)).toEqual(lines)
      await eventually(async () => {
        const { body } = await ask(demo.served, `/api/${venue}/fetchOrderBook?outcomeId=${outcomeId}`)
        expect(body.provenance).toEqual({ source: 'service-live', lab: true })
      })
    }
    for (const pid of demo.descendants()) everStarted.add(pid)
    expect(await Promise.race([demo.end('SIGTERM'), late(stopsWithinMs)]), demo.output()).toBe(0)
    await eventually(() => expect([...everStarted].filter(isAlive)).toEqual([]))
  }, 120_000)
})

const late = (ms: number): Promise<string> =>
  new Promise((resolve) => setTimeout(() => resolve('not in time'), ms).unref())
