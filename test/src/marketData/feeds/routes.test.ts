// Every route of the reference feeds, over the lab of both: the specification, invalid requests, the disabled family. Failing upstreams
// and stale prices are tested in upstream.test.ts.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { chainlinkChains } from '#marketData/feeds/index'
import { FeedTicker, feedNames, OracleRound, oracleRoundsMax } from '#schemas/feeds'
import { createWorld } from '#test/src/server/http/world'
import { codeOf, type LabProxy, openRoutesLab } from './routesLab.ts'

const specFile = fileURLToPath(new URL('../../../../../shared/spec.md', import.meta.url))
const spec = existsSync(specFile) ? readFileSync(specFile, 'utf8') : null
const ofSpec = it.skipIf(spec === null)
const absent = spec === null ? ' (needs ../shared/spec.md, which is missing next to this checkout)' : ''

const api = openRoutesLab()
const { get, later, open, proxyOf, spent } = api
const dark = createWorld({ families: {} })

describe('the specification', () => {
  ofSpec(`an oracle round has its fields${absent}`, async () => {
    const line = /^`feed` \(pair, e\.g\. BTC\/USD\).*$/m.exec(spec!)![0]
    const roundText = line.slice(0, line.indexOf('History response'))
    const named = [...roundText.matchAll(/`([a-zA-Z.]+)`/g)].map(([, name]) => name!.split('.')[0]!)
    const fields = new Set(
      named.filter((name) => name !== 'updatedAt' || named.indexOf(name) === named.lastIndexOf(name)),
    )
    fields.add('updatedAt')
    expect(Object.keys(OracleRound.shape).sort()).toEqual([...fields].sort())
    const sources = /`provenance\.source` \(enum ([^)]*)\)/.exec(roundText)![1]!
    expect([...sources.matchAll(/`([^`]+)`/g)].map(([, name]) => name)).toEqual(
      OracleRound.shape.provenance.shape.source.options,
    )
  })

  ofSpec(`feeds are those of the specification, and a history has the limits of its table${absent}`, () => {
    expect(spec).toContain(`Path \`feed\` is \`${feedNames[0]}\` or \`${feedNames[1]}\``)
    expect(/\| oracle history rounds \| max (\d+) \|/.exec(spec!)![1]).toBe(String(oracleRoundsMax))
  })

  ofSpec(`every error is a row of its table${absent}`, async () => {
    const row = /\| feeds or reference-feed orderbook \| ([^|]*)\|/.exec(spec!)![1]!
    const documented = [...row.matchAll(/(\d{3}) `(\w+)`/g)].map(([, status, code]) => [Number(status), code])
    expect([
      codeOf(await get('binance/fetchOrderBook?symbol=BTC/USDT')),
      codeOf(await dark.get('/api/feeds/binance/fetchTicker?symbol=BTC/USDT')),
      codeOf(await get('coinbase/fetchTicker?symbol=BTC/USD')),
    ]).toEqual(documented)
  })
})

