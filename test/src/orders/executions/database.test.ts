// Faults 24 and 25: a database whose responses are lost, or that is slow, full or gone.
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { silentLog } from '#core/log'
import { createExecutionStore } from '#storage/postgres/executions/store'
import { createPool, type Pool } from '#storage/postgres/pool'
import type { Reply } from '#test/src/server/http/world'
import { executionSuite, idOf, refused } from '#test/support/execution/suite'
import { createExecutionWorld, type ExecutionWorld } from '#test/support/execution/world'
import { type StallingProxy, startStallingProxy } from '#test/support/stallingProxy'

const { pg, count } = executionSuite()
const connections = 3

let proxy: StallingProxy
let pool: Pool
let world: ExecutionWorld
beforeEach(async () => {
  proxy = await startStallingProxy(pg.url)
  pool = createPool({ url: proxy.url, log: silentLog, connectionsMax: connections })
  world = await createExecutionWorld(pool)
})
afterEach(async () => {
  proxy.flow()
  await world.close()
  await pool.end()
  await proxy.close()
})

const rows = () => count('executions WHERE account_id = $1', [world.accountId])
const outbox = () => count('outbox WHERE account_id = $1', [world.accountId])

function expectUnavailable(reply: Reply): void {
  expect(refused(reply)).toEqual([503, 'EXEC_UNAVAILABLE'])
  expect(reply.json.error).toMatchObject({ retryable: true, requestId: expect.any(String) })
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
}

/** Every row written to the tables takes this long. Returns a function that ends it. */
async function slowDown(tables: readonly string[], seconds: number): Promise<() => Promise<void>> {
  await pg.pool.query(`CREATE FUNCTION be_late() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_sleep(${seconds}); RETURN NEW; END $$`)
  for (const table of tables)
    await pg.pool.query(
      `CREATE TRIGGER late BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION be_late()`,
    )
  return async () => {
    await pg.pool.query('DROP FUNCTION be_late CASCADE')
  }
}

