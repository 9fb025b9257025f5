// Who may read and change limits over HTTP, what is audited, and what an account sees of its own.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Scope } from '#platform/auth/principal'
import { limitedOrders } from '#test/support/execution/limitedOrders'
import { executionSuite, refused } from '#test/support/execution/suite'
import { tradingLane } from '#test/support/execution/tradingLane'
import type { ExecutionWorld } from '#test/support/execution/world'

const { pg, worldOf, count } = executionSuite()
const lanes = [tradingLane('novig'), tradingLane('kalshi')]
const path = '/v1/admin/risk-limits'

const actWith = (world: ExecutionWorld, scopes: readonly Scope[], keyId = randomUUID()): string => {
  const accountId = randomUUID()
  world.world.verifications.next = { kind: 'valid', principal: { accountId, keyId, plan: 'enterprise', scopes } }
  return keyId
}
const put = (world: ExecutionWorld, body: object) => world.world.call('PUT', path, { body: JSON.stringify(body) })
const remove = (world: ExecutionWorld, body: object) => world.world.call('DELETE', path, { body: JSON.stringify(body) })
const audit = async (accountId: string) =>
  (
    await pg.pool.query(
      'SELECT action, venue, kind, trim_scale(value)::text AS value, on_breach, trim_scale(previous_value)::text AS previous, changed_by FROM risk_limit_audit WHERE account_id = $1 ORDER BY id',
      [accountId],
    )
  ).rows

describe('limits over HTTP', () => {
  it('are set, replaced, listed and removed by a key with the scope admin, and every change is audited', async () => {
    const world = await worldOf({ lanes })
    const { accountId } = world
    const keyId = actWith(world, ['admin'])
    const first = await put(world, { accountId, venue: 'Kalshi', kind: 'openNotional', value: '500' })
    expect(first.json.data).toEqual({
      accountId,
      account: expect.any(String),
      keyId: null,
      venue: 'kalshi',
      kind: 'openNotional',
      value: '500',
      unit: 'USD',
      onBreach: 'refuse',
      setBy: keyId,
      setAt: expect.any(String),
    })
    const second = await put(world, {
      accountId,
      venue: 'kalshi',
      kind: 'openNotional',
      value: '250.50',
      onBreach: 'halt',
    })
    expect(second.json.data).toMatchObject({ value: '250.5', onBreach: 'halt' })
    const listed = await world.get(`${path}?accountId=${accountId}`)
    expect(listed.json.data).toEqual([second.json.data])
    expect((await world.get(path)).json.data).toContainEqual(second.json.data)
    const scope = { accountId, venue: 'kalshi', kind: 'openNotional' }
    expect((await remove(world, scope)).json).toMatchObject({ success: true, data: null })
    expect(refused(await remove(world, scope))).toEqual([404, 'NOT_FOUND'])
    expect((await world.get(`${path}?accountId=${accountId}`)).json.data).toEqual([])
    const of = { venue: 'kalshi', kind: 'openNotional', changed_by: keyId }
    expect(await audit(accountId)).toEqual([
      { ...of, action: 'set', value: '500', on_breach: 'refuse', previous: null },
      { ...of, action: 'set', value: '250.5', on_breach: 'halt', previous: '500' },
      { ...of, action: 'remove', value: null, on_breach: null, previous: '250.5' },
    ])
    for (const change of ['UPDATE risk_limit_audit SET changed_by = $$x$$', 'DELETE FROM risk_limit_audit'])
      await expect(pg.pool.query(change)).rejects.toThrow('append-only')
  })

  it.each([['read'], ['trade'], ['review']] as const)(
    'are neither shown to nor changed by a key with %s alone',
    async (scope) => {
      const world = await worldOf({ lanes })
      const { accountId } = world
      actWith(world, [scope])
      const body = { accountId, kind: 'openOrders', value: '1' }
      const missing = [403, 'SCOPE_MISSING']
      expect(refused(await put(world, body))).toEqual(missing)
      expect(refused(await remove(world, { accountId, kind: 'openOrders' }))).toEqual(missing)
      expect(refused(await world.get(path))).toEqual(missing)
      expect(await count('risk_limits WHERE account_id = $1', [accountId])).toBe(0)
      expect(await audit(accountId)).toEqual([])
    },
  )

  it('cannot be changed by their own account, and a key with admin alone cannot trade', async () => {
    const world = await worldOf({ lanes })
    const { accountId } = world
    const orders = limitedOrders(world)
    await orders.set('openOrders', '1')
    expect(refused(await put(world, { accountId, kind: 'openOrders', value: '100' }))).toEqual([403, 'SCOPE_MISSING'])
    actWith(world, ['admin'])
    expect(refused(await orders.build({ size: 1 }))).toEqual([403, 'SCOPE_MISSING'])
    expect(refused(await world.get('/v1/exec/risk-limits'))).toEqual([403, 'SCOPE_MISSING'])
  })

  it.each([
    ['a value below zero', { value: '-1' }],
    ['a value with an exponent', { value: '1e3' }],
    ['a number', { value: 5 }],
    ['seven decimals', { value: '0.0000001' }],
    ['a part of an order', { kind: 'openOrders', value: '1.5' }],
    ['a part of an order per minute', { kind: 'orderRate', value: '0.5' }],
    ['a distance above one', { kind: 'priceCollar', value: '1.1' }],
    ['an unknown kind', { kind: 'leverage' }],
    ['an unknown breach', { onBreach: 'warn' }],
    ['an unknown field', { until: 'tomorrow' }],
    ['the loss of a key', { kind: 'dailyLoss', keyId: randomUUID() }],
    ['no account', { accountId: undefined }],
  ])('are rejected for %s', async (_name, body) => {
    const world = await worldOf({ lanes })
    const { accountId } = world
    actWith(world, ['admin'])
    const reply = await put(world, { accountId, kind: 'notional', value: '1', ...body })
    expect(refused(reply)).toEqual([400, 'VALIDATION_ERROR'])
    expect(await count('risk_limits WHERE account_id = $1', [accountId])).toBe(0)
  })

  it('are rejected for an account, a key or a venue that does not exist', async () => {
    const world = await worldOf({ lanes })
    const { accountId } = world
    actWith(world, ['admin'])
    const body = { accountId, kind: 'notional', value: '1' }
    expect(refused(await put(world, { ...body, accountId: randomUUID() }))).toEqual([404, 'NOT_FOUND'])
    expect(refused(await put(world, { ...body, keyId: randomUUID() }))).toEqual([404, 'NOT_FOUND'])
    expect(refused(await put(world, { ...body, venue: 'nowhere' }))).toEqual([404, 'VENUE_NOT_SUPPORTED'])
  })
})

