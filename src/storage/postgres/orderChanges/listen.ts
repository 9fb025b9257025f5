// A dedicated connection that listens for NOTIFY for as long as the process lives, and reconnects when it is lost.
//
//   connecting ─LISTEN─► hearing ─connection lost─► waiting ─backoff─► connecting
import pg from 'pg'
import { backoffMs } from '#lib/backoff'
import type { Clock, Timer } from '#lib/clock'
import type { Log } from '#lib/log'
import type { Pool } from '../pool.ts'

const retry = { baseMs: 100, capMs: 5_000 }
const connectTimeoutMs = 5_000

export interface ListenOptions {
  /** Listens on its server. */
  pool: Pool
  channel: string
  clock: Clock
  log: Log
  /** At every notification, and whenever some may have been missed: after each connect. */
  onWake(): void
}

export interface Listener {
  stop(): Promise<void>
}

export function listen({ pool, channel, clock, log, onWake }: ListenOptions): Listener {
  let client: pg.Client | null = null
  let timer: Timer | null = null
  let attempt = 0
  let stopped = false

  const connect = async (): Promise<void> => {
    timer = null
    const made = new pg.Client({
      connectionString: pool.options.connectionString,
      application_name: 'crossbook-listen',
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
    })
    client = made
    // Also for a connection that was never established.
    const lost = (error?: Error): void => {
      if (client !== made) return
      client = null
      made.end().catch(() => undefined)
      if (stopped) return
      log.warn({ err: error, channel }, 'the connection that hears of changes is lost')
      timer = clock.after(backoffMs(attempt++, retry, Math.random), () => void connect())
    }
    made.on('error', lost)
    made.on('end', () => lost())
    made.on('notification', onWake)
    try {
      await made.connect()
      await made.query(`LISTEN ${channel}`)
    } catch (error) {
      return lost(error as Error)
    }
    attempt = 0
    onWake()
  }
  void connect()

  return {
    async stop() {
      stopped = true
      timer?.cancel()
      const last = client
      client = null
      await last?.end().catch(() => undefined)
    },
  }
}
