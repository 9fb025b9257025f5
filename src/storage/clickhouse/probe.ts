// Asks the tape's engine on a connection of its own, because readers of long replays may hold all the others.
import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import type { StoreProbe } from '../probe.ts'

/** Within the time a probe is given. */
const answerMs = 1_500

/** `url`: with user, password and database where there are some. */
export function probeEngine(url: string): StoreProbe {
  const client = createClient({
    url,
    request_timeout: answerMs,
    max_open_connections: 1,
    application: 'crossbook-probe',
    log: { level: ClickHouseLogLevel.OFF },
  })
  return {
    part: 'engine',
    async ask() {
      // A plain one, which needs no password: the engine's is not in its address.
      const answer = await client.ping()
      if (!answer.success) throw answer.error
    },
    async version() {
      const answer = await client.query({ query: 'SELECT version()', format: 'TabSeparated' })
      return (await answer.text()).trim() || null
    },
    close: () => client.close(),
  }
}
