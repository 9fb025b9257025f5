// Trading halts: what they reject and let through, who may set them, and that nothing is claimed after the response.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { silentLog } from '#core/log'
import { submitExecution } from '#orders/executions/submit'
import { createExecutionStore } from '#storage/postgres/executions/store'
import { deleteHalt, haltOf, insertHalt, listHalts } from '#storage/postgres/halts/halts'
import { createPool, inTransaction } from '#storage/postgres/pool'
import { testLane } from '#test/support/execution/lane'
import { executionSuite, idOf, refused } from '#test/support/execution/suite'
import type { ExecutionWorld } from '#test/support/execution/world'

const long = process.env.CROSSBOOK_TEST_LONG === '1'
/** On a busy machine. */
const patiently = { timeout: 15_000 }

const { pg, worldOf, count } = executionSuite()

const halt = (world: ExecutionWorld, body: object) => world.world.post('/v1/exec/halt', { reason: 'testing', ...body })
const resume = (world: ExecutionWorld, body: object) =>
  world.world.call('DELETE', '/v1/exec/halt', { body: JSON.stringify({ reason: 'tested', ...body }) })
const account = { scope: 'account' }
const novig = { scope: 'venue', venue: 'novig' }
const operator = { setBy: 'operator', setByName: 'anna', reason: 'the venue doubles fills', at: new Date() } as const
/** Including redemptions. */
const redeeming = testLane({
  redeem: {
    body: z.strictObject({ market: z.string() }),
    build: async ({ randomUuid }) => {
      const id = randomUuid()
      return {
        unsigned: { to: 'the market', id },
        terms: null,
        notionalUsd: null,
        feeEstimate: null,
        bounds: { sizeMax: 1 },
        clientRef: id,
        warnings: [],
        owner: null,
      }
    },
  },
})
const denied = [403, 'PERMISSION_DENIED']

describe('while an account is halted', () => {
  it('rejects orders, modifications and reservations, with the reason and who can lift the halt', async () => {
    const world = await worldOf()
    const resting = idOf(await world.build('resting'))
    expect((await world.submit(resting, 'r')).status).toBe(200)
    const order = idOf(await world.build('b'))
    const change = idOf(await world.modify(resting, 'm'))
    const { calls } = world.venue

    const reply = await halt(world, { ...account, reason: 'my bot went mad' })
    expect(reply.json.data).toEqual({
      changed: true,
      halts: [{ scope: 'account', venue: null, by: 'account', reason: 'my bot went mad', since: expect.any(String) }],
    })
    for (const id of [order, change]) {
      const refusal = await world.submit(id, `s${id}`)
      expect(refused(refusal)).toEqual(denied)
      expect(refusal.json.error.retryable).toBe(false)
      expect(refusal.json.error.message).toMatch(
        /^trading of this account is halted since 20.* by the account: my bot went mad; DELETE \/v1\/exec\/halt lifts it; nothing was sent$/,
      )
      expect(refused(await world.post(`${id}/reservations`, {}))).toEqual(denied)
      expect((await world.get(`/v1/exec/executions/${id}`)).json.data.status).toBe('built')
    }
    expect(world.venue.calls).toBe(calls)

    // After the halt is lifted, the same keys succeed.
    expect((await resume(world, account)).json.data).toEqual({ changed: true, halts: [] })
    expect((await world.submit(order, `s${order}`)).json.data.status).toBe('acked')
    expect((await world.submit(change, `s${change}`)).json.data.status).toBe('acked')
  })

  it('rejects a submit with an earlier reservation, which is still valid when the halt is lifted', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('b'))
    const { reservationId } = (await world.post(`${id}/reservations`, {})).json.data
    await halt(world, account)
    expect(refused(await world.submit(id, 's', { reservationId }))).toEqual(denied)
    await resume(world, account)
    expect((await world.submit(id, 's', { reservationId })).json.data.status).toBe('acked')
  })

  it('lets cancellations and redemptions through, and builds, previews, reads, refreshes, discards and replays', async () => {
    const world = await worldOf({ lanes: [redeeming] })
    const resting = idOf(await world.build('resting'))
    const before = await world.submit(resting, 'r')
    await halt(world, account)
    const cancel = idOf(await world.cancel(resting, 'c'))
    expect((await world.submit(cancel, 'cs')).json.data.status).toBe('acked')
    expect(world.venue.canceled).toHaveLength(1)
    const redemption = await world.build('redeem', { intent: 'redeem', market: 'm' })
    expect((await world.submit(idOf(redemption), 'rs')).status).toBe(200)
    expect((await world.build('b', { size: 5, dryRun: true })).status).toBe(200)
    const built = await world.build('b')
    expect(built.status).toBe(200)
    expect((await world.refresh(resting)).json.data.status).toBe('canceled')
    expect((await world.get('/v1/exec/executions')).json.data).toHaveLength(4)
    expect((await world.world.call('DELETE', `/v1/exec/novig/orders/${idOf(built)}`)).json.data.status).toBe('canceled')
    // What was sent before is returned as it is.
    const again = await world.submit(resting, 'r')
    expect([again.status, again.headers['idempotency-replay']]).toEqual([200, 'true'])
    expect(before.json.data.executionId).toBe(idOf(again))
  })

  it('rejects a modification to a smaller size; a cancel is the way to reduce', async () => {
    const world = await worldOf()
    const resting = idOf(await world.build('resting', { size: 9 }))
    await world.submit(resting, 'r')
    await halt(world, account)
    const less = idOf(await world.modify(resting, 'm', 3))
    expect(refused(await world.submit(less, 's'))).toEqual(denied)
  })

  it('does not affect other accounts and other venues', async () => {
    const world = await worldOf()
    await halt(world, { scope: 'venue', venue: 'Kalshi' })
    const id = idOf(await world.build('b'))
    expect((await world.submit(id, 's')).status).toBe(200)
    await halt(world, novig)
    const other = await world.newAccount()
    const kept = idOf(await world.build('kept'))
    world.actAs(other)
    expect((await world.submit(idOf(await world.build('b')), 's')).status).toBe(200)
    world.actAs(world.accountId)
    const refusal = await world.submit(kept, 'k')
    expect(refused(refusal)).toEqual(denied)
    expect(refusal.json.error.message).toContain('trading of this account at novig is halted')
    const { data } = (await world.get('/v1/exec/halt')).json
    expect(data.map(({ scope, venue, by }: Record<string, unknown>) => [scope, venue, by])).toEqual([
      ['venue', 'kalshi', 'account'],
      ['venue', 'novig', 'account'],
    ])
  })
})

