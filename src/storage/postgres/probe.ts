// Probes PostgreSQL on a separate connection, because a busy pool is not an outage.
import type { Log } from '#core/log'
import type { StoreProbe } from '../probe.ts'
import { createPool } from './pool.ts'

/** Within a probe's time limit. */
const answerMs = 1_500

export function probePostgres(url: string, log: Log): StoreProbe {
  const pool = createPool({
    url,
    log,
    applicationName: 'crossbook-probe',
    connectionsMax: 1,
    statementTimeoutMs: answerMs,
    connectTimeoutMs: answerMs,
  })
  return {
    part: 'postgres',
    async check() {
      await pool.query('SELECT 1')
    },
    async version() {
      const { rows } = await pool.query<{ server_version: string }>('SHOW server_version')
      return rows[0]?.server_version ?? null
    },
    close: () => pool.end(),
  }
}
