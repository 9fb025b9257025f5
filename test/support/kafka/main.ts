// `npm run kafka`: a broker to try the cluster with. Ctrl-C stops it; its data stays under .data/kafka.
import { startKafka } from './broker.ts'

try {
  const dir = `${process.env.DATA_DIR ?? '.data'}/kafka`
  const count = process.argv.includes('--three') ? 3 : 1
  const kafka = await startKafka({ count, dir, port: 9092, report: console.log })
  console.log(`kafka ready ${JSON.stringify({ brokers: kafka.brokers })}`)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      void kafka.stop().then(() => process.exit(0))
    })
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
