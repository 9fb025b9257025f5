import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { buildOrder } from '#executions/build'
import { silentLog } from '#lib/log'
import { createPool } from '#storage/postgres/pool'
import type { Reply } from '#test/src/http/world'
import { testLane } from '#test/support/execution/lane'
import { createExecutionWorld, type ExecutionWorld } from '#test/support/execution/world'
import { withPostgres } from '#test/support/postgres'

const pg = withPostgres()
const open: ExecutionWorld[] = []
const worldOf = async (options?: Parameters<typeof createExecutionWorld>[1]) => {
  const made = await createExecutionWorld(pg.pool, options)
  open.push(made)
  return made
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((world) => world.close()))
})
const refused = (reply: Reply) => [reply.status, reply.json.error?.code]
const count = async (sql: string, values: unknown[] = []): Promise<number> =>
  Number((await pg.pool.query<{ n: string }>(`SELECT count(*) AS n FROM ${sql}`, values)).rows[0]!.n)
const events = (id: string) =>
  count(`outbox WHERE event = 'execution.status.changed' AND payload->>'executionId' = $1`, [id])
const idOf = (reply: Reply): string => reply.json.data.executionId

describe('fault 22: idempotency', () => {
  it('gives 200 at once with one key one row, and 199 of them its equal replay', async () => {
    const world = await worldOf()
    const replies = await Promise.all(Array.from({ length: 200 }, () => world.build('same')))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    expect(replies.filter(({ headers }) => headers['idempotency-replay'] === 'true')).toHaveLength(199)
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect(await count('executions WHERE account_id = $1', [world.accountId])).toBe(1)
    expect(await count(`outbox WHERE payload->>'executionId' = $1`, [idOf(replies[0]!)])).toBe(1)
  }, 60_000)

  it.each([
    [undefined, 'IDEMPOTENCY_KEY_REQUIRED'],
    ['', 'IDEMPOTENCY_KEY_REQUIRED'],
    ['undefined', 'VALIDATION_ERROR'],
    ['null', 'VALIDATION_ERROR'],
    ['cond:x', 'RESERVED_IDEMPOTENCY_KEY'],
    ['dry-run:x', 'RESERVED_IDEMPOTENCY_KEY'],
    ['k'.repeat(10_240), 'VALIDATION_ERROR'],
  ])('refuses the key %s and writes nothing', async (key, code) => {
    const world = await worldOf()
    expect(refused(await world.post('build', { size: 5 }, key))).toEqual([400, code])
    expect(await count('executions WHERE account_id = $1', [world.accountId])).toBe(0)
  })

  it.each(['COND:x', '🙂', 'Undefined'])('takes the key %s', async (key) => {
    expect((await (await worldOf()).build(key)).status).toBe(200)
  })

  it('refuses another body under the same key; another account’s same key is its own', async () => {
    const world = await worldOf()
    const first = await world.build('k')
    expect(refused(await world.build('k', { size: 6 }))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    world.actAs(await world.newAccount())
    const other = await world.build('k', { size: 6 })
    expect(other.status).toBe(200)
    expect(idOf(other)).not.toBe(idOf(first))
  })

  it('a dry run needs a key, binds none, and writes nothing', async () => {
    const world = await worldOf()
    expect(refused(await world.post('build', { size: 5, dryRun: true }))).toEqual([400, 'IDEMPOTENCY_KEY_REQUIRED'])
    expect((await world.build('k', { size: 5, dryRun: true })).json).toMatchObject({
      dryRun: true,
      data: { status: 'built' },
    })
    expect(await count('execution_keys WHERE account_id = $1', [world.accountId])).toBe(0)
    expect((await world.build('k')).headers['idempotency-replay']).toBeUndefined()
  })
})

describe('submit', () => {
  it('an order the venue took before the socket broke is submitted, is never sent again, and refresh finds it', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('b'))
    world.venue.mood = 'drop'
    expect((await world.submit(id, 's')).json.data.status).toBe('submitted')
    const again = await world.submit(id, 's')
    expect([again.json.data.status, again.headers['idempotency-replay']]).toEqual(['submitted', 'true'])
    expect(refused(await world.submit(id, 'other'))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    expect(world.venue.placed).toHaveLength(1)
    expect((await world.refresh(id)).json.data.status).toBe('acked')
    expect((await world.refresh(id)).json.data.status).toBe('acked')
    // built → submitted → acked: one event for each real transition.
    expect(await events(id)).toBe(2)
  })

  it('of 50 submits at once under different keys one reaches the venue', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('b'))
    const replies = await Promise.all(Array.from({ length: 50 }, (_, i) => world.submit(id, `s${i}`)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(world.venue.placed).toHaveLength(1)
  })

  it('a rejection fails the execution with a safe reason, and has no venue order to ask for', async () => {
    const world = await worldOf()
    world.venue.mood = 'reject'
    const id = idOf(await world.build('b'))
    expect((await world.submit(id, 's')).json.data).toMatchObject({
      status: 'failed',
      error: 'market is closed',
      venueRef: null,
    })
    const { calls } = world.venue
    expect(refused(await world.refresh(id))).toEqual([400, 'VALIDATION_ERROR'])
    expect(world.venue.calls).toBe(calls)
    expect(refused(await world.cancel(id, 'c'))).toEqual([409, 'EXECUTION_TERMINAL'])
  })

  it('refused credentials leave it built for a new key, say so again under the old one, and open the breaker', async () => {
    const world = await worldOf()
    world.venue.mood = 'refuse'
    const id = idOf(await world.build('b'))
    for (const key of ['s0', 's0', 's1', 's2', 's3', 's4'])
      expect(refused(await world.submit(id, key))).toEqual([401, 'VENUE_CREDENTIAL_REJECTED'])
    const stopped = await world.submit(id, 's5')
    expect(refused(stopped)).toEqual([429, 'VENUE_CREDENTIAL_BREAKER_OPEN'])
    expect(Number(stopped.headers['retry-after'])).toBeGreaterThan(0)
    expect((await world.get(`/v1/exec/executions/${id}`)).json.data).toMatchObject({
      status: 'built',
      submittedArtifact: null,
    })
  })

  it('a venue that was never reached leaves it built, says so as a retryable 503, and blames no credentials', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('b'))
    await world.venue.close()
    for (const key of ['s0', 's1', 's2', 's3', 's4', 's5', 's0']) {
      const answer = await world.submit(id, key)
      expect(refused(answer)).toEqual([503, 'NETWORK_ERROR'])
      expect(answer.json.error).toMatchObject({ retryable: true, message: 'nothing was sent' })
    }
    expect((await world.get(`/v1/exec/executions/${id}`)).json.data).toMatchObject({ status: 'built' })
  })

  it('refuses what was tampered with, outgrown or out of bounds, and sends nothing', async () => {
    const world = await worldOf()
    const [hash, version, bounds] = await Promise.all(['1', '2', '3'].map(async (key) => idOf(await world.build(key))))
    await pg.pool.query(`UPDATE executions SET unsigned = '{"size":999}' WHERE id = $1`, [hash])
    await pg.pool.query('UPDATE executions SET build_version = 0 WHERE id = $1', [version])
    await pg.pool.query(`UPDATE executions SET bounds = '{"sizeMax":1}' WHERE id = $1`, [bounds])
    expect(refused(await world.submit(hash!, 'a'))).toEqual([409, 'ARTIFACT_INTEGRITY_MISMATCH'])
    expect(refused(await world.submit(version!, 'b'))).toEqual([409, 'ARTIFACT_VERSION_CONFLICT'])
    expect(refused(await world.submit(bounds!, 'c'))).toEqual([400, 'ARTIFACT_BOUNDS_VIOLATION'])
    expect(world.venue.calls).toBe(0)
  })

  it('a submit key cannot be bound to another execution', async () => {
    const world = await worldOf()
    const [a, b] = [idOf(await world.build('a')), idOf(await world.build('b'))]
    await world.submit(a, 's')
    expect(refused(await world.submit(b, 's'))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
  })
})