describe('the limits of a caller', () => {
  it('are those of its account and its key, with what is used of them', async () => {
    const world = await worldOf({ lanes })
    const orders = limitedOrders(world)
    const [mine, other] = [randomUUID(), randomUUID()]
    await orders.set('openNotional', '100')
    await orders.set('openOrders', '10', { venue: 'kalshi' })
    await orders.set('openOrders', '5', { keyId: mine })
    await orders.set('openOrders', '1', { keyId: other })
    await orders.set('orderRate', '30')
    await orders.set('notional', '50')
    await orders.set('exposure', '1000')
    await orders.set('dailyLoss', '20', { onBreach: 'halt' })
    orders.useKey(mine)
    await orders.place({ size: 10, price: 0.5 }, 'novig')
    await orders.place({ size: 20, price: 0.5 }, 'kalshi')
    const { data } = (await world.get('/v1/exec/risk-limits')).json
    const rows = data.map((row: Record<string, unknown>) => [
      row.kind,
      row.venue,
      row.keyId,
      row.value,
      row.unit,
      row.used,
    ])
    expect(rows).toEqual([
      ['openNotional', null, null, '100', 'USD', '15'],
      ['openOrders', 'kalshi', null, '10', 'orders', '1'],
      ['openOrders', null, mine, '5', 'orders', '2'],
      ['orderRate', null, null, '30', 'orders per minute', '2'],
      ['notional', null, null, '50', 'USD', null],
      ['exposure', null, null, '1000', 'USD', '15'],
      ['dailyLoss', null, null, '20', 'USD', '0'],
    ])
    expect(data.at(-1)).toMatchObject({ accountId: world.accountId, onBreach: 'halt' })
    expect(data[0]).not.toHaveProperty('setBy')
  })

  it('are none for an account without limits', async () => {
    const world = await worldOf({ lanes })
    await limitedOrders(world).set('openOrders', '1')
    world.actAs(await world.newAccount())
    expect((await world.get('/v1/exec/risk-limits')).json.data).toEqual([])
  })
})
