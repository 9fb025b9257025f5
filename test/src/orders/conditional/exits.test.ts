// Every status that is not an end can be left by its owner, also while the outcome of another order of the group is unknown.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { reportConditional } from '#orders/conditional/cancelAndReport'
import { fire } from '#orders/conditional/submitTriggered'
import { openStatuses } from '#schemas/conditional'
import { noon, sha256 } from '#test/support/conditional/book'
import { signedLane } from '#test/support/conditional/signedLane'
import { openSubmitFixture } from '#test/support/conditional/submitFixture'
import { executionSuite, refused } from '#test/support/execution/suite'

const { pg, worldOf } = executionSuite()

/** An adapter without a rule that ends a lost order. */
async function scene() {
  const clock = new ManualClock(noon.getTime())
  const lane = signedLane()
  const { lateBound: _, ...submit } = lane.submit!
  const world = await worldOf({ clock, lanes: [{ ...lane, submit }] })
  const fixture = await openSubmitFixture(pg.pool, world)
  const { book, hold, deps, find } = fixture
  const cancel = (id: string) =>
    book.store.cancel({
      accountId: world.accountId,
      id,
      key: randomUUID(),
      bodySha256: sha256(id),
      at: new Date(clock.now()),
    })
  return { ...fixture, world, clock, cancel, turn: async (id: string) => fire(deps, await hold(id)), find }
}

const client = { fireMode: 'client', artifact: null } as const

describe('exits', () => {
  it('covers every status that is not an end', () => {
    expect([...openStatuses]).toEqual(['armed', 'triggered', 'firing'])
  })

  it.each(['hosted', 'client'] as const)('armed, %s: cancel', async (mode) => {
    const { armed, cancel } = await scene()
    const { id } = await armed(mode === 'client' ? client : {})
    expect(await cancel(id)).toMatchObject({ kind: 'canceled', row: { status: 'canceled' } })
  })

  it('triggered, client: cancel or report', async () => {
    const { triggered, cancel, book, world } = await scene()
    expect(await cancel((await triggered(client)).id)).toMatchObject({ kind: 'canceled' })
    const { id } = await triggered(client)
    const report = { accountId: world.accountId, id, venueRef: null, reason: 'r', at: noon }
    expect(await book.store.report({ ...report, outcome: 'not_submitted' })).toMatchObject({ kind: 'reported' })
  })

  it('triggered, hosted: the worker submits it; after a minute it is re-armed and can be canceled', async () => {
    const { triggered, cancel, book, clock } = await scene()
    const { id } = await triggered()
    expect(await cancel(id)).toMatchObject({ kind: 'not_armed' })
    clock.advance(60_001)
    await book.store.rearmStale({ limit: 100, at: new Date(clock.now()) })
    expect(await cancel(id)).toMatchObject({ kind: 'canceled' })
  })

  it('triggered, hosted, while the outcome of another order of its group is unknown: cancel, without an effect on that order', async () => {
    const { triggered, cancel, turn, world, find, book } = await scene()
    const ocoGroupId = randomUUID()
    const [first, second] = [await triggered({ ocoGroupId }), await triggered({ ocoGroupId })]
    expect(await cancel(second.id)).toMatchObject({ kind: 'not_armed' })
    world.venue.mode = 'forget'
    expect(await turn(first.id)).toBe('postponed')
    expect(await cancel(second.id)).toMatchObject({ kind: 'canceled' })
    expect(await book.isSealed(second.id)).toBe(false)
    expect((await find(first.id)).status).toBe('firing')
  })

  it('firing with an unknown outcome: the owner resolves the execution, and the order ends with it', async () => {
    const { triggered, turn, world, clock, dueNow, find } = await scene()
    const { id, executionId } = await triggered()
    world.venue.mode = 'forget'
    expect(await turn(id)).toBe('postponed')
    const resolve = () => world.post(`${executionId}/resolve`, { outcome: 'failed', reason: 'by mail' }, 'r')
    expect(refused(await resolve())).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    clock.advance(110_000)
    expect((await resolve()).json.data.status).toBe('failed')
    await dueNow(id)
    expect(await turn(id)).toBe('fire_failed')
    expect((await find(id)).last_error).toBe('resolved by its owner: by mail')
  })
})

describe('a report with the venue’s order id', () => {
  it('links the order to its execution, which is tracked from then on and keeps its spend reserved', async () => {
    const { triggered, book, world } = await scene()
    await pg.pool.query('INSERT INTO spend_caps VALUES ($1, 100)', [world.accountId])
    const { id, executionId } = await triggered(client)
    const report = {
      accountId: world.accountId,
      id,
      venueRef: 'tx-1',
      reason: 'r',
      at: noon,
      outcome: 'fired',
    } as const
    expect(await book.store.report(report)).toMatchObject({ kind: 'reported', row: { status: 'fired' } })
    const execution = async () => (await world.get(`/v1/exec/executions/${executionId}`)).json.data
    expect(await execution()).toMatchObject({ status: 'acked', venueRef: 'tx-1' })
    world.venue.status.set('tx-1', 'filled')
    world.venue.fills.set('tx-1', ['f'])
    expect((await world.refresh(executionId)).json.data).toMatchObject({ status: 'filled', fills: [{ key: 'f' }] })
    const { rows } = await pg.pool.query('SELECT held_usd FROM executions WHERE id = $1', [executionId])
    expect(Number(rows[0].held_usd)).toBe(5)
  })

  it('is rejected when the order id belongs to another execution, and the error names that execution', async () => {
    const { triggered, book, world } = await scene()
    const [first, second] = [await triggered(client), await triggered(client)]
    const report = (id: string) =>
      reportConditional({ store: book.store, clock: world.deps.clock }, { accountId: world.accountId }, id, {
        outcome: 'fired',
        venueRef: 'tx-1',
      })
    await report(first.id)
    await expect(report(second.id)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
      message: expect.stringContaining(first.executionId),
    })
  })
})
