import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { createRouterStore, type NewGroup } from '#storage/postgres/router/store'
import { executionSuite, idOf } from '#test/support/execution/suite'

const { pg, worldOf, count } = executionSuite()

const groupOf = (accountId: string, more: Partial<NewGroup> = {}): NewGroup => ({
  id: randomUUID(),
  accountId,
  keyId: accountId,
  key: 'k',
  bodySha256: Buffer.alloc(32, 1),
  kind: 'route',
  closesId: null,
  plan: { quote: null },
  legs: ['0.40', '0.5'].map((price, component) => ({
    component,
    venue: 'novig',
    market_id: 'm',
    outcome_id: 'o',
    outcome_side: 'YES',
    is_buy: true,
    size: '10.50',
    price,
    expected: {},
    build: { size: 10.5 },
    closes_position: null,
  })),
  at: new Date(1_790_000_000_000),
  ...more,
})

it('keeps a group with its legs, once for each key', async () => {
  const { accountId } = await worldOf()
  const store = createRouterStore(pg.pool)
  const group = groupOf(accountId)
  expect(await store.insert(group)).toBe(true)
  expect(await store.insert(groupOf(accountId))).toBe(false)
  expect(await count('router_legs WHERE group_id = $1', [group.id])).toBe(2)
  const found = await store.findByKey(accountId, 'k')
  expect(found).toMatchObject({ group: { id: group.id, kind: 'route', closes_id: null, plan: { quote: null } } })
  expect(found!.legs.map(({ position, price, size, error }) => [position, price, size, error])).toEqual([
    [0, '0.4', '10.5', null],
    [1, '0.5', '10.5', null],
  ])
  expect(await store.find(randomUUID(), group.id)).toBeNull()
})

it('a leg keeps its first execution, and an error only until then', async () => {
  const world = await worldOf()
  const store = createRouterStore(pg.pool)
  const group = groupOf(world.accountId)
  await store.insert(group)
  const [first, second] = [idOf(await world.build('1', { size: 1 })), idOf(await world.build('2', { size: 1 }))]
  await store.setError(group.id, 0, { code: 'NETWORK_ERROR' })
  await store.setExecution(group.id, 0, first)
  await store.setExecution(group.id, 0, second)
  await store.setError(group.id, 0, { code: 'NETWORK_ERROR' })
  const { legs } = (await store.find(world.accountId, group.id))!
  expect(legs[0]).toMatchObject({ execution_id: first, error: null })
  expect(await store.findExecutions(world.accountId, [first, second])).toHaveLength(2)
  expect(await store.findExecutions(randomUUID(), [first])).toEqual([])
})

it('a group is never changed or deleted', async () => {
  const { accountId } = await worldOf()
  const group = groupOf(accountId)
  await createRouterStore(pg.pool).insert(group)
  await expect(pg.pool.query(`UPDATE router_groups SET kind = 'arbitrage' WHERE id = $1`, [group.id])).rejects.toThrow()
  await expect(pg.pool.query('DELETE FROM router_groups WHERE id = $1', [group.id])).rejects.toThrow()
})
