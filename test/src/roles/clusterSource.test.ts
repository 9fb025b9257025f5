import { expect, it, vi } from 'vitest'
import type { ClusterInput } from '#arbitrage/cluster'
import { ManualClock } from '#core/clock'
import { silentLog } from '#core/log'
import { watchClusters } from '#roles/clusterSource'
import type { StoredCluster } from '#schemas/matches'
import { withPostgres } from '#test/support/postgres'

const postgres = withPostgres()

const cluster = (clusterId: string, score: number): StoredCluster => ({
  clusterId,
  question: clusterId,
  members: [
    { venue: 'kalshi', marketId: `${clusterId}-K`, polarity: 'same' },
    { venue: 'polymarket', marketId: `${clusterId}-P`, polarity: 'same' },
  ],
  pairs: [
    {
      a: { venue: 'kalshi', marketId: `${clusterId}-K` },
      b: { venue: 'polymarket', marketId: `${clusterId}-P` },
      score,
      band: 'minor',
      polarity: 'same',
      differences: [{ kind: 'x', detail: 'x', points: 100 - score }],
      resolution: { compatible: true, reason: '', auditReasons: [] },
      resolutionEquivalence: 'unverified',
      override: null,
    },
  ],
})

it('publishes a run only if something changed, with the same object for unchanged clusters', async () => {
  const clock = new ManualClock()
  const taken: ClusterInput[][] = []
  let runId = '1'
  let clusters = [cluster('a', 99), cluster('b', 90)]
  const source = watchClusters({
    pool: postgres.pool,
    matches: {
      latestRunId: async () => runId,
      async readClusters(pool, take) {
        const snapshot = { runId, clusters }
        for (const one of snapshot.clusters) await take([one], pool)
        return snapshot.runId
      },
    },
    venues: [],
    clock,
    log: silentLog,
    onClusters: (inputs) => void taken.push(inputs),
  })
  const expectTaken = (count: number) =>
    vi.waitFor(() => {
      clock.advance(2_000)
      expect(taken).toHaveLength(count)
    })
  await expectTaken(1)
  // A run with the same result, read as new objects; then one with changes.
  runId = '2'
  clusters = [cluster('a', 99), cluster('b', 90)]
  for (let looks = 0; looks < 5; looks++) {
    clock.advance(2_000)
    await postgres.pool.query('SELECT 1')
  }
  runId = '3'
  clusters = [cluster('a', 99), cluster('b', 91), cluster('c', 80)]
  await expectTaken(2)
  const [first, second] = taken as [ClusterInput[], ClusterInput[]]
  expect(second.map(({ clusterId }) => clusterId)).toEqual(['a', 'b', 'c'])
  expect(second[0]).toBe(first[0])
  expect(second[1]).not.toBe(first[1])
  expect(second[1]!.pairs[0]!.matchScore).toBe(91)
  source.stop()
})

it('takes each new run as a whole, best clusters first, and keeps the current ones while the storage is unavailable', async () => {
  const clock = new ManualClock()
  const taken: string[][] = []
  let runId: string | null = null
  let clusters: StoredCluster[] = []
  let away = false
  let polls = 0
  const source = watchClusters({
    pool: postgres.pool,
    matches: {
      async latestRunId() {
        polls++
        if (away) throw new Error('away')
        return runId
      },
      async readClusters(pool, take) {
        await take(clusters, pool)
        return runId
      },
    },
    venues: [],
    clock,
    log: silentLog,
    onClusters: (inputs: ClusterInput[]) => void taken.push(inputs.map(({ clusterId }) => clusterId)),
  })
  /** One poll and its response. */
  const poll = async (): Promise<void> => {
    const before = polls
    await vi.waitFor(() => {
      clock.advance(2_000)
      expect(polls).toBeGreaterThan(before)
    })
  }
  await poll()
  expect(taken).toEqual([])
  runId = '1'
  clusters = [cluster('b', 90), cluster('a', 99)]
  await poll()
  await vi.waitFor(() => expect(taken).toEqual([['a', 'b']]))
  await poll()
  expect(taken).toHaveLength(1)
  away = true
  runId = '2'
  clusters = [cluster('c', 80)]
  await poll()
  await poll()
  expect(taken).toHaveLength(1)
  away = false
  await poll()
  await vi.waitFor(() => expect(taken).toEqual([['a', 'b'], ['c']]))
  source.stop()
  expect(clock.pendingCount).toBe(0)
})

it('publishes clusters again after the listener failed, although they did not change', async () => {
  const clock = new ManualClock()
  let calls = 0
  const clusters = [cluster('a', 99)]
  const source = watchClusters({
    pool: postgres.pool,
    matches: {
      latestRunId: async () => '1',
      async readClusters(pool, take) {
        await take(clusters, pool)
        return '1'
      },
    },
    venues: [],
    clock,
    log: silentLog,
    onClusters: async () => {
      if (++calls < 3) throw new Error('not now')
    },
  })
  for (const times of [1, 2, 3]) {
    await vi.waitFor(() => {
      clock.advance(60_000)
      expect(calls).toBe(times)
    })
  }
  source.stop()
})