describe('fetchOracleRound', () => {
  it('is the newest round on the chain', async () => {
    const { status, json } = await get('chainlink/fetchOracleRound?symbol=BTC/USD')
    expect(status).toBe(200)
    const proxy = api.here.lab.chainlink.proxies.get('BTC/USD')!
    const round = proxy.rounds.get(proxy.newest)!
    expect(json.data).toEqual({
      feed: 'BTC/USD',
      roundId: String((5n << 64n) + BigInt(proxy.newest)),
      answer: Number(round.answer) / 1e8,
      startedAt: round.startedAt,
      updatedAt: round.updatedAt,
      answeredInRound: String(proxy.idOf(proxy.newest)),
      decimals: 8,
      asOf: new Date(round.updatedAt * 1_000).toISOString(),
      provenance: { source: 'chainlink-onchain' },
    })
    expect([json.asOf, json.provenance]).toEqual([json.data.asOf, json.data.provenance])
  })

  it.each([
    ['an alias', 'feed=BTC/USD'],
    ['both a symbol and an equal alias', 'feed=btc/usd&symbol=BTC/USD'],
    ['another case', 'symbol=btc%2Fusd'],
    ['the address of the proxy', `symbol=${chainlinkChains.arbitrum.proxies['BTC/USD']}`],
  ])('accepts %s', async (_, query) => {
    expect((await get(`chainlink/fetchOracleRound?${query}`)).json.data.feed).toBe('BTC/USD')
  })

  it.each<[string, string, number, string]>([
    ['no symbol', '', 400, 'VALIDATION_ERROR'],
    ['an empty symbol', 'symbol=', 400, 'VALIDATION_ERROR'],
    ['two', 'symbol=BTC/USD&symbol=ETH/USD', 400, 'VALIDATION_ERROR'],
    ['a different alias', 'symbol=BTC/USD&feed=ETH/USD', 400, 'VALIDATION_ERROR'],
    ['an unknown field', 'symbol=BTC/USD&limit=3', 400, 'VALIDATION_ERROR'],
    ['a symbol that is too long', `symbol=${'A'.repeat(65)}`, 400, 'VALIDATION_ERROR'],
    ['an unknown pair', 'symbol=PEPE/USD', 404, 'FEED_NOT_FOUND'],
    ['a name from Object.prototype', 'symbol=__proto__', 404, 'FEED_NOT_FOUND'],
  ])('rejects %s', async (_, query, status, code) => {
    expect(codeOf(await get(`chainlink/fetchOracleRound?${query}`))).toEqual([status, code])
  })

  it('returns NOT_SUPPORTED for a feed that is not an oracle, whatever the other parameters', async () => {
    for (const verb of ['fetchOracleRound', 'fetchOracleHistory'])
      for (const query of ['', '?symbol=BTC/USDT'])
        expect(codeOf(await get(`binance/${verb}${query}`))).toEqual([501, 'NOT_SUPPORTED'])
  })

  it.each<[string, (proxy: LabProxy) => void]>([
    ['that is unanswered', (proxy) => proxy.write(proxy.newest + 1, { answer: 1n, startedAt: 0, updatedAt: 0 })],
    [
      'that carries an older answer',
      (proxy) => {
        const { answer } = proxy.rounds.get(proxy.newest)!
        const at = Math.floor(api.clock.now() / 1_000)
        proxy.write(proxy.newest + 1, { answer, startedAt: at, updatedAt: at, answeredIn: proxy.newest })
      },
    ],
    ['without data', (proxy) => proxy.write(proxy.newest + 1, { answer: 0n, startedAt: 1, updatedAt: 1 })],
    ['that reverts', (proxy) => proxy.write(proxy.newest, null)],
    ['of a proxy with another description', (proxy) => Object.assign(proxy, { description: 'PEPE / USD' })],
  ])('returns an error for a newest round %s', async (_, spoil) => {
    const proxy = proxyOf('LINK/USD')
    const [before, newest, description] = [new Map(proxy.rounds), proxy.newest, proxy.description]
    spoil(proxy)
    expect(codeOf(await get('chainlink/fetchOracleRound?symbol=LINK/USD'))).toEqual([502, 'FEED_UPSTREAM'])
    const ticker = await get('chainlink/fetchTickers?symbols=LINK/USD,ETH/USD')
    expect(ticker.json.data['LINK/USD']).toMatchObject({
      last: null,
      timestamp: null,
      info: { unproven: expect.any(String) },
    })
    expect(ticker.json.data['ETH/USD'].last).toBeGreaterThan(0)
    Object.assign(proxy, { newest, description })
    for (const number of proxy.rounds.keys()) if (number > newest) proxy.rounds.delete(number)
    for (const [number, round] of before) proxy.rounds.set(number, round)
  })
})

