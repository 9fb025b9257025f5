// The tape of a cluster under load while its processes die: every row that was produced is stored once.
import { Kafka, logLevel } from 'kafkajs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { tradeFields } from '#lab/kalshi/rows'
import { createPrng } from '#lab/prng'
import { tapeGroup } from '#storage/clickhouse/writer'
import { ask, eventually, type Served, StreamClient } from '#test/support/cluster/client'
import { type Cluster, startCluster } from '#test/support/cluster/cluster'
import { labVenues, openMarkets, truthOf, upstreamOf, whilePaused } from '#test/support/cluster/labTruth'
import {
  accountOfClickhouse,
  accountOfKafka,
  checksum,
  differences,
  tapeRows,
  total,
} from '#test/support/cluster/tapeAccount'
import { hasKafka } from '#test/support/kafka/installed'
import { describeOwners } from './owners.ts'

const seed = process.env.CROSSBOOK_TEST_SEED ?? `tape-${Date.now()}`
const random = createPrng(seed)
const isLong = process.env.CROSSBOOK_TEST_LONG === '1'
/** Which writer, and after how many rows, changes every day, so one of each is enough. */
const kills = isLong ? 20 : 1
const clickhouseDownMs = isLong ? 60_000 : 4_000
const writers = ['tapeA', 'tapeB'] as const

let cluster: Cluster<'ingest' | 'ingestB' | 'jobs' | 'tapeA' | 'tapeB' | 'gateway'>
/** Kalshi markets that are always recorded: the ones pinned without subscribers. */
let pinned: ReadonlySet<string>

beforeAll(async () => {
  cluster = await startCluster({
    seed,
    ratePerSecond: 20,
    processes: { ingest: 'ingest', ingestB: 'ingest', jobs: 'jobs', tapeA: 'tape', tapeB: 'tape', gateway: 'gateway' },
    later: ['ingestB'],
    proxied: ['ingestB'],
    // The pins stay as they are: another walk might find other markets more active.
    env: { CROSSBOOK_CATALOG_INTERVAL_MS: '86400000', CROSSBOOK_OPERATIONS_PORT: '0' },
  })
  pinned = await eventually(() => {
    const tickers = cluster.lab.kalshi.openTickers().filter((ticker) => upstreamOf(cluster.lab, 'kalshi', ticker) > 0)
    expect(tickers).toHaveLength(10)
    return new Set(tickers)
  })
}, 180_000)
afterAll(async () => {
  await cluster?.stop()
}, 60_000)
afterEach(({ task }) => {
  if (task.result?.state !== 'fail') return
  console.error(`seed ${seed}`)
  for (const { name, output } of Object.values(cluster.processes)) console.error(`${name}:\n${output().slice(-3_000)}`)
})

const served = (): Served => ({
  url: cluster.processes.gateway.url,
  stream: cluster.processes.gateway.stream,
  apiKey: cluster.apiKey,
})

/** Waits until the tape has grown by `rows`. */
async function grows(rows: number): Promise<void> {
  const before = await tapeRows(cluster.clickhouse.url)
  await eventually(
    async () => expect(await tapeRows(cluster.clickhouse.url)).toBeGreaterThanOrEqual(before + rows),
    60_000,
  )
}

/** With the venues paused, both counts agree, and nothing was produced twice. */
async function balances(): Promise<void> {
  await accountsAgree()
  await whilePaused(cluster.lab, tradesAreWhole)
}

async function accountsAgree(): Promise<void> {
  await whilePaused(cluster.lab, async () => {
    const receivedUntil = Date.now()
    await eventually(async () => {
      const produced = await accountOfKafka(cluster.kafka.brokers, { receivedUntil })
      const stored = await accountOfClickhouse(cluster.clickhouse.url, { receivedUntil })
      expect(total(produced.topOfBook)).toBeGreaterThan(0)
      expect(total(produced.trades)).toBeGreaterThan(0)
      expect(differences(produced.topOfBook, stored.topOfBook), `seed ${seed}`).toEqual([])
      expect(differences(produced.trades, stored.trades), `seed ${seed}`).toEqual([])
      expect(checksum(stored.topOfBook)).toBe(checksum(produced.topOfBook))
      expect(
        [...produced.trades.values()].filter((times) => times > 1),
        `seed ${seed}`,
      ).toEqual([])
    }, 60_000)
  })
}

