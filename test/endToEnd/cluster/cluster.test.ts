// The user's scenario against separate processes that communicate over Kafka, and what happens when one of them is killed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  ask,
  eventually,
  levelsOf,
  levelsOfTruth,
  type Served,
  StreamClient,
  type StreamFrame,
  type WireBook,
} from '#test/support/cluster/client'
import { type Cluster, startCluster } from '#test/support/cluster/cluster'
import { labEnvironment } from '#test/support/cluster/labEnvironment'
import { labVenues, openMarkets, truthOf, upstreamOf, whilePaused } from '#test/support/cluster/labTruth'
import { sampleOf } from '#test/support/docs/samples'
import { freePort } from '#test/support/freePort'
import { hasKafka } from '#test/support/kafka/installed'
import { startPrinted } from '../process/printed.ts'
import { runCli } from '../process/program.ts'
import { describeUser } from '../scenario.ts'

const seed = 'cluster'
let cluster: Cluster<'ingest' | 'jobs' | 'compute' | 'tapeA' | 'tapeB' | 'gatewayA' | 'gatewayB'>

beforeAll(async () => {
  cluster = await startCluster({
    seed,
    ratePerSecond: 4,
    env: {
      CROSSBOOK_OPERATIONS_PORT: '0',
      // Compute sends orders and writes executions only where it fires conditional orders.
      CROSSBOOK_CONDITIONAL: 'true',
      CROSSBOOK_CONDITIONAL_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
    },
    processes: {
      ingest: 'ingest',
      jobs: 'jobs',
      compute: 'compute',
      tapeA: 'tape',
      tapeB: 'tape',
      gatewayA: 'gateway',
      gatewayB: 'gateway',
    },
    // Only its status is checked here: other tests cover what it does.
    later: ['compute'],
    readyDeadlineMs: 120_000,
  })
}, 240_000)
afterAll(async () => {
  await cluster?.stop()
}, 60_000)

const at = (name: 'gatewayA' | 'gatewayB'): Served => ({
  url: cluster.processes[name].url,
  stream: cluster.processes[name].stream,
  apiKey: cluster.apiKey,
})

