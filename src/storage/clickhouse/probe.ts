// Probes the tape's engine on a separate connection, because readers of long replays may hold all the others.
import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import type { StoreProbe } from '../probe.ts'

/** Within a probe's time limit. */
const answerMs = 1_500

/** `url`: including user, password and database if any. */
export function probeEngine(url: string): StoreProbe {
  const client = createClient({
    url,
    request_timeout: answerMs,
    max_open_connections: 1,
    application: 'crossbook-probe',
    log: { level: ClickHouseLogLevel.OFF },
  })
  return {
    part: 'clickhouse',
    async check() {
      // A plain ping needs no password: the engine's is not in its URL.
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
