// The lab's Myriad, requested as any client would: rows compared with recorded and documented ones, key by key.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { type Lab, startLab } from '#lab/lab'
import { action, event, pool, trade } from '#test/src/venues/myriad/data/rows'

let lab: Lab
beforeAll(async () => {
  lab = await startLab({ clock: new ManualClock(), seed: 'myriad', venues: ['myriad'], ratePerSecond: 0, markets: 150 })
})
afterAll(() => lab.stop())

type Json = Record<string, unknown>
async function get<T = { data: Json[]; pagination: Json }>(path: string): Promise<{ status: number; body: T }> {
  const response = await fetch(lab.myriad.urls.REST + path)
  return { status: response.status, body: (await response.json()) as T }
}
const one = (model: 'amm' | 'ob') =>
  lab.myriad.listing.markets.find(
    (market) => market.model === model && lab.myriad.engine.statusOf(market.key) === 'open',
  )!

/** Recorded in addition to the documented fields, and unused in the lab. */
const unused = ['ctaName', 'oracle', 'bannerImageUrl', 'ogImageUrl', 'featuredAt']
const keysOf = (row: object) =>
  Object.keys(row)
    .filter((key) => !unused.includes(key))
    .sort()

test('returns pools unless order books are requested, page by page', async () => {
  const count = async (query: string) => (await get(`/markets?limit=100${query}`)).body.pagination.total as number
  const [pools, books, all] = [await count(''), await count('&trading_model=ob'), await count('&trading_model=all')]
  expect(pools).toBeGreaterThan(0)
  expect(pools + books).toBe(all)
  const { data, pagination } = (await get('/markets?trading_model=all&limit=7&page=2')).body
  expect([data.length, pagination.hasNext]).toEqual([7, true])
  expect((await get('/markets?limit=101')).status).toBe(400)
})

test('rows have the fields of recorded ones', async () => {
  const { data } = (await get('/markets?limit=1')).body
  expect(keysOf(data[0]!)).toEqual(keysOf(pool))
  expect(keysOf((data[0]!.outcomes as Json[])[0]!)).toEqual(keysOf(pool.outcomes[0]!))
  const events = (await get('/events')).body.data
  expect(keysOf(events[0]!)).toEqual(keysOf(event))
  const { id, networkId } = one('ob')
  const [row] = (await get<Json[]>(`/markets/${id}/trades?network_id=${networkId}`)).body
  expect(Object.keys(row!).sort()).toEqual(Object.keys(trade).sort())
  const actions = (await get(`/markets/${one('amm').id}/events?network_id=${one('amm').networkId}`)).body.data
  expect(Object.keys(actions[0]!).sort()).toEqual(Object.keys(action).sort())
})

test('the price of a pool follows from its holdings', async () => {
  const { outcomes } = (
    await get<{ outcomes: { price: string; shares: string }[] }>(
      `/markets/${one('amm').id}?network_id=${one('amm').networkId}`,
    )
  ).body
  const [yes, no] = outcomes.map(({ shares }) => Number(shares)) as [number, number]
  expect(no / (yes + no)).toBeCloseTo(Number(outcomes[0]!.price), 6)
})

test('finds an order book by its number on its network, and not by that of a pool', async () => {
  const { id } = one('ob')
  const { body } = await get<{ bids: string[][]; asks: string[][] }>(`/markets/${id}/orderbook?network_id=56&outcome=1`)
  const truth = lab.myriad.book(`56:ob:${id}:1`)!
  expect(body.bids.map(([price]) => Number(price) / 1e12)).toEqual(truth.bids.map(([price]) => price))
  expect(await get(`/markets/${id}/orderbook?network_id=2741`)).toMatchObject({
    status: 404,
    body: { error: 'Market not found' },
  })
})
