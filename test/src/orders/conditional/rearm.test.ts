// Orders that have triggered but must not be submitted for that trigger are armed again.
import { randomUUID } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { ManualClock } from '#core/clock'
import { fire } from '#orders/conditional/submitTriggered'
import { conditionalSteps } from '#orders/conditional/transitions'
import { triggerEvidenceTtlMs } from '#schemas/conditional'
import { triggerOrders } from '#storage/postgres/conditional/trigger'
import { noon } from '#test/support/conditional/book'
import { signedLane } from '#test/support/conditional/signedLane'
import { openSubmitFixture } from '#test/support/conditional/submitFixture'
import { executionSuite } from '#test/support/execution/suite'

const { pg, worldOf, count } = executionSuite()

async function scene() {
  const clock = new ManualClock(noon.getTime())
  const world = await worldOf({ clock, lanes: [signedLane()] })
  const fixture = await openSubmitFixture(pg.pool, world)
  const halt = (over: { accountId?: string | null; venue?: string | null } = {}) => ({
    accountId: world.accountId,
    venue: null,
    setBy: 'operator' as const,
    setByName: 'test',
    reason: 'a bot misbehaves',
    at: noon,
    ...over,
  })
  const at = () => new Date(clock.now())
  return {
    ...fixture,
    clock,
    world,
    venue: world.venue,
    at,
    halts: (over = {}) => world.store.halt(halt(over)),
    resumes: (over = {}) => world.store.resume(halt(over)),
    turn: async (id: string) => fire(fixture.deps, await fixture.hold(id)),
    /** As the evaluator does. */
    decides: (id: string) =>
      fixture.book.store.triggerUnlessRecalled([{ id, evidence: { book: 1 } }], {
        at: at(),
        claim: null,
        isRecalled: () => false,
        late: () => undefined,
      }),
  }
}

