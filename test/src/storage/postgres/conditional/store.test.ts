import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { conditionalSteps } from '#orders/conditional/transitions'
import { ConditionalStatusChanged } from '#schemas/webhooks'
import { reportConditional } from '#storage/postgres/conditional/cancelAndReport'
import { createExecutionStore } from '#storage/postgres/executions/store'
import { inTransaction } from '#storage/postgres/pool'
import {
  type ConditionalOrders,
  evening,
  limits,
  noon,
  openConditionalOrders,
  sha256,
} from '#test/support/conditional/book'
import { withPostgres } from '#test/support/postgres'

const pg = withPostgres()
let book: ConditionalOrders
beforeAll(async () => {
  book = await openConditionalOrders(pg.pool)
})

describe('arming', () => {
  it('stores the rule and the sealed artifact, and records an event', async () => {
    const row = await book.arm({ armCountry: 'DE' })
    expect(row).toMatchObject({ status: 'armed', fire_mode: 'hosted', arm_country: 'DE', fire_attempts: 0 })
    expect(row).not.toHaveProperty('sealed')
    expect(await book.isSealed(row.id)).toBe(true)
    expect(await book.history(row.id)).toEqual(['null>armed api'])
    expect(await book.publishedEvents(row.id)).toEqual([])
  })

  it('replaces the earlier order of the same execution and erases its artifact, under concurrent calls', async () => {
    const executionId = await book.execution()
    const tries = await Promise.all(Array.from({ length: 12 }, () => book.tryArm({ executionId })))
    // Each replaced the one before; none failed except by a lock timeout.
    const ids = tries.map((result) => (result.kind === 'armed' ? result.row.id : result.kind))
    const { rows } = await pg.pool.query<{ id: string; status: string; sealed: Buffer | null }>(
      'SELECT id, status, sealed FROM conditional_orders WHERE execution_id = $1 ORDER BY seq',
      [executionId],
    )
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(ids))
    const armed = rows.filter(({ status }) => status === 'armed')
    expect(armed).toHaveLength(1)
    for (const { status, sealed } of rows) expect(status === 'armed').toBe(sealed !== null)
  })

  it('binds its idempotency key once', async () => {
    const [a, b] = [await book.wanted({ key: 'k' }), await book.wanted({ key: 'k' })]
    expect(await book.store.arm(a, limits)).toMatchObject({ kind: 'armed' })
    expect(await book.store.arm(b, limits)).toEqual({ kind: 'taken' })
    expect(await book.store.findKey(book.accountId, 'arm', 'k')).toEqual({
      conditionalId: a.id,
      bodySha256: sha256('body'),
    })
  })

  it('is rejected when the execution is submitted, being fired or about to be submitted', async () => {
    const executionId = await book.execution()
    await book.setExecution(executionId, 'submitted')
    expect(await book.tryArm({ executionId })).toEqual({ kind: 'not_built', status: 'submitted' })
    const { id, execution_id } = await book.arm()
    await book.trigger(id)
    expect(await book.tryArm({ executionId: execution_id })).toEqual({ kind: 'attempt' })
  })

  it('joins a group until one of its orders has fired or the group is full', async () => {
    const ocoGroupId = randomUUID()
    const a = await book.arm({ ocoGroupId })
    await book.arm({ ocoGroupId })
    expect(await book.store.arm(await book.wanted({ ocoGroupId }), { ...limits, groupMax: 2 })).toEqual({
      kind: 'group_full',
    })
    // Re-arming one of them keeps its place.
    const again = await book.store.arm(await book.wanted({ ocoGroupId, executionId: a.execution_id }), {
      ...limits,
      groupMax: 2,
    })
    if (again.kind !== 'armed') throw new Error(again.kind)
    await book.trigger(again.row.id)
    await book.fire(again.row.id)
    expect(await book.tryArm({ ocoGroupId })).toEqual({ kind: 'group_closed' })
  })
})

