// The cross-venue half of the same public client, over two simulated venues that the running program has matched itself; and all of its
// Python version, as published on PyPI.
import { Router } from 'pmxtjs'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { withEngine } from '#test/support/engine'
import { type PythonVenv, pythonDeadlineMs, pythonVenv } from '#test/support/python/venv'
import { pmxtRequirements, runPmxtPage, tryPmxt } from './pmxt.ts'

const engine = withEngine({ env: { CROSSBOOK_ARBITRAGE: 'true', CROSSBOOK_PMXT_SOCKET: 'true' } })
const router = (): Router =>
  new Router({ baseUrl: engine.served.url, pmxtApiKey: engine.served.apiKey, autoStartServer: false })

/** The matcher runs on its own schedule, slowly on a busy machine. */
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

it('finds arbitrage, and the venues of its markets', async () => {
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
    venv = await pythonVenv(pmxtRequirements)
  }, pythonDeadlineMs)

  it('reads, watches and uses several venues', { timeout: 60_000 }, async ({ skip }) => {
    if (venv.python === null) return skip(venv.reason)
    await tryPmxt(venv.python, engine.served)
  })

  it('runs the block of docs/coming-from-pmxt.md as printed', { timeout: 60_000 }, async ({ skip }) => {
    if (venv.python === null) return skip(venv.reason)
    await runPmxtPage(venv.python, engine.served)
  })
})
