// Refreshes the live orders of a strategy while they work, so that the order stream reports their fills also at venues that show an order
// only to its owner.
import { systemClock } from '#core/clock'
import { pause } from '#core/pause'
import type { Client } from '#sdk/typescript/src/index'
import type { VenueCredentials } from './venueCredentials.ts'

/** From the end of one round to the start of the next. */
const everyMs = 2_000
/** Refreshed in one round; the next round continues with the others. */
const roundMax = 50
/** Of one run. When there are more, the oldest are no longer refreshed. */
const ordersMax = 2_000
/** Distinct failures that are logged. */
const failuresMax = 100
const ended: ReadonlySet<string> = new Set(['filled', 'failed', 'expired', 'canceled'])

type RefreshBody = NonNullable<Parameters<Client['api']['refreshExecution']>[0]['body']>

export interface RefreshOptions {
  client: Client
  credentials: VenueCredentials
  signal: AbortSignal
  /** Each distinct failure once. */
  log(message: string): void
}

export interface OrderRefresher {
  follow(built: { venue: string; executionId?: string }): void
  /** Resolves when `signal` is aborted. */
  run(): Promise<void>
}

export function createOrderRefresher({ client, credentials, signal, log }: RefreshOptions): OrderRefresher {
  /** Venue by execution id, in the order of their next refresh. */
  const working = new Map<string, string>()
  const logged = new Set<string>()

  async function refresh(executionId: string, venue: string): Promise<void> {
    const body = (await credentials.of(venue))?.refresh
    if (body == null) return void working.delete(executionId)
    const { data } = await client.api.refreshExecution({ path: { venue, executionId }, body: body as RefreshBody })
    if (ended.has(data.status)) working.delete(executionId)
  }

  async function refreshSome(): Promise<void> {
    for (const [executionId, venue] of [...working].slice(0, roundMax)) {
      if (signal.aborted) return
      working.delete(executionId)
      working.set(executionId, venue)
      try {
        await refresh(executionId, venue)
      } catch (error) {
        if ((error as { code?: string }).code === 'EXECUTION_NOT_FOUND') working.delete(executionId)
        const message = `an order cannot be refreshed: ${error instanceof Error ? error.message : String(error)}`
        if (logged.has(message) || logged.size >= failuresMax) continue
        logged.add(message)
        log(message)
      }
    }
  }

  return {
    follow({ venue, executionId }) {
      if (executionId === undefined) return
      working.set(executionId, venue)
      if (working.size <= ordersMax) return
      const [oldest] = working.keys()
      working.delete(oldest!)
    },
    async run() {
      while (!signal.aborted) {
        await pause(systemClock, everyMs, signal)
        await refreshSome()
      }
    },
  }
}