describe('an account at its limit', () => {
  it('cannot arm another order, but can re-arm one, and arm another when one has ended', async () => {
    const own = await openConditionalOrders(pg.pool)
    const few = { ...limits, accountMax: 2 }
    const [a] = [await own.arm(), await own.arm()]
    const third = await own.wanted()
    expect(await own.store.arm(third, few)).toEqual({ kind: 'account_full' })
    const again = await own.store.arm(await own.wanted({ executionId: a.execution_id }), few)
    expect(again).toMatchObject({ kind: 'armed' })
    if (again.kind === 'armed') await own.trigger(again.row.id).then(() => own.fire(again.row.id))
    // The rejection bound no idempotency key.
    expect(await own.store.arm(third, few)).toMatchObject({ kind: 'armed' })
  })

  it('never exceeds the limit, however many orders it arms at once', async () => {
    const own = await openConditionalOrders(pg.pool)
    const wanted = await Promise.all(Array.from({ length: 12 }, () => own.wanted()))
    const made = await Promise.all(wanted.map((one) => own.store.arm(one, { ...limits, accountMax: 5 })))
    const kinds = made.map(({ kind }) => kind).toSorted()
    expect(kinds).toEqual([...Array<string>(7).fill('account_full'), ...Array<string>(5).fill('armed')])
  })
})

describe('a trigger', () => {
  it('wins once, stores its evidence and emits an event', async () => {
    const { id } = await book.arm()
    const wins = await Promise.all(Array.from({ length: 5 }, () => book.trigger(id)))
    expect(wins.filter(Boolean)).toHaveLength(1)
    const row = await book.store.find(book.accountId, id)
    expect(row).toMatchObject({ status: 'triggered', trigger_evidence: { book: 1 }, triggered_at: noon })
    expect(await book.history(id)).toEqual(['null>armed api', 'armed>triggered trigger_engine'])
    expect(await book.publishedEvents(id)).toEqual(['conditional.triggered'])
    const { rows } = await pg.pool.query(`SELECT payload FROM outbox WHERE payload->>'conditionalId' = $1`, [id])
    expect(ConditionalStatusChanged.strict().parse(rows[0].payload)).toMatchObject({
      executionId: row!.execution_id,
      status: 'triggered',
      previousStatus: 'armed',
      triggerEvidence: { book: 1 },
      // The order was armed at noon.
      occurredAt: '2026-06-01T12:00:00.001Z',
    })
  })

  it('is rejected after the order’s expiry', async () => {
    const { id } = await book.arm()
    expect(await book.trigger(id, evening)).toBe(false)
    const { ended } = await book.store.expireDue({ limit: 1_000, at: evening })
    expect(ended.map((row) => row.id)).toContain(id)
    expect(await book.isSealed(id)).toBe(false)
    expect(await book.publishedEvents(id)).toEqual(['conditional.expired'])
  })
})

describe('firing', () => {
  const claim = (owner: string, leaseMs = 60_000) => book.store.claimFiring({ owner, leaseMs, limit: 1_000, at: noon })

  it('belongs to one process at a time, and to its successor after the lease expired', async () => {
    const { id } = await book.arm()
    expect((await claim('a')).map((row) => row.id)).not.toContain(id)
    await book.trigger(id)
    const mine = (await claim('a', 0)).find((row) => row.id === id)!
    const theirs = (await claim('b')).find((row) => row.id === id)!
    expect(theirs.status).toBe('firing')
    expect(await claim('c')).toEqual([])
    expect(await book.store.readArtifact(id, mine.lease)).toBeNull()
    expect(await book.store.settleFire({ id, lease: mine.lease, outcome: 'fired', at: noon })).toBeNull()
    expect(await book.store.readArtifact(id, theirs.lease)).toMatchObject({
      sealed: Buffer.from('sealed'),
      keyId: 'k1',
    })
    const pause = { id, lease: theirs.lease, afterMs: 60_000, lastError: 'busy', attempts: 3, at: noon }
    expect(await book.store.postpone({ ...pause, lease: mine.lease })).toBe(false)
    expect(await book.store.postpone(pause)).toBe(true)
    expect(await claim('c')).toEqual([])
    await pg.pool.query('UPDATE conditional_orders SET retry_at = clock_timestamp() WHERE id = $1', [id])
    const { lease, ...again } = (await claim('c')).find((row) => row.id === id)!
    expect(again).toMatchObject({ fire_attempts: 3, last_error: 'busy' })
    expect(await book.store.settleFire({ id, lease, outcome: 'fired', at: noon })).toMatchObject({ status: 'fired' })
    expect(await book.isSealed(id)).toBe(false)
    expect(await book.publishedEvents(id)).toEqual(['conditional.triggered', 'conditional.fired'])
  })

  it('fires one order of a group at a time: success supersedes the others, a failure lets them continue', async () => {
    const ocoGroupId = randomUUID()
    const legs = [await book.arm({ ocoGroupId }), await book.arm({ ocoGroupId }), await book.arm({ ocoGroupId })]
    const ids = legs.map(({ id }) => id)
    for (const id of ids.slice(0, 2)) await book.trigger(id)
    const first = (await claim('a')).filter(({ id }) => ids.includes(id))
    expect(first).toHaveLength(1)
    expect(await claim('b')).toEqual([])
    const failed = {
      id: first[0]!.id,
      lease: first[0]!.lease,
      outcome: 'fire_failed',
      lastError: 'no',
      at: noon,
    } as const
    expect(await book.store.settleFire(failed)).toMatchObject({ status: 'fire_failed', last_error: 'no' })
    const second = (await claim('b')).filter(({ id }) => ids.includes(id))
    expect(second).toHaveLength(1)
    expect(second[0]!.id).not.toBe(first[0]!.id)
    await book.store.settleFire({ id: second[0]!.id, lease: second[0]!.lease, outcome: 'fired', at: noon })
    expect(await book.statusOf(ids[2]!)).toBe('superseded')
    expect(await book.isSealed(ids[2]!)).toBe(false)
    expect(await book.publishedEvents(ids[2]!)).toEqual([])
  })
})

