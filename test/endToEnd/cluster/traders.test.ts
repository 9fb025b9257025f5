// Two processes with the jobs role keep one record of traders: both poll trades, one of them is killed, and every trade is written once.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { SyntheticTraders } from '#lab/syntheticTraders'
import type { TraderScore } from '#schemas/traders'
import { connectTape, type TapeStore } from '#storage/clickhouse/client'
import { ask, eventually, type Served } from '#test/support/cluster/client'
import { type Cluster, startCluster } from '#test/support/cluster/cluster'
import { hasKafka } from '#test/support/kafka/installed'

const isLong = process.env.CROSSBOOK_TEST_LONG === '1'
const seed = process.env.CROSSBOOK_TEST_SEED ?? 'traders'
const kills = 3

let cluster: Cluster<'ingest' | 'jobsA' | 'jobsB' | 'gateway'>
let tape: TapeStore
beforeAll(async () => {
  if (!isLong) return
  cluster = await startCluster({
    seed,
    ratePerSecond: 20,
    processes: { ingest: 'ingest', jobsA: 'jobs', jobsB: 'jobs', gateway: 'gateway' },
    readyDeadlineMs: 240_000,
    later: ['jobsA', 'jobsB'],
    env: { CROSSBOOK_TRADERS: 'true' },
  })
  tape = await connectTape({ url: cluster.clickhouse.url, dataDir: '' })
}, 600_000)
afterAll(async () => {
  await tape?.close()
  await cluster?.stop()
}, 60_000)
afterEach(({ task }) => {
  if (task.result?.state !== 'fail') return
  for (const { name, output } of Object.values(cluster.processes)) console.error(`${name}:\n${output().slice(-3_000)}`)
})

async function feed(): Promise<{ n: number; once: number }> {
  const sql =
    'SELECT count() AS n, uniqExact(ts, trade_id, venue, outcome_id) AS once FROM trader_feed FORMAT JSONEachRow'
  return (await tape.rows<{ n: number; once: number }>(sql))[0]!
}

const served = (): Served => {
  const { url, stream } = cluster.processes.gateway
  return { url, stream, apiKey: cluster.apiKey }
}

it.runIf(isLong && hasKafka)(
  'the gateway that gets the first request for a wallet adds it, and a process with the jobs role rolls it up',
  async () => {
    const path = `/v1/traders/polymarket/wallets/${new SyntheticTraders('polymarket').all[3]!.wallet}`
    const readScore = async (): Promise<TraderScore> => {
      const { status, body } = await ask(served(), path)
      expect(status).toBe(200)
      return body.data as TraderScore
    }
    expect(await readScore()).toMatchObject({ refreshState: 'live', note: expect.stringMatching(/being read/) })
    // No other process writes the record yet. Trades younger than a minute are left out, and a wallet is read once a minute.
    const written = async () => expect(await readScore()).toMatchObject({ refreshState: 'pending', refreshedAt: null })
    await eventually(written, 200_000)
    expect((await readScore()).category).toBeNull()
    await Promise.all([cluster.processes.jobsA.start(), cluster.processes.jobsB.start()])
    const counted = async () => expect((await readScore()).category).not.toBeNull()
    await eventually(counted, 60_000)
  },
  600_000,
)

it.runIf(isLong && hasKafka)(
  'two processes that read the same markets write each trade once, even when they are killed in between',
  async () => {
    const grown = async (by: number): Promise<void> => {
      const { n } = await feed()
      await eventually(async () => expect((await feed()).n).toBeGreaterThan(n + by), 120_000)
    }
    await grown(200)
    for (let kill = 0; kill < kills; kill++) {
      const killed = cluster.processes[kill % 2 === 0 ? 'jobsA' : 'jobsB']
      await killed.kill()
      await grown(100)
      await killed.start()
      await grown(100)
    }
    const { n, once } = await feed()
    expect(once).toBe(n)

    const seen: string[] = []
    for (let cursor: unknown = ''; cursor !== undefined; ) {
      const path = `/v1/traders/smart-money?limit=100${cursor === '' ? '' : `&cursor=${String(cursor)}`}`
      const { status, body } = await ask(served(), path)
      expect(status).toBe(200)
      for (const { ts, tradeId, outcomeId } of body.data as { ts: number; tradeId: string; outcomeId: string }[])
        seen.push(`${ts} ${tradeId} ${outcomeId}`)
      cursor = body.nextCursor
    }
    expect(seen.length).toBeGreaterThan(100)
    expect(new Set(seen).size).toBe(seen.length)
  },
  600_000,
)
