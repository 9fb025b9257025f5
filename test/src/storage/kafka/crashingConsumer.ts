// Child process of kafkaBus.test.ts: a tape consumer whose sink rejects a token it has already stored. The parent kills it at random.
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createKafkaBus } from '#storage/kafka/kafkaBus'

const [brokers, sink, name] = process.argv.slice(2) as [string, string, string]
const bus = await createKafkaBus({
  brokers: brokers.split(','),
  clientId: name,
  clock: systemClock,
  log: silentLog,
  sessionTimeoutMs: 2_000,
})
await bus.consume('tape', 'crash-test', async ({ token, values }) => {
  const file = join(sink, encodeURIComponent(token))
  if (!existsSync(file)) {
    writeFileSync(
      `${file}.tmp-${name}`,
      JSON.stringify(values.map((batch) => [batch.outcomeId, batch.topOfBook.map((row) => row.ts)])),
    )
    renameSync(`${file}.tmp-${name}`, file)
  }
  process.send?.('inserted')
})
process.send?.('consuming')
