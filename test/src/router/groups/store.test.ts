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
  expect(await store.insert(group)).toBe('made')
  expect(await store.insert(groupOf(accountId))).toBe('key_used')
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

it('is closed only while its legs are as they were counted, and not built any more afterwards', async () => {
  const world = await worldOf()
  const store = createRouterStore(pg.pool)
  const group = groupOf(world.accountId)
  await store.insert(group)
  const [first, second] = [idOf(await world.build('1', { size: 1 })), idOf(await world.build('2', { size: 1 }))]
  await store.setExecution(group.id, 0, first)
  const counted = [first, null].map((executionId, position) => ({ groupId: group.id, position, executionId }))
  const closing = (key: string) => groupOf(world.accountId, { key, closesId: group.id, counted })
  const refused = { code: 'NETWORK_ERROR' }
  // Neither built nor refused yet.
  expect(await store.insert(closing('c'))).toBe('changed')
  await store.setError(group.id, 1, refused)
  expect(await store.reopenLegs(group.id)).toBe(true)
  expect(await store.insert(closing('c'))).toBe('changed')
  expect(await count('router_groups WHERE closes_id = $1', [group.id])).toBe(0)
  await store.setError(group.id, 1, refused)
  expect(await store.insert(closing('c'))).toBe('made')
  expect(await store.insert(closing('c'))).toBe('key_used')
  expect(await store.insert(closing('another'))).toBe('changed')
  expect(await store.reopenLegs(group.id)).toBe(false)
  expect(await store.setExecution(group.id, 1, second)).toBe(false)
  expect(await store.setExecution(group.id, 0, first)).toBe(true)
  const { legs } = (await store.find(world.accountId, group.id))!
  expect(legs.map(({ execution_id, error }) => [execution_id, error])).toEqual([
    [first, null],
    [null, refused],
  ])
})

it('of two groups that close another at once one is stored', async () => {
  const { accountId } = await worldOf()
  const store = createRouterStore(pg.pool)
  const group = groupOf(accountId)
  await store.insert(group)
  const counted = [0, 1].map((position) => ({ groupId: group.id, position, executionId: null }))
  for (const { position } of counted) await store.setError(group.id, position, { code: 'NETWORK_ERROR' })
  const closing = (key: string) => store.insert(groupOf(accountId, { key, closesId: group.id, counted }))
  const results = await Promise.all(['1', '2', '3', '4'].map(closing))
  expect(results.filter((result) => result === 'made')).toHaveLength(1)
  expect(await count('router_groups WHERE closes_id = $1', [group.id])).toBe(1)
})

it('a group is never changed or deleted', async () => {
  const { accountId } = await worldOf()
  const group = groupOf(accountId)
  await createRouterStore(pg.pool).insert(group)
  for (const statement of [
    `UPDATE router_groups SET kind = 'arbitrage' WHERE id = $1`,
    'DELETE FROM router_groups WHERE id = $1',
  ])
    await expect(pg.pool.query(statement, [group.id])).rejects.toThrow('router_groups is append-only')
})
