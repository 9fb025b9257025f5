// A dedicated connection that listens for NOTIFY for as long as the process lives, and reconnects when it is lost.
//
//   connecting ─LISTEN─► listening ─connection lost, or no answer to a ping─► waiting ─backoff─► connecting
import type { Duplex } from 'node:stream'
import pg from 'pg'
import { backoffMs } from '#core/backoff'
import { type Clock, systemClock, type Timer } from '#core/clock'
import type { Log } from '#core/log'
import type { Pool } from '../pool.ts'

const retry = { baseMs: 100, capMs: 5_000 }
const connectTimeoutMs = 5_000
/** A half-open connection delivers neither notifications nor errors: it is pinged this often … */
export const aliveEveryMs = 5_000
/** … and closed if it does not answer within this time. */
const answerWithinMs = 3_000
const endWithinMs = 1_000

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

/** A half-open connection never confirms its end, so the socket is closed as well. */
async function end(client: pg.Client): Promise<void> {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection
  const timer = systemClock.after(endWithinMs, () => stream.destroy())
  await client.end().catch(() => undefined)
  timer.cancel()
}

export function listen({ pool, channel, clock, log, onWake }: ListenOptions): Listener {
  let client: pg.Client | null = null
  let timer: Timer | null = null
  let heartbeat: Timer | null = null
  let attempt = 0
  let stopped = false

  const connect = async (): Promise<void> => {
    timer = null
    const made = new pg.Client({
      connectionString: pool.options.connectionString,
      application_name: 'crossbook-listen',
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
      query_timeout: answerWithinMs,
    })
    client = made
    // Also for a connection that was never established.
    const lost = (error?: Error): void => {
      if (client !== made) return
      client = null
      heartbeat?.cancel()
      void end(made)
      if (stopped) return
      log.warn({ err: error, channel }, 'the LISTEN connection is lost')
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
    if (client !== made) return
    let isPinging = false
    heartbeat = clock.every(aliveEveryMs, () => {
      if (isPinging) return
      isPinging = true
      made
        .query('SELECT 1')
        .catch(lost)
        .finally(() => {
          isPinging = false
        })
    })
  }
  void connect()

  return {
    async stop() {
      stopped = true
      timer?.cancel()
      heartbeat?.cancel()
      const last = client
      client = null
      if (last !== null) await end(last)
    },
  }
}
