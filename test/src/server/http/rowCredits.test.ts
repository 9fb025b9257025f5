// What lists cost per returned row.
import { describe, expect, it } from 'vitest'
import { MemoryCredits } from './purse.ts'
import { createWorld, marketOf } from './world.ts'

function listWorld(rows: number, balance: number) {
  const purse = new MemoryCredits(balance)
  const world = createWorld({ credits: purse })
  const markets = Array.from({ length: rows }, (_, at) =>
    marketOf('kalshi', `KXROWS-${at}`, [`KXROWS-${at}`, `KXROWS-${at}-NO`]),
  )
  world.catalog.findMarkets = async ({ limit }) => ({
    rows: markets.slice(0, limit),
    positions: [],
    next: null,
    total: rows,
    asOf: null,
  })
  const charged = async (path: string) => {
    const { status, headers } = await world.get(path)
    return [status, headers['x-credits-charged'], headers['x-credits-balance']]
  }
  return { purse, charged }
}

describe('a list costs', () => {
  it.each([
    [0, 1_000, '1'],
    [3, 1_000, '1'],
    [1_000, 10, '1'],
    [1_000, 100, '1'],
    [1_000, 101, '2'],
    [1_000, 1_000, '10'],
  ])('with %i markets there and a limit of %i: %s credits', async (rows, limit, cost) => {
    const { purse, charged } = listWorld(rows, 100)
    const left = String(100 - Number(cost))
    expect(await charged(`/api/kalshi/fetchMarkets?limit=${limit}`)).toEqual([200, cost, left])
    expect(purse).toMatchObject({ open: 0, kept: [['k1', Number(cost), 'fetchMarkets']] })
  })

  it('the same as a page, where the rows are within data', async () => {
    const { charged } = listWorld(250, 100)
    expect(await charged('/api/kalshi/fetchMarketsPaginated?limit=250')).toEqual([200, '3', '97'])
  })

  it('the same when the credits for its rows are reserved asynchronously', async () => {
    const { purse, charged } = listWorld(250, 100)
    purse.slow = true
    expect(await charged('/api/kalshi/fetchMarkets?limit=250')).toEqual([200, '3', '97'])
    expect(purse.open).toBe(0)
  })

  it('nothing, with 402, when the account cannot pay for the rows, but fewer rows succeed', async () => {
    const { purse, charged } = listWorld(1_000, 5)
    expect(await charged('/api/kalshi/fetchMarkets?limit=1000')).toEqual([402, '0', '5'])
    expect(purse).toMatchObject({ open: 0, balance: 5, kept: [] })
    expect(await charged('/api/kalshi/fetchMarkets?limit=500')).toEqual([200, '5', '0'])
  })
})

it('a credit for every 1,000 markets when returned all at once, at least its price', async () => {
  const few = listWorld(3, 100)
  expect((await few.charged('/api/kalshi/loadMarkets'))[1]).toBe('10')
  const many = listWorld(25_500, 100)
  expect((await many.charged('/api/kalshi/loadMarkets'))[1]).toBe('26')
})
