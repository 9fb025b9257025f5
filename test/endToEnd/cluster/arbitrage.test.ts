// The surface of a cluster over real Kafka: two compute processes share it, two gateways publish one sequence, and a process that dies
// interrupts it only briefly.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clusterOfKey } from '#arbitrage/sharding/rendezvousHash'
import { silentLog } from '#core/log'
import type { ArbitrageRow } from '#schemas/arbitrage'
import { surfaceTimeoutMs } from '#schemas/topics'
import { createPool } from '#storage/postgres/pool'
import { leaseMs } from '#storage/postgres/surfaceLease'
import { ask, eventually, type Served } from '#test/support/cluster/client'
import { type Cluster, startCluster } from '#test/support/cluster/cluster'
import { whilePaused } from '#test/support/cluster/labTruth'
import { matchedClusters } from '#test/support/cluster/matched'
import { SurfaceClient } from '#test/support/cluster/surfaceClient'
import { hasKafka } from '#test/support/kafka/installed'

const isLong = process.env.CROSSBOOK_TEST_LONG === '1'

const processNames = ['ingest', 'jobs', 'computeA', 'computeB', 'gatewayA', 'gatewayB'] as const
type Name = (typeof processNames)[number]

let cluster: Cluster<Name>
let clusterIds: string[]

beforeAll(async () => {
  cluster = await startCluster({
    seed: 'cluster-arbitrage',
    ratePerSecond: 4,
    processes: {
      ingest: 'ingest',
      jobs: 'jobs',
      computeA: 'compute',
      computeB: 'compute',
      gatewayA: 'gateway',
      gatewayB: 'gateway',
    },
    env: { CROSSBOOK_ARBITRAGE_INTERVAL_MS: '200' },
  })
  clusterIds = await eventually(async () => {
    const matched = await matchedClusters(cluster.postgres.url)
    // The simulated venues list this many questions in common.
    expect(matched.length).toBeGreaterThan(40)
    return matched
  })
}, 180_000)
afterAll(async () => {
  await cluster?.stop()
}, 60_000)

const at = (name: 'gatewayA' | 'gatewayB'): Served => ({
  url: cluster.processes[name].url,
  stream: cluster.processes[name].stream,
  apiKey: cluster.apiKey,
})

const read = async (name: 'gatewayA' | 'gatewayB'): Promise<ArbitrageRow[] | string> => {
  const { status, body } = await ask(at(name), '/api/router/fetchArbitrage?limit=1000&compat=false')
  return status === 200 ? (body.data as ArbitrageRow[]) : body.error!.code
}

const clustersOf = (rows: Iterable<ArbitrageRow>): number =>
  new Set([...rows].map(({ clusterId }) => clusterOfKey(clusterId))).size

/** All clusters are present and their books are priced. */
const whole = (rows: ReadonlyMap<string, ArbitrageRow>): void => {
  expect(clustersOf(rows.values())).toBe(clusterIds.length)
  expect([...rows.values()].filter((row) => row.executable).length).toBeGreaterThan(rows.size / 2)
}

async function sequencer(): Promise<string> {
  const pool = createPool({ url: cluster.postgres.url, log: silentLog })
  try {
    const { rows } = await pool.query<{ holder: string }>('SELECT holder FROM surface_lease')
    return rows[0]!.holder
  } finally {
    await pool.end()
  }
}

