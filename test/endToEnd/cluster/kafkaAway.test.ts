// Kafka down, or one gateway's connections to it cut: gateways stay ready and serve what does not need it; the other roles report that they
// cannot work.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, eventually, type Served } from '#test/support/cluster/client'
import { type Cluster, startCluster } from '#test/support/cluster/cluster'
import { openMarkets } from '#test/support/cluster/labTruth'
import { hasKafka } from '#test/support/kafka/installed'

let cluster: Cluster<'feed' | 'compute' | 'gateway' | 'gatewayB'>

beforeAll(async () => {
  if (!hasKafka) return
  cluster = await startCluster({
    seed: 'kafkaAway',
    ratePerSecond: 2,
    env: { CROSSBOOK_OPERATIONS_PORT: '0', CROSSBOOK_PINNED_MARKETS: '2' },
    processes: { feed: 'ingest,jobs,tape', compute: 'compute', gateway: 'gateway', gatewayB: 'gateway' },
    proxied: ['gateway'],
    readyDeadlineMs: 120_000,
  })
}, 240_000)
afterAll(async () => {
  await cluster?.stop()
}, 60_000)

type Name = keyof typeof cluster.processes
const served = (): Served => ({
  url: cluster.processes.gateway.url,
  stream: cluster.processes.gateway.stream,
  apiKey: cluster.apiKey,
})

interface Ready {
  status: number
  /** Dependencies without which it still serves. */
  degraded: string[]
  message: string | undefined
}

async function ready(name: Name): Promise<Ready> {
  const answer = await fetch(`${cluster.processes[name].operations}/ready`)
  const { data, error } = (await answer.json()) as { data?: { degraded: string[] }; error?: { message: string } }
  return { status: answer.status, degraded: data?.degraded ?? [], message: error?.message }
}
const becomes = (name: Name, expected: Partial<Ready>) =>
  eventually(async () => expect(await ready(name)).toMatchObject(expected), 60_000)
const whole = (...names: Name[]) => Promise.all(names.map((name) => becomes(name, { status: 200, degraded: [] })))

async function upOf(name: Name): Promise<string | undefined> {
  const text = await (await fetch(`${cluster.processes[name].operations}/metrics`)).text()
  return /^crossbook_dependency_up\{dependency="kafka"\} (\d)$/m.exec(text)?.[1]
}

describe.runIf(hasKafka)('a cluster', () => {
  it('whose broker is down: gateways are ready without it, the others are not, and all recover', async () => {
    await whole('feed', 'compute', 'gateway', 'gatewayB')
    const market = openMarkets(cluster.lab, 'kalshi')[0]!
    const now = Date.now()
    const replay = `/v1/history/replay?venue=kalshi&outcomeId=${market}&kind=tob&since=${now - 60_000}&until=${now}`
    await eventually(async () => expect((await ask(served(), replay)).status).toBe(200))
    await eventually(async () => expect((await ask(served(), '/api/router/fetchArbitrage')).status).toBe(200))
    await cluster.kafka.kill(0)
    try {
      for (const name of ['gateway', 'gatewayB'] as const)
        await becomes(name, { status: 200, degraded: ['kafka', 'books'] })
      await becomes('compute', { status: 503, message: 'not serving: kafka' })
      await becomes('feed', { status: 503, message: 'not serving: kafka' })
      const answered = async (path: string) => {
        const { status, body } = await ask(served(), path)
        return [status, body.error?.code ?? null]
      }
      for (const path of ['/api/kalshi/fetchMarkets', replay, '/v1/history/coverage?venue=kalshi', '/v1/account'])
        expect(await answered(path), path).toEqual([200, null])
      // Read from the venue: the books held before are no longer live.
      expect(await answered(`/api/kalshi/fetchOrderBook?outcomeId=${market}`)).toEqual([200, null])
      await eventually(async () =>
        expect(await answered('/api/router/fetchArbitrage')).toEqual([503, 'ARBITRAGE_UNAVAILABLE']),
      )
      const { body } = await ask(served(), '/v1/status')
      expect((body.data as { dependencies: object }).dependencies).toEqual({
        postgres: true,
        clickhouse: true,
        kafka: false,
      })
    } finally {
      await cluster.kafka.restart(0)
    }
    await whole('feed', 'compute', 'gateway', 'gatewayB')
  }, 240_000)

  it('whose one gateway is cut off: it stays ready, and its metric differs from the others’', async () => {
    await whole('gateway', 'gatewayB')
    for (const proxy of cluster.kafka.proxies) {
      proxy.isHalfOpen = () => true
      proxy.cutAll()
    }
    try {
      await eventually(async () => {
        expect(await ready('gateway')).toMatchObject({ status: 200, degraded: expect.arrayContaining(['kafka']) })
        expect([await upOf('gateway'), await upOf('gatewayB'), await upOf('feed')]).toEqual(['0', '1', '1'])
      }, 60_000)
    } finally {
      for (const proxy of cluster.kafka.proxies) {
        proxy.isHalfOpen = () => false
        proxy.cutAll()
      }
    }
    await whole('gateway')
  }, 240_000)
})
