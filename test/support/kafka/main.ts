// `npm run kafka`: a broker to try the cluster with. Ctrl-C stops it; its data stays under .data/kafka.
import { mkdirSync } from 'node:fs'
import { startKafka } from './broker.ts'

const dir = `${process.env.DATA_DIR ?? '.data'}/kafka`
mkdirSync(dir, { recursive: true })
const kafka = await startKafka({ count: process.argv.includes('--three') ? 3 : 1, dir, port: 9092 })
console.log(`kafka ready ${JSON.stringify({ brokers: kafka.brokers })}`)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    void kafka.stop().then(() => process.exit(0))
  })
}
