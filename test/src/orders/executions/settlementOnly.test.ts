// A venue that its operator enables for settlement only: only redemptions are built and sent, also for what was built before.
import { expect, it } from 'vitest'
import { testLane } from '#test/support/execution/lane'
import { executionSuite, idOf, refused } from '#test/support/execution/suite'

const { worldOf } = executionSuite()

it('takes no order, sends none that was built before, and serves reads', async () => {
  const world = await worldOf()
  const [sent, waiting] = [idOf(await world.build('b1')), idOf(await world.build('b2'))]
  expect((await world.submit(sent, 's1')).json.data.status).toBe('acked')
  const cancel = idOf(await world.cancel(sent, 'c1'))

  const armed = world.lanes.get('novig')!
  world.lanes.set('novig', { ...armed, lane: testLane({ settlementOnly: true }) })
  const none = [501, 'NOT_IMPLEMENTED']
  expect(refused(await world.build('b3'))).toEqual(none)
  expect(refused(await world.build('b4', { size: 5, dryRun: true }))).toEqual(none)
  expect(refused(await world.submit(waiting, 's2'))).toEqual(none)
  expect(refused(await world.modify(sent, 'm1'))).toEqual(none)
  expect(refused(await world.cancel(sent, 'c2'))).toEqual(none)
  expect(world.venue.placed).toHaveLength(1)
  expect((await world.refresh(sent)).json.data.status).toBe('acked')
  // Earlier requests are replayed, and cancellations are still sent.
  expect((await world.build('b1')).headers['idempotency-replay']).toBe('true')
  expect((await world.submit(cancel, 'sc')).json.data.status).toBe('acked')
  expect(world.venue.canceled).toHaveLength(1)
})
