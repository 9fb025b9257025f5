// The cross-venue half of the same public client, over two lab venues that the running program has matched by itself.
import { Router } from 'pmxtjs'
import { expect, it, vi } from 'vitest'
import { withEngine } from '#test/support/engine'

const engine = withEngine()
const router = (): Router =>
  new Router({ baseUrl: engine.served.url, pmxtApiKey: engine.served.apiKey, autoStartServer: false })

it('goes from a market to its matches, their prices and its hedges', async () => {
  const client = router()
  const [market] = await vi.waitFor(
    async () => {
      const markets = await client.fetchMarkets({ query: 'bitcoin above 110', limit: 1 })
      expect(await client.fetchMarketMatches({ marketId: markets[0]!.marketId })).not.toEqual([])
      return markets
    },
    { timeout: 20_000, interval: 200 },
  )
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
