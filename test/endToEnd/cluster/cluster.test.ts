// The user's scenario against separate processes that meet on Kafka, and what happens when one of them is killed.
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
import { labVenues, openMarkets, truthOf, upstreamOf, whilePaused } from '#test/support/cluster/labTruth'
import { describeUser } from '../scenario.ts'

const seed = 'cluster'
let cluster: Cluster<'ingest' | 'jobs' | 'tapeA' | 'tapeB' | 'gatewayA' | 'gatewayB'>

beforeAll(async () => {
  cluster = await startCluster({
    seed,
    ratePerSecond: 4,
    processes: {
      ingest: 'ingest',
      jobs: 'jobs',
      tapeA: 'tape',
      tapeB: 'tape',
      gatewayA: 'gateway',
      gatewayB: 'gateway',
    },
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

describe('six processes over Kafka', () => {
  describeUser(() => ({ served: at('gatewayA'), lab: cluster.lab }))

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
})