/** From the first recorded trade of a pinned market on, the tape has all of the venue's trades: nothing was lost before Kafka either. */
async function tradesAreWhole(): Promise<void> {
  const { trades } = await accountOfClickhouse(cluster.clickhouse.url)
  const { listing, engine } = cluster.lab.kalshi
  let compared = 0
  for (const market of listing.markets.filter(({ ticker }) => pinned.has(ticker))) {
    const taped = new Set(
      [...trades.keys()]
        .map((row) => row.split(' '))
        .filter(([venue, outcome]) => venue === 'kalshi' && outcome === market.ticker)
        .map(([, , tradeId]) => tradeId),
    )
    const made = engine.market(market.key)!.trades.map((trade) => tradeFields(market, trade).trade_id)
    const first = made.findIndex((id) => taped.has(id))
    if (first < 0) continue
    expect(
      made.slice(first).filter((id) => !taped.has(id)),
      `${market.ticker}, seed ${seed}`,
    ).toEqual([])
    compared += made.length - first
  }
  expect(compared).toBeGreaterThan(0)
}

describe.runIf(hasKafka)('the tape of a cluster', () => {
  beforeEach(() => grows(1))

  it('two writers share the partitions', async () => {
    const admin = new Kafka({ brokers: cluster.kafka.brokers, logLevel: logLevel.NOTHING }).admin()
    await admin.connect()
    try {
      await eventually(async () => {
        const { groups } = await admin.describeGroups([tapeGroup])
        expect([groups[0]?.state, groups[0]?.members.length]).toEqual(['Stable', 2])
      })
    } finally {
      await admin.disconnect()
    }
  })

  it(
    `writers killed and stopped under load, ${kills} of each, lose and duplicate nothing`,
    async () => {
      for (let kill = 0; kill < kills; kill++) {
        const writer = cluster.processes[writers[random.int(writers.length)]!]
        await grows(100 + random.int(400))
        await writer.kill()
        await writer.start()
        const other = cluster.processes[writers[random.int(writers.length)]!]
        await grows(1 + random.int(200))
        expect(await other.stop(), other.output()).toBe(0)
        await other.start()
      }
      await grows(500)
      await balances()
    },
    isLong ? 1_800_000 : 300_000,
  )

  it.runIf(isLong)(
    'a broker restarted under load: nothing lost or duplicated, the stream continues',
    async () => {
      const client = await StreamClient.open(served())
      try {
        for (const venue of labVenues) client.subscribe(venue, openMarkets(cluster.lab, venue)[0]!)
        await client.frame(({ type }) => type === 'update')
        await cluster.kafka.restart(0)
        await grows(500)
        for (const venue of labVenues) {
          const market = openMarkets(cluster.lab, venue)[0]!
          await whilePaused(cluster.lab, () =>
            client.converges(venue, market, () => truthOf(cluster.lab, venue, market)),
          )
        }
        expect(client.closed).toBe(false)
        await balances()
      } finally {
        client.close()
      }
    },
    180_000,
  )

  it('ClickHouse unavailable: the stream continues, replay is a retryable 503, the backlog is written without a gap', async () => {
    const market = openMarkets(cluster.lab, 'kalshi')[0]!
    const client = await StreamClient.open(served())
    try {
      client.subscribe('kalshi', market)
      await client.frame(({ type }) => type === 'update')
      const downSince = Date.now()
      await cluster.clickhouse.down()
      const now = Date.now()
      const { status, body } = await ask(
        served(),
        `/v1/history/replay?venue=kalshi&outcomeId=${market}&kind=tob&since=${now - 60_000}&until=${now}`,
      )
      expect([status, body.error]).toMatchObject([503, { code: 'HISTORY_UNAVAILABLE', retryable: true }])
      expect(body.error!.requestId).toEqual(expect.stringMatching(/.+/))
      // The venue's books keep reaching the socket while the tape is unavailable.
      let mark = client.mark()
      do mark = await client.updatesAfter(mark)
      while (Date.now() - downSince < clickhouseDownMs)
      await whilePaused(cluster.lab, () =>
        client.converges('kalshi', market, () => truthOf(cluster.lab, 'kalshi', market)),
      )
      await cluster.clickhouse.up()
      await balances()
    } finally {
      client.close()
    }
  }, 240_000)
})

// In the short form the owner's own tests (test/actors/ingest/owner) cover these.
describe.runIf(isLong && hasKafka)('two ingest processes', () => {
  describeOwners(() => ({ cluster, served: served(), balances: accountsAgree }))
})
