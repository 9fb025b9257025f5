import { expect, it } from 'vitest'
import { testLane } from '#test/support/execution/lane'
import { executionSuite, idOf, refused } from '#test/support/execution/suite'

const { pg, worldOf } = executionSuite()

it('pages the list newest first, and a cursor is valid only for its own filter and account', async () => {
  const world = await worldOf()
  const ids: string[] = []
  for (const key of ['a', 'b', 'c']) ids.unshift(idOf(await world.build(key)))
  const first = await world.get('/v1/exec/executions?limit=2')
  const next = await world.get(`/v1/exec/executions?limit=2&cursor=${first.json.nextCursor}`)
  expect([...first.json.data, ...next.json.data].map((row) => row.executionId)).toEqual(ids)
  const bad = [`status=built&cursor=${first.json.nextCursor}`, 'cursor=abc']
  for (const query of bad)
    expect(refused(await world.get(`/v1/exec/executions?${query}`))).toEqual([400, 'VALIDATION_ERROR'])
  world.actAs(await world.newAccount())
  expect(refused(await world.get(`/v1/exec/executions?limit=2&cursor=${first.json.nextCursor}`))).toEqual([
    400,
    'VALIDATION_ERROR',
  ])
  expect(refused(await world.get(`/v1/exec/executions/${ids[0]}`))).toEqual([404, 'EXECUTION_NOT_FOUND'])
})

it('lists by venue, status, intent and time', async () => {
  const world = await worldOf()
  const id = idOf(await world.build('a'))
  await world.submit(id, 's')
  const cancel = idOf(await world.cancel(id, 'c'))
  const listed = async (query: string): Promise<string[]> =>
    (await world.get(`/v1/exec/executions?${query}`)).json.data.map((row: { executionId: string }) => row.executionId)
  expect(await listed('status=acked')).toEqual([id])
  expect(await listed('intent=cancel')).toEqual([cancel])
  expect(await listed('venue=novig')).toEqual([cancel, id])
  expect(await listed('venue=kalshi')).toEqual([])
  expect((await world.get('/v1/exec/executions?venue=nope')).status).toBe(400)
  expect(await listed('since=2020-01-01T00:00:00Z')).toEqual([cancel, id])
  expect(await listed('since=2999-01-01T00:00:00Z')).toEqual([])
})

it('pages fills by decimal fill ids, oldest first, and clamps a larger limit', async () => {
  const world = await worldOf()
  const built = await world.build('b')
  const order = built.json.data.unsigned.id
  await world.submit(idOf(built), 's')
  world.venue.status.set(order, 'filled')
  world.venue.fills.set(order, ['f1', 'f2', 'f3'])
  await world.refresh(idOf(built))
  const page = await world.get('/v1/exec/novig/trades?limit=1')
  expect(page.json.data).toMatchObject([
    { fillId: expect.stringMatching(/^\d+$/), executionId: idOf(built), venue: 'novig', fill: { key: 'f1' } },
  ])
  expect(page.json.nextCursor).toBe(page.json.data[0].fillId)
  const rest = await world.get(`/v1/exec/novig/trades?limit=999&cursor=${page.json.nextCursor}`)
  expect(rest.json.data.map((row: { fill: { key: string } }) => row.fill.key)).toEqual(['f2', 'f3'])
  expect(rest.json.nextCursor).toBeUndefined()
  for (const query of ['cursor=abc', 'cursor=-1', `cursor=${'9'.repeat(40)}`, 'limit=0', 'limit=x'])
    expect(refused(await world.get(`/v1/exec/novig/trades?${query}`)), query).toEqual([400, 'VALIDATION_ERROR'])
  expect(refused(await world.get('/v1/exec/pred/trades'))).toEqual([404, 'VENUE_NOT_SUPPORTED'])
  world.actAs(await world.newAccount())
  expect((await world.get('/v1/exec/novig/trades')).json.data).toEqual([])
})

it('has 50 fills per page by default, and at most 200', async () => {
  const world = await worldOf()
  const id = idOf(await world.build('b'))
  await pg.pool.query(
    `INSERT INTO execution_fills (execution_id, account_id, venue, venue_key, fill, filled_at)
     SELECT $1, $2, 'novig', n, jsonb_build_object('n', n), now() FROM generate_series(1, 230) n`,
    [id, world.accountId],
  )
  const sizes: Record<string, number> = { '': 50, '?limit=7': 7, '?limit=200': 200, '?limit=5000': 200 }
  for (const [query, size] of Object.entries(sizes)) {
    const { json } = await world.get(`/v1/exec/novig/trades${query}`)
    expect(json.data, query).toHaveLength(size)
    expect(json.nextCursor).toBe(json.data.at(-1).fillId)
  }
  const seen: number[] = []
  for (let cursor = ''; ; ) {
    const { json } = await world.get(`/v1/exec/novig/trades?limit=31${cursor}`)
    seen.push(...json.data.map((row: { fill: { n: number } }) => row.fill.n))
    if (json.nextCursor === undefined) break
    cursor = `&cursor=${json.nextCursor}`
  }
  expect(seen).toEqual(Array.from({ length: 230 }, (_, i) => i + 1))
})

it('adapters report what they lack', async () => {
  const { cancel: _c, refresh: _r, ...bare } = testLane()
  const world = await worldOf({ lanes: [bare] })
  const id = idOf(await world.build('b'))
  expect(refused(await world.cancel(id, 'c'))).toEqual([501, 'NOT_IMPLEMENTED'])
  expect((await world.refresh(id)).status).toBe(501)
  for (const intent of ['redeem', 'split', 'merge', 'convert']) {
    expect(refused(await world.build(intent, { intent, size: 1 }))).toEqual([501, 'NOT_IMPLEMENTED'])
  }
  expect((await world.get('/v1/exec/venues')).json.data).toMatchObject([
    { venue: 'novig', armed: true, verbs: { build: true, cancel: false, refresh: false, redeem: false, split: false } },
  ])
})

it('a disabled adapter and an unknown venue have no order routes', async () => {
  const world = await worldOf()
  for (const venue of ['pred', 'nowhere']) {
    const made = await world.world.post(
      `/v1/exec/${venue}/orders/build`,
      { size: 1 },
      { headers: { 'idempotency-key': 'x' } },
    )
    expect(refused(made)).toEqual([404, 'VENUE_NOT_SUPPORTED'])
  }
})
