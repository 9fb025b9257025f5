// The table of execution states in the specification, as far as a refresh changes them.
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ManualClock } from '#core/clock'
import { Secret } from '#core/secret'
import { createExecutionStore } from '#storage/postgres/executions/store'
import { testLane } from '#test/support/execution/lane'
import { executionSuite, idOf, refused } from '#test/support/execution/suite'
import type { ExecutionWorld } from '#test/support/execution/world'
import type { ExecutionAdapter } from '#venues/lane'
import { CredentialRefusal } from '#venues/shared/exec/mapReadError'

const { pg, worldOf, count, events, setStatus } = executionSuite()

async function resting(world: ExecutionWorld): Promise<{ id: string; order: string }> {
  const built = await world.build(`b${Math.random()}`)
  await world.submit(idOf(built), idOf(built))
  return { id: idOf(built), order: built.json.data.unsigned.id }
}

describe('refresh', () => {
  it('appends fills with a transition only, each once', async () => {
    const world = await worldOf()
    const { id, order } = await resting(world)
    world.venue.fills.set(order, ['f1'])
    await world.refresh(id)
    expect(await count('execution_fills WHERE execution_id = $1', [id])).toBe(0)
    world.venue.status.set(order, 'filled')
    world.venue.fills.set(order, ['f1', 'f2'])
    await Promise.all([world.refresh(id), world.refresh(id), world.refresh(id)])
    expect(await count('execution_fills WHERE execution_id = $1', [id])).toBe(2)
    expect(await events(id)).toBe(3)
  })

  it.each(['filled', 'failed', 'expired', 'canceled'])(
    '“status follows the venue”: acked to %s, once',
    async (status) => {
      const world = await worldOf()
      const { id, order } = await resting(world)
      world.venue.status.set(order, status)
      world.venue.fills.set(order, status === 'canceled' ? ['part'] : [])
      const seen = await world.refresh(id)
      expect(seen.json.data).toMatchObject({
        status,
        fills: status === 'canceled' ? [{ key: 'part' }] : [],
        error: status === 'failed' ? 'rejected by venue' : null,
      })
      const eventCount = await events(id)
      world.venue.status.set(order, 'acked')
      expect((await world.refresh(id)).json.data.status).toBe(status)
      expect(await events(id)).toBe(eventCount)
    },
  )

  it('corrects an end that the venue contradicts, audits it, emits one event, and reserves its spend again', async () => {
    const clock = new ManualClock(Date.now())
    const world = await worldOf({ clock })
    const { rows: caps } = await pg.pool.query('INSERT INTO spend_caps VALUES ($1, 8) RETURNING scope_id', [
      world.accountId,
    ])
    expect(caps).toHaveLength(1)
    const reserved = async () =>
      (
        await pg.pool.query<{ n: string }>('SELECT sum(reserved)::float AS n FROM spend_reserved WHERE scope_id = $1', [
          world.accountId,
        ])
      ).rows[0]!.n
    const { id, order } = await resting(world)
    world.venue.status.set(order, 'canceled')
    expect((await world.refresh(id)).json.data.status).toBe('canceled')
    expect(await reserved()).toBe(0)
    // Another order uses half of its spend now.
    await world.build('meanwhile', { size: 5 })
    world.venue.status.set(order, 'acked')
    expect((await world.refresh(id)).json.data.status, 'a replica that lags').toBe('canceled')
    clock.advance(60_000)
    expect((await world.refresh(id)).json.data.status).toBe('acked')
    expect(await reserved()).toBe(8)
    world.venue.status.set(order, 'expired')
    await world.refresh(id)
    expect(await reserved()).toBe(5)
    world.venue.status.set(order, 'filled')
    world.venue.fills.set(order, ['f'])
    for (let look = 0; look < 2; look++)
      expect((await world.refresh(id)).json.data).toMatchObject({ status: 'filled', fills: [{ key: 'f' }] })
    const { rows } = await pg.pool.query<{ event: string }>(
      'SELECT event FROM execution_audit WHERE execution_id = $1 ORDER BY id',
      [id],
    )
    expect(rows.map(({ event }) => event)).toEqual([
      'build',
      'submit',
      'accepted',
      'seenCanceled',
      'correctedAcked',
      'seenExpired',
      'correctedFilled',
    ])
    expect(await events(id)).toBe(6)
    expect(await reserved()).toBe(8)
  })

  it('“a failed execution that carries a venue reference”: the venue is queried, nothing is written', async () => {
    const world = await worldOf()
    const { id, order } = await resting(world)
    await setStatus(id, 'failed')
    world.venue.status.set(order, 'filled')
    world.venue.fills.set(order, ['f'])
    const [calls, eventCount] = [world.venue.calls, await events(id)]
    expect((await world.refresh(id)).json.data.status).toBe('failed')
    expect(world.venue.calls).toBe(calls + 1)
    expect(await events(id)).toBe(eventCount)
    expect(await count('execution_fills WHERE execution_id = $1', [id])).toBe(0)
  })

  it('“no venue order id (includes rejected rows)”: 400 before any venue call', async () => {
    const world = await worldOf()
    const built = idOf(await world.build('b'))
    world.venue.mode = 'reject'
    const rejected = idOf(await world.build('r'))
    await world.submit(rejected, 's')
    const { calls } = world.venue
    for (const id of [built, rejected]) expect(refused(await world.refresh(id))).toEqual([400, 'VALIDATION_ERROR'])
    expect(world.venue.calls).toBe(calls)
  })

  it('appends a fill once, whether the venue repeats it in one response or in two', async () => {
    const world = await worldOf()
    const { id, order } = await resting(world)
    world.venue.status.set(order, 'filled')
    world.venue.fills.set(order, ['f1', 'f1', 'f2', 'f1'])
    expect((await world.refresh(id)).json.data.fills).toEqual([{ key: 'f1' }, { key: 'f2' }])
    expect((await world.refresh(id)).json.data.fills).toEqual([{ key: 'f1' }, { key: 'f2' }])
  })

  it('does not assign a matching order that already belongs to another execution', async () => {
    const lane = testLane()
    let like: string | null = null
    const read = async (...given: Parameters<NonNullable<typeof lane.refresh>['read']>) => {
      const seen = await lane.refresh!.read(...given)
      if (like === null) return seen
      return { status: 'filled' as const, venueRef: like, fills: [{ key: 'f', fill: { key: 'f' }, filledAt: 1 }] }
    }
    const world = await worldOf({ lanes: [{ ...lane, refresh: { ...lane.refresh!, read } }] })
    const { id, order } = await resting(world)
    world.venue.mode = 'forget'
    const lost = idOf(await world.build('lost'))
    await world.submit(lost, 'lost')
    like = order
    const eventCount = await events(lost)
    expect((await world.refresh(lost)).json.data).toMatchObject({ status: 'submitted', venueRef: null, fills: [] })
    expect([await events(lost), await count('execution_fills WHERE execution_id = $1', [lost])]).toEqual([
      eventCount,
      0,
    ])
    expect((await world.refresh(id)).json.data).toMatchObject({ status: 'filled', venueRef: order })
  })

  it('returns an observation and does not store it', async () => {
    const lane = testLane()
    const read = async (...given: Parameters<NonNullable<typeof lane.refresh>['read']>) => ({
      ...(await lane.refresh!.read(...given)),
      observation: { reason: 'seen-once-4b1d' },
    })
    const world = await worldOf({ lanes: [{ ...lane, refresh: { ...lane.refresh!, read } }] })
    const { id } = await resting(world)
    expect((await world.refresh(id)).json.data.observation).toEqual({ reason: 'seen-once-4b1d' })
    expect((await world.get(`/v1/exec/executions/${id}`)).json.data).not.toHaveProperty('observation')
    expect(await count(`executions e WHERE e::text LIKE '%seen-once-4b1d%'`)).toBe(0)
  })

  it('returns 404 for the execution of another account, and for one requested at another venue', async () => {
    const world = await worldOf({ lanes: [testLane(), testLane({}, 'xo')] })
    const { id } = await resting(world)
    const otherVenueReply = await world.world.post(`/v1/exec/xo/orders/${id}/refresh`, {})
    expect(refused(otherVenueReply)).toEqual([404, 'EXECUTION_NOT_FOUND'])
    world.actAs(await world.newAccount())
    for (const reply of [
      await world.refresh(id),
      await world.cancel(id, 'c'),
      await world.modify(id, 'm'),
      await world.submit(id, 's'),
      await world.post(`${id}/reservations`, {}),
      await world.get(`/v1/exec/executions/${id}`),
    ])
      expect(refused(reply)).toEqual([404, 'EXECUTION_NOT_FOUND'])
  })

  it('returns 401 with the venue for refused credentials, changes nothing, and opens the breaker for submits at the fifth', async () => {
    const lane = testLane()
    let reads = 0
    const read = () => {
      reads++
      return Promise.reject(new CredentialRefusal('VENUE_CREDENTIAL_REJECTED', 'invalid key', { exchange: 'novig' }))
    }
    const { body } = lane.submit!
    const world = await worldOf({ lanes: [{ ...lane, refresh: { ...lane.refresh!, body, read } }] })
    const refresh = () => world.post(`${id}/refresh`, { apiSecret: 'canary-secret-9f2c' })
    const { id } = await resting(world)
    const eventCount = await events(id)
    for (let i = 0; i < 5; i++) {
      const reply = await refresh()
      expect(refused(reply)).toEqual([401, 'VENUE_CREDENTIAL_REJECTED'])
      expect(reply.json.error.exchange).toBe('novig')
    }
    expect(refused(await refresh())).toEqual([429, 'VENUE_CREDENTIAL_BREAKER_OPEN'])
    expect(reads).toBe(5)
    expect(refused(await world.submit(idOf(await world.build('x')), 'x'))).toEqual([
      429,
      'VENUE_CREDENTIAL_BREAKER_OPEN',
    ])
    expect(world.venue.placed).toHaveLength(1)
    expect(await events(id)).toBe(eventCount)
    const other = await world.submit(idOf(await world.build('y')), 'y', { apiSecret: 'another' })
    expect(other.json.data.status).toBe('acked')
  })

  it('ignores that another account is not shown an order, but accepts what it is shown', async () => {
    const lane = testLane()
    const key = { apiSecret: z.string().transform((text) => new Secret(text)) }
    const { read } = lane.refresh!
    const refresh: NonNullable<ExecutionAdapter['refresh']> = {
      ...lane.refresh!,
      credentialFree: false,
      body: z.strictObject(key),
      asks: (given) => (given as { apiSecret: Secret }).apiSecret.reveal(),
      read: (context, execution, given, ...more) =>
        (given as { apiSecret: Secret }).apiSecret.reveal() === 'stranger'
          ? Promise.resolve({ status: null, shown: false, undone: true, venueRef: null, fills: [] })
          : read(context, execution, {}, ...more),
    }
    const clock = new ManualClock(Date.now())
    const world = await worldOf({ clock, lanes: [{ ...lane, refresh }] })
    await pg.pool.query('INSERT INTO spend_caps VALUES ($1, 8)', [world.accountId])
    const id = idOf(await world.build('b'))
    world.venue.mode = 'drop'
    await world.submit(id, 's')
    const look = async (apiSecret: string) => (await world.post(`${id}/refresh`, { apiSecret })).json.data
    for (let looks = 0; looks < 3; looks++) {
      clock.advance(10 * 60_000)
      expect(await look('stranger')).toMatchObject({
        status: 'submitted',
        observation: { reason: expect.stringContaining('a different key than it was submitted with') },
      })
    }
    // The resolution is the owner's: it releases no reserved spend.
    const word = { outcome: 'failed', reason: 'so it seems' }
    expect(refused(await world.post(`${id}/resolve`, { ...word, apiSecret: 'canary-secret-9f2c' }, 'r1'))).toEqual([
      409,
      'IDEMPOTENCY_CONFLICT',
    ])
    expect((await look('canary-secret-9f2c')).status).toBe('acked')
    const lost = idOf(await world.build('lost', { size: 1 }))
    world.venue.mode = 'forget'
    await world.submit(lost, 'sl')
    clock.advance(10 * 60_000)
    const resolved = await world.post(`${lost}/resolve`, { ...word, apiSecret: 'stranger' }, 'r2')
    expect(resolved.json.data.status).toBe('failed')
    const { rows } = await pg.pool.query('SELECT detail FROM execution_audit WHERE execution_id = $1 AND event = $2', [
      lost,
      'resolvedFailed',
    ])
    expect(rows[0].detail.venueAsked).toBe(false)
    expect(await count('executions WHERE id = $1 AND spend_day IS NOT NULL', [lost])).toBe(1)
    // The fingerprint is not secret, and equal in every process.
    const marks = await Promise.all([0, 1].map(() => createExecutionStore(pg.pool).markAccount('x')))
    expect(marks[0]).toEqual(marks[1])
    expect(await count(`executions e WHERE e::text LIKE '%canary-secret%'`)).toBe(0)
  })

  it('an order keeps its venue order id, whatever a query returns', async () => {
    const lane = testLane()
    let named: string | null = null
    const read: NonNullable<ExecutionAdapter['refresh']>['read'] = async (...given) => {
      const seen = await lane.refresh!.read(...given)
      return named === null ? seen : { ...seen, status: 'filled', venueRef: named, fills: [fillOf('f')] }
    }
    const fillOf = (key: string) => ({ key, fill: { key }, filledAt: 1 })
    const world = await worldOf({ lanes: [{ ...lane, refresh: { ...lane.refresh!, read } }] })
    const { id, order } = await resting(world)
    named = 'another'
    expect((await world.refresh(id)).json.data).toMatchObject({
      status: 'acked',
      venueRef: order,
      fills: [],
      observation: { reason: expect.stringContaining('the answer is about another order') },
    })
    named = order
    expect((await world.refresh(id)).json.data).toMatchObject({ status: 'filled', venueRef: order })
  })

  it('returns a retryable 503 for an unreachable venue, and changes nothing', async () => {
    const world = await worldOf()
    const { id } = await resting(world)
    await world.venue.close()
    const reply = await world.refresh(id)
    expect([...refused(reply), reply.json.error.retryable]).toEqual([503, 'NETWORK_ERROR', true])
    expect((await world.get(`/v1/exec/executions/${id}`)).json.data.status).toBe('acked')
  })
})

it('the audit and the fills cannot be changed', async () => {
  const world = await worldOf()
  const { id, order } = await resting(world)
  world.venue.status.set(order, 'filled')
  world.venue.fills.set(order, ['f'])
  await world.refresh(id)
  for (const statement of [
    `UPDATE execution_audit SET event = 'x' WHERE execution_id = $1`,
    'DELETE FROM execution_audit WHERE execution_id = $1',
    `UPDATE execution_fills SET venue = 'x' WHERE execution_id = $1`,
    'DELETE FROM execution_fills WHERE execution_id = $1',
  ])
    await expect(pg.pool.query(statement, [id]), statement).rejects.toThrow('append-only')
})
