// A relay without an answer: settled by the rules of the venue where possible, otherwise by the owner; later evidence corrects it.
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ManualClock } from '#core/clock'
import { testLane } from '#test/support/execution/lane'
import { executionSuite, idOf, refused } from '#test/support/execution/suite'
import type { ExecutionStore, ExecutionWorld } from '#test/support/execution/world'
import type { ExecutionAdapter } from '#venues/lane'

const { pg, worldOf, count, events } = executionSuite()

const minute = 60_000
/** Of the test adapter: 45 s to send, signatures valid for 60 s, a minute of margin. */
const tooLateMs = 45_000 + 60_000 + minute

const lawless = (): ExecutionAdapter => {
  const lane = testLane()
  const { lateBound: _, ...submit } = lane.submit!
  return { ...lane, submit }
}
const credentialed = (): ExecutionAdapter => {
  const lane = lawless()
  return { ...lane, refresh: { ...lane.refresh!, credentialFree: false } }
}

/** Until then the order may be on its way, or not shown yet: 45 s to send and a minute. */
const settlingMs = 45_000 + minute

async function lost(options: Parameters<typeof worldOf>[0] = {}) {
  const clock = new ManualClock(Date.now())
  const world = await worldOf({ clock, ...options })
  await pg.pool.query('INSERT INTO spend_caps VALUES ($1, 8)', [world.accountId])
  const built = await world.build('b')
  const [id, order] = [idOf(built), built.json.data.unsigned.id as string]
  world.venue.mode = 'forget'
  await world.submit(id, 's')
  const look = async () => (await world.refresh(id)).json.data
  return { world, clock, id, order, look, resolve: resolverOf(world, id) }
}

const resolverOf =
  (world: ExecutionWorld, id: string) =>
  (key: string, body: object = {}) =>
    world.post(`${id}/resolve`, { outcome: 'failed', reason: 'the venue’s support says so', ...body }, key)

const reserved = async (accountId: string): Promise<number> =>
  (
    await pg.pool.query<{ n: number }>(
      'SELECT coalesce(sum(reserved), 0)::float AS n FROM spend_reserved WHERE scope_id = $1',
      [accountId],
    )
  ).rows[0]!.n

const lastAudit = async (id: string) =>
  (
    await pg.pool.query('SELECT event, detail FROM execution_audit WHERE execution_id = $1 ORDER BY id DESC LIMIT 1', [
      id,
    ])
  ).rows[0]

