// Two gateways in front of one ingest process: each gets the books that its own readers want, and shows nothing that it no longer gets.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  ask,
  eventually,
  levelsOf,
  levelsOfTruth,
  type Served,
  StreamClient,
  type WireBook,
} from '#test/support/cluster/client'
import { type Cluster, startCluster } from '#test/support/cluster/cluster'
import { markBest, openMarkets, truthOf, whilePaused } from '#test/support/cluster/labTruth'
import { hasKafka } from '#test/support/kafka/installed'

type Name = 'feed' | 'gatewayA' | 'gatewayB'
type Gateway = Exclude<Name, 'feed'>
let cluster: Cluster<Name>

beforeAll(async () => {
  if (!hasKafka) return
  cluster = await startCluster({
    seed: 'inboxes',
    ratePerSecond: 4,
    env: { CROSSBOOK_OPERATIONS_PORT: '0' },
    // Without a compute process, which would subscribe to most books.
    processes: { feed: 'ingest,jobs', gatewayA: 'gateway', gatewayB: 'gateway' },
    readyDeadlineMs: 120_000,
  })
}, 240_000)
afterAll(async () => {
  await cluster?.stop()
}, 60_000)

const at = (name: Gateway): Served => ({
  url: cluster.processes[name].url,
  stream: cluster.processes[name].stream,
  apiKey: cluster.apiKey,
})
const venue = 'kalshi'
const market = (n: number): string => openMarkets(cluster.lab, venue)[n]!
const truth = (id: string) => () => truthOf(cluster.lab, venue, id)

/** Books and trades that the gateway has read so far. */
async function read(name: Gateway): Promise<{ taken: number; ignored: number }> {
  const text = await (await fetch(`${cluster.processes[name].operations}/metrics`)).text()
  const of = (what: string): number =>
    Number(new RegExp(`^crossbook_bus_inbox_${what}_total (\\d+)$`, 'm').exec(text)![1])
  return { taken: of('taken'), ignored: of('ignored') }
}

const readBook = async (name: Gateway, id: string) => {
  const { body } = await ask(at(name), `/api/${venue}/fetchOrderBook?outcomeId=${id}`)
  return { source: (body.provenance as { source: string }).source, levels: levelsOf(body.data as WireBook) }
}

describe.runIf(hasKafka)('two gateways and one ingest process', () => {
  it('a gateway without readers gets no books, while the other gets its own', async () => {
    const before = await read('gatewayA')
    const client = await StreamClient.open(at('gatewayB'))
    try {
      for (let n = 0; n < 10; n++) client.subscribe(venue, market(n))
      await eventually(async () => expect((await read('gatewayB')).taken).toBeGreaterThan(50))
      expect(await read('gatewayA')).toEqual(before)
      expect((await read('gatewayB')).ignored, 'they do not share an inbox').toBe(0)
    } finally {
      client.close()
    }
  }, 60_000)

  it('a reader of a quiet market gets its book at once, although another gateway has it already', async () => {
    const clients = [await StreamClient.open(at('gatewayA')), await StreamClient.open(at('gatewayB'))] as const
    try {
      clients[0].subscribe(venue, market(0))
      await clients[0].converges(venue, market(0), truth(market(0)))
      await whilePaused(cluster.lab, async () => {
        await clients[0].converges(venue, market(0), truth(market(0)))
        clients[1].subscribe(venue, market(0))
        await clients[1].converges(venue, market(0), truth(market(0)))
      })
    } finally {
      for (const client of clients) client.close()
    }
  }, 60_000)

  it('a book is never shown as it was when its last reader left', async () => {
    const [leaving, staying] = [await StreamClient.open(at('gatewayA')), await StreamClient.open(at('gatewayB'))]
    const id = market(1)
    try {
      for (const client of [leaving, staying]) client.subscribe(venue, id)
      for (const client of [leaving, staying]) await client.converges(venue, id, truth(id))
      leaving.unsubscribe(venue, id)
      // Its demand ends a moment later; other books keep the gateway busy.
      leaving.subscribe(venue, market(2))
      await leaving.converges(venue, market(2), truth(market(2)))
      await whilePaused(cluster.lab, async () => {
        markBest(cluster.lab, venue, id, 7_777)
        await staying.converges(venue, id, truth(id))
        const expected = levelsOfTruth(truth(id)()!)
        // From the venue first; the read causes it to be delivered again, although it is quiet.
        expect((await readBook('gatewayA', id)).levels).toBe(expected)
        await eventually(async () =>
          expect(await readBook('gatewayA', id)).toEqual({ source: 'service-live', levels: expected }),
        )
      })
    } finally {
      for (const client of [leaving, staying]) client.close()
    }
  }, 60_000)

  it('a gateway that was killed and restarted gets the books of its readers, even quiet ones', async () => {
    const { gatewayA } = cluster.processes
    const ids = [7, 8].map(market)
    const staying = await StreamClient.open(at('gatewayB'))
    const lost = await StreamClient.open(at('gatewayA'))
    for (const id of ids) for (const client of [staying, lost]) client.subscribe(venue, id)
    for (const id of ids) await lost.converges(venue, id, truth(id))
    await gatewayA.kill()
    await gatewayA.start()
    const back = await StreamClient.open(at('gatewayA'))
    try {
      await whilePaused(cluster.lab, async () => {
        for (const id of ids) back.subscribe(venue, id)
        for (const id of ids) await back.converges(venue, id, truth(id))
      })
    } finally {
      for (const client of [staying, lost, back]) client.close()
    }
  }, 120_000)
})