it('fires grouped orders and lone orders together, however many lone orders there are', async () => {
  const own = await openConditionalOrders(pg.pool)
  const lone = await own.arm()
  const [left, grouped] = [await own.arm(), await own.arm({ ocoGroupId: randomUUID() })]
  for (const { id } of [lone, left, grouped]) await own.trigger(id)
  const claim = (owner: string, limit: number) => own.store.claimFiring({ owner, leaseMs: 60_000, limit, at: noon })
  await claim('a', 1_000)
  // Two that were left behind or are in a group, and one of those that arrive all the time.
  await pg.pool.query('UPDATE conditional_orders SET leased_until = clock_timestamp() WHERE id = $1', [left.id])
  await pg.pool.query(`UPDATE conditional_orders SET status = 'triggered' WHERE id = ANY ($1::uuid[])`, [
    [lone.id, grouped.id],
  ])
  const taken = (await claim('b', 1_000)).map(({ id }) => id)
  expect(taken.toSorted()).toEqual([lone.id, left.id, grouped.id].toSorted())
})

it('expires the other orders while a group and an order are locked', async () => {
  const own = await openConditionalOrders(pg.pool)
  const ended = new Date(noon.getTime() + 1)
  const accepted = async (ocoGroupId: string) => {
    const order = await own.arm({ fireMode: 'client', ocoGroupId, expiresAt: ended })
    await own.trigger(order.id)
    await own.setExecution(order.execution_id, 'acked', randomUUID())
    return order
  }
  const [heldGroup, freeGroup] = [randomUUID(), randomUUID()]
  const [behind, free] = [await accepted(heldGroup), await accepted(freeGroup)]
  const [heldRow, last] = [await own.arm({ expiresAt: ended }), await own.arm({ expiresAt: new Date(+ended + 1) })]
  const holder = await pg.pool.connect()
  onTestFinished(() => holder.query('ROLLBACK').then(() => holder.release()))
  await holder.query('BEGIN')
  await holder.query('SELECT FROM oco_groups WHERE id = $1 FOR UPDATE', [heldGroup])
  await holder.query('SELECT FROM conditional_orders WHERE id = $1 FOR UPDATE', [heldRow.id])
  const at = new Date(+ended + 1)
  let after: Awaited<ReturnType<typeof own.store.expireDue>>['next'] = null
  do after = (await own.store.expireDue({ limit: 1, at, after })).next
  while (after !== null)
  const statuses = await Promise.all([behind, free, heldRow, last].map(({ id }) => own.statusOf(id)))
  expect(statuses).toEqual(['triggered', 'fired', 'armed', 'expired'])
})

