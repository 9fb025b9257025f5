// Hosted orders under the risk limits of their account: refused attempts are repeated, and a price is compared with the book of the trigger.
import { expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { fire } from '#orders/conditional/submitTriggered'
import { noon } from '#test/support/conditional/book'
import { signedLane } from '#test/support/conditional/signedLane'
import { openSubmitFixture } from '#test/support/conditional/submitFixture'
import { limitedOrders } from '#test/support/execution/limitedOrders'
import { executionSuite } from '#test/support/execution/suite'
import { tradingLane } from '#test/support/execution/tradingLane'

const { pg, worldOf } = executionSuite()

async function scene() {
  const { order, describe } = tradingLane()
  const clock = new ManualClock(noon.getTime())
  const world = await worldOf({ clock, lanes: [signedLane({ order, describe })] })
  const fixture = await openSubmitFixture(pg.pool, world)
  const turn = async (id: string) => fire(fixture.deps, await fixture.hold(id))
  return { ...fixture, world, turn, orders: limitedOrders(world) }
}

it('an attempt that a limit refuses sends nothing and is repeated, like one that a spend cap refuses', async () => {
  const { world, triggered, turn, orders, find, dueNow } = await scene()
  await orders.set('notional', '1')
  const { id, order } = await triggered()
  expect(await turn(id)).toBe('postponed')
  const { status, last_error } = await find(id)
  expect(status).toBe('firing')
  expect(last_error).toMatch(/^SPEND_CAP_EXCEEDED: risk limit notional of the account at all venues, 1 USD/)
  expect(world.venue.placed).toEqual([])
  await orders.set('notional', '100')
  await dueNow(id)
  expect(await turn(id)).toBe('fired')
  expect(world.venue.placed).toEqual([order])
})

it('an attempt that breaches a limit that halts is armed again at the next one', async () => {
  const { triggered, turn, orders, book, dueNow } = await scene()
  await orders.set('openOrders', '0', { onBreach: 'halt' })
  const { id } = await triggered()
  expect(await turn(id)).toBe('postponed')
  await dueNow(id)
  expect(await turn(id)).toBe('rearmed')
  expect(await book.statusOf(id)).toBe('armed')
})

it.each([
  ['within the collar', 0.52, 'fired'],
  ['outside it', 0.3, 'postponed'],
] as const)(
  'the limit price is compared with the mid price at the trigger: %s',
  async (_name, referencePrice, result) => {
    const { armed, turn, orders, book, world } = await scene()
    await orders.set('priceCollar', '0.05')
    const { id } = await armed()
    const evidence = { reference: 'mark', referencePrice, spread: 0.02 }
    await book.store.trigger([{ id, evidence }], noon)
    expect(await turn(id)).toBe(result)
    expect(world.venue.placed).toHaveLength(result === 'fired' ? 1 : 0)
  },
)
