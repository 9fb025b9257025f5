// Webhooks with everything real but the network: PostgreSQL, the routes, the deliveries, and receivers on loopback that the operator
// allows.
import { randomUUID } from 'node:crypto'
import { vi } from 'vitest'
import { start, stop } from '#actors/system'
import { type Deliveries, type DeliveriesOptions, spawnDeliveries } from '#actors/webhooks/deliveryActor'
import { type Clock, ManualClock } from '#core/clock'
import { createCursorCodec } from '#core/cursor'
import { type Log, silentLog } from '#core/log'
import { createPinnedSender } from '#net/ipPinnedSender'
import type { Resolve } from '#net/resolve'
import type { ExecutionsDeps } from '#orders/executions/index'
import {
  type AttemptDeps,
  boxKeyBytes,
  createGuard,
  createSecretBox,
  type WebhooksDeps,
} from '#platform/webhooks/index'
import { type WebhookEvent, webhookEvents } from '#schemas/webhooks'
import type { Pool } from '#storage/postgres/pool'
import { createDeliveryStore, createWebhookStore } from '#storage/postgres/webhooks/store'
import { createWorld, type Reply } from '#test/src/server/http/world'
import { type Receiver, startReceiver } from './receiver.ts'

const patient = { timeout: 20_000, interval: 5 }

export interface Endpoint {
  id: string
  url: string
  events: string[]
  active: boolean
  createdAt: string
  secret: string
}

export interface StoredDelivery {
  id: string
  endpoint_id: string
  event: string
  status: string
  attempts: number
  attempts_before: number
  due_at: Date
  last_result: string | null
}

export async function createWebhookWorld(
  pool: Pool,
  {
    clock = new ManualClock(Date.now()),
    log = silentLog,
    resolve = async () => [],
    executions,
  }: { clock?: Clock; log?: Log; resolve?: Resolve; executions?: ExecutionsDeps } = {},
) {
  const receiver: Receiver = await startReceiver()
  const guard = createGuard({ resolve, allowed: new Set([receiver.hostPort]) })
  const box = createSecretBox(Buffer.alloc(boxKeyBytes, 3))
  const deps: WebhooksDeps = {
    store: createWebhookStore(pool),
    guard,
    box,
    cursors: createCursorCodec(Buffer.alloc(32, 9)),
    clock,
    newId: () => randomUUID(),
  }
  const attempt: AttemptDeps = { guard, sender: createPinnedSender(), box, clock }
  const http = createWorld({
    families: { webhooks: true },
    webhooks: deps,
    log,
    ...(executions === undefined ? {} : { executions }),
  })
  const running = new Set<Deliveries>()

  const newAccount = async (): Promise<string> => {
    const { rows } = await pool.query<{ id: string }>('INSERT INTO accounts (name) VALUES ($1) RETURNING id', [
      randomUUID(),
    ])
    return rows[0]!.id
  }
  const actAs = (accountId: string, scopes: ('read' | 'trade')[] = ['read', 'trade']): void => {
    http.verifications.next = {
      kind: 'valid',
      principal: { accountId, keyId: accountId, plan: 'enterprise', scopes },
    }
  }
  const accountId = await newAccount()
  actAs(accountId)
  const create = (url: string, events: readonly string[] = webhookEvents): Promise<Reply> =>
    http.post('/v1/webhooks', { url, events })

  return {
    receiver,
    http,
    deps,
    attempt,
    accountId,
    newAccount,
    actAs,
    create,
    /** Registered at a path of the receiver. */
    async endpoint(path: string, events?: readonly string[]): Promise<Endpoint> {
      const reply = await create(`${receiver.origin}${path}`, events)
      if (reply.status !== 200) throw new Error(reply.text)
      return reply.json.data
    },
    async emit(event: WebhookEvent | 'execution.built', payload: object, owner: string | null): Promise<void> {
      await pool.query('INSERT INTO outbox (event, account_id, payload, created_at) VALUES ($1, $2, $3, $4)', [
        event,
        owner,
        JSON.stringify(payload),
        new Date(clock.now()),
      ])
    },
    deliveries(given: Partial<DeliveriesOptions> = {}) {
      // An actor system each, as in separate processes.
      const system = start()
      const spawned = spawnDeliveries(system, {
        store: createDeliveryStore(pool),
        attempt,
        deliverable: webhookEvents,
        clock,
        log,
        ...given,
      })
      const one: Deliveries = {
        stats: spawned.stats,
        async stop() {
          if (!running.delete(one)) return
          await spawned.stop()
          stop(system)
        },
      }
      running.add(one)
      return one
    },
    /** Resolves when nothing is in progress and every process waits for its next poll. On a `ManualClock` only. */
    async settled(): Promise<void> {
      await vi.waitFor(() => {
        for (const one of running) if (one.stats().working > 0) throw new Error('still working')
        // The next poll, the next count and the next cleanup.
        const waiting = (clock as ManualClock).pendingCount
        if (waiting !== 3 * running.size) throw new Error(`${waiting} timers wait`)
      }, patient)
    },
    async stored(endpointId?: string): Promise<StoredDelivery[]> {
      const { rows } = await pool.query<StoredDelivery>(
        'SELECT * FROM webhook_deliveries WHERE $1::uuid IS NULL OR endpoint_id = $1 ORDER BY seq',
        [endpointId ?? null],
      )
      return rows
    },
    async close() {
      await receiver.close()
      await Promise.all([...running].map((one) => one.stop()))
      await pool.query('TRUNCATE outbox, webhook_endpoints CASCADE')
    },
  }
}
export type WebhookWorld = Awaited<ReturnType<typeof createWebhookWorld>>