describe('a trigger in a process that fires', () => {
  const decided = (ids: readonly string[]) => ids.map((id) => ({ id, evidence: { book: 1 } }))
  const triggered = async (ids: readonly string[], limit = 100) => {
    const claim = { owner: 'here', leaseMs: 60_000, limit, at: noon }
    const given = { at: noon, claim, isRecalled: () => false, late: () => undefined }
    return (await book.store.triggerUnlessRecalled(decided(ids), given))!
  }

  it('writes nothing when a decision is recalled before the commit', async () => {
    const { id } = await book.arm()
    const given = { at: noon, claim: null, isRecalled: () => true, late: () => undefined }
    expect(await book.store.triggerUnlessRecalled(decided([id]), given)).toBeNull()
    expect([await book.statusOf(id), await book.publishedEvents(id)]).toEqual(['armed', []])
    expect(await book.history(id)).toEqual(['null>armed api'])
  })

  it('leases the triggered orders, with everything needed to submit them', async () => {
    const { id, execution_id: executionId } = await book.arm()
    const { rows, turns } = await triggered([id])
    expect(rows).toMatchObject([{ id, status: 'triggered', trigger_evidence: { book: 1 } }])
    expect(turns).toMatchObject([
      {
        held: { id, status: 'firing', lease: { owner: 'here' } },
        execution: { id: executionId, status: 'built' },
        artifact: { sealed: Buffer.from('sealed'), keyId: 'k1' },
      },
    ])
    expect(await book.history(id)).toEqual([
      'null>armed api',
      'armed>triggered trigger_engine',
      'triggered>firing exec_fire',
    ])
    expect(await book.publishedEvents(id)).toEqual(['conditional.triggered'])
    const { lease } = turns[0]!.held
    expect(await book.store.settleFire({ id, lease, outcome: 'fired', at: noon })).toMatchObject({ status: 'fired' })
  })

  it('leases at most the limit, nothing in client mode, and nothing that did not trigger', async () => {
    const client = await book.arm({ fireMode: 'client' })
    const [a, b, gone] = [await book.arm(), await book.arm(), await book.arm({ expiresAt: noon })]
    const { rows, turns } = await triggered([client.id, a.id, b.id, gone.id], 1)
    expect(rows.map(({ id }) => id).toSorted()).toEqual([client.id, a.id, b.id].toSorted())
    expect(turns).toHaveLength(1)
    expect((await triggered([a.id, b.id])).rows).toEqual([])
    const statuses = await Promise.all([client, a, b, gone].map(({ id }) => book.statusOf(id)))
    expect(statuses.toSorted()).toEqual(['armed', 'firing', 'triggered', 'triggered'])
  })

  it('leases one order of a group, and none while a sibling has an attempt', async () => {
    const ocoGroupId = randomUUID()
    const legs = [await book.arm({ ocoGroupId }), await book.arm({ ocoGroupId }), await book.arm({ ocoGroupId })]
    const { rows, turns } = await triggered(legs.slice(0, 2).map(({ id }) => id))
    expect(rows).toHaveLength(2)
    expect(turns).toHaveLength(1)
    const last = await triggered([legs[2]!.id])
    expect([last.rows.length, last.turns.length]).toEqual([1, 0])
    const { id, lease } = turns[0]!.held
    await book.store.settleFire({ id, lease, outcome: 'fired', at: noon })
    const statuses = await Promise.all(legs.map((leg) => book.statusOf(leg.id)))
    expect(statuses.toSorted()).toEqual(['fired', 'superseded', 'superseded'])
  })

  it('does not wait for a locked group', async () => {
    const ocoGroupId = randomUUID()
    const { id } = await book.arm({ ocoGroupId })
    const other = await pg.pool.connect()
    await other.query('BEGIN')
    await other.query('SELECT FROM oco_groups WHERE id = $1 FOR UPDATE', [ocoGroupId])
    const { rows, turns } = await triggered([id])
    expect([rows.length, turns.length]).toEqual([1, 0])
    await other.query('COMMIT')
    other.release()
    expect(await book.fire(id)).toMatchObject({ status: 'fired' })
  })
})