describe('fetchOracleHistory', () => {
  it('is newest first, without unrecorded and unanswered rounds, and reads the earlier rounds in one call', async () => {
    const proxy = proxyOf('ETH/USD')
    const requestCount = (): number => {
      const { httpRequests } = api.here.lab.chainlink.counters()
      return (httpRequests['/rpc'] ?? 0) + (httpRequests['/spare'] ?? 0)
    }
    const calls = requestCount()
    const { json } = await get('chainlink/fetchOracleHistory?symbol=ETH/USD&limit=50')
    expect(requestCount() - calls).toBe(2)
    const expected = Array.from({ length: 50 }, (_, n) => proxy.newest - n).filter(
      (number) => (proxy.rounds.get(number)?.updatedAt ?? 0) > 0,
    )
    expect(expected.length).toBeLessThan(50)
    expect(json.data.map((round: OracleRound) => round.roundId)).toEqual(
      expected.map((number) => String(proxy.idOf(number))),
    )
    for (const [n, round] of (json.data as OracleRound[]).entries()) {
      expect(OracleRound.strict().parse(round).answer).toBe(Number(proxy.rounds.get(expected[n]!)!.answer) / 1e8)
    }
    const { asOf } = json.data[0]
    expect(json.meta).toEqual({ provenance: { source: 'chainlink-onchain' }, asOf })
  })

  it('ends with round 1 of the phase', async () => {
    const { json } = await get('chainlink/fetchOracleHistory?symbol=HYPE/USD&limit=50')
    const ids: string[] = json.data.map((round: OracleRound) => round.roundId)
    expect(ids.at(-1)).toBe(String((2n << 64n) + 1n))
    expect(ids.every((id) => BigInt(id) >> 64n === 2n)).toBe(true)
  })

  it.each([
    ['twenty by default', '', 20],
    ['one', '&limit=1', 1],
    ['the maximum', '&limit=50', 50],
  ])('returns as many of the newest fifty rounds as exist: %s', async (_, query, limit) => {
    const { json } = await get(`chainlink/fetchOracleHistory?symbol=XAU/USD${query}`)
    const proxy = proxyOf('XAU/USD')
    const there = Array.from({ length: oracleRoundsMax }, (_, n) => proxy.newest - n).filter(
      (number) => (proxy.rounds.get(number)?.updatedAt ?? 0) > 0,
    )
    const ids = there.slice(0, limit).map((number) => String(proxy.idOf(number)))
    expect(json.data.map((round: OracleRound) => round.roundId)).toEqual(ids)
  })

  it.each(['0', '51', '-1', '1.5', '1e1', ' 5', '', 'ten', '9999999999999999999999', '5&limit=5'])(
    'rejects limit=%s',
    async (limit) => {
      const reply = await get(`chainlink/fetchOracleHistory?symbol=ETH/USD&limit=${limit}`)
      expect(codeOf(reply)).toEqual([400, 'VALIDATION_ERROR'])
      expect(reply.json.error.message).toMatch(/limit/)
    },
  )

  it('is empty and has no time if all rounds are unanswered', async () => {
    const proxy = proxyOf('EUR/USD')
    const before = new Map(proxy.rounds)
    for (const [number, round] of before) proxy.write(number, { ...round, startedAt: 0, updatedAt: 0 })
    const { status, json } = await get('chainlink/fetchOracleHistory?symbol=EUR/USD')
    expect([status, json.data, json.meta]).toEqual([
      200,
      [],
      { provenance: { source: 'chainlink-onchain' }, asOf: null },
    ])
    for (const [number, round] of before) proxy.write(number, round)
  })
})

