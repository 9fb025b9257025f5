// The cross-venue half of the same public client, over two lab venues that the running program has matched by itself; and all of its Python
// sister, as PyPI ships it.
import { fileURLToPath } from 'node:url'
import { Router } from 'pmxtjs'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { withEngine } from '#test/support/engine'
import { type PythonVenv, pythonDeadlineMs, pythonVenv } from '#test/support/python/venv'

const engine = withEngine({ env: { CROSSBOOK_ARBITRAGE: 'true', CROSSBOOK_PMXT_SOCKET: 'true' } })
const script = fileURLToPath(new URL('./pmxtClient.py', import.meta.url))
const requirements = [
  'annotated-types==0.8.0',
  'pmxt==2.54.0',
  'pydantic==2.14.3',
  'pydantic-core==2.50.4',
  'python-dateutil==4.0.0',
  'typing-extensions==4.16.0',
  'typing-inspection==0.4.5',
  'tzdata==2026.6',
  'urllib3==2.8.0',
  // Its socket needs it and does not say so.
  'websocket-client==1.9.2',
]

interface Said {
  events: unknown[]
  candles: number
  yes: SaidBook
  no: SaidBook
  watched: SaidBook[]
  watchedMany: string[]
}
interface SaidBook {
  bid: number
  ask: number
  levels: number
}

const router = (): Router =>
  new Router({ baseUrl: engine.served.url, pmxtApiKey: engine.served.apiKey, autoStartServer: false })

/** The matcher runs by itself; on a busy machine it takes its time. */
beforeAll(async () => {
  const client = router()
  await vi.waitFor(
    async () => {
      const [market] = await client.fetchMarkets({ query: 'bitcoin above 110', limit: 1 })
      expect(await client.fetchMarketMatches({ marketId: market!.marketId })).not.toEqual([])
      expect(await client.fetchArbitrage({ limit: 1, minSpread: -1 })).not.toEqual([])
    },
    { timeout: 80_000, interval: 200 },
  )
}, 90_000)

it('goes from a market to its matches, their prices and its hedges', async () => {
  const client = router()
  const [market] = await client.fetchMarkets({ query: 'bitcoin above 110', limit: 1 })
  const matches = await client.fetchMarketMatches(market!)
  const same = matches.find(({ relation }) => relation === 'identity')!
  expect(same.market).toMatchObject({ title: market!.title, yes: { label: 'Yes' } })
  expect(same.market.sourceExchange).not.toBe(market!.sourceExchange)
  expect(same.confidence).toBe(1)

  const [price] = await client.compareMarketPrices(market!)
  expect(price).toMatchObject({ relation: 'identity', venue: same.market.sourceExchange })
  expect(price!.bestBid).toBeGreaterThan(0)
  expect(price!.bestAsk).toBeGreaterThan(price!.bestBid!)

  const hedges = await client.fetchHedges(market!)
  expect(new Set(hedges.map(({ relation }) => relation))).toEqual(new Set(['subset', 'superset']))
  expect(hedges.every(({ venue }) => venue === same.market.sourceExchange)).toBe(true)

  const [event] = await client.fetchEventMatches({ eventId: market!.eventId! })
  expect(event!.event.sourceExchange).toBe(same.market.sourceExchange)
  expect(event!.marketMatches.length).toBeGreaterThan(1)

  const book = await client.fetchOrderBook(`${market!.sourceExchange}:${market!.yes!.outcomeId}`)
  expect(book.bids.length).toBeGreaterThan(0)
})

it('finds arbitrage, and whose markets they are', async () => {
  const client = router()
  const rows = await client.fetchArbitrage({ limit: 5, minSpread: -1 })
  expect(rows).toHaveLength(5)
  for (const { marketA, marketB, buyVenue, sellVenue, buyPrice, sellPrice, spread } of rows) {
    expect([marketA.sourceExchange, marketB.sourceExchange]).toEqual([buyVenue, sellVenue])
    expect(marketA.title).toMatch(/.+/)
    expect(spread).toBeCloseTo(sellPrice - buyPrice, 9)
  }
})

describe('the Python client', () => {
  let venv: PythonVenv
  beforeAll(async () => {
    venv = await pythonVenv(requirements)
  }, pythonDeadlineMs)

  it('reads, watches and goes across venues', { timeout: 60_000 }, async ({ skip }) => {
    if (venv.python === null) return skip(venv.reason)
    const env = { CROSSBOOK_URL: engine.served.url, KEY: engine.served.apiKey }
    const { router: across, ...venues } = JSON.parse(await venv.python.run([script], { env, timeoutMs: 50_000 }))
    for (const [name, said] of Object.entries<Said>(venues)) {
      expect(said, name).toMatchObject({
        markets: 5,
        sameMarket: true,
        books: true,
        trades: 10,
        has: true,
        unknown: [expect.any(String), 'OUTCOME_NOT_FOUND'],
        unknownWatched: [expect.any(String), 'UNKNOWN_ERROR'],
      })
      expect(said.events).toHaveLength(3)
      expect(said.candles).toBeGreaterThan(0)
      expect(said.watchedMany.length).toBeGreaterThan(0)
      for (const book of [said.yes, said.no, ...said.watched]) expect(book.bid).toBeLessThan(book.ask)
      for (const { levels } of said.watched) expect(levels).toBeLessThanOrEqual(2)
    }
    expect(across.matches).toContainEqual(['identity', true])
    expect(across.hedges).toEqual(['subset', 'superset'])
    expect(across.prices[0][1]).toBeLessThan(across.prices[0][2])
    expect(across.events[0]).toBeGreaterThan(1)
    expect(across.merged).toBeGreaterThan(0)
    expect(across.arbitrage.length).toBeGreaterThan(0)
    for (const { titles, venues: traded, of, spread, prices } of across.arbitrage) {
      expect(of).toEqual(traded)
      expect(titles.every((title: string) => title.length > 0)).toBe(true)
      expect(spread).toBeCloseTo(prices[1] - prices[0], 9)
    }
  })
})