describe('refresh, cancel and reads', () => {
  it('appends fills with a transition only, each once', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('b'))
    await world.submit(id, 's')
    world.venue.fills.set([...world.venue.status.keys()][0]!, ['f1'])
    await world.refresh(id)
    expect(await count('execution_fills WHERE execution_id = $1', [id])).toBe(0)
    const order = [...world.venue.status.keys()][0]!
    world.venue.status.set(order, 'filled')
    world.venue.fills.set(order, ['f1', 'f2'])
    await Promise.all([world.refresh(id), world.refresh(id), world.refresh(id)])
    expect(await count('execution_fills WHERE execution_id = $1', [id])).toBe(2)
    expect(await events(id)).toBe(3)
    const page = await world.get('/v1/exec/novig/trades?limit=1')
    expect(page.json.data).toHaveLength(1)
    expect(page.json.nextCursor).toMatch(/^\d+$/)
    const rest = await world.get(`/v1/exec/novig/trades?limit=999&cursor=${page.json.nextCursor}`)
    expect(rest.json.data).toHaveLength(1)
    expect(rest.json.nextCursor).toBeUndefined()
  })

  it('a cancel is a new execution; its target stands as it was', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('b'))
    expect(refused(await world.cancel(id, 'early'))).toEqual([400, 'VALIDATION_ERROR'])
    await world.submit(id, 's')
    const cancel = await world.cancel(id, 'c')
    expect(cancel.json.data).toMatchObject({ intent: 'cancel', status: 'built' })
    expect(idOf(cancel)).not.toBe(id)
    expect(idOf(await world.cancel(id, 'c'))).toBe(idOf(cancel))
    expect((await world.get(`/v1/exec/executions/${id}`)).json.data.status).toBe('acked')
  })

  it('walks the list newest first, and a cursor opens for its own filter and account only', async () => {
    const world = await worldOf()
    const ids: string[] = []
    for (const key of ['a', 'b', 'c']) ids.unshift(idOf(await world.build(key)))
    const first = await world.get('/v1/exec/executions?limit=2')
    const next = await world.get(`/v1/exec/executions?limit=2&cursor=${first.json.nextCursor}`)
    expect([...first.json.data, ...next.json.data].map((row) => row.executionId)).toEqual(ids)
    const bad = [`status=built&cursor=${first.json.nextCursor}`, 'cursor=abc']
    for (const query of bad)
      expect(refused(await world.get(`/v1/exec/executions?${query}`))).toEqual([400, 'VALIDATION_ERROR'])
    world.actAs(await world.newAccount())
    expect(refused(await world.get(`/v1/exec/executions?limit=2&cursor=${first.json.nextCursor}`))).toEqual([
      400,
      'VALIDATION_ERROR',
    ])
    expect(refused(await world.get(`/v1/exec/executions/${ids[0]}`))).toEqual([404, 'EXECUTION_NOT_FOUND'])
  })

  it('lanes say what they lack', async () => {
    const { cancel: _c, refresh: _r, ...bare } = testLane()
    const world = await worldOf({ lanes: [bare] })
    const id = idOf(await world.build('b'))
    expect(refused(await world.cancel(id, 'c'))).toEqual([501, 'NOT_IMPLEMENTED'])
    expect((await world.refresh(id)).status).toBe(501)
    expect(refused(await world.build('r', { intent: 'redeem', size: 1 }))).toEqual([501, 'NOT_IMPLEMENTED'])
    expect(refused(await world.build('e', {}))).toEqual([400, 'VALIDATION_ERROR'])
    for (const venue of ['pred', 'nowhere'])
      expect(
        refused(
          await world.world.post(
            `/v1/exec/${venue}/orders/build`,
            { size: 1 },
            { headers: { 'idempotency-key': 'x' } },
          ),
        ),
      ).toEqual([404, 'VENUE_NOT_SUPPORTED'])
    expect((await world.get('/v1/exec/venues')).json.data).toMatchObject([
      { venue: 'novig', armed: true, verbs: { cancel: false } },
    ])
  })
})

