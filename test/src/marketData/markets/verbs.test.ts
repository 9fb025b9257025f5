import { beforeEach, describe, expect, it } from 'vitest'
import { Fault } from '#core/fault'
import { verbs } from '#marketData/markets/verbs'
import { unsupportedMethods } from '#marketData/markets/verbs/unsupported'
import { defaultPlans, plansWith } from '#platform/plans/plans'
import { createWorld, keys, longId, type World } from '#test/src/server/http/world'

let world: World
beforeEach(() => {
  world = createWorld()
})

describe('has', () => {
  it.each(['polymarket', 'kalshi', 'router'])(
    'on %s agrees with behaviour: false is a 501, anything else never is',
    async (exchange) => {
      const { data } = (await world.get(`/api/${exchange}/has`)).json
      const served = [...verbs.map((verb) => verb.name), ...Object.keys(unsupportedMethods)]
      for (const name of served) {
        expect(data, name).toHaveProperty(name)
        for (const method of ['GET', 'POST']) {
          const reply = await world.call(method, `/api/${exchange}/${name}`)
          expect(reply.status === 501, `${method} ${exchange}/${name} ${reply.text}`).toBe(data[name] === false)
          if (reply.status === 501) {
            expect(reply.json.error.code).toBe('NOT_SUPPORTED')
            expect(reply.json.error.exchange).toBe(exchange === 'router' ? undefined : exchange)
          }
        }
      }
    },
  )

  it('lists every capability that clients of this API family check, plus our own', async () => {
    const { data } = (await world.get('/api/kalshi/has')).json
    const family =
      'fetchMarkets fetchEvents fetchSeries fetchOHLCV fetchOrderBook fetchOrderBooks fetchTrades createOrder cancelOrder fetchOrder fetchOpenOrders fetchPositions fetchBalance fetchMyTrades fetchClosedOrders fetchAllOrders buildOrder submitOrder watchOrderBook watchOrderBooks unwatchOrderBook watchTrades watchAddress unwatchAddress fetchMarketMatches fetchEventMatches compareMarketPrices fetchRelatedMarkets fetchMatchedMarkets fetchArbitrage'
    for (const name of family.split(' ')) expect(data, name).toHaveProperty(name)
    expect(data).toMatchObject({ volume24h: 'venue', depth: true, trade: false, fetchTrades: false })
    expect((await world.get('/api/polymarket/has')).json.data.fetchTrades).toBe(true)
  })
})

it('order and account verbs point to the execution host', async () => {
  for (const name of ['createOrder', 'cancelOrder', 'fetchBalance', 'fetchPositions']) {
    const reply = await world.post(`/api/polymarket/${name}`, { args: [{}] })
    expect(reply.json.error).toMatchObject({ code: 'NOT_SUPPORTED', retryable: false, exchange: 'polymarket' })
    expect(reply.json.error.message).toContain('/v1/exec')
  }
})