describe('a halt', () => {
  const scopes: readonly [string, { accountId?: null; venue?: string }][] = [
    ['of the account', {}],
    ['of the venue', { venue: 'novig' }],
    ['of all trading', { accountId: null }],
  ]
  it.each(scopes)(
    '%s: no order triggers, and a triggered order is re-armed without counting an attempt',
    async (_, of) => {
      const { armed, triggered, turn, decides, find, book, venue, halts, resumes } = await scene()
      const [waits, had] = [await armed(), await triggered()]
      await halts(of)
      expect(await decides(waits.id)).toMatchObject({ rows: [], held: [], stopped: [waits.id] })
      expect(await turn(had.id)).toBe('rearmed')
      expect(await find(had.id)).toMatchObject({
        status: 'armed',
        fire_attempts: 0,
        triggered_at: null,
        trigger_evidence: null,
        lease_owner: null,
        last_error: expect.stringMatching(/^PERMISSION_DENIED: .*a bot misbehaves/),
      })
      expect((await book.history(had.id)).at(-1)).toBe('firing>armed exec_fire')
      expect((await book.store.listEvents(had.id)).at(-1)?.evidence).toEqual({ reason: 'trading is halted' })
      expect(await book.isSealed(had.id)).toBe(true)
      expect(venue.calls).toBe(0)
      await resumes(of)
      // The resume sends nothing: the trigger has to be met again.
      expect(await book.store.claimFiring({ owner: 'b', leaseMs: 1, limit: 1_000, at: noon })).toEqual([])
      for (const { id, order } of [waits, had]) {
        expect(await decides(id)).toMatchObject({ rows: [{ id }] })
        expect(await turn(id)).toBe('fired')
        expect(venue.placed).toContain(order)
      }
      expect(venue.placed).toHaveLength(2)
      expect(await count(`execution_keys WHERE key = 'cond:${had.id}:1'`)).toBe(1)
    },
  )

  it('of another venue has no effect here', async () => {
    const { armed, decides, halts } = await scene()
    const { id } = await armed()
    await halts({ venue: 'kalshi' })
    expect(await decides(id)).toMatchObject({ rows: [{ id }] })
  })

  it('waits for a trigger in progress, while other triggers do not wait', async () => {
    const { armed, decides, book, at, halts } = await scene()
    const [first, second] = [await armed(), await armed()]
    const client = await pg.pool.connect()
    await client.query('BEGIN')
    const { rows } = await triggerOrders(client, conditionalSteps, [{ id: first.id, evidence: {} }], at())
    expect(rows).toHaveLength(1)
    let isAnswered = false
    const halted = halts().then(() => {
      isAnswered = true
    })
    const waiting = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
    await vi.waitFor(async () =>
      expect(isAnswered || (await pg.pool.query(waiting)).rowCount! > 0, 'answered, or waiting').toBe(true),
    )
    const early = isAnswered
    expect(await decides(second.id)).toMatchObject({ rows: [], held: [], stopped: [second.id] })
    await client.query('COMMIT')
    client.release()
    await halted
    expect([early, await book.statusOf(first.id), await book.statusOf(second.id)]).toEqual([
      false,
      'triggered',
      'armed',
    ])
  })

  it('re-arms what was not sent before the response of a concurrent halt, and no order fails', async () => {
    const { triggered, armed, decides, deps, find, book, venue, at, halts, resumes } = await scene()
    const orders: { id: string; order: string }[] = []
    for (let i = 0; i < 12; i++) orders.push(i % 2 === 0 ? await triggered() : await armed())
    // Orders of other tests that are due here are fired as well.
    const sent = () => venue.placed.filter((name) => orders.some(({ order }) => order === name))
    const fireAll = async (owner: string): Promise<void> => {
      for (;;) {
        const held = await book.store.claimFiring({ owner, leaseMs: 60_000, limit: 2, at: at() })
        if (held.length === 0) return
        await Promise.all(held.map((row) => fire(deps, row)))
      }
    }
    const decideAll = () => Promise.all(orders.map(({ id }, i) => (i % 2 === 1 ? decides(id) : null)))
    const halted = halts().then(() => sent().length)
    await Promise.all([halted, decideAll(), fireAll('a'), fireAll('b')])
    await fireAll('c')
    const rows = await Promise.all(orders.map(({ id }) => find(id)))
    const fired = rows.filter(({ status }) => status === 'fired')
    // A claim from before the halt may still be on its way when the halt is answered.
    expect(fired.length).toBeGreaterThanOrEqual(await halted)
    expect(sent()).toHaveLength(fired.length)
    for (const { status, fire_attempts } of rows) expect([`armed 0`, `fired 1`]).toContain(`${status} ${fire_attempts}`)
    await resumes()
    for (const [i, { id }] of orders.entries())
      if (rows[i]!.status === 'armed') expect(await decides(id)).toMatchObject({ rows: [{ id }] })
    await fireAll('d')
    expect(sent().toSorted()).toEqual(orders.map(({ order }) => order).toSorted())
  })
})