describe.runIf(hasKafka)('two compute processes and two gateways over Kafka', () => {
  it('both gateways publish one sequence, and the same rows over HTTP', async () => {
    const a = await SurfaceClient.open(at('gatewayA'))
    const b = await SurfaceClient.open(at('gatewayB'))
    try {
      for (const client of [a, b]) await client.until(whole, 60_000)
      const from = Math.max(a.seq, b.seq)
      await eventually(() => expect(Math.min(a.take().seq, b.take().seq)).toBeGreaterThan(from + 20))
      const upTo = Math.min(a.seq, b.seq)
      const between = (client: SurfaceClient) => client.wholeFrames.filter(({ seq }) => seq > from && seq <= upTo)
      expect(between(a)).toEqual(between(b))
      expect(between(a).some(({ changed }) => changed.length > 0)).toBe(true)
      await whilePaused(cluster.lab, () =>
        eventually(async () => {
          const [ofA, ofB] = [await read('gatewayA'), await read('gatewayB')]
          expect(ofA).toEqual(ofB)
          expect(new Map((ofA as ArbitrageRow[]).map((row) => [row.clusterId, row]))).toEqual(a.take().rows)
        }),
      )
    } finally {
      a.close()
      b.close()
    }
  }, 120_000)

  it('rows of another size are computed by all processes together', async () => {
    await whilePaused(cluster.lab, () =>
      eventually(async () => {
        const published = (await read('gatewayB')) as ArbitrageRow[]
        const { status, body } = await ask(at('gatewayB'), '/api/router/fetchArbitrage?limit=1000&contracts=7.5')
        expect(status, JSON.stringify(body).slice(0, 300)).toBe(200)
        const sized = body.data as ArbitrageRow[]
        expect(sized.map(({ clusterId }) => clusterId).sort()).toEqual(
          published.map(({ clusterId }) => clusterId).sort(),
        )
        expect(sized.every(({ payout }) => payout === 7.5)).toBe(true)
      }),
    )
  })

  it.each(['the process that keeps the sequence', ...(isLong ? ['the other process'] : [])])(
    'kill -9 of %s: seq rises, no row of the dead process stays executable, its clusters return',
    async (which) => {
      const a = await SurfaceClient.open(at('gatewayA'))
      const b = await SurfaceClient.open(at('gatewayB'))
      try {
        for (const client of [a, b]) await client.until(whole, 60_000)
        const { computeA, computeB } = cluster.processes
        const aKeeps = (await sequencer()).startsWith(`gw-${computeA.pid}-`)
        const doomed = aKeeps === (which === 'the process that keeps the sequence') ? computeA : computeB
        const before = Math.max(a.take().seq, b.take().seq)
        const killedAt = Date.now()
        await doomed.kill()
        // Every simulated book moves all the time, so the rows of a living process are recent. The rows of the dead process last only until
        // its absence is noticed.
        await eventually(() => {
          expect(Date.now()).toBeGreaterThan(killedAt + 2 * surfaceTimeoutMs)
          for (const client of [a, b]) {
            const old = [...client.take().rows.values()].filter(
              ({ asOf }) => asOf === null || Date.parse(asOf) <= killedAt,
            )
            expect(old.filter((row) => row.executable)).toEqual([])
          }
        })
        for (const client of [a, b]) {
          await client.until((rows) => {
            expect(client.seq).toBeGreaterThan(before)
            whole(rows)
          }, 60_000)
        }
        await doomed.start()
        await eventually(async () => expect(await read('gatewayA')).toHaveLength(a.take().rows.size))
        await whilePaused(cluster.lab, () => eventually(() => expect(b.take().rows).toEqual(a.take().rows)))
      } finally {
        a.close()
        b.close()
      }
    },
    120_000,
  )

  it('another process replaces a frozen sequencer, whose messages are ignored after it resumes', async () => {
    const { computeA, computeB } = cluster.processes
    const pids = [computeA.pid!, computeB.pid!]
    const a = await SurfaceClient.open(at('gatewayA'))
    let frozen: number | null = null
    try {
      await a.until(whole, 60_000)
      const holder = await sequencer()
      frozen = pids.find((pid) => holder.startsWith(`gw-${pid}-`))!
      process.kill(frozen, 'SIGSTOP')
      await eventually(async () => expect(await sequencer()).not.toBe(holder))
      const before = a.take().seq
      await a.until((rows) => {
        expect(a.seq).toBeGreaterThan(before)
        whole(rows)
      }, 60_000)
      process.kill(frozen, 'SIGCONT')
      // A client fails by itself on a repeated sequence number; both processes have their share again.
      await eventually(async () => {
        const { length } = a.take().wholeFrames
        await eventually(() => expect(a.take().wholeFrames.length).toBeGreaterThan(length + 20))
        whole(a.rows)
      })
      await whilePaused(cluster.lab, () =>
        eventually(async () => {
          const rows = (await read('gatewayB')) as ArbitrageRow[]
          expect(new Map(rows.map((row) => [row.clusterId, row]))).toEqual(a.take().rows)
        }),
      )
    } finally {
      if (frozen !== null) process.kill(frozen, 'SIGCONT')
      a.close()
    }
  }, 120_000)

  it('the surface continues while PostgreSQL is unavailable', async () => {
    const a = await SurfaceClient.open(at('gatewayA'))
    try {
      await a.until(whole, 60_000)
      await cluster.postgres.down()
      const downAt = Date.now()
      await eventually(async () => {
        // Longer than a lease; in a long run longer than the minute after which every key is verified again.
        expect(Date.now() - downAt).toBeGreaterThan(isLong ? 65_000 : leaseMs + 3_000)
        expect(typeof (await read('gatewayA'))).not.toBe('string')
        const receivedCount = a.take().wholeFrames.length
        await eventually(() => expect(a.take().wholeFrames.length).toBeGreaterThan(receivedCount + 3), 2_000)
      }, 90_000)
    } finally {
      await cluster.postgres.up()
      a.close()
    }
  }, 120_000)

  // The short form kills ingest in cluster.test.ts.
  it.runIf(isLong)(
    'no leg is executable while no ingest process reports',
    async () => {
      const a = await SurfaceClient.open(at('gatewayA'))
      try {
        await a.until(whole, 60_000)
        await cluster.processes.ingest.kill()
        await a.until((rows) => expect([...rows.values()].filter((row) => row.executable)).toEqual([]), 30_000)
        await cluster.processes.ingest.start()
        await a.until(whole, 60_000)
      } finally {
        a.close()
      }
    },
    120_000,
  )

  it('without a compute process the gateways say so, and nothing they show is executable', async () => {
    const a = await SurfaceClient.open(at('gatewayA'))
    try {
      await a.until(whole, 60_000)
      await Promise.all([cluster.processes.computeA.kill(), cluster.processes.computeB.kill()])
      await eventually(async () => expect(await read('gatewayA')).toBe('ARBITRAGE_UNAVAILABLE'))
      expect(await read('gatewayB')).toBe('ARBITRAGE_UNAVAILABLE')
      const before = a.take().seq
      await Promise.all([cluster.processes.computeA.start(), cluster.processes.computeB.start()])
      await a.until((rows) => {
        expect(a.seq).toBeGreaterThan(before)
        whole(rows)
      }, 60_000)
      // A pause is followed by a snapshot: clients need not guess what they missed.
      expect(a.wholeFrames.find(({ seq }) => seq > before)!.kind).toBe('snapshot')
    } finally {
      a.close()
    }
  }, 180_000)

  it('a gateway that starts later gets the state at once', async () => {
    const { gatewayB } = cluster.processes
    await gatewayB.kill()
    await gatewayB.start()
    const b = await SurfaceClient.open(at('gatewayB'))
    const a = await SurfaceClient.open(at('gatewayA'))
    try {
      for (const client of [a, b]) await client.until(whole, 60_000)
      await whilePaused(cluster.lab, () => eventually(() => expect(b.take().rows).toEqual(a.take().rows)))
    } finally {
      a.close()
      b.close()
    }
  }, 120_000)

  it('every process exits with code 0 on a signal', async () => {
    const codes = await Promise.all(
      Object.values(cluster.processes).map(async (process) => [process.name, await process.stop()]),
    )
    expect(codes.filter(([, code]) => code !== 0)).toEqual([])
  })
})