describe.runIf(hasKafka)('six processes over Kafka', () => {
  describeUser(() => ({ served: at('gatewayA'), lab: cluster.lab }))

  it('every process reports on its own port that it is ready, and its metrics', async () => {
    const { compute } = cluster.processes
    await compute.start()
    try {
      const parts: Record<string, string[]> = {}
      for (const [name, process] of Object.entries(cluster.processes)) {
        const ready = await fetch(`${process.operations}/ready`)
        expect(ready.status, name).toBe(200)
        const { data } = (await ready.json()) as { data: { parts: Record<string, boolean> } }
        parts[name] = Object.keys(data.parts).sort()
        expect(await (await fetch(`${process.operations}/metrics`)).text(), name).toMatch(/^crossbook_build_info\{/m)
      }
      const gateway = ['books', 'clickhouse', 'kafka', 'postgres']
      expect(parts).toEqual({
        ingest: ['kafka', 'postgres'],
        jobs: ['clickhouse', 'kafka', 'postgres'],
        compute: ['kafka', 'postgres'],
        tapeA: ['clickhouse', 'kafka'],
        tapeB: ['clickhouse', 'kafka'],
        gatewayA: gateway,
        gatewayB: gateway,
      })
      const metricsText = await (await fetch(`${compute.operations}/metrics`)).text()
      for (const name of ['arbitrage_rows', 'relay_seconds', 'executions_total'])
        expect(metricsText).toMatch(new RegExp(`^# TYPE crossbook_${name} `, 'm'))
    } finally {
      // It subscribes to every book it computes on: the tests below need a book without subscribers.
      expect(await compute.stop(), compute.output()).toBe(0)
    }
  }, 180_000)

  it('a gateway starts with the commands of docs/cluster.md, at the addresses of these stores', async () => {
    const { postgres, clickhouse, kafka } = cluster
    const printed = sampleOf('docs/cluster.md', 'export KAFKA_BROKERS')
    const moved = printed
      .replace(/KAFKA_BROKERS=\S+/, `KAFKA_BROKERS=${kafka.brokers.join(',')}`)
      .replace(/DATABASE_URL=\S+/, `DATABASE_URL=${postgres.url}`)
      .replace(/CLICKHOUSE_URL=\S+/, `CLICKHOUSE_URL=${clickhouse.url}`)
    const started = await startPrinted(moved, { PORT: '0', LOG_LEVEL: 'warn', ...labEnvironment(cluster.lab) })
    try {
      expect((await ask({ ...at('gatewayA'), url: started.ready.url }, '/v1/status')).status).toBe(200)
    } finally {
      await started.end()
    }
  }, 90_000)

  it('doctor finds no problem, and reads the versions of its stores', async () => {
    const { postgres, clickhouse, kafka } = cluster
    const env = { DATABASE_URL: postgres.url, CLICKHOUSE_URL: clickhouse.url, KAFKA_BROKERS: kafka.brokers.join(',') }
    const doctor = await runCli(['doctor', '--json', '--offline'], { ...env, PORT: String(await freePort()) })
    expect(doctor.code, doctor.lines.join('\n')).toBe(0)
    const findings = Object.fromEntries(doctor.lines.map((line) => [JSON.parse(line).check, JSON.parse(line).message]))
    expect(findings).toMatchObject({
      postgres: expect.stringMatching(/ is PostgreSQL 1\d\.\d+/),
      engine: expect.stringMatching(/ is ClickHouse \d+\.\d+/),
      bus: expect.stringMatching(/ is Kafka [34]\.\d+$/),
    })
  })

  it('both gateways hold the same books', async () => {
    const clients = [await StreamClient.open(at('gatewayA')), await StreamClient.open(at('gatewayB'))]
    try {
      for (const venue of labVenues) {
        const market = openMarkets(cluster.lab, venue)[0]!
        for (const client of clients) client.subscribe(venue, market)
        await whilePaused(cluster.lab, async () => {
          for (const client of clients) await client.converges(venue, market, () => truthOf(cluster.lab, venue, market))
          for (const gateway of ['gatewayA', 'gatewayB'] as const) {
            const { body } = await ask(at(gateway), `/api/${venue}/fetchOrderBook?outcomeId=${market}`)
            expect(body.provenance).toEqual({ source: 'service-live' })
            expect(levelsOf(body.data as WireBook)).toBe(levelsOfTruth(truthOf(cluster.lab, venue, market)!))
          }
        })
      }
    } finally {
      for (const client of clients) client.close()
    }
  })

  /** Only the gateway that dies subscribes to it: neither pinned nor used by another test. */
  let orphaned: string

  it('kill -9 of a gateway: the other continues', async () => {
    const { lab, processes } = cluster
    orphaned = await eventually(() => {
      const found = openMarkets(lab, 'kalshi').find((ticker) => upstreamOf(lab, 'kalshi', ticker) === 0)
      expect(found, 'every market has a subscriber').toBeDefined()
      return found!
    }, 40_000)
    const reader = await StreamClient.open(at('gatewayA'))
    const doomed = await StreamClient.open(at('gatewayB'))
    try {
      reader.subscribe('polymarket', openMarkets(lab, 'polymarket')[0]!)
      doomed.subscribe('kalshi', orphaned)
      await doomed.frame(({ type }) => type === 'update')
      expect(upstreamOf(lab, 'kalshi', orphaned)).toBeGreaterThan(0)
      await processes.gatewayB.kill()
      await reader.updatesAfter(reader.mark())
    } finally {
      reader.close()
      doomed.close()
    }
  }, 90_000)

  it('PostgreSQL unavailable: live books and the stream continue, the catalog is a retryable 503, and recovers without a restart', async () => {
    const { lab, postgres } = cluster
    const market = openMarkets(lab, 'kalshi')[0]!
    const client = await StreamClient.open(at('gatewayA'))
    const live = `/api/kalshi/fetchOrderBook?outcomeId=${market}`
    const catalog = '/api/kalshi/fetchMarkets?limit=5'
    try {
      client.subscribe('kalshi', market)
      await client.frame(({ type }) => type === 'update')
      await eventually(async () => {
        expect((await ask(at('gatewayA'), live)).body.provenance).toEqual({ source: 'service-live' })
        expect((await ask(at('gatewayA'), catalog)).status).toBe(200)
      })
      await postgres.down()
      for (let read = 0; read < 3; read++) {
        const { status, body, ms } = await ask(at('gatewayA'), catalog)
        expect([status, body.error]).toMatchObject([503, { retryable: true }])
        expect(body.error!.requestId).toEqual(expect.stringMatching(/.+/))
        expect(ms, 'the limit is two seconds; the rest is for a busy machine').toBeLessThan(4_000)
        expect((await ask(at('gatewayA'), live)).body.provenance).toEqual({ source: 'service-live' })
        await client.updatesAfter(client.mark())
      }
      await postgres.up()
      await eventually(async () => expect((await ask(at('gatewayA'), catalog)).status).toBe(200))
      expect(client.closed).toBe(false)
    } finally {
      client.close()
    }
  }, 90_000)

  it('a suspended ingest that resumes: books of quiet markets become live again', async () => {
    const { lab, processes } = cluster
    const pid = processes.ingest.pid!
    const client = await StreamClient.open(at('gatewayA'))
    const markets = labVenues.map((venue) => ({ venue, market: openMarkets(lab, venue)[0]! }))
    const isStale = ({ type, message }: StreamFrame): boolean => type === 'error' && message?.includes('stale') === true
    try {
      for (const { venue, market } of markets) client.subscribe(venue, market)
      for (const { venue, market } of markets) await client.converges(venue, market, () => truthOf(lab, venue, market))
      await whilePaused(lab, async () => {
        const mark = client.mark()
        process.kill(pid, 'SIGSTOP')
        for (const { venue } of markets) await client.frame((frame) => isStale(frame) && frame.venue === venue, mark)
        const woken = client.mark()
        process.kill(pid, 'SIGCONT')
        for (const { venue } of markets) {
          await client.frame(({ type, venue: of }) => type === 'snapshot' && of === venue, woken)
        }
        for (const { venue, market } of markets)
          await client.converges(venue, market, () => truthOf(lab, venue, market))
      })
    } finally {
      if (processes.ingest.pid === pid) process.kill(pid, 'SIGCONT')
      client.close()
    }
  }, 90_000)

  // A gateway counts for half a minute after its last message: the tests above ran meanwhile, on the other one.
  it('a book that only a dead gateway wanted is unsubscribed upstream, and returns with the gateway', async () => {
    const { lab, processes } = cluster
    const reader = await StreamClient.open(at('gatewayA'))
    try {
      reader.subscribe('polymarket', openMarkets(lab, 'polymarket')[0]!)
      await eventually(() => expect(upstreamOf(lab, 'kalshi', orphaned)).toBe(0), 40_000)
      await reader.updatesAfter(reader.mark())
      await processes.gatewayB.start()
      const again = await StreamClient.open(at('gatewayB'))
      again.subscribe('kalshi', orphaned)
      await again.frame(({ type }) => type === 'update')
      again.close()
    } finally {
      reader.close()
    }
  }, 90_000)

  it('kill -9 of ingest: books become stale, and a restart sends a snapshot first', async () => {
    const { lab, processes } = cluster
    const client = await StreamClient.open(at('gatewayA'))
    const market = openMarkets(lab, 'kalshi')[0]!
    try {
      client.subscribe('kalshi', market)
      await client.frame(({ type }) => type === 'update')
      await processes.ingest.kill()
      const mark = client.mark()
      await client.frame(({ type, message }) => type === 'error' && message?.includes('stale') === true, mark)
      // A stale book is never served as fresh.
      const { body } = await ask(at('gatewayA'), `/api/kalshi/fetchOrderBook?outcomeId=${market}`)
      expect(body.provenance).toEqual({ source: 'venue-rest' })
      // Each venue's silence is noticed separately.
      await eventually(async () => {
        const { body: status } = await ask(at('gatewayA'), '/v1/status')
        const { venues } = status.data as { venues: { connection: string }[] }
        expect(venues.map(({ connection }) => connection)).toEqual(['unreachable', 'unreachable'])
      })
      const silentFrom = client.mark()
      await processes.ingest.start()
      await client.frame(({ type }) => type === 'update', silentFrom)
      const books = client.frames.slice(silentFrom).filter(({ type }) => type === 'snapshot' || type === 'update')
      expect(books[0]!.type).toBe('snapshot')
      await whilePaused(lab, () => client.converges('kalshi', market, () => truthOf(lab, 'kalshi', market)))
    } finally {
      client.close()
    }
  }, 90_000)

  it('every process exits with code 0 on a signal', { timeout: 90_000 }, async () => {
    // Compute has ended in its own test.
    const { compute, ...running } = cluster.processes
    expect(compute.pid).toBeNull()
    const codes = await Promise.all(Object.values(running).map(async (process) => [process.name, await process.stop()]))
    expect(codes.filter(([, code]) => code !== 0)).toEqual([])
  })
})
