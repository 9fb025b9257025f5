// Two ingest processes share the markets of one venue. Each feeds its part; if one dies, only its own markets stop for a few seconds; the
// tape has every row once; and a venue whose number of parts changes is never fed under both divisions at once.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assignPart, listLeases } from '#schemas/parts'
import { ask, eventually, StreamClient, type StreamFrame } from '#test/support/cluster/client'
import { type Cluster, startCluster } from '#test/support/cluster/cluster'
import { labVenues, openMarkets, truthOf, whilePaused } from '#test/support/cluster/labTruth'
import { type VenueHolder, venueHolders } from '#test/support/cluster/owners'
import type { RoleProcess } from '#test/support/cluster/roleProcess'
import { accountOfClickhouse, accountOfKafka, checksum, differences } from '#test/support/cluster/tapeAccount'
import { hasKafka } from '#test/support/kafka/installed'

const venue = 'kalshi'
let cluster: Cluster<'jobs' | 'tape' | 'gateway' | 'ingestA' | 'ingestB' | 'ingestC'>

beforeAll(async () => {
  if (!hasKafka) return
  cluster = await startCluster({
    seed: 'parts',
    ratePerSecond: 4,
    env: { CROSSBOOK_OPERATIONS_PORT: '0', CROSSBOOK_INGEST_PARTS: `${venue}:2` },
    ownEnv: { ingestC: { CROSSBOOK_INGEST_PARTS: `${venue}:3` } },
    processes: {
      ...{ jobs: 'jobs', tape: 'tape', gateway: 'gateway' },
      ...{ ingestA: 'ingest', ingestB: 'ingest', ingestC: 'ingest' },
    },
    later: ['ingestC'],
    readyDeadlineMs: 120_000,
  })
}, 240_000)
afterAll(async () => {
  await cluster?.stop()
}, 60_000)

const served = () => ({
  url: cluster.processes.gateway.url,
  stream: cluster.processes.gateway.stream,
  apiKey: cluster.apiKey,
})
/** Lease → its holder, of the split venue. */
async function holders(): Promise<Map<string, VenueHolder>> {
  const all = await venueHolders(cluster.postgres.url)
  return new Map([...all].filter(([lease]) => lease.startsWith(venue)).sort(([a], [b]) => (a < b ? -1 : 1)))
}
const heldBy = (leases: readonly string[], processes: readonly RoleProcess[], withinMs = 60_000) =>
  eventually(async () => {
    const held = await holders()
    expect([...held.keys()]).toEqual(leases)
    expect(new Set([...held.values()].map(({ pid }) => pid))).toEqual(new Set(processes.map(({ pid }) => pid)))
    return held
  }, withinMs)

const ids = (): string[] => openMarkets(cluster.lab, venue).slice(0, 12)
const converge = (client: StreamClient): Promise<void> =>
  whilePaused(cluster.lab, async () => {
    for (const id of ids()) await client.converges(venue, id, () => truthOf(cluster.lab, venue, id))
  })
const isStale = ({ type, message }: StreamFrame): boolean => type === 'error' && message?.includes('stale') === true

async function published({ operations }: RoleProcess): Promise<number> {
  const text = await (await fetch(`${operations}/metrics`)).text()
  const found = new RegExp(`^crossbook_ingest_books_published_total\\{venue="${venue}"\\} (\\d+)$`, 'm').exec(text)
  return Number(found?.[1] ?? 0)
}

async function row(): Promise<Record<string, unknown>> {
  const { body } = await ask(served(), '/v1/status')
  const rows = (body.data as { venues: Record<string, unknown>[] }).venues
  expect(rows.map((each) => each.venue).sort()).toEqual([...labVenues].sort())
  return rows.find((each) => each.venue === venue)!
}

const balances = (): Promise<void> =>
  whilePaused(cluster.lab, () => {
    const receivedUntil = Date.now()
    return eventually(async () => {
      const produced = await accountOfKafka(cluster.kafka.brokers, { receivedUntil })
      const stored = await accountOfClickhouse(cluster.clickhouse.url, { receivedUntil })
      expect(produced.topOfBook.size).toBeGreaterThan(100)
      expect(differences(produced.topOfBook, stored.topOfBook)).toEqual([])
      expect(differences(produced.trades, stored.trades)).toEqual([])
      expect(checksum(stored.topOfBook)).toBe(checksum(produced.topOfBook))
      expect([...stored.topOfBook.values(), ...stored.trades.values()].filter((times) => times > 1)).toEqual([])
    }, 90_000)
  })