describe('a halt', () => {
  it('set twice, or lifted when nothing is halted, changes nothing and reports that; each change is audited', async () => {
    const world = await worldOf()
    expect((await resume(world, account)).json.data).toEqual({ changed: false, halts: [] })
    const first = (await halt(world, { ...account, reason: ' one ' })).json.data
    const second = (await halt(world, { ...account, reason: 'two' })).json.data
    expect(second).toEqual({ changed: false, halts: first.halts })
    expect(first.halts[0].reason).toBe('one')
    expect((await resume(world, { ...account, reason: 'three' })).json.data.changed).toBe(true)
    const { rows } = await pg.pool.query(
      'SELECT action, venue, set_by, said_by, reason FROM trading_halt_audit WHERE account_id = $1 ORDER BY id',
      [world.accountId],
    )
    const by = { venue: null, set_by: 'account', said_by: world.accountId }
    expect(rows).toEqual([
      { action: 'halt', ...by, reason: 'one' },
      { action: 'resume', ...by, reason: 'three' },
    ])
    for (const change of ['UPDATE trading_halt_audit SET reason = $$x$$', 'DELETE FROM trading_halt_audit'])
      await expect(pg.pool.query(change)).rejects.toThrow('append-only')
  })

  it.each([
    ['no reason', { ...account, reason: ' ' }],
    ['a reason of two lines', { ...account, reason: 'a\nb' }],
    ['a reason with a control character', { ...account, reason: 'a\u001b[2J' }],
    ['a reason that is too long', { ...account, reason: 'x'.repeat(301) }],
    ['an unknown scope', { scope: 'key' }],
    ['a missing venue', { scope: 'venue' }],
    ['a venue with another scope', { scope: 'account', venue: 'novig' }],
    ['an unknown field', { ...account, until: 'tomorrow' }],
  ])('is rejected for %s', async (_name, body) => {
    const world = await worldOf()
    for (const ask of [halt, resume]) expect(refused(await ask(world, body))).toEqual([400, 'VALIDATION_ERROR'])
    expect(await count('trading_halts WHERE account_id = $1', [world.accountId])).toBe(0)
  })

  it('of all trading can only be set by the operator, and an unknown venue is rejected', async () => {
    const world = await worldOf()
    for (const ask of [halt, resume]) {
      expect(refused(await ask(world, { scope: 'all' }))).toEqual(denied)
      expect(refused(await ask(world, { scope: 'venue', venue: 'nowhere' }))).toEqual([404, 'VENUE_NOT_SUPPORTED'])
    }
  })

  it.each([
    ['everybody', { accountId: false, venue: null }, 'all', 'all trading is halted'],
    ['a venue', { accountId: false, venue: 'novig' }, 'venue', 'all trading at novig is halted'],
    ['an account', { accountId: true, venue: null }, 'account', 'trading of this account is halted'],
    [
      'an account at a venue',
      { accountId: true, venue: 'novig' },
      'venue',
      'trading of this account at novig is halted',
    ],
  ])('set by the operator on %s cannot be lifted by the account', async (_name, { accountId, venue }, scope, words) => {
    const world = await worldOf()
    const word = { ...operator, accountId: accountId ? world.accountId : null, venue }
    const id = idOf(await world.build('b'))
    expect(await insertHalt(pg.pool, word)).toBe(true)
    try {
      await halt(world, account)
      const mine = (await resume(world, account)).json.data
      expect(mine).toEqual({
        changed: true,
        halts: [{ scope, venue, by: 'operator', reason: operator.reason, since: operator.at.toISOString() }],
      })
      expect((await resume(world, venue === null ? account : novig)).json.data.changed).toBe(false)
      const refusal = await world.submit(id, 's')
      expect(refused(refusal)).toEqual(denied)
      expect(refusal.json.error.message).toContain(words)
      expect(refusal.json.error.message).toContain(
        'by the operator: the venue doubles fills; only the operator lifts it',
      )
    } finally {
      expect(await deleteHalt(pg.pool, word)).toBe(true)
    }
    expect((await world.submit(id, 's')).status).toBe(200)
  })

  it('applies at once in every process, and in those that start later', async () => {
    const world = await worldOf()
    const id = idOf(await world.build('b'))
    // As in another gateway: with its own pool and store.
    const pools = [0, 1].map(() => createPool({ url: pg.url, log: silentLog, connectionsMax: 2 }))
    const [one, other] = pools.map((pool) => createExecutionStore(pool)) as [typeof world.store, typeof world.store]
    const word = { ...operator, accountId: world.accountId, venue: null }
    try {
      await one.halt(word)
      expect(refused(await world.submit(id, 's'))).toEqual(denied)
      const caller = {
        accountId: world.accountId,
        keyId: 'k',
        country: null,
        isBlocked: false,
        signal: new AbortController().signal,
      }
      const submit = submitExecution({ ...world.deps, store: other }, caller, {
        venue: 'novig',
        executionId: id,
        key: 'cond:x:1',
        body: { apiSecret: 'x' },
      })
      await expect(submit).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
      // Every process has ended; a new one finds the halt in the database.
      await Promise.all(pools.map((pool) => pool.end()))
      pools.splice(0, 2, createPool({ url: pg.url, log: silentLog, connectionsMax: 2 }))
      expect((await listHalts(pools[0]!, world.accountId)).map(({ reason }) => reason)).toEqual([operator.reason])
      expect(await inTransaction(pools[0]!, (db) => haltOf(db, world.accountId, 'novig'))).not.toBeNull()
    } finally {
      await Promise.all(pools.map((pool) => pool.end()))
      await deleteHalt(pg.pool, word)
    }
  })
})