describe('tickers', () => {
  it('of Binance have the fields of the family, their figures and their source', async () => {
    const { json } = await get('binance/fetchTicker?symbol=BTC/USDT')
    const day = api.here.lab.prices.day('BTC')
    const rounded = (value: number): number => Number(value.toFixed(8))
    expect(FeedTicker.strict().parse(json.data)).toMatchObject({
      symbol: 'BTC/USDT',
      timestamp: api.clock.now(),
      datetime: new Date(api.clock.now()).toISOString(),
      last: rounded(day.last),
      close: rounded(day.last),
      open: rounded(day.open),
      high: rounded(day.high),
      low: rounded(day.low),
      baseVolume: rounded(day.volume),
      previousClose: rounded(day.open),
      indexPrice: null,
      markPrice: null,
      info: { symbol: 'BTCUSDT' },
      provenance: { source: 'binance-rest' },
    })
    expect(json.data.bid).toBeLessThan(json.data.last)
    expect(json.data.ask).toBeGreaterThan(json.data.last)
    expect([json.asOf, json.provenance]).toEqual([json.data.asOf, json.data.provenance])
    expect((await get('BINANCE/fetchTicker?symbol=btcusdt')).json.data.symbol).toBe('BTC/USDT')
  })

  it('of Chainlink have the newest answer, and omit what an oracle does not know', async () => {
    const { json } = await get('chainlink/fetchTicker?symbol=BTC/USD')
    const proxy = proxyOf('BTC/USD')
    const { answer, updatedAt } = proxy.rounds.get(proxy.newest)!
    const { last, close, timestamp, bid, high, baseVolume, info, asOf } = FeedTicker.strict().parse(json.data)
    expect([last, close, timestamp]).toEqual([Number(answer) / 1e8, Number(answer) / 1e8, updatedAt * 1_000])
    expect([bid, high, baseVolume]).toEqual([null, null, null])
    expect(info).toEqual({
      roundId: String(proxy.idOf(proxy.newest)),
      decimals: 8,
      proxy: chainlinkChains.arbitrum.proxies['BTC/USD'],
      chainId: 42_161,
    })
    expect(asOf).toBe(new Date(updatedAt * 1_000).toISOString())
  })

  it('for several pairs come by symbol, for all if none is named, with one request', async () => {
    const before = api.here.lab.binance.counters().httpRequests['/api/v3/ticker/24hr'] ?? 0
    const { json } = await get('binance/fetchTickers')
    expect(api.here.lab.binance.counters().httpRequests['/api/v3/ticker/24hr']).toBe(before + 1)
    expect(Object.keys(json.data)).toEqual([...api.here.feeds.get('binance')!.markets.keys()])
    const some = await get('binance/fetchTickers?symbols=ETH/USDT, btc/usdt,ETH/USDT')
    expect(Object.keys(some.json.data)).toEqual(['ETH/USDT', 'BTC/USDT'])
    expect(Object.keys((await get('chainlink/fetchTickers')).json.data)).toEqual(
      Object.keys(chainlinkChains.arbitrum.proxies),
    )
  })

  it.each<[string, string, number, string]>([
    ['no symbol', 'binance/fetchTicker', 400, 'VALIDATION_ERROR'],
    ['an unknown parameter', 'binance/fetchTicker?symbol=BTC/USDT&sumbol=1', 400, 'VALIDATION_ERROR'],
    ['a currency that is not a dollar token', 'binance/fetchTicker?symbol=BTC/USD', 404, 'FEED_NOT_FOUND'],
    ['one unknown pair of a list', 'binance/fetchTickers?symbols=BTC/USDT,NO/PE', 404, 'FEED_NOT_FOUND'],
    ['a list with an empty entry', 'binance/fetchTickers?symbols=BTC/USDT,,ETH/USDT', 400, 'VALIDATION_ERROR'],
    ['an empty list', 'binance/fetchTickers?symbols=', 400, 'VALIDATION_ERROR'],
    ['a list that is too long', `binance/fetchTickers?symbols=${'BTC/USDT,'.repeat(500)}`, 400, 'VALIDATION_ERROR'],
    ['an unknown feed', 'kraken/fetchTicker?symbol=BTC/USD', 404, 'FEED_NOT_FOUND'],
    ['a feed name from Object.prototype', '__proto__/fetchTicker?symbol=BTC/USD', 404, 'FEED_NOT_FOUND'],
    ['candles', 'binance/fetchOHLCV?symbol=BTC/USDT', 501, 'NOT_SUPPORTED'],
    ['historical prices', 'chainlink/fetchHistoricalPrices?symbol=BTC/USD', 501, 'NOT_SUPPORTED'],
    ['a book', 'chainlink/fetchOrderBook', 501, 'NOT_SUPPORTED'],
    ['an unknown operation', 'chainlink/fetchNothing', 404, 'ROUTE_NOT_FOUND'],
    ['an operation name from Object.prototype', 'chainlink/constructor', 404, 'ROUTE_NOT_FOUND'],
    ['a book of an unknown feed', 'kraken/fetchOrderBook', 404, 'FEED_NOT_FOUND'],
  ])('reject %s', async (_, path, status, code) => {
    expect(codeOf(await get(path))).toEqual([status, code])
  })

  it('suggest the nearest pair', async () => {
    expect((await get('binance/fetchTicker?symbol=BTC/USD')).json.error.message).toContain('BTC/USDT')
  })

  it('list the feeds and their pairs', async () => {
    expect((await api.world.get('/api/feeds')).json.data).toEqual(['binance', 'chainlink'])
    const { json } = await get('binance/loadMarkets')
    expect(json.data['BTC/USDT']).toMatchObject({ id: 'BTCUSDT', base: 'BTC', quote: 'USDT', type: 'spot' })
    expect((await get('chainlink/loadMarkets')).json.data['BTC/USD'].info).toMatchObject({ chain: 'arbitrum' })
  })
})

