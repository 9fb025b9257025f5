// The owner reports an order that was sent elsewhere: a real fill is always accepted, whatever the state of the other orders of its
// group, and the group has one winner.
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { fire } from '#orders/conditional/submitTriggered'
import { noon } from '#test/support/conditional/book'
import { signedLane } from '#test/support/conditional/signedLane'
import { openSubmitFixture } from '#test/support/conditional/submitFixture'
import { executionSuite } from '#test/support/execution/suite'

const { pg, worldOf } = executionSuite()

/** A hosted order and its sibling in client mode, which its owner has sent elsewhere. Both have triggered. */
async function scene() {
  const clock = new ManualClock(noon.getTime())
  const world = await worldOf({ clock, lanes: [signedLane()] })
  const fixture = await openSubmitFixture(pg.pool, world)
  const { book, find, hold, deps } = fixture
  const ocoGroupId = randomUUID()
  const own = await fixture.triggered({ ocoGroupId, fireMode: 'client', artifact: null })
  const report = { accountId: world.accountId, id: own.id, venueRef: 'v-1', reason: 'r', at: noon }
  return {
    ...fixture,
    clock,
    venue: world.venue,
    own,
    ocoGroupId,
    sibling: await fixture.triggered({ ocoGroupId }),
    turn: async (id: string) => fire(deps, await hold(id)),
    reports: (outcome: 'fired' | 'not_submitted') => book.store.report({ ...report, outcome }),
    winner: async () =>
      (await pg.pool.query('SELECT winner_id FROM oco_groups WHERE id = $1', [ocoGroupId])).rows[0].winner_id,
    statuses: async (...ids: string[]) => Promise.all(ids.map(async (id) => (await find(id)).status)),
  }
}

it('supersedes a sibling in client mode that was sent with an unknown outcome', async () => {
  const { triggered, book, ocoGroupId, own, reports, statuses, winner } = await scene()
  const sent = await triggered({ ocoGroupId, fireMode: 'client', artifact: null })
  await book.setExecution(sent.executionId, 'submitted')
  expect(await reports('not_submitted')).toEqual({ kind: 'attempt' })
  expect(await reports('fired')).toMatchObject({ kind: 'reported', row: { status: 'fired' } })
  expect([await statuses(own.id, sent.id), await winner()]).toEqual([['fired', 'superseded'], own.id])
})

it('stops a sibling that is firing and not yet sent, and deletes its artifact', async () => {
  const { hold, deps, book, venue, sibling, reports, statuses, turn } = await scene()
  const held = await hold(sibling.id)
  expect(await reports('not_submitted')).toEqual({ kind: 'attempt' })
  expect(await reports('fired')).toMatchObject({ kind: 'reported' })
  // The process that held it, and the next one.
  expect(await fire(deps, held)).toBe('lost')
  expect(await turn(sibling.id)).toBe('lost')
  expect([await statuses(sibling.id), await book.isSealed(sibling.id)]).toEqual([['superseded'], false])
  expect((await book.history(sibling.id)).at(-1)).toBe('firing>superseded exec_fire')
  expect(venue.calls).toBe(0)
})

it('supersedes a sibling with an unknown outcome, and records that the venue accepted it', async () => {
  const { find, book, venue, own, sibling, reports, statuses, turn, winner } = await scene()
  venue.mode = 'drop'
  expect(await turn(sibling.id)).toBe('postponed')
  expect(await reports('fired')).toMatchObject({ kind: 'reported' })
  // It is due at once, and the venue is queried.
  expect(await turn(sibling.id)).toBe('lost')
  expect([await statuses(own.id, sibling.id), await winner()]).toEqual([['fired', 'superseded'], own.id])
  expect((await find(sibling.id)).last_error).toMatch(/the venue accepted it/)
  expect((await book.store.listEvents(sibling.id)).at(-1)?.evidence).toEqual({
    executionStatus: 'acked',
    venueRef: expect.any(String),
    firedInstead: own.id,
  })
  expect(venue.placed).toEqual([sibling.order])
  expect(await book.publishedEvents(sibling.id)).toEqual(['conditional.triggered'])
})

it('prevents a second attempt of a sibling whose process later finds that nothing was sent', async () => {
  const { hold, deps, book, venue, sibling, reports, statuses, turn } = await scene()
  const held = await hold(sibling.id)
  await book.setExecution(sibling.executionId, 'submitted')
  expect(await reports('fired')).toMatchObject({ kind: 'reported' })
  // Its claim is undone.
  await book.setExecution(sibling.executionId, 'built')
  expect(await fire(deps, held)).toBe('lost')
  expect(await turn(sibling.id)).toBe('lost')
  expect([await statuses(sibling.id), venue.calls]).toEqual([['superseded'], 0])
})

it('marks a sibling that the venue had rejected as failed', async () => {
  const { book, sibling, reports, statuses, turn, hold } = await scene()
  await hold(sibling.id)
  await book.setExecution(sibling.executionId, 'submitted')
  expect(await reports('fired')).toMatchObject({ kind: 'reported' })
  await pg.pool.query(`UPDATE executions SET status = 'failed', last_event = 'rejected' WHERE id = $1`, [
    sibling.executionId,
  ])
  expect(await turn(sibling.id)).toBe('fire_failed')
  expect(await statuses(sibling.id)).toEqual(['fire_failed'])
})

it('after the order has expired, supersedes its siblings as an earlier report would', async () => {
  const { book, own, sibling, reports, statuses, winner } = await scene()
  await pg.pool.query('UPDATE conditional_orders SET expires_at = $2 WHERE id = $1', [own.id, noon])
  await book.store.expireDue({ limit: 10, at: noon })
  expect(await statuses(own.id, sibling.id)).toEqual(['expired', 'triggered'])
  expect(await reports('not_submitted')).toMatchObject({ kind: 'not_reportable' })
  expect(await reports('fired')).toMatchObject({ kind: 'reported', row: { status: 'fired' } })
  expect([await statuses(own.id, sibling.id), await winner()]).toEqual([['fired', 'superseded'], own.id])
  expect(await book.publishedEvents(own.id)).toEqual([
    'conditional.triggered',
    'conditional.expired',
    'conditional.fired',
  ])
})

it('after the order has expired and a sibling has fired, is rejected and leaves the winner', async () => {
  const { book, own, sibling, reports, statuses, winner, turn } = await scene()
  await pg.pool.query('UPDATE conditional_orders SET expires_at = $2 WHERE id = $1', [own.id, noon])
  await book.store.expireDue({ limit: 10, at: noon })
  expect(await turn(sibling.id)).toBe('fired')
  expect(await reports('fired')).toMatchObject({ kind: 'not_reportable', row: { status: 'expired' } })
  expect([await statuses(own.id, sibling.id), await winner()]).toEqual([['expired', 'fired'], sibling.id])
})

it('is rejected for an order that expired before it triggered', async () => {
  const { book, armed, find } = await scene()
  const { id } = await armed({ fireMode: 'client', artifact: null, expiresAt: noon })
  await book.store.expireDue({ limit: 10, at: noon })
  const { account_id: accountId } = await find(id)
  expect(
    await book.store.report({ accountId, id, outcome: 'fired', venueRef: 'v-1', reason: 'r', at: noon }),
  ).toMatchObject({ kind: 'not_reportable', row: { status: 'expired' } })
})