describe('reservations', () => {
  it('are held by one attempt, used once, and keep others out', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('b'))
    const tries = await Promise.all(Array.from({ length: 20 }, () => world.post(`${id}/reservations`, {})))
    const made = tries.filter(({ status }) => status === 200)
    expect(made).toHaveLength(1)
    expect(refused(await world.submit(id, 's'))).toEqual([409, 'CONDITIONAL_ATTEMPT_CONFLICT'])
    expect(refused(await world.submit(id, 's', { reservationId: randomUUID() }))).toEqual([409, 'RESERVATION_MISMATCH'])
    expect(world.venue.calls).toBe(0)
    const { reservationId } = made[0]!.json.data
    expect((await world.submit(id, 's', { reservationId })).json.data.status).toBe('acked')
    expect(await count(`execution_reservations WHERE id = $1 AND state = 'consumed'`, [reservationId])).toBe(1)
  })
})

describe('spend caps', () => {
  it('refuse what goes beyond, write nothing then, and get back what ended unfilled', async () => {
    const world = await worldOf()
    await pg.pool.query('INSERT INTO spend_caps VALUES ($1, 10)', [world.accountId])
    const id = idOf(await world.build('a', { size: 8 }))
    expect(refused(await world.build('b', { size: 5 }))).toEqual([402, 'SPEND_CAP_EXCEEDED'])
    expect(await count('execution_keys WHERE account_id = $1', [world.accountId])).toBe(1)
    world.venue.mood = 'reject'
    await world.submit(id, 's')
    expect((await world.build('b', { size: 5 })).status).toBe(200)
  })
})

