import { startCluster } from './cluster.ts'
import { openMarkets } from './labTruth.ts'

const c = await startCluster({
  seed: 'cluster',
  ratePerSecond: 4,
  env: { LOG_LEVEL: 'info' },
  processes: { ingest: 'ingest', jobs: 'jobs', gatewayA: 'gateway' },
})
const m = openMarkets(c.lab, 'kalshi')[3]!
console.log(m, c.lab.kalshi.counters().subscriptions)
for (let i = 0; i < 12; i++) {
  const r = await fetch(`${c.processes.gatewayA.url}/api/kalshi/fetchOrderBook?outcomeId=${m}`, {
    headers: { authorization: `Bearer ${c.apiKey}` },
  })
  const b = (await r.json()) as any
  console.log(i, b.provenance, c.lab.kalshi.counters().subscriptions[m])
  await new Promise((r) => setTimeout(r, 1500))
}

import { Kafka, logLevel } from 'kafkajs'
import { decodeValue } from '../../../src/storage/kafka/codec.ts'

const k = new Kafka({ brokers: c.kafka.brokers, logLevel: logLevel.NOTHING })
const con = k.consumer({ groupId: 'plain' })
await con.connect()
await con.subscribe({ topic: 'crossbook.books.v1', fromBeginning: true })
const seen = new Map<string, any>()
void con.run({
  eachMessage: async ({ message, partition }) => {
    const u = decodeValue('books', message.value!)
    const key = message.key!.toString()
    const e = seen.get(key) ?? { n: 0, partition, states: {} }
    e.n++
    e.states[u.state] = (e.states[u.state] ?? 0) + 1
    e.first ??= u.seq
    e.last = u.seq
    seen.set(key, e)
  },
})
await new Promise((r) => setTimeout(r, 6000))
for (const [key, e] of seen) console.log(key, JSON.stringify(e))
const ad = k.admin()
await ad.connect()
for (const g of (await ad.listGroups()).groups) {
  if (!g.groupId.endsWith('books')) continue
  console.log(
    g.groupId,
    JSON.stringify(
      (await ad.fetchOffsets({ groupId: g.groupId, topics: ['crossbook.books.v1'] }))[0]!.partitions.map((p) => [
        p.partition,
        p.offset,
      ]),
    ),
  )
}
console.log(JSON.stringify((await ad.fetchTopicOffsets('crossbook.books.v1')).map((p) => [p.partition, p.high])))
await con.disconnect()
await ad.disconnect()
const s = await fetch(`${c.processes.gatewayA.url}/v1/status`, { headers: { authorization: `Bearer ${c.apiKey}` } })
console.log(await s.text(), c.lab.kalshi.counters())
console.log('INGEST', c.processes.ingest.output())
console.log('GW', c.processes.gatewayA.output())
console.log(await c.stop())
