// The delivery statements in cases where two processes meet.
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test, vi } from 'vitest'
import { batched } from '#storage/postgres/webhooks/batch'
import { createDeliveryStore } from '#storage/postgres/webhooks/store'
import { withPostgres } from '#test/support/postgres'

const pg = withPostgres()
const event = 'ingest.run.completed'
const patient = { timeout: 25_000, interval: 10 }
let endpointId: string
beforeEach(async () => {
  await pg.pool.query('TRUNCATE outbox, webhook_endpoints CASCADE')
  endpointId = randomUUID()
  const account = `WITH a AS (INSERT INTO accounts (name) VALUES ($1) RETURNING id)`
  await pg.pool.query(
    `${account} INSERT INTO webhook_endpoints (id, account_id, url, events, secret_sealed, created_at)
     SELECT $2, id, 'https://hooks.example.com/', $3, '\\x00', now() FROM a`,
    [randomUUID(), endpointId, [event]],
  )
})

const insertEvent = () =>
  pg.pool.query(`INSERT INTO outbox (event, payload, created_at) VALUES ($1, '{}', now())`, [event])
const waitingForLocks = async (): Promise<number> =>
  (await pg.pool.query('SELECT 1 FROM pg_locks WHERE NOT granted')).rows.length
const dueAt = async (): Promise<Date | null> =>
  (await pg.pool.query<{ due_at: Date | null }>('SELECT due_at FROM webhook_endpoints')).rows[0]!.due_at

test('keeps a delivery that is queued while its queue is being released', async () => {
  const store = createDeliveryStore(pg.pool)
  const at = new Date()
  const lease = randomUUID()
  await insertEvent()
  await store.fanOut({ at, limit: 10, deliverable: [event] })
  const [claimed] = await store.claim({ wanted: [{ standing: 'new', count: 1 }], at, lease, until: at })
  const [due] = await store.findDue({ endpointIds: [endpointId], at, limit: 10 })
  await store.mark({
    id: due!.id,
    attempts: 0,
    status: 'delivered',
    result: 'status 200',
    deliveredAt: at,
    dueAt: null,
  })

  // Another process has queued a second delivery and holds the row; this one read it before the commit.
  const other = await pg.pool.connect()
  try {
    await other.query('BEGIN')
    await other.query(
      `INSERT INTO webhook_deliveries (endpoint_id, outbox_id, event, payload, due_at, created_at) VALUES ($1, -1, $2, '{}', $3, $3)`,
      [endpointId, event, at],
    )
    await other.query('UPDATE webhook_endpoints SET due_at = least(due_at, $1), queued_count = queued_count + 1', [at])
    const released = store.release({ id: endpointId, lease, standing: 'good', queuedCount: claimed!.queued_count, at })
    await vi.waitFor(async () => expect(await waitingForLocks()).toBe(1), patient)
    await other.query('COMMIT')
    await released
  } finally {
    other.release()
  }
  expect(await dueAt()).toEqual(at)
  const again = await store.claim({ wanted: [{ standing: 'good', count: 1 }], at, lease, until: at })
  expect(again).toHaveLength(1)
  expect(await store.findDue({ endpointIds: [endpointId], at, limit: 10 })).toHaveLength(1)
})

test('sets no due time for an empty queue, the retry time for a pending one, and lets only the holder release it', async () => {
  const store = createDeliveryStore(pg.pool)
  const at = new Date()
  const later = new Date(at.getTime() + 60_000)
  const lease = randomUUID()
  await insertEvent()
  await store.fanOut({ at, limit: 10, deliverable: [event] })
  const claim = () => store.claim({ wanted: [{ standing: 'new', count: 1 }], at, lease, until: later })
  const [claimed] = await claim()
  expect(await claim(), 'leased').toEqual([])
  const [due] = await store.findDue({ endpointIds: [endpointId], at, limit: 10 })
  const release = { id: endpointId, lease, standing: 'new', queuedCount: claimed!.queued_count, at } as const
  const mark = { id: due!.id, result: 'x', deliveredAt: null } as const
  await store.mark({ ...mark, attempts: 0, status: 'queued', dueAt: later })
  await store.release({ ...release, lease: randomUUID() })
  expect(await dueAt(), 'lease of another process').toEqual(at)
  await store.release(release)
  expect(await dueAt()).toEqual(later)
  await store.mark({ ...mark, attempts: 1, status: 'failed', dueAt: null })
  await store.claim({ wanted: [{ standing: 'new', count: 1 }], at: later, lease, until: later })
  await store.release({ ...release, at: later })
  expect(await dueAt()).toBeNull()
})

test('numbers deliveries by one process at a time, so that a reader of the sequence misses none', async () => {
  const store = createDeliveryStore(pg.pool)
  const fanOut = () => store.fanOut({ at: new Date(), limit: 1, deliverable: [event] })
  for (let i = 0; i < 6; i++) await insertEvent()
  // Concurrent callers take nothing when they do not get the lock, and no event is taken twice.
  const taken = await Promise.all(Array.from({ length: 5 }, fanOut))
  const total = taken.reduce((sum, one) => sum + one.taken, 0)
  expect(total).toBeGreaterThan(0)
  const { rows } = await pg.pool.query('SELECT outbox_id FROM webhook_deliveries')
  expect(rows).toHaveLength(total)

  const other = await pg.pool.connect()
  try {
    await other.query('BEGIN')
    // The advisory lock of the fan-out, as in its source.
    await other.query('SELECT pg_advisory_xact_lock(7246031189)')
    expect(await fanOut()).toEqual({ taken: 0, queued: 0 })
    await other.query('ROLLBACK')
  } finally {
    other.release()
  }
  while ((await fanOut()).taken > 0);
  const { rows: inOrder } = await pg.pool.query<{ outbox_id: string }>(
    'SELECT outbox_id FROM webhook_deliveries ORDER BY seq',
  )
  expect(inOrder).toHaveLength(6)
  expect(inOrder.map((row) => Number(row.outbox_id))).toEqual(
    inOrder.map((row) => Number(row.outbox_id)).toSorted((a, b) => a - b),
  )
})

test('batches calls made during a statement, each with its own result, and a failure affects only its batch', async () => {
  const batches: number[][] = []
  let open: (() => void) | undefined
  const gate = () => new Promise<void>((resolve) => (open = resolve))
  const double = batched(async (items: readonly number[]) => {
    batches.push([...items])
    await gate()
    if (items.includes(13)) throw new Error('unlucky')
    return items.map((item) => item * 2)
  }, 3)
  const answers = [1, 2, 3, 4, 5].map((item) => double(item))
  const unlucky = double(13)
  unlucky.catch(() => undefined)
  open!()
  expect(await answers[0]).toBe(2)
  await vi.waitFor(() => expect(batches).toHaveLength(2), patient)
  open!()
  expect(await Promise.all(answers.slice(1, 4))).toEqual([4, 6, 8])
  await vi.waitFor(() => expect(batches).toHaveLength(3), patient)
  open!()
  await expect(unlucky).rejects.toThrow('unlucky')
  await expect(answers[4]).rejects.toThrow('unlucky')
  expect(batches).toEqual([[1], [2, 3, 4], [5, 13]])
  const next = double(7)
  await vi.waitFor(() => expect(batches).toHaveLength(4), patient)
  open!()
  expect(await next).toBe(14)
})