describe('expired evidence', () => {
  it('re-arms an order that waited for a sibling, and it stays armed while the outcome of the sibling is unknown', async () => {
    const { triggered, turn, dueNow, decides, find, book, venue, clock, at } = await scene()
    const ocoGroupId = randomUUID()
    const [first, second] = [await triggered({ ocoGroupId }), await triggered({ ocoGroupId })]
    venue.mode = 'forget'
    expect(await turn(first.id)).toBe('postponed')
    clock.advance(triggerEvidenceTtlMs - 1)
    expect(await book.store.rearmStale({ limit: 100, at: at() })).toEqual([])
    clock.advance(1_000)
    expect((await book.store.rearmStale({ limit: 100, at: at() })).map(({ id }) => id)).toEqual([second.id])
    expect((await book.history(second.id)).at(-1)).toBe('triggered>armed exec_fire')
    expect(await find(second.id)).toMatchObject({ status: 'armed', triggered_at: null, trigger_evidence: null })
    expect(await decides(second.id)).toMatchObject({ rows: [], stopped: [second.id] })
    for (const [ms, result] of [
      [0, 'postponed'],
      [5 * 60_000, 'fire_failed'],
    ] as const) {
      clock.advance(ms)
      await dueNow(first.id)
      expect(await turn(first.id)).toBe(result)
    }
    venue.mode = 'accept'
    expect(await decides(second.id)).toMatchObject({ rows: [{ id: second.id }] })
    expect(await turn(second.id)).toBe('fired')
  })

  it('re-arms an order after a retry pause, and keeps the count of its attempts', async () => {
    const { triggered, turn, dueNow, decides, find, venue, clock } = await scene()
    const { id, order } = await triggered()
    venue.mode = 'limit'
    expect(await turn(id)).toBe('postponed')
    clock.advance(triggerEvidenceTtlMs + 1)
    await dueNow(id)
    venue.mode = 'accept'
    expect(await turn(id)).toBe('rearmed')
    expect(await find(id)).toMatchObject({ status: 'armed', fire_attempts: 1 })
    expect(venue.placed).toEqual([])
    await decides(id)
    expect(await turn(id)).toBe('fired')
    expect(venue.placed).toEqual([order])
    expect((await find(id)).fire_attempts).toBe(2)
  })

  it('does not re-arm an order that was sent', async () => {
    const { triggered, hold, turn, dueNow, book, venue, clock, at } = await scene()
    const { id } = await triggered()
    venue.mode = 'drop'
    await turn(id)
    clock.advance(triggerEvidenceTtlMs + 1)
    await dueNow(id)
    const { lease } = await hold(id)
    expect(await book.store.rearm({ id, lease, reason: 'old', at: at() })).toBe(false)
    expect(await book.store.rearmStale({ limit: 100, at: at() })).toEqual([])
    expect(await book.statusOf(id)).toBe('firing')
    await dueNow(id)
    expect(await turn(id)).toBe('fired')
  })

  it('requires the lease: a process that lost it cannot re-arm the order', async () => {
    const { triggered, hold, book, at } = await scene()
    const { id } = await triggered()
    const lost = await hold(id, 0)
    await hold(id)
    expect(await book.store.rearm({ id, lease: lost.lease, reason: 'old', at: at() })).toBe(false)
    expect(await book.statusOf(id)).toBe('firing')
  })

  it('leaves orders in client mode to their owner', async () => {
    const { triggered, book, clock, at } = await scene()
    const { id } = await triggered({ fireMode: 'client', artifact: null })
    clock.advance(triggerEvidenceTtlMs + 1)
    expect(await book.store.rearmStale({ limit: 100, at: at() })).toEqual([])
    expect(await book.statusOf(id)).toBe('triggered')
  })
})

describe('a process that does not fire orders', () => {
  it('starts no submit, and settles the submits of an earlier run', async () => {
    const { triggered, hold, turn, dueNow, deps, find, book, venue, world, at } = await scene()
    const off = { ...deps, seal: null }
    const claim = () =>
      book.store.claimFiring({ owner: 'off', leaseMs: 60_000, limit: 1_000, at: at(), settlesOnly: true })
    const [waits, unsent, unknown] = [await triggered(), await triggered(), await triggered()]
    venue.orderModes.set(unknown.order, 'drop')
    await hold(unsent.id)
    await dueNow(unsent.id)
    await pg.pool.query(`UPDATE conditional_orders SET status = 'triggered' WHERE id = ANY ($1::uuid[])`, [
      [waits.id, unknown.id],
    ])
    expect(await turn(unknown.id)).toBe('postponed')
    for (const { id } of [unsent, unknown]) await dueNow(id)
    await pg.pool.query(
      `UPDATE conditional_orders SET status = 'triggered', lease_owner = NULL, leased_until = NULL WHERE id = $1`,
      [waits.id],
    )
    const held = await claim()
    expect(held.map(({ id }) => id).toSorted()).toEqual([unsent.id, unknown.id].toSorted())
    const ends = new Map<string, string>()
    for (const row of held) ends.set(row.id, await fire(off, row))
    expect([ends.get(unsent.id), ends.get(unknown.id)]).toEqual(['rearmed', 'fired'])
    expect([await book.statusOf(waits.id), (await find(unsent.id)).fire_attempts]).toEqual(['triggered', 0])
    expect(venue.placed).toEqual([unknown.order])
    const { accountId } = world
    const canceled = { accountId, id: unsent.id, key: randomUUID(), bodySha256: Buffer.alloc(32), at: at() }
    expect(await book.store.cancel(canceled)).toMatchObject({ kind: 'canceled' })
    expect(await book.isSealed(unsent.id)).toBe(false)
  })
})
