// A breach of a limit that halts: the account stops trading, and only the operator lifts that.
import { expect, it } from 'vitest'
import { Fault } from '#core/fault'
import { deleteHalt } from '#storage/postgres/halts/halts'
import { limitedOrders } from '#test/support/execution/limitedOrders'
import { executionSuite, idOf, refused } from '#test/support/execution/suite'
import { tradingLane } from '#test/support/execution/tradingLane'

const { pg, worldOf, count } = executionSuite()
const lanes = [tradingLane('novig'), tradingLane('kalshi')]
const beyond = [402, 'SPEND_CAP_EXCEEDED']
const halted = [403, 'PERMISSION_DENIED']

it('halts the account with a reason that names the limit, until the operator lifts it', async () => {
  const world = await worldOf({ lanes })
  const orders = limitedOrders(world)
  await orders.set('notional', '1', { onBreach: 'halt' })
  const small = idOf(await orders.build({ size: 1 }))
  const large = idOf(await orders.build({ size: 10 }))
  expect(await count('trading_halts WHERE account_id = $1', [world.accountId])).toBe(0)
  const reply = await orders.submit(large)
  expect(refused(reply)).toEqual(beyond)
  expect(reply.json.error.message).toMatch(/trading of the account was halted; nothing was sent$/)
  expect((await world.get('/v1/exec/halt')).json.data).toMatchObject([
    {
      scope: 'account',
      venue: null,
      by: 'operator',
      reason: 'exceeded: risk limit notional of the account at all venues, 1 USD',
    },
  ])
  for (const venue of ['novig', 'kalshi']) {
    const id = venue === 'novig' ? small : idOf(await orders.build({ size: 1 }, venue))
    expect(refused(await orders.submit(id, venue))).toEqual(halted)
  }
  // The account cannot lift it.
  await world.world.call('DELETE', '/v1/exec/halt', { body: JSON.stringify({ scope: 'account', reason: 'mine' }) })
  expect(refused(await orders.submit(small))).toEqual(halted)
  const { rows } = await pg.pool.query('SELECT action, set_by, said_by FROM trading_halt_audit WHERE account_id = $1', [
    world.accountId,
  ])
  expect(rows).toEqual([{ action: 'halt', set_by: 'operator', said_by: expect.stringMatching(/^risk limit \d+$/) }])
  const word = { setBy: 'operator', setByName: 'anna', reason: 'looked into', at: new Date() } as const
  await deleteHalt(pg.pool, { ...word, accountId: world.accountId, venue: null })
  expect((await orders.submit(small)).json.data.status).toBe('acked')
})

it('halts only its venue where the limit names one', async () => {
  const world = await worldOf({ lanes })
  const orders = limitedOrders(world)
  await orders.set('openOrders', '0', { venue: 'kalshi', onBreach: 'halt' })
  const reply = await orders.place({ size: 1 }, 'kalshi')
  expect(reply.json.error.message).toContain('trading of the account at kalshi was halted')
  expect(refused(await orders.place({ size: 1 }, 'kalshi'))).toEqual(halted)
  expect((await orders.place({ size: 1 }, 'novig')).status).toBe(200)
})

it('of the order rate is not retryable then', async () => {
  const world = await worldOf({ lanes })
  const orders = limitedOrders(world)
  await orders.set('orderRate', '0', { onBreach: 'halt' })
  const { status, json } = await orders.place({ size: 1 })
  expect([status, json.error.code, json.error.retryable]).toEqual([429, 'RATE_LIMITED', false])
  expect(refused(await orders.place({ size: 1 }))).toEqual(halted)
})

it('leaves cancellations, redemptions and builds alone, and a dry run halts nothing', async () => {
  const world = await worldOf({ lanes })
  const orders = limitedOrders(world)
  const resting = idOf(await orders.place({ size: 1 }))
  await orders.set('openOrders', '0', { onBreach: 'halt' })
  expect((await orders.build({ size: 1, dryRun: true })).json.warnings).toHaveLength(1)
  await orders.build({ size: 1 })
  expect(await count('trading_halts WHERE account_id = $1', [world.accountId])).toBe(0)
  await orders.place({ size: 1 })
  expect(await count('trading_halts WHERE account_id = $1', [world.accountId])).toBe(1)
  const cancel = idOf(await world.cancel(resting, 'c'))
  expect((await orders.submit(cancel)).json.data.status).toBe('acked')
})

it('refuses all the same when the halt cannot be written', async () => {
  const world = await worldOf({
    lanes,
    risk: { halt: () => Promise.reject(new Fault('EXEC_UNAVAILABLE', 'away', { retryAfterSeconds: 1 })) },
  })
  const orders = limitedOrders(world)
  await orders.set('openOrders', '0', { onBreach: 'halt' })
  const reply = await orders.place({ size: 1 })
  expect(refused(reply)).toEqual(beyond)
  expect(reply.json.error.message).not.toContain('halted')
  expect(world.venue.placed).toEqual([])
})
