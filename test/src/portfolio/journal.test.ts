import { expect, it } from 'vitest'
import { Fault } from '#core/fault'
import { readJournal } from '#portfolio/journal'
import { kalshiFill, polymarketFill, portfolioSuite } from '#test/support/portfolio/world'

const { pg, worldOf } = portfolioSuite()

const kalshi = { venue: 'kalshi', marketId: 'KXLONG-26', outcomeId: 'KXLONG-26' }

it('reads fills of several venues over several pages, each once', async () => {
  const world = await worldOf()
  const [order, other] = [
    await world.order(kalshi),
    await world.order({ venue: 'polymarket', marketId: '0xlong', outcomeId: '77' }),
  ]
  for (const [id, fill, count] of [
    [order, kalshiFill('1', '0.40'), 2_100],
    [other, polymarketFill('1', '0.3'), 1_950],
  ] as const) {
    await pg.pool.query(
      `INSERT INTO execution_fills (execution_id, account_id, venue, venue_key, fill, filled_at)
       SELECT e.id, e.account_id, e.venue, n, $2, $3 FROM executions e, generate_series(1, $4::integer) n WHERE e.id = $1`,
      [id, fill, '2026-11-02T00:00:00Z', count],
    )
  }
  const { entries } = await readJournal(world.ports, world.accountId)
  expect(entries).toHaveLength(4_050)
  const { positions } = await world.reader.read(world.accountId)
  expect(positions.map(({ venue, quantity }) => [venue, quantity])).toEqual([
    ['kalshi', '2100'],
    ['polymarket', '1950'],
  ])
})

it('refuses an account with more entries than it computes from', async () => {
  const world = await worldOf()
  const order = await world.order(kalshi)
  for (const key of ['a', 'b', 'c']) await world.fill(order, key, kalshiFill('1', '0.40'), '2026-11-02T00:00:00Z')
  await expect(readJournal(world.ports, world.accountId, { max: 2 })).rejects.toMatchObject({ code: 'NOT_SUPPORTED' })
  expect((await readJournal(world.ports, world.accountId, { max: 3 })).entries).toHaveLength(3)
})

it('gives entries without a currency that of their market', async () => {
  const world = await worldOf()
  await world.list('kalshi', 'KXCASH', ['KXCASH', 'KXCASH-NO'], { sourceMetadata: { collateral: 'USD' } })
  const order = await world.order({ venue: 'kalshi', marketId: 'KXCASH', outcomeId: 'KXCASH', currency: null })
  await world.fill(order, 'a', kalshiFill('1', '0.40'), '2026-11-02T00:00:00Z')
  const old = await world.order({ ...kalshi, currency: null })
  await world.fill(old, 'a', kalshiFill('1', '0.40'), '2026-11-02T00:00:00Z')
  const { entries } = await readJournal(world.ports, world.accountId)
  expect(entries.map(({ currency }) => currency)).toEqual(['USD', null])
})

it('has the entries up to a moment, without marks of today', async () => {
  const world = await worldOf()
  const order = await world.order(kalshi)
  await world.fill(order, 'a', kalshiFill('1', '0.40'), '2026-11-02T00:00:00Z')
  await world.fill(order, 'b', kalshiFill('2', '0.50'), '2026-11-04T00:00:00Z')
  world.book('kalshi', 'KXLONG-26', [[0.45, 10]], [[0.47, 5]])
  const until = Date.parse('2026-11-03T00:00:00Z')
  const past = await world.reader.read(world.accountId, { until })
  expect(past).toMatchObject({
    asOf: until,
    positions: [{ quantity: '1', marks: { mid: null, bid: null, last: null } }],
  })
  expect(past.entries).toHaveLength(2)
  expect((await world.reader.read(world.accountId)).positions).toMatchObject([
    { quantity: '3', marks: { mid: '0.46' } },
  ])
})

it('reads only new fills of an account that it has read, at every venue', async () => {
  const reads: string[] = []
  const world = await worldOf({
    wrapStore: (store) => ({
      ...store,
      findFills: (query) => {
        reads.push('all')
        return store.findFills(query)
      },
      findNewFills: (query) => {
        reads.push('new')
        return store.findNewFills(query)
      },
    }),
  })
  const order = await world.order(kalshi)
  const first = await world.fill(order, 'a', kalshiFill('1', '0.40'), '2026-11-02T00:00:00Z')
  const sizes = async () => {
    const { positions } = await world.reader.read(world.accountId)
    return positions.map(({ venue, quantity }) => `${venue} ${quantity}`)
  }
  expect(await sizes()).toEqual(['kalshi 1'])
  await world.fill(order, 'b', kalshiFill('2', '0.40'), '2026-11-03T00:00:00Z')
  const other = await world.order({ venue: 'gemini', marketId: 'G', outcomeId: 'G' })
  await world.fill(other, 'a', { other: true }, '2026-11-03T00:00:00Z')
  expect(await sizes()).toEqual(['kalshi 3'])
  const withdrawal = { ...kalshiFill('1', '0.40'), withdrawn: true, withdrawsFillId: first }
  await world.fill(order, 'a:withdrawn', withdrawal, '2026-11-02T00:00:00Z')
  expect(await sizes()).toEqual(['kalshi 2'])
  expect((await world.reader.read(world.accountId)).unreadable).toMatchObject([{ venue: 'gemini' }])
  expect(reads).toEqual(['all', 'new', 'new', 'new'])
})

it('has what was stored before a read began, also while another read of the account runs', async () => {
  const world = await worldOf()
  const order = await world.order(kalshi)
  await world.fill(order, 'a', kalshiFill('1', '0.40'), '2026-11-02T00:00:00Z')
  const running = world.reader.readEntries(world.accountId)
  await world.fill(order, 'b', kalshiFill('2', '0.40'), '2026-11-03T00:00:00Z')
  expect((await world.reader.readEntries(world.accountId)).entries).toHaveLength(2)
  await running
})

it('reads an account from the beginning after a read that failed', async () => {
  let fails = 0
  const world = await worldOf({
    wrapStore: (store) => ({
      ...store,
      findFilledOrders: async (ids) => {
        if (fails-- > 0) throw new Fault('EXEC_UNAVAILABLE', 'down')
        return store.findFilledOrders(ids)
      },
    }),
  })
  const order = await world.order(kalshi)
  await world.fill(order, 'a', kalshiFill('1', '0.40'), '2026-11-02T00:00:00Z')
  await world.reader.readEntries(world.accountId)
  await world.fill(order, 'b', kalshiFill('2', '0.40'), '2026-11-03T00:00:00Z')
  fails = 1
  await expect(world.reader.readEntries(world.accountId)).rejects.toMatchObject({ code: 'EXEC_UNAVAILABLE' })
  expect((await world.reader.readEntries(world.accountId)).entries).toHaveLength(2)
})