describe('fault 23: a process that dies at any step', () => {
  class Died extends Error {}
  const long = process.env.CROSSBOOK_TEST_LONG === '1'
  it('never places two orders for one key, appends fills once, and one refresh tells the truth', async () => {
    const runs = long ? 2_000 : 120
    let dieAt = 0
    let step = 0
    // Dies before or after the store's answer: what the database did stands, what the process knew is gone.
    const mortal = await worldOf({
      wrap: (store) =>
        new Proxy(store, {
          get(target, name) {
            const method = target[name as keyof typeof target] as (...given: unknown[]) => Promise<unknown>
            return async (...given: unknown[]) => {
              if (++step === dieAt) throw new Died()
              const result = await method(...given)
              if (++step === dieAt) throw new Died()
              return result
            }
          },
        }),
    })
    let deaths = 0
    for (let run = 0; run < runs; run++) {
      const { venue } = mortal
      venue.placed.length = 0
      venue.mood = (['accept', 'drop', 'forget'] as const)[run % 3]!
      const alive = async (work: () => Promise<Reply>): Promise<Reply> => {
        step = 0
        dieAt = 1 + ((run * 7) % 14)
        const first = await work()
        if (first.status === 500) deaths++
        dieAt = 0
        return first.status === 500 ? work() : first
      }
      const id = idOf(await alive(() => mortal.build(`b${run}`)))
      const sent = await alive(() => mortal.submit(id, `s${run}`))
      expect(sent.status, `run ${run}`).toBe(200)
      expect(venue.placed.length, `run ${run}`).toBeLessThanOrEqual(1)
      const order = venue.placed[0]
      if (order !== undefined) {
        venue.status.set(order, 'filled')
        venue.fills.set(order, ['f'])
      }
      const { status } = (await alive(() => mortal.refresh(id))).json.data
      expect(status, `run ${run}`).toBe(order === undefined ? 'submitted' : 'filled')
      expect(await count('execution_fills WHERE execution_id = $1', [id]), `run ${run}`).toBe(
        order === undefined ? 0 : 1,
      )
    }
    expect(deaths).toBeGreaterThan(runs / 2)
  }, 600_000)
})

describe('fault 25: the database', () => {
  it('gone: writes are a retryable 503 within two seconds, nothing is sent, and the venue is not asked', async () => {
    const nowhere = createPool({ url: 'postgres://nobody@127.0.0.1:1/none', log: silentLog })
    const world = await worldOf()
    const broken = new Proxy(world.store, {})
    const { createExecutionStore } = await import('#storage/postgres/executions/store')
    Object.assign(broken, createExecutionStore(nowhere))
    const reply = await world.build('k')
    expect(refused(reply)).toEqual([503, 'EXEC_UNAVAILABLE'])
    expect(reply.json.error.retryable).toBe(true)
    await nowhere.end()
  })
})

