// Webhooks: due deliveries found per second compared with one row per statement, and the time from a commit to receivers that answer, alone
// and with a thousand receivers that never answer. Durable database (fsync on), receivers in this process.
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { start, stop } from '#actors/system'
import { spawnDeliveries } from '#actors/webhooks/deliveryActor'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { createPinnedSender } from '#net/ipPinnedSender'
import { createGuard, createSecretBox, newSecret } from '#platform/webhooks/index'
import { webhookEvents } from '#schemas/webhooks'
import { startEmbeddedPostgres } from '#storage/postgres/embedded'
import { migrate } from '#storage/postgres/migrate'
import { createPool, type Pool } from '#storage/postgres/pool'
import { createDeliveryStore } from '#storage/postgres/webhooks/store'
import { type Receiver, startReceiver } from '#test/src/platform/webhooks/receiver'
import { type Bench, type BenchResult, costResult, figure, fullOrShort, rateResult } from './bench.ts'

const box = createSecretBox(Buffer.alloc(32, 1))
const event = 'ingest.run.completed'

async function withDatabase<T>(work: (pool: Pool) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'crossbook-bench-'))
  const server = await startEmbeddedPostgres({ dataDir, log: silentLog })
  const pool = createPool({ url: server.url, log: silentLog, statementTimeoutMs: 60_000 })
  try {
    await migrate(pool, silentLog)
    await pool.query(`INSERT INTO accounts (name) VALUES ('bench')`)
    return await work(pool)
  } finally {
    await pool.end()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function addEndpoints(pool: Pool, count: number, origin: string): Promise<void> {
  const ids = Array.from({ length: count }, () => randomUUID())
  await pool.query(
    `INSERT INTO webhook_endpoints (id, account_id, url, events, secret_sealed, created_at)
     SELECT t.id, a.id, $2 || t.id, ARRAY['${event}'], t.sealed, now() FROM unnest($1::uuid[], $3::bytea[]) AS t (id, sealed), accounts a`,
    [ids, `${origin}/`, ids.map((id) => box.seal(id, newSecret()))],
  )
}

const insertEvents = (pool: Pool, events: number) =>
  pool.query(
    `INSERT INTO outbox (event, payload, created_at) SELECT $1, jsonb_build_object('n', n), now() FROM generate_series(1, $2::int) AS n`,
    [event, events],
  )

const endpointsClaimed = fullOrShort(1_000, 50)
const claimedSingly = fullOrShort(1_000, 50)

/** 1,000 endpoints with 20 deliveries each: all of them claimed, found and released, then one after the other. */
async function claims(): Promise<BenchResult[]> {
  return withDatabase(async (pool) => {
    await addEndpoints(pool, endpointsClaimed, 'https://hooks.example.com')
    await insertEvents(pool, 20)
    const store = createDeliveryStore(pool)
    await store.fanOut({ at: new Date(), limit: 1_000, deliverable: [event] })
    await pool.query('ANALYZE')
    let found = 0
    const from = performance.now()
    for (let endpoints = 0; endpoints < endpointsClaimed; ) {
      const at = new Date()
      const lease = randomUUID()
      const until = new Date(at.getTime() + 30_000)
      const claimed = await store.claim({ wanted: [{ standing: 'new', count: 128 }], at, lease, until })
      endpoints += claimed.length
      found += (await store.findDue({ endpointIds: claimed.map(({ id }) => id), at, limit: 20 })).length
    }
    const ours = (found * 1_000) / (performance.now() - from)
    const one = performance.now()
    for (let n = 0; n < claimedSingly; n++) {
      await pool.query(
        `UPDATE webhook_deliveries SET due_at = now() + interval '1 minute' WHERE id =
           (SELECT id FROM webhook_deliveries WHERE status = 'queued' AND due_at <= now() LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING *`,
      )
    }
    const theirs = (claimedSingly * 1_000) / (performance.now() - one)
    return [rateResult('webhooks.claims', 'due deliveries claimed', 'deliveries/s', ours, 'one a statement', theirs)]
  })
}

const healthy = fullOrShort(100, 10)
const tarPits = fullOrShort(1_000, 20)
const rounds = fullOrShort(15, 2)
const betweenMs = 200

async function latencies(pool: Pool, receiver: Receiver): Promise<{ p50: number; p99: number }> {
  const taken: number[] = []
  for (let round = 0; round < rounds; round++) {
    receiver.received.length = 0
    await insertEvents(pool, 1)
    const from = performance.now()
    for (let seen = 0; seen < healthy; ) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      for (; seen < receiver.received.length; seen++) taken.push(performance.now() - from)
    }
    await new Promise((resolve) => setTimeout(resolve, betweenMs))
  }
  const sorted = taken.toSorted((a, b) => a - b)
  return { p50: sorted[sorted.length >> 1]!, p99: sorted[Math.floor(sorted.length * 0.99)]! }
}

async function tarPitLatencies(): Promise<BenchResult[]> {
  return withDatabase(async (pool) => {
    const receiver = await startReceiver()
    const pit = await startReceiver()
    pit.behavior = 'hang'
    const system = start()
    const guard = createGuard({ resolve: async () => [], allowed: new Set([receiver.hostPort, pit.hostPort]) })
    const deliveries = spawnDeliveries(system, {
      store: createDeliveryStore(pool),
      attempt: { guard, sender: createPinnedSender(), box, clock: systemClock },
      deliverable: webhookEvents,
      clock: systemClock,
      log: silentLog,
    })
    try {
      await addEndpoints(pool, healthy, receiver.origin)
      const alone = await latencies(pool, receiver)
      await addEndpoints(pool, tarPits, pit.origin)
      const withPits = await latencies(pool, receiver)
      const name = 'webhooks.tarPits'
      return [
        costResult(name, 'commit to received, p50, with 1,000 tar-pits', 'ms', withPits.p50, 'alone', alone.p50),
        costResult(name, 'commit to received, p99, with 1,000 tar-pits', 'ms', withPits.p99, 'alone', alone.p99),
        figure(name, 'tar-pit attempts hanging', 'sockets', pit.connections()),
      ]
    } finally {
      await Promise.all([receiver.close(), pit.close()])
      await deliveries.stop()
      stop(system)
    }
  })
}

export const benches: readonly Bench[] = [
  { name: 'webhooks.claims', run: claims },
  { name: 'webhooks.tarPits', run: tarPitLatencies },
]
