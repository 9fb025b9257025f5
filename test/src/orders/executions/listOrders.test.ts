// The overview of an account's orders over all venues, as stored.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { OrderOverview } from '#schemas/orders'
import { openConditionalOrders } from '#test/support/conditional/book'
import { testLane } from '#test/support/execution/lane'
import { executionSuite, idOf, refused } from '#test/support/execution/suite'
import type { ExecutionWorld } from '#test/support/execution/world'

const { pg, worldOf, setStatus } = executionSuite()

const rowsOf = async (world: ExecutionWorld, query = ''): Promise<OrderOverview[]> => {
  const { status, json } = await world.get(`/v1/exec/orders${query}`)
  expect(status).toBe(200)
  return json.data.map((row: unknown) => OrderOverview.parse(row))
}
const idsOf = async (world: ExecutionWorld, query: string): Promise<string[]> =>
  (await rowsOf(world, query)).map(({ executionId }) => executionId)

const terms = { marketId: 'm1', outcomeId: 'o1', outcomeSide: 'YES', isBuy: false, price: '0.4', size: '5' }
const setTerms = (id: string) => pg.pool.query('UPDATE executions SET terms = $2 WHERE id = $1', [id, terms])

describe('the overview of orders', () => {
  it('has orders and modifications newest first, each with its counterparts, and no cancels', async () => {
    const world = await worldOf()
    const order = idOf(await world.build('b'))
    await world.submit(order, 's')
    const change = idOf(await world.modify(order, 'm'))
    await world.cancel(order, 'c')
    const [modified, original, ...others] = await rowsOf(world)
    expect(others).toEqual([])
    expect(original).toEqual({
      executionId: order,
      venue: 'novig',
      intent: 'order',
      status: 'acked',
      marketId: null,
      outcomeId: null,
      market: null,
      label: null,
      side: 'buy',
      price: null,
      size: '5',
      matchedSize: null,
      remainingSize: null,
      averagePrice: null,
      timeInForce: 'good-til-cancel',
      expiresAt: null,
      venueRef: expect.any(String),
      conditionalId: null,
      groupId: null,
      targetExecutionId: null,
      targetOf: [change],
      error: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      statusSince: expect.any(String),
    })
    expect(modified).toMatchObject({ executionId: change, intent: 'modify', targetExecutionId: order, targetOf: [] })
  })

  it('shows the terms, what remains, and since when the status holds', async () => {
    const clock = new ManualClock(Date.now())
    const world = await worldOf({ clock })
    const id = idOf(await world.build('b'))
    clock.advance(60_000)
    await world.submit(id, 's')
    await setTerms(id)
    const acked = new Date(clock.now()).toISOString()
    await pg.pool.query('UPDATE executions SET matched_size = 1.50 WHERE id = $1', [id])
    expect(await rowsOf(world)).toMatchObject([
      {
        ...{ marketId: 'm1', outcomeId: 'o1', side: 'sell', price: '0.4', size: '5' },
        ...{ remainingSize: '3.5', statusSince: acked },
      },
    ])
    await pg.pool.query('UPDATE executions SET matched_size = 5.01 WHERE id = $1', [id])
    expect((await rowsOf(world))[0]!.remainingSize).toBe('0')
  })

  it('has the average price of the stored fills', async () => {
    const prices: Readonly<Record<string, string>> = { f1: '0.4', f2: '0.5' }
    const lane = testLane({
      readFill: ({ key }) => ({ size: '1', cash: prices[String(key)] ?? null, fee: null, feeIn: 'cash' }),
    })
    const world = await worldOf({ lanes: [lane] })
    const built = await world.build('b')
    const order = built.json.data.unsigned.id
    await world.submit(idOf(built), 's')
    world.venue.status.set(order, 'filled')
    world.venue.fills.set(order, ['f1', 'f2'])
    await world.refresh(idOf(built))
    expect((await rowsOf(world))[0]).toMatchObject({ status: 'filled', averagePrice: '0.45' })
    await pg.pool.query(
      `INSERT INTO execution_fills (execution_id, account_id, venue, venue_key, fill, filled_at)
       VALUES ($1, $2, 'novig', 'f3', '{"key": "unpriced"}', now())`,
      [idOf(built), world.accountId],
    )
    expect((await rowsOf(world))[0]!.averagePrice).toBeNull()
  })

  it('is filtered by status, venue, market, time, and whether an order is in flight', async () => {
    const world = await worldOf()
    const ids: string[] = []
    for (const key of ['a', 'b', 'c']) ids.unshift(idOf(await world.build(key)))
    const [built, open, ended] = ids as [string, string, string]
    await setStatus(open, 'acked')
    await setStatus(ended, 'filled')
    await setTerms(ended)
    expect(await idsOf(world, '')).toEqual([built, open, ended])
    expect(await idsOf(world, '?status=filled,acked')).toEqual([open, ended])
    expect(await idsOf(world, '?status=built')).toEqual([built])
    expect(await idsOf(world, '?open=true')).toEqual([open])
    expect(await idsOf(world, '?open=false')).toEqual([built, open, ended])
    expect(await idsOf(world, '?marketId=m1')).toEqual([ended])
    expect(await idsOf(world, '?venue=kalshi')).toEqual([])
    expect(await idsOf(world, '?since=2999-01-01T00:00:00Z')).toEqual([])
    for (const query of ['status=nope', 'venue=nope', 'open=yes', 'group=1', 'since=today', 'cursor=abc'])
      expect(refused(await world.get(`/v1/exec/orders?${query}`)), query).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('is filtered by a conditional order or its OCO group', async () => {
    const world = await worldOf()
    const alone = idOf(await world.build('a'))
    const pair = [idOf(await world.build('b')), idOf(await world.build('c'))]
    const book = await openConditionalOrders(pg.pool, world.accountId)
    const groupId = randomUUID()
    const conditionals: string[] = []
    for (const executionId of pair) conditionals.push((await book.arm({ executionId, ocoGroupId: groupId })).id)
    expect(await rowsOf(world, `?group=${groupId}`)).toMatchObject([
      { executionId: pair[1], conditionalId: conditionals[1], groupId },
      { executionId: pair[0], conditionalId: conditionals[0], groupId },
    ])
    expect(await idsOf(world, `?group=${conditionals[0]}`)).toEqual([pair[0]])
    expect((await rowsOf(world)).find(({ executionId }) => executionId === alone)).toMatchObject({
      conditionalId: null,
      groupId: null,
    })
    world.actAs(await world.newAccount())
    expect(await rowsOf(world, `?group=${groupId}`)).toEqual([])
  })

  it('is paged, and a cursor is valid only for its own filter and account', async () => {
    const world = await worldOf()
    const ids: string[] = []
    for (const key of ['a', 'b', 'c']) ids.unshift(idOf(await world.build(key)))
    const first = await world.get('/v1/exec/orders?limit=2')
    const next = await world.get(`/v1/exec/orders?limit=2&cursor=${first.json.nextCursor}`)
    expect([...first.json.data, ...next.json.data].map((row) => row.executionId)).toEqual(ids)
    expect(next.json.nextCursor).toBeUndefined()
    const other = await world.get(`/v1/exec/orders?limit=2&open=true&cursor=${first.json.nextCursor}`)
    expect(refused(other)).toEqual([400, 'VALIDATION_ERROR'])
    world.actAs(await world.newAccount())
    const stolen = await world.get(`/v1/exec/orders?limit=2&cursor=${first.json.nextCursor}`)
    expect(refused(stolen)).toEqual([400, 'VALIDATION_ERROR'])
    expect(await rowsOf(world)).toEqual([])
  })
})
