import { Kafka, logLevel } from 'kafkajs'
import { startCluster } from './cluster.ts'
import { tapeRows } from './tapeAccount.ts'

const c = await startCluster({
  seed: 'cluster',
  ratePerSecond: 20,
  env: { LOG_LEVEL: 'info', KAFKAJS_LOG_LEVEL: 'INFO' },
  processes: { ingest: 'ingest', jobs: 'jobs', tapeA: 'tape', tapeB: 'tape', gatewayA: 'gateway' },
})
const k = new Kafka({ brokers: c.kafka.brokers, logLevel: logLevel.NOTHING })
async function look(label: string) {
  const ad = k.admin()
  try {
    await ad.connect()
    const sum = async (t: string) => (await ad.fetchTopicOffsets(t)).reduce((s, p) => s + Number(p.high), 0)
    const g = (await ad.describeGroups(['crossbook-tape'])).groups[0]
    console.log(
      label,
      new Date().toISOString().slice(14, 23),
      'tape',
      await sum('crossbook.tape.v1'),
      'books',
      await sum('crossbook.books.v1'),
      'health',
      await sum('crossbook.health.v1'),
      'ch',
      await tapeRows(c.clickhouse.url),
      g?.state,
      g?.members.length,
    )
  } catch (e) {
    console.log(label, String(e).slice(0, 200))
  } finally {
    await ad.disconnect()
  }
}
const wait = (ms: number) => new Promise((r) => setTimeout(r, ms))
await wait(3000)
await look('before')
await wait(2000)
await look('before')
const t0 = Date.now()
await c.kafka.restart(0)
console.log('restarted', Date.now() - t0)
for (let i = 0; i < Number(process.argv[2] ?? 14); i++) {
  await wait(2000)
  await look('after')
}
for (const p of Object.values(c.processes)) console.log(`\n==== ${p.name}\n${p.output().slice(-6000)}`)
await c.kafka.kill(0).catch(() => 0)
for (const p of Object.values(c.processes)) await p.kill()
console.log(await c.stop())