it('rejects credentials wherever they are sent', async () => {
  const path = '/api/polymarket/fetchMarkets'
  const refused = [
    await world.post(path, { args: [], credentials: { apiKey: 'x' } }),
    await world.post(path, { credentials: {} }),
    await world.post(path, { args: [{ credentials: { privateKey: 'x' } }] }),
    await world.get(`${path}?credentials=x`),
  ]
  for (const reply of refused) expect([reply.status, reply.json.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  expect((await world.post(path, { args: [], credentials: null })).status).toBe(200)
})

it('names arguments that do not fit the convention', async () => {
  const cases: [unknown, string][] = [
    [{ args: 'x' }, 'args'],
    [{ args: [{}, {}] }, 'at most 1'],
    [{ args: ['text'] }, 'args.0'],
    [[], 'object'],
    ['text', 'object'],
    [{ args: [{ limit: '5' }] }, 'limit'],
  ]
  for (const [body, words] of cases) {
    const reply = await world.post('/api/polymarket/fetchMarkets', body)
    expect(reply.json.error.code, JSON.stringify(body)).toBe('VALIDATION_ERROR')
    expect(reply.json.error.message).toContain(words)
  }
})

it('matches the exchange in any letter case and by its aliases', async () => {
  expect((await world.get('/api/PolyMarket/has')).status).toBe(200)
  expect((await world.get('/api/ROUTER/fetchMarkets')).status).toBe(200)
  const alias = await world.get('/api/gemini-titan/has')
  // Not built here, so absent, but reported by its own name.
  expect([alias.status, alias.json.error.exchange]).toEqual([404, 'gemini'])
})

it('accepts any name of an exchange wherever one is given', async () => {
  const refused = async (path: string) => (await world.get(path)).json.error
  expect(await refused('/api/router/fetchMarkets?sourceExchange=gemini-titan')).toMatchObject({
    code: 'EXCHANGE_NOT_AVAILABLE',
  })
  const replay = '/v1/history/replay?venue=Gemini-Titan&outcomeId=X&kind=tob&since=1&until=2'
  // Not served here, but reported by its own name.
  expect((await world.get(replay, { key: keys.builder })).json.error.message).toContain('exchange gemini ')
  const headers = { 'idempotency-key': 'any' }
  const build = await world.post('/v1/exec/gemini-titan/orders/build', {}, { key: keys.builder, headers })
  expect(build.json.error.message).toContain('gemini lane')
})

describe('an unknown id', () => {
  it.each([
    ['polymarket/fetchOrderBook?outcomeId=event-0xabc', `OUTCOME_NOT_FOUND: .*did you mean ${longId}\\?`],
    ['polymarket/fetchTrades?outcomeId=0xabc', `OUTCOME_NOT_FOUND: .*did you mean ${longId}\\?`],
    ['kalshi/fetchOHLCV?outcomeId=kxbtc-26&resolution=1m', 'OUTCOME_NOT_FOUND: .*did you mean KXBTC-26\\?'],
    ['kalshi/fetchOrderBook?outcomeId=event-KXBTC-26', 'OUTCOME_NOT_FOUND: .*did you mean KXBTC-26\\?'],
    [`kalshi/fetchOrderBook?outcomeId=${longId}`, `OUTCOME_NOT_FOUND: .*did you mean ${longId} at polymarket\\?`],
    ['router/fetchOrderBook?outcomeId=polymarket:0xabc', `OUTCOME_NOT_FOUND: .*did you mean polymarket:${longId}\\?`],
    ['router/fetchOrderBook?outcomeId=kxbtc-26', 'VALIDATION_ERROR'],
    ['kalshi/fetchMarket?marketId=event-KXBTC-26', 'MARKET_NOT_FOUND: .*did you mean KXBTC-26\\?'],
    ['kalshi/fetchEvent?eventId=KXBTC-26', 'EVENT_NOT_FOUND: .*did you mean event-KXBTC-26\\?'],
    ['router/fetchMarket?marketId=event-KXBTC-26', 'MARKET_NOT_FOUND: no market matches$'],
    ['kalshi/fetchOrderBook?outcomeId=KXBTC-26', 'OUTCOME_NOT_FOUND: no order book for this outcome$'],
    ['kalshi/fetchOrderBook?outcomeId=KXNOTHING', 'OUTCOME_NOT_FOUND: no order book for this outcome$'],
  ])('%s: %s', async (path, words) => {
    const { code, message } = (await world.get(`/api/${path}`)).json.error
    expect(`${code}: ${message}`).toMatch(new RegExp(words))
  })

  it('is rejected without a suggestion while the catalog is unavailable', async () => {
    world.catalog.findMarketNamed = () => Promise.reject(new Error('away'))
    const { error } = (await world.get('/api/kalshi/fetchTrades?outcomeId=kxbtc-26')).json
    expect(error).toMatchObject({ code: 'NOT_SUPPORTED' })
    const { error: book } = (await world.get('/api/kalshi/fetchOrderBook?outcomeId=kxbtc-26')).json
    expect(book).toMatchObject({ code: 'OUTCOME_NOT_FOUND', message: 'no order book for this outcome' })
  })
})

describe('a verb for one row without an id', () => {
  it.each<[string, string]>([
    ['fetchMarket', 'give at least one of marketId, outcomeId, eventId, slug, query, category, tags, filter'],
    ['fetchMarket?limit=5&status=all', 'give at least one of marketId, '],
    ['fetchEvent', 'give at least one of marketId, outcomeId, eventId, slug, series, query, category, tags, filter'],
    ...['fetchOrderBook', 'fetchTrades', 'fetchOHLCV'].map((verb): [string, string] => [
      verb,
      'outcomeId: is required',
    ]),
    ['fetchOrderBooks', 'outcomeIds: '],
  ])('%s names the missing arguments: %s', async (path, words) => {
    for (const reply of [
      await world.get(`/api/polymarket/${path}`),
      await world.post(`/api/polymarket/${path.split('?')[0]}`, { args: [] }),
    ]) {
      expect([reply.status, reply.json.error.code]).toEqual([400, 'VALIDATION_ERROR'])
      expect(reply.json.error.message).toContain(words)
    }
  })
})

describe('an invalid argument is named', () => {
  it.each([
    ['fetchMarkets?status=bogus', /^status: .*active/],
    ['fetchMarkets?filter={"searchIn":["x"]}', /^filter\.searchIn\.0: .*title/],
    ['fetchMarkets?filter={"price":{"outcome":"maybe"}}', /^filter\.price\.outcome: .*yes/],
    [
      'fetchMarkets?filter={"resolutionDate":{"before":"2026-02-30"}}',
      /^filter\.resolutionDate\.before: is not a real date/,
    ],
    ['fetchMarkets?filter={"resolutionDate":{"after":1790000000}}', /^filter\.resolutionDate\.after: .*epoch seconds/],
    [`fetchOrderBook?outcomeId=${longId}&limit=maybe`, /^limit: .*yes/],
    [`fetchOrderBook?outcomeId=${longId}&since=2026-02-30`, /^since: is not a real date/],
    [`fetchTrades?outcomeId=${longId}&start=1790000000`, /^start: .*epoch seconds/],
  ])('%s', async (path, words) => {
    const { error } = (await world.get(`/api/polymarket/${path}`)).json
    expect(error.code).toBe('VALIDATION_ERROR')
    expect(error.message).toMatch(words)
  })
})

it('requires a plan with replay for archived books, within its history', async () => {
  const plans = plansWith({ enterprise: { ...defaultPlans.enterprise, historyDays: 90 } })
  world = createWorld({ plans })
  const path = (moment: string) => `/api/polymarket/fetchOrderBook?outcomeId=${longId}&${moment}`
  const day = (ago: number) => new Date(world.clock.now() - ago * 86_400_000).toISOString()
  const code = async (moment: string, key: string) => (await world.get(path(moment), { key })).json.error?.code
  for (const moment of [`since=${day(1)}`, `until=${day(1)}`, `since=${day(2)}&until=${day(1)}`]) {
    expect(await code(moment, keys.reader), moment).toBe('PLAN_REQUIRED')
    expect(await code(moment, keys.builder), moment).not.toBe('PLAN_REQUIRED')
  }
  expect(await code(`since=${day(91)}`, keys.builder)).toBe('PLAN_REQUIRED')
  expect(await code(`until=${day(91)}`, keys.builder)).toBe('PLAN_REQUIRED')
  expect(await code(`since=${day(1)}&until=${day(2)}`, keys.reader)).toBe('VALIDATION_ERROR')
})

it('returns the age of the oldest series', async () => {
  const { json } = await world.get('/api/kalshi/fetchSeries')
  expect([json.data.length > 0, json.asOf]).toEqual([true, new Date(world.clock.now() - 5_000).toISOString()])
})

describe('fetchTrades', () => {
  const trade = (id: string) => ({ id, timestamp: 5, price: 0.4, amount: 1, side: 'buy' as const, outcomeId: longId })
  const down = new Fault('NETWORK_ERROR', 'down', { exchange: 'polymarket' })

  it('reads the venue, and the tape only when the venue fails', async () => {
    const venue = world.venues.get('polymarket')!
    venue.trades = [trade('live')]
    world.tape.trades = [trade('taped')]
    const get = async () => (await world.get(`/api/polymarket/fetchTrades?outcomeId=${longId}`)).json
    expect(await get()).toMatchObject({ data: [{ id: 'live' }], provenance: { source: 'venue-rest' } })
    venue.failure = down
    expect(await get()).toMatchObject({
      data: [{ id: 'taped' }],
      provenance: { source: 'archive' },
      asOf: new Date(5).toISOString(),
    })
    world.tape.trades = []
    expect((await get()).error).toMatchObject({ code: 'NETWORK_ERROR', retryable: true })
  })

  it('returns the newest first from either source', async () => {
    const venue = world.venues.get('polymarket')!
    const at = (timestamp: number) => ({ ...trade(String(timestamp)), timestamp })
    const ids = async () =>
      (await world.get(`/api/polymarket/fetchTrades?outcomeId=${longId}&limit=2`)).json.data.map(
        ({ id }: { id: string }) => id,
      )
    venue.trades = [at(1), at(3), at(2)]
    expect(await ids()).toEqual(['3', '2'])
    venue.failure = down
    world.tape.trades = [at(6), at(5)]
    expect(await ids()).toEqual(['6', '5'])
  })

  it('is 501 on a venue without a tape, also through the router, and allows at most 1,000', async () => {
    expect((await world.get('/api/router/fetchTrades?outcomeId=kalshi:KXBTC-26')).json.error).toMatchObject({
      code: 'NOT_SUPPORTED',
      exchange: 'kalshi',
    })
    expect((await world.get(`/api/polymarket/fetchTrades?outcomeId=${longId}&limit=1001`)).status).toBe(400)
    expect((await world.get(`/api/polymarket/fetchTrades?outcomeId=${longId}&start=5&end=4`)).status).toBe(400)
    expect((await world.get('/api/polymarket/fetchTrades')).json.error.message).toContain('outcomeId')
  })
})

describe('fetchOHLCV', () => {
  const candle = (timestamp: number, close: number) => ({ timestamp, open: 0.4, high: 0.5, low: 0.3, close, volume: 2 })
  const get = async (resolution: string) =>
    (await world.get(`/api/polymarket/fetchOHLCV?id=${longId}&resolution=${resolution}`)).json

  it('uses the venue’s resolution, aggregates it, and uses the tape where neither fits', async () => {
    const venue = world.venues.get('polymarket')!
    venue.candles = [candle(300_000, 0.4), candle(360_000, 0.41), candle(600_000, 0.42)]
    expect((await get('1m')).data).toHaveLength(3)
    const five = await get('5m')
    expect(five.data).toEqual([{ ...candle(300_000, 0.41), volume: 4 }, candle(600_000, 0.42)])
    expect(five.provenance.source).toBe('venue-rest')
    world.tape.candles = [candle(0, 0.9)]
    expect(await get('10s')).toMatchObject({ data: [{ close: 0.9 }], provenance: { source: 'archive' } })
    expect(venue.requests).toEqual([`candles:${longId}:60000`, `candles:${longId}:60000`])
  })

  it('with a start and a limit begins there, in whole buckets, whichever resolution they are built from', async () => {
    const venue = world.venues.get('polymarket')!
    venue.candles = Array.from({ length: 60 }, (_, n) => candle(n * 60_000, 0.4))
    const from = async (more: string) => {
      const { json } = await world.get(`/api/polymarket/fetchOHLCV?id=${longId}&resolution=5m&limit=3${more}`)
      return json.data.map(({ timestamp }: { timestamp: number }) => timestamp / 60_000)
    }
    expect(await from('&start=360001')).toEqual([10, 15, 20])
    expect(await from('&start=360001&end=900000')).toEqual([10, 15])
    expect(await from('&end=900000')).toEqual([5, 10, 15])
    expect(await from('')).toEqual([45, 50, 55])
  })

  it('uses the tape after an empty response of the venue', async () => {
    world.tape.candles = [candle(0, 0.9)]
    expect(await get('1m')).toMatchObject({ data: [{ close: 0.9 }], provenance: { source: 'archive' } })
    world.tape.candles = []
    expect(await get('1m')).toMatchObject({ data: [], provenance: { source: 'venue-rest' } })
  })

  it('is 501, and false in has, where neither the venue nor a tape of trades can provide candles', async () => {
    const { data } = world.venues.get('kalshi')!.reads
    delete data.fetchCandles
    expect((await world.get('/api/kalshi/has')).json.data.fetchOHLCV).toBe(false)
    const reply = await world.get('/api/kalshi/fetchOHLCV?outcomeId=KXBTC-26&resolution=1h')
    expect([reply.status, reply.json.error.code]).toEqual([501, 'NOT_SUPPORTED'])
    data.fetchTrades = async () => []
    expect((await world.get('/api/kalshi/has')).json.data.fetchOHLCV).toBe(false)
    data.poll = { ...data.poll, tradesEveryMs: 1_000 }
    expect((await world.get('/api/kalshi/has')).json.data.fetchOHLCV).toBe(true)
  })

  it('falls back to the tape when the venue is down, and returns the error when the tape is empty', async () => {
    world.venues.get('polymarket')!.failure = new Fault('NETWORK_ERROR', 'down')
    expect((await get('1h')).error.code).toBe('NETWORK_ERROR')
    world.tape.candles = [candle(0, 0.9)]
    expect((await get('1h')).provenance.source).toBe('archive')
  })

  it('rejects an invalid resolution', async () => {
    for (const resolution of ['', '0m', '1w', 'm', '-1h', '1.5h', '99999999d', '1H'])
      expect((await get(resolution)).error.code, resolution).toBe('VALIDATION_ERROR')
  })
})

describe('execution price', () => {
  const orderBook = {
    bids: [
      { price: 0.4, size: 10 },
      { price: 0.41, size: 5 },
    ],
    asks: [
      { price: 0.5, size: 10 },
      { price: 0.45, size: 5 },
    ],
  }
  const ask = async (verb: string, ...args: unknown[]) => (await world.post(`/api/kalshi/${verb}`, { args })).json

  it('is volume-weighted, best level first, in whatever order the levels come', async () => {
    expect((await ask('getExecutionPrice', orderBook, 'buy', 10)).data).toBe(0.475)
    expect((await ask('getExecutionPriceDetailed', orderBook, 'sell', 5)).data).toEqual({
      price: 0.41,
      filledAmount: 5,
      fullyFilled: true,
      partialPrice: 0.41,
      reason: null,
    })
  })

  it('is null with a reason when the size does not fit, never zero', async () => {
    const simple = await ask('getExecutionPrice', orderBook, 'buy', 16)
    expect([simple.data, simple.meta]).toEqual([null, { reason: 'INSUFFICIENT_DEPTH', filledAmount: 15 }])
    expect((await ask('getExecutionPriceDetailed', { bids: [], asks: [] }, 'sell', 1)).data).toEqual({
      price: null,
      filledAmount: 0,
      fullyFilled: false,
      partialPrice: null,
      reason: 'EMPTY_SIDE',
    })
  })

  it('rejects an invalid level and names it', async () => {
    for (const level of [
      { price: 1.1, size: 1 },
      { price: 0.5, size: -1 },
      { price: '0.5', size: 1 },
      null,
      [0.5, 1],
    ]) {
      const { error } = await ask('getExecutionPrice', { bids: [], asks: [{ price: 0.5, size: 1 }, level] }, 'buy', 1)
      expect([error.code, error.message.split(':')[0]]).toEqual(['VALIDATION_ERROR', 'orderBook.asks.1'])
    }
  })

  it('rejects invalid amounts', async () => {
    for (const amount of [0, -1, '5', null])
      expect((await ask('getExecutionPrice', orderBook, 'buy', amount)).error.code).toBe('VALIDATION_ERROR')
    expect((await ask('getExecutionPrice', orderBook, 'hold', 1)).error.code).toBe('VALIDATION_ERROR')
  })
})

it('filterMarkets and filterEvents require their arguments on GET and POST', async () => {
  for (const verb of ['filterMarkets', 'filterEvents']) {
    expect((await world.get(`/api/kalshi/${verb}`)).status).toBe(400)
    expect((await world.post(`/api/kalshi/${verb}`, { args: [] })).status).toBe(400)
  }
})

it('rejects an unknown criterion instead of ignoring it', async () => {
  for (const criteria of [{ txt: 'a' }, { volume24h: { minimum: 5 } }, { resolutionDate: { before: 'soon' } }]) {
    expect(
      (await world.post('/api/kalshi/filterMarkets', { args: [[{}], criteria] })).status,
      JSON.stringify(criteria),
    ).toBe(400)
    expect((await world.post('/api/kalshi/fetchMarkets', { filter: criteria })).status).toBe(400)
  }
})

it('close succeeds with null', async () => {
  expect((await world.post('/api/polymarket/close', { args: [] })).json).toMatchObject({ success: true, data: null })
})