describe('a cancel', () => {
  const cancel = (id: string, key: string = randomUUID()) =>
    book.store.cancel({ accountId: book.accountId, id, key, bodySha256: sha256(id), at: noon })

  it('ends an armed order and erases its artifact, and repeated or concurrent calls succeed as well', async () => {
    const { id } = await book.arm()
    const results = await Promise.all(Array.from({ length: 5 }, () => cancel(id)))
    for (const result of results) expect(result).toMatchObject({ kind: 'canceled', row: { status: 'canceled' } })
    expect(await book.isSealed(id)).toBe(false)
    expect(await book.history(id)).toEqual(['null>armed api', 'armed>canceled api'])
  })

  it('leaves a triggered hosted order to the fire loop, and binds no key for it', async () => {
    const { id } = await book.arm()
    await book.trigger(id)
    expect(await cancel(id, 'refused')).toMatchObject({ kind: 'not_armed' })
    expect(await book.store.findKey(book.accountId, 'cancel', 'refused')).toBeNull()
  })

  it('returns not found for the order of another account', async () => {
    const { id } = await book.arm()
    const other = await openConditionalOrders(pg.pool)
    const request = { accountId: other.accountId, id, key: 'k', bodySha256: sha256(id), at: noon }
    expect(await other.store.cancel(request)).toEqual({ kind: 'not_found' })
  })
})

describe('a report', () => {
  it('of nothing submitted is rejected after a concurrent acceptance commits', async () => {
    const { id, execution_id: executionId } = await book.arm({ fireMode: 'client', ocoGroupId: randomUUID() })
    await book.trigger(id)
    await book.setExecution(executionId, 'submitted')
    const client = await pg.pool.connect()
    await client.query('BEGIN')
    await client.query(`UPDATE executions SET status = 'acked', venue_ref = 'v1' WHERE id = $1`, [executionId])
    let isDone = false
    const report = { id, outcome: 'not_submitted', venueRef: null, reason: 'r', at: noon } as const
    const reported = inTransaction(pg.pool, (db) =>
      reportConditional(db, conditionalSteps, { accountId: book.accountId, ...report }),
    ).finally(() => {
      isDone = true
    })
    const waiting = "SELECT FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted"
    await vi.waitFor(async () => expect(isDone || (await pg.pool.query(waiting)).rowCount! > 0).toBe(true))
    await client.query('COMMIT')
    client.release()
    expect(await reported).toEqual({ kind: 'attempt' })
    expect(await book.statusOf(id)).toBe('triggered')
  })
})

it('returns every change to a follower, including one committed after later ones', async () => {
  const { store } = book
  const mark = await store.mark()
  const slow = await pg.pool.connect()
  const [a, b] = [await book.arm(), await book.arm()]
  await slow.query('BEGIN')
  await slow.query(`UPDATE conditional_orders SET changed_in = pg_current_xact_id() WHERE id = $1`, [a.id])
  await book.trigger(b.id)
  const first = await store.changedSince({ since: mark, after: null, limit: 100 })
  expect(first.orders.map(({ id, status }) => [id, status])).toEqual([
    [a.id, 'armed'],
    [b.id, 'triggered'],
  ])
  await slow.query('COMMIT')
  slow.release()
  const second = await store.changedSince({ since: first.mark, after: null, limit: 100 })
  expect(second.orders.map(({ id }) => id)).toContain(a.id)
  const paged = await store.changedSince({ since: mark, after: null, limit: 1 })
  const next = await store.changedSince({ since: mark, after: paged.orders[0]!, limit: 10 })
  expect(next.orders).toHaveLength(1)
  expect((await store.changedSince({ since: second.mark, after: null, limit: 100 })).orders).toEqual([])
})

it('undoes a change whose webhook event cannot be stored', async () => {
  const own = await openConditionalOrders(pg.pool)
  const { id } = await own.arm()
  const refused = async (change: () => Promise<unknown>): Promise<void> => {
    await pg.pool.query('ALTER TABLE outbox ADD CONSTRAINT refused CHECK (false) NOT VALID')
    try {
      await expect(change()).rejects.toMatchObject({ constraint: 'refused' })
    } finally {
      await pg.pool.query('ALTER TABLE outbox DROP CONSTRAINT refused')
    }
  }
  const claim = { owner: 'a', leaseMs: 60_000, limit: 1_000, at: noon }
  const recall = { at: noon, claim, isRecalled: () => false, late: () => undefined }
  await refused(() => own.trigger(id))
  await refused(() => own.store.triggerUnlessRecalled([{ id, evidence: {} }], recall))
  expect(await own.statusOf(id)).toBe('armed')
  await own.trigger(id)
  const { lease } = (await own.store.claimFiring(claim)).find((row) => row.id === id)!
  await pg.pool.query('UPDATE conditional_orders SET fire_attempts = 1 WHERE id = $1', [id])
  const pause = { id, lease, afterMs: 1, lastError: 'no answer', isUnknown: true, at: noon }
  await refused(() => own.store.postpone(pause))
  await refused(() => own.store.settleFire({ id, lease, outcome: 'fired', at: noon }))
  expect(await own.store.find(own.accountId, id)).toMatchObject({ status: 'firing', last_error: null })
  expect(await own.history(id)).toHaveLength(3)
  expect([await own.publishedEvents(id), await own.unknownOutcomes(id)]).toEqual([['conditional.triggered'], []])
})