describe('a halt during submits', () => {
  const rounds = long ? 2_500 : 25
  const submitsPerRound = 4

  it(`allows no claim after its response (${rounds * submitsPerRound} submits)`, async () => {
    const world = await worldOf()
    let [through, kept] = [0, 0]
    for (let round = 0; round < rounds; round++) {
      const isGlobal = round % 5 === 0
      const word = {
        ...operator,
        accountId: isGlobal ? null : world.accountId,
        venue: round % 2 === 0 ? null : 'novig',
      }
      const ids = await Promise.all(
        Array.from({ length: submitsPerRound }, async (_, i) => idOf(await world.build(`b${round} ${i}`))),
      )
      const sent = async () =>
        (
          await pg.pool.query<{ id: string }>(
            `SELECT id FROM executions WHERE id = ANY($1) AND status <> 'built' ORDER BY id`,
            [ids],
          )
        ).rows.map(({ id }) => id)
      const submits = ids.map((id, i) => world.submit(id, `s${round} ${i}`))
      const claimed = (round % 3 === 0 ? Promise.resolve() : submits[round % submitsPerRound]!)
        .then(() => world.store.halt(word))
        .then(sent)
      const replies = await Promise.all(submits)
      expect(await sent()).toEqual(await claimed)
      for (const reply of replies)
        expect(reply.status === 200 || reply.json.error.code === 'PERMISSION_DENIED').toBe(true)
      through += replies.filter(({ status }) => status === 200).length
      kept += replies.filter(({ status }) => status !== 200).length
      await world.store.resume(word)
      // So that the rate limit rejects nothing.
      world.world.clock.advance(1_000)
    }
    expect(through).toBeGreaterThan(0)
    expect(kept).toBeGreaterThan(0)
    expect(world.venue.placed).toHaveLength(through)
  })

  it('waits for a claim in progress, while other submits are rejected', async () => {
    const world = await worldOf()
    const client = await pg.pool.connect()
    await client.query('BEGIN')
    expect(await haltOf(client, world.accountId, 'novig')).toBeNull()
    let answered = false
    const halting = halt(world, account).then((reply) => {
      answered = true
      return reply
    })
    await expect.poll(() => count('trading_halts WHERE account_id = $1', [world.accountId]), patiently).toBe(1)
    const waiting = `pg_locks WHERE locktype = 'advisory' AND NOT granted AND classid = 724604`
    await expect.poll(() => count(waiting), patiently).toBe(1)
    expect(answered).toBe(false)
    await client.query('ROLLBACK')
    client.release()
    expect((await halting).json.data.changed).toBe(true)
    expect(refused(await world.submit(idOf(await world.build('b')), randomUUID()))).toEqual(denied)
  })
})