describe.runIf(hasKafka)('one venue split over two ingest processes', () => {
  it('each feeds its part, and readers have every market; the status has one row', async () => {
    const { ingestA, ingestB } = cluster.processes
    await heldBy(listLeases(venue, 2), [ingestA, ingestB])
    const client = await StreamClient.open(served())
    try {
      for (const id of ids()) client.subscribe(venue, id)
      await converge(client)
      expect(new Set(ids().map((id) => assignPart(id, 2))).size, 'the readers want books of both').toBe(2)
      for (const process of [ingestA, ingestB]) expect(await published(process)).toBeGreaterThan(0)
      const { subscriptions } = cluster.lab[venue].counters()
      for (const id of ids()) {
        const channels = Object.entries(subscriptions).filter(([name]) => name.endsWith(`:${id}`))
        expect(channels.length).toBeGreaterThan(0)
        expect(
          channels.filter(([, count]) => count !== 1),
          'one of them subscribes to it',
        ).toEqual([])
      }
      await eventually(async () => {
        const status = await row()
        expect(status).toMatchObject({ connection: 'connected', reason: null, staleBooks: 0 })
        expect(status.watchedBooks).toBeGreaterThanOrEqual(ids().length)
      })
    } finally {
      client.close()
    }
    await balances()
  }, 240_000)

  it('kill -9 of one: its markets are live again within ten seconds, and those of the other stay live', async () => {
    const { ingestA, ingestB } = cluster.processes
    const held = await heldBy(listLeases(venue, 2), [ingestA, ingestB])
    const [lost] = [...held].find(([, { pid }]) => pid === ingestB.pid)!
    const isLost = (id: string): boolean => `${venue}#${assignPart(id, 2)}` === lost
    const client = await StreamClient.open(served())
    try {
      for (const id of ids()) client.subscribe(venue, id)
      await converge(client)
      const mark = client.mark()
      await ingestB.kill()
      const killedAt = performance.now()
      await Promise.all(
        ids()
          .filter(isLost)
          .map((id) => client.frame(({ type, marketId }) => type === 'snapshot' && marketId === id, mark)),
      )
      const tookMs = performance.now() - killedAt
      console.info(`the part's books are back ${Math.round(tookMs)} ms after the kill`)
      expect((await heldBy(listLeases(venue, 2), [ingestA])).get(lost)!.epoch).toBeGreaterThan(held.get(lost)!.epoch)
      const stale = client.frames.slice(mark).filter(isStale)
      expect(stale.filter(({ marketId }) => !isLost(marketId!))).toEqual([])
      for (const id of ids().filter((each) => !isLost(each)))
        expect(client.of(venue, id).filter(({ type }) => type === 'snapshot')).toHaveLength(1)
      await converge(client)
      await ingestB.start()
      await heldBy(listLeases(venue, 2), [ingestA, ingestB])
      await converge(client)
    } finally {
      client.close()
    }
    await balances()
  }, 240_000)

  it('a process with another number of parts takes the venue once no lease of the old division is held', async () => {
    const { ingestA, ingestB, ingestC } = cluster.processes
    const before = await heldBy(listLeases(venue, 2), [ingestA, ingestB])
    const client = await StreamClient.open(served())
    try {
      for (const id of ids()) client.subscribe(venue, id)
      await converge(client)
      await ingestC.start()
      // From now on only one division is in use at any time.
      const seen = new Set<string>()
      let looking = true
      const watch = (async () => {
        while (looking) seen.add([...new Set([...(await holders()).keys()].map((lease) => lease.split('/')[1]))].join())
      })()
      await ingestA.stop()
      await heldBy(listLeases(venue, 2), [ingestB])
      await ingestB.stop()
      const after = await heldBy(listLeases(venue, 3), [ingestC])
      looking = false
      await watch
      expect([...seen].filter((counts) => counts !== '').sort()).toEqual(['2', '3'])
      const newest = Math.max(...[...before.values()].map(({ epoch }) => epoch))
      for (const { epoch } of after.values()) expect(epoch).toBeGreaterThan(newest)
      await converge(client)
      await eventually(async () => expect(await row()).toMatchObject({ connection: 'connected', reason: null }))
    } finally {
      client.close()
    }
    await balances()
  }, 240_000)
})