describe('fault 30: secrets', () => {
  it('a credential is in no table, no log line and no answer', async () => {
    const lines: string[] = []
    const log = pino(
      { level: 'trace' },
      new Writable({
        write(line, _encoding, done) {
          lines.push(String(line))
          done()
        },
      }),
    )
    const canary = 'canary-secret-9f2c'
    const world = await worldOf({ log })
    const answers: string[] = []
    for (const mood of ['accept', 'reject', 'refuse', 'drop', 'forget'] as const) {
      world.venue.mood = mood
      world.venue.reason = `bad key ${canary}`.padEnd(60, 'x')
      const id = idOf(await world.build(mood))
      answers.push((await world.submit(id, `s-${mood}`)).text)
      answers.push((await world.post(`${id}/submit`, { apiSecret: canary, extra: 1 }, `t-${mood}`)).text)
    }
    expect(answers.join()).not.toContain(canary)
    expect(lines.join()).not.toContain(canary)
    const { rows: tables } = await pg.pool.query<{ name: string }>(
      `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
    )
    for (const { name } of tables) expect(await count(`${name} t WHERE t::text LIKE $1`, [`%${canary}%`]), name).toBe(0)
  })
})

it('the audit and the fill tape refuse to be changed', async () => {
  const world = await worldOf()
  const id = idOf(await world.build('b'))
  await expect(
    pg.pool.query('UPDATE execution_audit SET event = $2 WHERE execution_id = $1', [id, 'x']),
  ).rejects.toThrow('append-only')
  await expect(pg.pool.query('DELETE FROM execution_audit WHERE execution_id = $1', [id])).rejects.toThrow(
    'append-only',
  )
})

describe('the condition table', () => {
  it('“VENUE_REGION_BLOCKED”: a country the venue does not serve is refused before anything is asked', async () => {
    const world = await worldOf()
    const caller = {
      accountId: world.accountId,
      keyId: world.accountId,
      country: 'US',
      signal: new AbortController().signal,
    }
    await expect(buildOrder(world.deps, caller, 'novig', 'k', { size: 5 })).rejects.toMatchObject({
      code: 'VENUE_REGION_BLOCKED',
    })
    expect(await count('executions WHERE account_id = $1', [world.accountId])).toBe(0)
  })

  it('“missing scope”: execution routes need trade', async () => {
    const world = await worldOf()
    world.world.verifications.next = {
      kind: 'valid',
      principal: { accountId: world.accountId, keyId: world.accountId, plan: 'enterprise', scopes: ['read'] },
    }
    expect(refused(await world.build('k'))).toEqual([403, 'SCOPE_MISSING'])
  })

  it('“cancel on a failed, canceled or expired execution” is 409 before any lane builds', async () => {
    let built = 0
    const lane = testLane()
    const cancel = { ...lane.cancel!, build: () => Promise.reject(new Error(`built ${++built}`)) }
    const world = await worldOf({ lanes: [{ ...lane, cancel }] })
    const id = idOf(await world.build('b'))
    await world.submit(id, 's')
    for (const status of ['failed', 'canceled', 'expired']) {
      await pg.pool.query('UPDATE executions SET status = $2 WHERE id = $1', [id, status])
      expect(refused(await world.cancel(id, `c-${status}`)), status).toEqual([409, 'EXECUTION_TERMINAL'])
    }
    expect(built).toBe(0)
  })

  it('a failed execution with a venue reference is asked about, and nothing is written', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('b'))
    await world.submit(id, 's')
    await pg.pool.query(`UPDATE executions SET status = 'failed' WHERE id = $1`, [id])
    const order = world.venue.placed[0]!
    world.venue.status.set(order, 'filled')
    world.venue.fills.set(order, ['f'])
    const [calls, told] = [world.venue.calls, await events(id)]
    expect((await world.refresh(id)).json.data.status).toBe('failed')
    expect(world.venue.calls).toBe(calls + 1)
    expect(await events(id)).toBe(told)
    expect(await count('execution_fills WHERE execution_id = $1', [id])).toBe(0)
  })

  it('a modify is refused where the lane has none', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('b'))
    expect(refused(await world.post(`${id}/modify`, {}, 'm'))).toEqual([501, 'NOT_IMPLEMENTED'])
  })
})
