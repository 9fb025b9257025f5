// The lab's SX Bet, requested as any client would, in the format of ccxt's recorded responses (MIT).
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ManualClock } from '#core/clock'
import { type Lab, startLab } from '#lab/lab'

let lab: Lab
beforeAll(async () => {
  lab = await startLab({ clock: new ManualClock(), seed: 'sxbet', venues: ['sxbet'], ratePerSecond: 0, markets: 150 })
})
afterAll(() => lab.stop())

type Json = Record<string, unknown>
async function get(
  path: string,
): Promise<{ status: number; body: Json & { data: Json & { markets: Json[]; trades: Json[] } } }> {
  const response = await fetch(lab.sxbet.urls.REST + path)
  return { status: response.status, body: (await response.json()) as never }
}
const open = () => lab.sxbet.listing.markets.find(({ key }) => lab.sxbet.engine.statusOf(key) === 'open')!

test('lists every market that takes bets once, page by page', async () => {
  const seen: unknown[] = []
  let key = ''
  do {
    const { markets, nextKey } = (await get(`/markets/active?pageSize=7${key}`)).body.data
    seen.push(...markets.map(({ marketHash }) => marketHash))
    key = nextKey === undefined ? '' : `&paginationKey=${nextKey}`
  } while (key !== '')
  const truth = lab.sxbet.listing.markets.filter(({ key: id }) => lab.sxbet.engine.statusOf(id) === 'open')
  expect(seen).toEqual(truth.map(({ marketHash }) => marketHash))
  expect((await get('/markets/active?pageSize=101')).status).toBe(400)
})

test('finds an ended market by its hash, with its result', async () => {
  const over = lab.sxbet.listing.markets.find(({ key }) => lab.sxbet.engine.statusOf(key) === 'resolved')!
  const { data } = (await get(`/markets/find?marketHashes=${over.marketHash},${open().marketHash}`)).body
  expect(data).toMatchObject([
    { marketHash: over.marketHash, status: 'INACTIVE', outcome: expect.any(Number), reportedDate: expect.any(Number) },
    { marketHash: open().marketHash, status: 'ACTIVE' },
  ])
  expect(await get('/markets/find?marketHashes=0x1')).toMatchObject({
    status: 400,
    body: { error: 'Bad Request', message: 'BAD_MARKET_HASHES', statusCode: 400 },
  })
})

test('a book has the bets of makers on each side, in base units, best first', async () => {
  const { marketHash } = open()
  const { data } = (await get(`/orderbook-v3/snapshot?marketHash=${marketHash}`)).body
  expect(Object.keys(data).sort()).toEqual(['marketHash', 'outcomeOne', 'outcomeTwo', 'version'])
  const truth = lab.sxbet.book(marketHash)!
  for (const [side, levels, scale] of [
    ['outcomeOne', truth.bids, (price: number) => price],
    ['outcomeTwo', truth.asks, (price: number) => 1_000_000 - price],
  ] as const) {
    const offers = data[side] as { percentageOdds: string; size: string }[]
    expect(offers.map(({ percentageOdds }) => Number(percentageOdds) / 1e14)).toEqual(
      levels.map(([price]) => scale(price)),
    )
    // With this stake its maker buys as many contracts as the book has.
    for (const [n, { percentageOdds, size }] of offers.entries()) {
      expect((Number(size) * 1e20) / Number(percentageOdds) / 1e6).toBeCloseTo(levels[n]![1], 6)
      expect(BigInt(percentageOdds) % 125_000_000_000_000_000n).toBe(0n)
    }
  }
  expect((await get(`/orderbook-v3/snapshot?marketHash=0x${'0'.repeat(64)}`)).status).toBe(404)
})

test('bets are newest first, a hundred per page, each from the side of the taker', async () => {
  const { marketHash, key } = open()
  const path = `/trades-v3/public?marketHash=${marketHash}`
  const first = (await get(`${path}&perPage=100`)).body.data
  const second = (await get(`${path}&perPage=100&nextKey=${first.nextKey}`)).body.data
  const truth = lab.sxbet.engine.glance(key)!.recentTrades().slice(0, 200)
  const rows = [...first.trades, ...second.trades]
  expect(new Set(rows.map(({ tradeId }) => tradeId)).size).toBe(200)
  for (const [n, { priceMicros, size, takerBuysYes, atMs }] of truth.entries()) {
    const own = takerBuysYes ? priceMicros : 1_000_000 - priceMicros
    expect(rows[n]).toMatchObject({
      isBettingOutcomeOne: takerBuysYes,
      betTime: new Date(atMs).toISOString(),
      totalStake: String(size * own),
      weightedAverageOdds: `${own}${'0'.repeat(14)}`,
    })
  }
  expect((await get(`${path}&perPage=101`)).status).toBe(400)
})