/** An unresponsive database is reported within two seconds only because of these limits. */
describe('the two-second limit', () => {
  it('is set on the server and on the client', () => {
    const { statement_timeout, query_timeout, connectionTimeoutMillis } = pool.options as unknown as Record<
      string,
      number
    >
    expect(statement_timeout).toBeLessThanOrEqual(2_000)
    expect(query_timeout).toBeLessThanOrEqual(2_250)
    expect(connectionTimeoutMillis).toBeLessThan(2_000)
  })

  it('ends a database call even if the driver keeps waiting', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const never = { query: () => new Promise(() => undefined) } as unknown as Pool
      const answer = createExecutionStore(never)
        .find(world.accountId, world.accountId)
        .then(
          () => 'found',
          (error: { code?: string }) => error.code,
        )
      await vi.advanceTimersByTimeAsync(2_000)
      expect(await answer).toBe('EXEC_UNAVAILABLE')
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('fault 24: a response lost after the commit', () => {
  it('of a build: a retry returns the original row, with one event', async () => {
    proxy.cutAnswerTo = 'INSERT INTO execution_keys'
    expectUnavailable(await world.build('k'))
    expect(proxy.cutAnswerTo).toBeNull()
    const again = await world.build('k')
    expect([again.status, again.headers['idempotency-replay']]).toEqual([200, 'true'])
    expect([await rows(), await outbox()]).toEqual([1, 1])
  })

  it('of a claim: the claim is queried, and the order is sent once', async () => {
    const id = idOf(await world.build('b'))
    proxy.cutAnswerTo = 'COMMIT'
    expect((await world.submit(id, 's')).json.data.status).toBe('acked')
    expect(proxy.cutAnswerTo).toBeNull()
    const again = await world.submit(id, 's')
    expect([again.json.data.status, again.headers['idempotency-replay']]).toEqual(['acked', 'true'])
    expect(world.venue.placed).toHaveLength(1)
  })

  it('of a claim that cannot be queried in time: nothing is sent, and the claim is undone', async () => {
    const id = idOf(await world.build('b'))
    proxy.stallAnswerTo = 'COMMIT'
    expectUnavailable(await world.submit(id, 's'))
    const statusOf = async () =>
      (await pg.pool.query<{ status: string }>('SELECT status FROM executions WHERE id = $1', [id])).rows[0]!.status
    expect(await statusOf()).toBe('submitted')
    proxy.flow()
    await vi.waitFor(async () => expect(await statusOf()).toBe('built'), 20_000)
    expect(world.venue.calls).toBe(0)
    expect((await world.submit(id, 's')).json.data.status).toBe('acked')
    expect(world.venue.placed).toHaveLength(1)
  }, 30_000)
})

describe('fault 25: a database that does not answer', () => {
  it.each(['stallRequests', 'stallAnswers'] as const)(
    'returns a retryable 503 for every write (%s), leaves no partial rows, and needs no restart',
    async (stall) => {
      const id = idOf(await world.build('b'))
      const placed = idOf(await world.build('p'))
      await world.submit(placed, 'sp')
      const { calls } = world.venue
      proxy[stall] = true
      const replies = await Promise.all([
        world.build('k'),
        world.submit(id, 's'),
        world.cancel(placed, 'c'),
        world.modify(placed, 'm'),
        world.refresh(placed),
        world.post(`${id}/reservations`, {}),
        world.get(`/v1/exec/executions/${id}`),
        world.get('/v1/exec/executions'),
      ])
      for (const reply of replies) expectUnavailable(reply)
      // A submit that could not claim sent nothing.
      expect(world.venue.placed).toHaveLength(1)
      expect(world.venue.calls).toBe(calls)
      proxy.flow()
      await vi.waitFor(async () => expect((await world.get(`/v1/exec/executions/${id}`)).status).toBe(200), 10_000)
      expect((await world.build('k')).status).toBe(200)
      expect((await world.cancel(placed, 'c')).status).toBe(200)
      expect((await world.modify(placed, 'm')).status).toBe(200)
      expect((await world.submit(id, 's')).json.data.status).toBe('acked')
      expect(await rows()).toBe(5)
      expect(await count('execution_keys WHERE account_id = $1', [world.accountId])).toBe(7)
      const half = `execution_keys k WHERE account_id = $1 AND NOT EXISTS (SELECT 1 FROM executions e WHERE e.id = k.execution_id)`
      expect(await count(half, [world.accountId])).toBe(0)
    },
    30_000,
  )

  it('with a delay of five seconds: nothing is written, and a retry writes it', async () => {
    const recover = await slowDown(['executions'], 5)
    try {
      expectUnavailable(await world.build('k'))
      expect([await rows(), await outbox()]).toEqual([0, 0])
    } finally {
      await recover()
    }
    const again = await world.build('k')
    expect([again.status, again.headers['idempotency-replay']]).toEqual([200, undefined])
    expect(await rows()).toBe(1)
  })

  it('slow at every statement: a submit that returned 503 is undone', async () => {
    const id = idOf(await world.build('b'))
    // Neither statement exceeds its limit; together they are too late.
    const recover = await slowDown(['execution_keys', 'executions'], 1.1)
    try {
      expectUnavailable(await world.submit(id, 's'))
    } finally {
      // Waits for transactions in progress.
      await recover()
    }
    expect((await world.get(`/v1/exec/executions/${id}`)).json.data.status).toBe('built')
    expect(world.venue.calls).toBe(0)
    expect((await world.submit(id, 's')).json.data.status).toBe('acked')
  }, 30_000)

  it('that commits a claim after the caller received 503: nothing is sent, and the claim is undone', async () => {
    const id = idOf(await world.build('b'))
    // A second before the commit, and more than one during it: each is within its limit.
    const recover = await slowDown(['executions'], 1)
    await pg.pool.query(`CREATE FUNCTION late_at_commit() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_sleep(1.2); RETURN NEW; END $$`)
    await pg.pool.query(`CREATE CONSTRAINT TRIGGER late_at_commit AFTER UPDATE ON executions DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION late_at_commit()`)
    try {
      expectUnavailable(await world.submit(id, 's'))
      await vi.waitFor(
        async () => expect((await world.get(`/v1/exec/executions/${id}`)).json.data?.status).toBe('submitted'),
        { timeout: 25_000, interval: 20 },
      )
    } finally {
      // Waits for transactions in progress.
      await vi.waitFor(() => pg.pool.query('DROP FUNCTION IF EXISTS late_at_commit CASCADE'), 20_000)
      await recover()
    }
    await vi.waitFor(
      async () => expect((await world.get(`/v1/exec/executions/${id}`)).json.data?.status).toBe('built'),
      20_000,
    )
    expect(world.venue.calls).toBe(0)
    expect((await world.submit(id, 's')).json.data.status).toBe('acked')
    expect(refused(await world.submit(id, 'another'))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    expect(world.venue.placed).toHaveLength(1)
  }, 60_000)

  it('that stops between the relay and its record: the caller receives "submitted", and the record follows', async () => {
    const id = idOf(await world.build('b'))
    const armed = world.lanes.get('novig')!
    const submit = armed.lane.submit!
    const relay: typeof submit.relay = async (...given) => {
      const outcome = await submit.relay(...given)
      proxy.stallRequests = true
      return outcome
    }
    world.lanes.set('novig', { ...armed, lane: { ...armed.lane, submit: { ...submit, relay } } })
    // The order was sent, so the caller receives that; the venue's answer is recorded when that is possible.
    const reply = await world.submit(id, 's')
    expect(reply.status, reply.text).toBe(200)
    expect(reply.json.data.status).toBe('submitted')
    proxy.flow()
    world.lanes.set('novig', armed)
    await vi.waitFor(
      async () => expect((await world.get(`/v1/exec/executions/${id}`)).json.data?.status).toBe('acked'),
      20_000,
    )
    expect((await world.submit(id, 's')).json.data.status).toBe('acked')
    expect(world.venue.placed).toHaveLength(1)
  }, 30_000)

  it('with an exhausted pool: returns a retryable 503, and recovers when a connection is free', async () => {
    const held = await Promise.all(Array.from({ length: connections }, () => pool.connect()))
    try {
      for (const reply of await Promise.all([world.build('k'), world.get('/v1/exec/executions')]))
        expectUnavailable(reply)
    } finally {
      for (const client of held) client.release()
    }
    expect((await world.build('k')).status).toBe(200)
    expect(await rows()).toBe(1)
  })

  it('that is gone: returns a retryable 503 for writes, and sends nothing', async () => {
    const id = idOf(await world.build('b'))
    const { calls } = world.venue
    const nowhere = createPool({ url: 'postgres://nobody@127.0.0.1:1/none', log: silentLog })
    const lost = await createExecutionWorld(pool, { wrap: () => createExecutionStore(nowhere) })
    try {
      lost.actAs(world.accountId)
      for (const reply of [await lost.build('k'), await lost.submit(id, 's'), await lost.refresh(id)])
        expectUnavailable(reply)
      expect([world.venue.calls, lost.venue.calls]).toEqual([calls, 0])
    } finally {
      await lost.close()
      await nowhere.end()
    }
  })

  it('that ends connections: they are replaced without a restart', async () => {
    await world.build('a')
    const ended = once(pool, 'error')
    await pg.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'crossbook' AND pid <> pg_backend_pid()
       AND datname = current_database() AND state = 'idle'`,
    )
    await ended
    await vi.waitFor(async () => expect((await world.build('b')).status).toBe(200), 10_000)
    expect(await rows()).toBe(2)
  })
})