describe('an order that the venue does not show', () => {
  it('fails once the venue accepts no late copy, with the evidence, one event, and its reserved spend released', async () => {
    const { world, clock, id, look } = await lost()
    const early = await look()
    expect(early).toMatchObject({
      status: 'submitted',
      observation: {
        reason: expect.stringContaining('a late copy may be accepted until'),
        acceptableUntil: expect.any(String),
      },
    })
    clock.advance(tooLateMs - 1)
    expect((await look()).status).toBe('submitted')
    expect(await reserved(world.accountId)).toBe(5)
    clock.advance(1)
    const eventCount = await events(id)
    for (let again = 0; again < 2; again++) {
      expect(await look()).toMatchObject({
        status: 'failed',
        error: expect.stringContaining('signatures older than 30 s'),
      })
    }
    expect(await events(id)).toBe(eventCount + 1)
    expect(await reserved(world.accountId)).toBe(0)
    expect(await lastAudit(id)).toEqual({
      event: 'provedUndone',
      detail: {
        askedAt: expect.any(String),
        missingSince: expect.any(String),
        acceptableUntil: early.observation.acceptableUntil,
        rule: 'signatures older than 30 s are refused',
      },
    })
  })

  it('is queried twice, because one read may miss an order that moves between lists', async () => {
    const { clock, look } = await lost()
    clock.advance(10 * minute)
    expect(await look()).toMatchObject({
      status: 'submitted',
      observation: { reason: expect.stringContaining('refresh again in 10 s') },
    })
    clock.advance(9_999)
    expect((await look()).status).toBe('submitted')
    clock.advance(1)
    expect((await look()).status).toBe('failed')
  })

  it('fails when its process was killed between its claim and its relay', async () => {
    const dies = (store: ExecutionStore): ExecutionStore => ({
      ...store,
      claim: async (claim) => {
        await store.claim(claim)
        throw new Error('killed')
      },
    })
    const { world, clock, look } = await lost({ wrap: dies })
    expect((await look()).status).toBe('submitted')
    clock.advance(tooLateMs)
    expect((await look()).status).toBe('failed')
    expect(world.venue.placed).toEqual([])
  })

  it('is never sent late by a process that paused', async () => {
    const clock = new ManualClock(Date.now())
    const slow = (store: ExecutionStore): ExecutionStore => ({
      ...store,
      claim: async (claim) => {
        const claimed = await store.claim(claim)
        clock.advance(45_001)
        return claimed
      },
    })
    const world = await worldOf({ clock, wrap: slow })
    const id = idOf(await world.build('b'))
    expect(refused(await world.submit(id, 's'))).toEqual([503, 'NETWORK_ERROR'])
    expect(world.venue.calls).toBe(0)
    expect((await world.get(`/v1/exec/executions/${id}`)).json.data.status).toBe('built')
  })

  it('is corrected if it appears later, even if only our id for the order is known', async () => {
    const { world, clock, id, order, look } = await lost()
    await look()
    clock.advance(tooLateMs)
    expect(await look()).toMatchObject({ status: 'failed', venueRef: null })
    world.venue.status.set(order, 'filled')
    world.venue.fills.set(order, ['f'])
    expect(await look()).toMatchObject({ status: 'filled', venueRef: order, error: null, fills: [{ key: 'f' }] })
    expect((await lastAudit(id)).event).toBe('correctedFilled')
  })

  it('is not an order that awaits its fills: the venue shows that one', async () => {
    const lane = testLane()
    const read: NonNullable<ExecutionAdapter['refresh']>['read'] = async () => ({
      status: null,
      shown: true,
      venueRef: null,
      fills: [],
      observation: { fillsReconciled: false },
    })
    const { clock, look } = await lost({ lanes: [{ ...lane, refresh: { ...lane.refresh!, read } }] })
    clock.advance(1_000 * minute)
    await look()
    clock.advance(minute)
    expect(await look()).toMatchObject({ status: 'submitted', observation: { fillsReconciled: false } })
    expect((await look()).observation.reason).toBe(
      'the venue has ended the order, and its fills are not all there yet; to the submit the venue did not answer',
    )
  })

  it('if it is a cancellation, failed while the order rests', async () => {
    const { world, clock } = await lost()
    world.venue.mode = 'accept'
    world.venue.orderModes.clear()
    const built = await world.build('stands', { size: 2 })
    await world.submit(idOf(built), 'stands')
    const cancel = idOf(await world.cancel(idOf(built), 'c'))
    world.venue.mode = 'forget'
    await world.submit(cancel, 'sc')
    expect((await world.refresh(cancel)).json.data.status).toBe('submitted')
    clock.advance(tooLateMs)
    expect((await world.refresh(cancel)).json.data.status).toBe('failed')
    expect((await world.refresh(idOf(built))).json.data.status).toBe('acked')
  })
})

