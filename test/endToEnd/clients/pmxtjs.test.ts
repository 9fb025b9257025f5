// A public client of the same API family, as published on npm, with only its base URL and key changed; and the blocks printed for users who
// come from it, or from CCXT.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import ccxt from 'ccxt'
import { type Exchange, Kalshi, Polymarket } from 'pmxtjs'
import { describe, expect, it } from 'vitest'
import { routes } from '#roles/routes'
import { type EngineVenue, withEngine } from '#test/support/engine'

const engine = withEngine({ env: { CROSSBOOK_PMXT_SOCKET: 'true' } })
const classes = { polymarket: Polymarket, kalshi: Kalshi }

const clientOf = (venue: EngineVenue, pmxtApiKey = engine.served.apiKey): Exchange =>
  new classes[venue]({ baseUrl: engine.served.url, pmxtApiKey, autoStartServer: false })

/**
 * pmxtjs 2.41.0, the newest on npm, has no method for `fetchOrderBooks`. Its generic reader, which its other methods use, can request it:
 * same address, key, error handling.
 */
const genericReader = (client: Exchange) =>
  client as unknown as {
    sidecarReadRequest(verb: string, query: object, args: unknown[]): Promise<{ success: boolean; data: unknown }>
  }

describe.each(['polymarket', 'kalshi'] as const)('pmxtjs on %s', (venue) => {
  it('goes from the list of markets to one market and its books, trades and candles', async () => {
    const client = clientOf(venue)
    const markets = await client.fetchMarkets({ limit: 5, sort: 'volume' })
    expect(markets).toHaveLength(5)
    const events = await client.fetchEvents({ limit: 3 })
    expect(events).toHaveLength(3)
    expect(events[0]).toMatchObject({ id: expect.stringMatching(/.+/), title: expect.stringMatching(/.+/) })
    expect(events[0]!.markets.length).toBeGreaterThan(0)

    const market = await client.fetchMarket({ marketId: markets[0]!.marketId })
    expect(market.marketId).toBe(markets[0]!.marketId)
    const { yes, no } = market
    expect([yes?.outcomeId, no?.outcomeId]).toEqual([expect.any(String), expect.any(String)])

    const yesBook = await client.fetchOrderBook(yes!.outcomeId)
    const noBook = await client.fetchOrderBook(no!.outcomeId)
    for (const book of [yesBook, noBook]) {
      expect(book.bids.length).toBeGreaterThan(0)
      expect(book.asks.length).toBeGreaterThan(0)
      expect(book.bids[0]!.price).toBeLessThan(book.asks[0]!.price)
      expect(book.timestamp).toBeGreaterThan(0)
    }
    expect(Math.abs(yesBook.bids[0]!.price + noBook.asks[0]!.price - 1)).toBeLessThan(0.2)

    const trades = await client.fetchTrades(yes!.outcomeId, { limit: 10 })
    expect(trades).toHaveLength(10)
    expect(trades[0]).toMatchObject({ id: expect.stringMatching(/.+/), price: expect.any(Number) })

    const candles = await client.fetchOHLCV(yes!.outcomeId, { resolution: '1h', limit: 12 })
    expect(candles.length).toBeGreaterThan(0)
    for (const { high, low, open, close } of candles) {
      expect(high).toBeGreaterThanOrEqual(Math.max(open, close))
      expect(low).toBeLessThanOrEqual(Math.min(open, close))
    }
  })

  it('watches a book and several over the family’s socket', async () => {
    const client = clientOf(venue)
    const [market] = await client.fetchMarkets({ limit: 1, sort: 'volume' })
    const ids = [market!.yes!.outcomeId, market!.no!.outcomeId]
    const first = await client.watchOrderBook(ids[0]!, 2)
    expect(first.bids.length).toBeGreaterThan(0)
    expect(first.bids.length).toBeLessThanOrEqual(2)
    // Over HTTP it would be refused: this came from the socket.
    expect((await client.watchOrderBook(ids[0]!, 2)).timestamp).toBeGreaterThanOrEqual(first.timestamp!)
    const several = await client.watchOrderBooks(ids)
    expect(Object.keys(several).every((id) => ids.includes(id))).toBe(true)
    expect(Object.keys(several).length).toBeGreaterThan(0)
    await expect(client.watchOrderBook('none')).rejects.toThrow(/no such market/)
    await client.close()
  })

  it('reads many books at once, keyed by the requested ids', async () => {
    const client = clientOf(venue)
    const markets = await client.fetchMarkets({ limit: 4 })
    const ids = markets.flatMap(({ outcomes }) => outcomes.map(({ outcomeId }) => outcomeId))
    const { success, data } = await genericReader(client).sidecarReadRequest('fetchOrderBooks', { outcomeIds: ids }, [
      ids,
    ])
    expect(success).toBe(true)
    expect(Object.keys(data as object).sort()).toEqual([...new Set(ids)].sort())
  })

  it('receives errors in its own format', async () => {
    const unknown = venue === 'kalshi' ? 'KXNOSUCH-99JAN01-T1' : '1'.repeat(77)
    await expect(clientOf(venue).fetchOrderBook(unknown)).rejects.toMatchObject({ code: 'OUTCOME_NOT_FOUND' })
    await expect(clientOf(venue, 'xb_live_nobody').fetchMarkets({ limit: 1 })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    })
  })
})

describe('the pages for users of other clients', () => {
  const page = (name: string) => readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8')
  const printed = (name: string) => [...page(name).matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code!)
  const blocks = ['coming-from-pmxt', 'coming-from-ccxt'].flatMap((name) =>
    printed(name).map((code, i) => [`${name} ${i + 1}`, code] as const),
  )

  it.each(blocks)('run as printed: %s', async (_, code) => {
    const { served } = engine
    const [market] = await clientOf('kalshi').fetchMarkets({ limit: 1, sort: 'volume' })
    const env = { ...process.env, CROSSBOOK_URL: served.url, KEY: served.apiKey, OUTCOME: market!.yes!.outcomeId }
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
      env,
      timeout: 25_000,
      cwd: new URL('../../..', import.meta.url),
    })
    expect(stdout).toMatch(/price: 0\.\d|0\.\d+ \d+ \d+/)
  })

  it('name every method of CCXT’s prediction exchanges, and only served routes', () => {
    const rows = page('coming-from-ccxt')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
    const cells = rows.map((line) =>
      line.split('|').map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word!)),
    )
    const named = cells.flatMap(([, theirs]) => theirs!)
    const { prototype } = Object.getPrototypeOf(Object.getPrototypeOf(ccxt.prediction.kalshi))
    const methods = Object.getOwnPropertyNames(prototype).filter(
      (name) => /^(fetch|watch|create|cancel|edit|load)/.test(name) && !name.endsWith('Helper'),
    )
    expect(methods.length).toBeGreaterThan(30)
    expect(named.toSorted()).toEqual(methods.toSorted())
    const paths = new Set(routes.map(({ path }) => path.replace('{exchange}', '{venue}')))
    for (const ours of cells.flatMap(([, , here]) => here!)) {
      const path = ours.replace('/api/router/', '/api/{venue}/')
      if (path !== '/v1/stream') expect(paths, ours).toContain(path)
    }
  })
})
