// The responses of Binance's REST API, and the results.
import { beforeEach, expect, it } from 'vitest'
import { ManualClock } from '#core/clock'
import { Fault } from '#core/fault'
import { tickerOfRest } from '#marketData/feeds/binance/normalize'
import { RestTicker } from '#marketData/feeds/binance/wire'
import { createBinanceRest } from '#marketData/feeds/index'
import type { HttpClient, HttpRequest } from '#net/http'

const rowOf = (symbol: string) => ({
  ...{ symbol, priceChange: '-1.5', priceChangePercent: '-0.1', weightedAvgPrice: '96000.1', prevClosePrice: '96001' },
  ...{
    lastPrice: '96000.00000001',
    lastQty: '1',
    bidPrice: '0.00000000',
    bidQty: '0.00',
    askPrice: '96002',
    askQty: '3',
  },
  ...{ openPrice: '96001.5', highPrice: '97000', lowPrice: '95000', volume: '10.5', quoteVolume: '1000000' },
  ...{ openTime: 1, closeTime: 1_790_000_000_000, firstId: 0, lastId: 1, count: 2 },
})

let clock: ManualClock
let requests: HttpRequest[]
let answer: (request: HttpRequest) => { status?: number; headers?: Record<string, string>; body?: unknown }
const http: HttpClient = {
  async request(request) {
    requests.push(request)
    return { status: 200, headers: {}, body: undefined, ...answer(request) }
  },
}
const { signal } = new AbortController()
let rest: ReturnType<typeof createBinanceRest>
const fetchOne = () => rest.fetchWindows(['BTCUSDT'], signal)

beforeEach(() => {
  clock = new ManualClock()
  requests = []
  answer = ({ query }) => ({
    body:
      query?.symbol === undefined
        ? (JSON.parse(String(query?.symbols)) as string[]).map(rowOf)
        : rowOf(String(query.symbol)),
  })
  rest = createBinanceRest({ http, url: 'http://binance', clock })
})

it('requests twenty windows at once, because their weight is that of one', async () => {
  const ids = Array.from({ length: 45 }, (_, n) => `A${n}USDT`)
  const rows = await rest.fetchWindows(ids, signal)
  expect(rows.map((row) => row?.symbol)).toEqual(ids)
  expect(requests).toHaveLength(3)
  for (const { url, weight, timeoutMs } of requests)
    expect([url, weight, timeoutMs]).toEqual(['http://binance/api/v3/ticker/24hr', 2, 4_000])
})

it('parses a window exactly, and rejects a price of zero', () => {
  const ticker = tickerOfRest('BTC/USDT', RestTicker.parse(rowOf('BTCUSDT')), clock)
  expect(ticker).toMatchObject({
    ...{ last: 96_000.000_000_01, close: 96_000.000_000_01, open: 96_001.5, high: 97_000, low: 95_000, vwap: 96_000.1 },
    ...{ bid: null, bidVolume: 0, ask: 96_002, askVolume: 3, baseVolume: 10.5, quoteVolume: 1_000_000 },
    ...{ change: -1.5, percentage: -0.1, previousClose: 96_001, average: null },
  })
  const never = RestTicker.parse({ ...rowOf('BTCUSDT'), lastPrice: '0.00000000' })
  expect(tickerOfRest('BTC/USDT', never, clock)).toMatchObject({
    last: null,
    info: { unproven: 'never traded' },
  })
})

it('rejects a negative amount', () => {
  const window = RestTicker.parse({ ...rowOf('BTCUSDT'), volume: '-5', quoteVolume: '-0.1', askQty: '-3' })
  expect(tickerOfRest('BTC/USDT', window, clock)).toMatchObject({
    ...{ last: 96_000.000_000_01, baseVolume: null, quoteVolume: null, askVolume: null, bidVolume: 0 },
  })
})

it.each<[string, unknown]>([
  ['nothing', undefined],
  ['a list instead of an object', [rowOf('BTCUSDT')]],
  ['another pair', rowOf('ETHUSDT')],
  ['a number instead of a string', { ...rowOf('BTCUSDT'), lastPrice: 96_000 }],
  ['an exponent', { ...rowOf('BTCUSDT'), lastPrice: '9e4' }],
  ['too many digits', { ...rowOf('BTCUSDT'), lastPrice: '1'.repeat(100_000) }],
  ['a missing time', { ...rowOf('BTCUSDT'), closeTime: undefined }],
  ['an invalid time', { ...rowOf('BTCUSDT'), closeTime: 1e17 }],
  ['deep nesting', JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`)],
])('rejects %s as a window', async (_, body) => {
  answer = () => ({ body })
  await expect(fetchOne()).rejects.toMatchObject({ code: 'FEED_UPSTREAM', message: 'binance could not be read' })
})

it('fails a batch if one window is missing', async () => {
  answer = () => ({ body: [rowOf('BTCUSDT')] })
  await expect(rest.fetchWindows(['BTCUSDT', 'ETHUSDT'], signal)).rejects.toMatchObject({ code: 'FEED_UPSTREAM' })
})

it('treats an unlisted pair as missing, alone and among others', async () => {
  const unknown = { status: 400, body: { code: -1121, msg: 'Invalid symbol.' } }
  answer = ({ query }) =>
    query?.symbols !== undefined || query?.symbol === 'NOPE' ? unknown : { body: rowOf(String(query?.symbol)) }
  expect(await rest.fetchWindows(['NOPE'], signal)).toEqual([null])
  const rows = await rest.fetchWindows(['BTCUSDT', 'NOPE', 'ETHUSDT'], signal)
  expect(rows.map((row) => row?.symbol)).toEqual(['BTCUSDT', undefined, 'ETHUSDT'])
})

it.each([
  ['without a time', 418, {}, 120],
  ['with a time', 418, { 'retry-after': '30.2' }, 31],
  ['of more than three days', 418, { 'retry-after': '9999999' }, 259_200],
  ['with an invalid time', 418, { 'retry-after': 'soon' }, 120],
  ['before any response', 403, {}, 120],
])('obeys a ban %s', async (_, status, headers, seconds) => {
  answer = () => ({ status, headers, body: { error: '<html>' } })
  await expect(fetchOne()).rejects.toMatchObject({ code: 'FEED_UPSTREAM', retryAfterSeconds: seconds })
  clock.advance((seconds - 1) * 1_000)
  await expect(fetchOne()).rejects.toMatchObject({ code: 'FEED_UPSTREAM', retryAfterSeconds: 1 })
  expect(requests).toHaveLength(1)
  clock.advance(1_000)
  answer = () => ({ body: rowOf('BTCUSDT') })
  expect(await fetchOne()).toHaveLength(1)
})

it('hides the text of a rejection and an outage, and returns when to retry', async () => {
  answer = () => ({ status: 400, body: { code: -1100, msg: 'secret words' } })
  const refused = await fetchOne().catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 'FEED_UPSTREAM', detail: 'HTTP 400 -1100' })
  expect(String(refused)).not.toContain('secret')
  answer = () => {
    throw new Fault('NETWORK_ERROR', 'binance limits our requests', { retryAfterSeconds: 7 })
  }
  await expect(fetchOne()).rejects.toMatchObject({ code: 'FEED_UPSTREAM', retryAfterSeconds: 7 })
})