describe('resolve', () => {
  it('is required when the venue has no such rule; it is audited once and emits one event', async () => {
    const { world, clock, id, look, resolve } = await lost({ lanes: [lawless()] })
    clock.advance(1_000 * minute)
    await look()
    clock.advance(minute)
    expect(await look()).toMatchObject({
      status: 'submitted',
      observation: { reason: expect.stringContaining('resolve it'), acceptableUntil: null },
    })
    const eventCount = await events(id)
    const first = await resolve('r')
    expect(first.json.data, first.text).toMatchObject({
      status: 'failed',
      error: 'resolved by its owner: the venue’s support says so',
    })
    const again = await resolve('r')
    expect([again.status, again.headers['idempotency-replay'], again.json.data.status]).toEqual([200, 'true', 'failed'])
    expect(await events(id)).toBe(eventCount + 1)
    expect(await lastAudit(id)).toEqual({
      event: 'resolvedFailed',
      detail: { reason: 'the venue’s support says so', keyId: world.accountId, venueAsked: true },
    })
    // The venue was queried and showed nothing: the reserved spend is released.
    expect(await reserved(world.accountId)).toBe(0)
    expect(refused(await resolve('r', { reason: 'another' }))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    expect(refused(await resolve('other'))).toEqual([409, 'EXECUTION_TERMINAL'])
  })

  it.each(['failed', 'canceled', 'filled'])(
    'rejects `%s` while the order may be on its way or not shown yet: nothing ends, no reserved spend is released',
    async (outcome) => {
      for (const lane of [lawless(), credentialed(), testLane()]) {
        const { world, clock, id, look, resolve } = await lost({ lanes: [lane] })
        const early = await resolve('r', { outcome })
        expect(refused(early)).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
        expect(early.json.error.message).toContain(new Date(clock.now() + settlingMs).toISOString())
        clock.advance(settlingMs - 1)
        expect(refused(await resolve('r', { outcome }))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
        expect([(await look()).status, await reserved(world.accountId)]).toEqual(['submitted', 5])
        // Setting the clock forward ages nothing.
        clock.step(60 * minute)
        expect(refused(await resolve('r', { outcome }))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
        clock.advance(1)
        expect((await resolve('r', { outcome })).json.data).toMatchObject({ executionId: id, status: outcome })
      }
    },
  )

  it('is rejected for an order that appears within that time', async () => {
    const { world, clock, order, look, resolve } = await lost({ lanes: [lawless()] })
    expect((await resolve('r')).status).toBe(409)
    clock.advance(settlingMs - 1)
    world.venue.status.set(order, 'acked')
    clock.advance(1)
    expect(refused(await resolve('r'))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    expect((await look()).status).toBe('acked')
    expect(await reserved(world.accountId)).toBe(5)
  })

  it('is rejected while the venue shows the order, and when the outcome is known', async () => {
    const { world, clock, id, order, resolve } = await lost({ lanes: [lawless()] })
    clock.advance(settlingMs)
    for (const status of ['acked', 'filled', 'canceled']) {
      world.venue.status.set(order, status)
      expect(refused(await resolve(`r ${status}`))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    }
    await world.refresh(id)
    expect(refused(await resolve('ended'))).toEqual([409, 'EXECUTION_TERMINAL'])
    const built = idOf(await world.build('new', { size: 1 }))
    expect(refused(await resolverOf(world, built)('r'))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    world.venue.mode = 'accept'
    await world.submit(built, 'new')
    clock.advance(settlingMs)
    // It rests: there is nothing to resolve.
    for (const outcome of ['canceled', 'filled']) {
      expect(refused(await resolverOf(world, built)(outcome, { outcome }))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    }
    expect(refused(await resolverOf(world, built)('failed'))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
  })

  it('settles an accepted order that the venue no longer shows, records its fills and keeps its spend reserved', async () => {
    const lane = testLane()
    const fills = [{ key: 'f1', fill: { size: '2' }, filledAt: 1 }]
    const read: NonNullable<ExecutionAdapter['refresh']>['read'] = async (_context, { venueRef }) => ({
      status: null,
      shown: true,
      matchedSize: '2',
      venueRef,
      fills,
      observation: { reason: 'it does not rest, and 2 of 5 were filled' },
    })
    const clock = new ManualClock(Date.now())
    const world = await worldOf({ clock, lanes: [{ ...lane, refresh: { ...lane.refresh!, read } }] })
    await pg.pool.query('INSERT INTO spend_caps VALUES ($1, 8)', [world.accountId])
    const id = idOf(await world.build('b'))
    await world.submit(id, 's')
    expect((await world.refresh(id)).json.data).toMatchObject({ status: 'acked', matchedSize: '2', fills: [] })
    expect(refused(await resolverOf(world, id)('early', { outcome: 'canceled' }))).toEqual([
      409,
      'IDEMPOTENCY_CONFLICT',
    ])
    clock.advance(settlingMs)
    expect((await resolverOf(world, id)('r', { outcome: 'canceled' })).json.data).toMatchObject({
      status: 'canceled',
      matchedSize: '2',
    })
    expect((await world.get('/v1/exec/novig/trades')).json.data).toMatchObject([
      { executionId: id, fill: { size: '2' } },
    ])
    expect(await reserved(world.accountId)).toBe(5)
    expect(await lastAudit(id)).toMatchObject({ event: 'resolvedCanceled', detail: { venueAsked: true } })
  })

  it('works where the adapter is disabled', async () => {
    const { world, clock, resolve } = await lost({ lanes: [lawless()] })
    clock.advance(settlingMs)
    world.lanes.clear()
    expect((await resolve('r')).json.data).toMatchObject({ status: 'failed' })
  })

  it.each(['acked', 'filled', 'canceled'])(
    'cannot contradict what the venue showed when it was queried, even without credentials (%s)',
    async (status) => {
      const lane = credentialed()
      const body = z.strictObject({ token: z.string().optional() })
      const { world, clock, id, order, resolve } = await lost({
        lanes: [{ ...lane, refresh: { ...lane.refresh!, body } }],
      })
      clock.advance(settlingMs)
      world.venue.status.set(order, status)
      expect(refused(await resolve('asked', { token: 't' }))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
      expect((await resolve('word')).status).toBe(409)
      expect((await world.get(`/v1/exec/executions/${id}`)).json.data.status).toBe(status)
    },
  )

  it('cannot contradict fills that the venue reported, even if it does not show all of them yet', async () => {
    const read: NonNullable<ExecutionAdapter['refresh']>['read'] = async () => ({
      status: null,
      shown: true,
      matchedSize: '1',
      venueRef: null,
      fills: [],
    })
    const lane = credentialed()
    const { world, clock, look, resolve } = await lost({ lanes: [{ ...lane, refresh: { ...lane.refresh!, read } }] })
    clock.advance(settlingMs)
    await look()
    expect(refused(await resolve('none'))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    // Known fills are recorded, whatever happened to the rest.
    expect((await resolve('gone', { outcome: 'canceled' })).json.data).toMatchObject({ status: 'canceled' })
    expect((await world.get('/v1/exec/novig/trades')).json.data).toMatchObject([
      { fill: { aggregate: true, size: '1', price: null } },
    ])
    expect(await reserved(world.accountId)).toBe(5)
  })

  it('without a query keeps the spend reserved; a later report of the venue corrects it', async () => {
    const { world, clock, id, order, look, resolve } = await lost({ lanes: [credentialed()] })
    clock.advance(settlingMs)
    expect((await resolve('r', { outcome: 'canceled' })).json.data).toMatchObject({ status: 'canceled', error: null })
    expect(await lastAudit(id)).toMatchObject({ event: 'resolvedCanceled', detail: { venueAsked: false } })
    expect(await reserved(world.accountId)).toBe(5)
    world.venue.status.set(order, 'acked')
    clock.advance(minute)
    expect(await look()).toMatchObject({ status: 'acked', venueRef: order })
    expect((await lastAudit(id)).event).toBe('correctedAcked')
  })

  it.each([
    { outcome: 'acked' },
    { outcome: undefined },
    { reason: '' },
    { reason: 'x'.repeat(301) },
    { reason: 'two\nlines' },
    { apiSecret: 'a field that refresh does not accept' },
  ])('rejects %j', async (body) => {
    const { clock, resolve } = await lost({ lanes: [lawless()] })
    clock.advance(settlingMs)
    expect(refused(await resolve('r', body))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('twice at the same time: one settles the order, the other gets its result', async () => {
    const { clock, id, resolve } = await lost({ lanes: [lawless()] })
    clock.advance(settlingMs)
    const replies = await Promise.all([resolve('a'), resolve('a'), resolve('b', { outcome: 'filled' })])
    expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    expect(await count(`execution_audit WHERE execution_id = $1 AND event LIKE 'resolved%'`, [id])).toBe(1)
    for (const reply of replies) if (reply.status !== 200) expect(reply.status).toBe(409)
  })

  it('is superseded by a relay that was accepted meanwhile', async () => {
    const lane = lawless()
    let go: (() => void) | undefined
    const held = new Promise<void>((resolve) => {
      go = resolve
    })
    let sent: (() => void) | undefined
    const sending = new Promise<void>((resolve) => {
      sent = resolve
    })
    // A response may take any time.
    const relay: NonNullable<ExecutionAdapter['submit']>['relay'] = async (...given) => {
      const outcome = await lane.submit!.relay(...given)
      world.venue.status.clear()
      sent!()
      await held
      return outcome
    }
    const clock = new ManualClock(Date.now())
    const world: ExecutionWorld = await worldOf({ clock, lanes: [{ ...lane, submit: { ...lane.submit!, relay } }] })
    const built = await world.build('b')
    const id = idOf(built)
    const submitting = world.submit(id, 's')
    await sending
    clock.advance(settlingMs)
    expect((await resolverOf(world, id)('r')).json.data.status).toBe('failed')
    go!()
    expect((await submitting).json.data).toMatchObject({
      status: 'acked',
      error: null,
      venueRef: built.json.data.unsigned.id,
    })
    expect((await lastAudit(id)).event).toBe('correctedAcked')
  })
})