describe('event times of an order', () => {
  const later = (ms: number): Date => new Date(noon.getTime() + ms)
  const timesOf = async (id: string): Promise<number[]> =>
    (await book.store.listEvents(id)).map(({ ts }) => ts.getTime())

  it('never go back, even if a later step has an earlier time because two clocks differ', async () => {
    const { id, account_id } = await book.arm()
    await book.trigger(id, later(2_000))
    const claim = { owner: randomUUID(), leaseMs: 20_000, limit: 1_000, at: later(500) }
    const held = (await book.store.claimFiring(claim)).find((row) => row.id === id)!
    await book.store.settleFire({ id, lease: held.lease, outcome: 'fired', lastError: undefined, at: later(1_000) })
    expect(await timesOf(id)).toEqual([0, 2_000, 2_001, 2_002].map((ms) => later(ms).getTime()))
    expect((await book.store.find(account_id, id))!.updated_at).toEqual(later(2_002))
  })

  it('distinguish two triggers of an order, however slow the clock of the triggering process', async () => {
    const { id } = await book.arm({ at: later(60_000) })
    const steps = ['triggered', 'armed', 'triggered'] as const
    for (const status of steps) {
      if (status === 'triggered') await book.trigger(id, noon)
      else await book.store.rearmStale({ limit: 1_000, at: later(3_600_000) })
      expect(await book.statusOf(id)).toBe(status)
    }
    const { rows } = await pg.pool.query<{ at: string }>(
      `SELECT payload ->> 'occurredAt' AS at FROM outbox WHERE event = 'conditional.triggered' AND payload ->> 'conditionalId' = $1 ORDER BY id`,
      [id],
    )
    expect(rows).toHaveLength(2)
    expect(rows[0]!.at < rows[1]!.at).toBe(true)
  })

  it.each([
    ['before it was armed', { armed: 1_000, decided: 0, claimed: 500 }, [1_000, 1_001, 1_002, 1_003]],
    ['between the decision and the claim', { armed: 0, decided: 2_000, claimed: 500 }, [0, 2_000, 2_001, 2_002]],
  ])('stay in order for an order leased with its trigger when a clock steps back %s', async (_, at, expected) => {
    const { id, account_id, execution_id } = await book.arm({ at: later(at.armed) })
    await pg.pool.query('UPDATE executions SET notional_usd = 1, held_usd = 1 WHERE id = $1', [execution_id])
    const claim = { owner: randomUUID(), leaseMs: 20_000, limit: 1, at: later(at.decided) }
    const recall = { at: later(at.decided), claim, isRecalled: () => false, late: () => undefined }
    const { turns } = (await book.store.triggerUnlessRecalled([{ id, evidence: {} }], recall))!
    const { lease } = turns[0]!.held
    const claimed = await createExecutionStore(pg.pool).claim({
      accountId: account_id,
      key: `cond:${id}:1`,
      bodySha256: sha256('body'),
      reservationId: null,
      isChange: false,
      tradesAt: 'lab',
      move: {
        id: execution_id,
        venue: 'lab',
        from: 'built',
        to: 'submitted',
        event: 'submit',
        fills: [],
        at: later(at.claimed),
      },
      fire: { conditionalId: id, lease, attempt: 1 },
      late: () => undefined,
    })
    expect(claimed.kind).toBe('claimed')
    await book.store.settleFire({ id, lease, outcome: 'fire_failed', lastError: 'no', at: later(at.claimed + 1) })
    expect(await timesOf(id)).toEqual(expected.map((ms) => later(ms).getTime()))
  })
})