it('reports the charged and remaining credits; failed requests cost nothing', async () => {
  const costs = async (path: string) => {
    spent.length = 0
    later()
    const { status, headers } = await get(path)
    return [status, headers['x-credits-charged'], headers['x-credits-balance'], [...spent]]
  }
  expect(await costs('chainlink/fetchOracleRound?symbol=BTC/USD')).toEqual([200, '1', '99', [1]])
  expect(await costs('chainlink/fetchOracleHistory?symbol=BTC/USD')).toEqual([200, '2', '98', [2]])
  expect(await costs('binance/fetchTicker?symbol=BTC/USDT')).toEqual([200, '1', '99', [1]])
  expect(await costs('binance/fetchTickers')).toEqual([200, '2', '98', [2]])
  expect(await costs('chainlink/fetchOracleRound?symbol=NO/PE')).toEqual([404, '0', '100', []])
  expect(await costs('chainlink/fetchOracleHistory?symbol=BTC/USD&limit=51')).toEqual([400, '0', '100', []])
  expect(await costs('chainlink/fetchOrderBook')).toEqual([501, undefined, undefined, []])
  api.here.lab.chainlink.faults.http({ status: 403 })
  expect(await costs('chainlink/fetchOracleHistory?symbol=BTC/USD')).toEqual([502, '0', '100', []])
})

it('chainlink is unavailable without a node of its chain, and other feeds work', async () => {
  await api.here.close()
  await open({ CROSSBOOK_CHAINLINK_RPC_URL: '' })
  for (const path of ['fetchTicker', 'fetchOracleRound', 'fetchOracleHistory'])
    expect(codeOf(await get(`chainlink/${path}?symbol=BTC/USD`))).toEqual([503, 'FEEDS_UNAVAILABLE'])
  expect((await get('chainlink/loadMarkets')).status).toBe(200)
  expect((await get('binance/fetchTicker?symbol=BTC/USDT')).status).toBe(200)
})

it('every path returns 404 while the family is disabled, with or without a key', async () => {
  for (const path of ['', '/binance/fetchTicker', '/kraken/x', '/chainlink/fetchOracleRound?symbol=BTC/USD'])
    for (const key of [null, undefined]) {
      const reply = await dark.get(`/api/feeds${path}`, key === null ? { key } : {})
      expect(codeOf(reply)).toEqual([503, 'FEEDS_UNAVAILABLE'])
    }
})
