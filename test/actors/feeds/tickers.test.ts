// Tickers for subscribers: what is sent, from which source, and when a price is withdrawn.
import { expect, it } from 'vitest'
import { BinanceTickers } from '#actors/feeds/binanceTickers'
import { ChainlinkTickers } from '#actors/feeds/chainlinkTickers'
import { ManualClock } from '#core/clock'
import { Fault } from '#core/fault'
import { silentLog } from '#core/log'
import type { RestTicker } from '#marketData/feeds/binance/wire'
import { binanceMarkets } from '#marketData/feeds/index'
import { emptyTicker } from '#marketData/feeds/tickers'
import type { FeedTicker } from '#schemas/feeds'
import { handSockets, windowOf } from './sockets.ts'

/** Until all requests are answered: nothing here waits for anything but promises. */
const settled = async (): Promise<void> => {
  for (let n = 0; n < 20; n++) await Promise.resolve()
}

const rowOf = (symbol: string, price: string, at: number): RestTicker => ({
  ...{ symbol, priceChange: '0', priceChangePercent: '0', weightedAvgPrice: price, prevClosePrice: price },
  ...{ lastPrice: price, bidPrice: price, bidQty: '1', askPrice: '0.00', askQty: '0', openPrice: price },
  ...{ highPrice: price, lowPrice: price, volume: '0.0', quoteVolume: '0', closeTime: at },
})

function startBinance() {
  const clock = new ManualClock()
  const sockets = handSockets()
  const requests: string[][] = []
  const rest = { price: '100' as string | null, listed: true }
  const tickers = new BinanceTickers({
    ...sockets,
    markets: binanceMarkets(['BTC/USDT', 'ETH/USDT']),
    wsUrl: 'ws://binance',
    rest: {
      async fetchWindows(ids) {
        requests.push([...ids])
        const { price } = rest
        if (price === null) throw new Fault('FEED_UPSTREAM', 'away')
        return ids.map((id) => (rest.listed || id === 'ETHUSDT' ? rowOf(id, price, clock.now()) : null))
      },
    },
    clock,
    log: silentLog,
    random: () => 0.5,
    signal: new AbortController().signal,
  })
  const pass = async (ms: number, stepMs = 500): Promise<void> => {
    for (let left = ms; left > 0; left -= stepMs) {
      clock.advance(Math.min(left, stepMs))
      await settled()
    }
  }
  const received: (number | null)[] = []
  const sources: string[] = []
  const onTicker = (ticker: FeedTicker): void => {
    received.push(ticker.last)
    sources.push(ticker.provenance.source)
  }
  return { clock, ...sockets, tickers, requests, rest, pass, received, sources, onTicker }
}

it('come from the stream while it delivers them, and from REST while it does not', async () => {
  const { clock, tickers, last, requests, pass, received, sources, onTicker } = startBinance()
  const end = tickers.watch('BTC/USDT', onTicker)
  await pass(500)
  expect([requests, received]).toEqual([[['BTCUSDT']], [100]])
  last().opened()
  for (let n = 0; n < 20; n++) {
    last().deliver(windowOf('BTCUSDT', String(200 + n), clock.now()))
    await pass(1_000)
  }
  expect(requests).toHaveLength(1)
  expect(received).toEqual([100, ...Array.from({ length: 20 }, (_, n) => 200 + n)])
  expect(new Set(sources.slice(1))).toEqual(new Set(['binance-ws']))
  last().end()
  await pass(10_000)
  expect(requests.length).toBeGreaterThan(2)
  expect(received.at(-1)).toBe(100)
  expect(sources.at(-1)).toBe('binance-rest')
  end()
  await pass(5_000)
  const before = requests.length
  await pass(20_000)
  expect(requests).toHaveLength(before)
  expect(last().isClosed).toBe(true)
})

it('lose their price once when no source confirms it, and have one again when a source does', async () => {
  const { clock, tickers, last, rest, pass, received, onTicker } = startBinance()
  rest.price = null
  tickers.watch('BTC/USDT', onTicker)
  await pass(1_000)
  last().opened()
  last().deliver(windowOf('BTCUSDT', '7', clock.now()))
  expect(received).toEqual([7])
  await pass(60_000)
  expect(received).toEqual([7, null])
  const late: (number | null)[] = []
  tickers.watch('BTC/USDT', ({ last }) => late.push(last))
  await pass(3_000)
  expect(late).toEqual([null])
  rest.price = '8'
  await pass(3_000)
  expect(received.slice(0, 3)).toEqual([7, null, 8])
  expect(late.slice(0, 2)).toEqual([null, 8])
})

it('are sent without a price when none was ever received', async () => {
  const { tickers, rest, pass, received, onTicker } = startBinance()
  rest.price = null
  tickers.watch('ETH/USDT', onTicker)
  await pass(14_000)
  expect(received).toEqual([])
  await pass(30_000)
  expect(received).toEqual([null])
})

it('without a price are sent once, however often the upstream repeats them', async () => {
  const { clock, tickers, last, rest, pass, received, onTicker } = startBinance()
  rest.price = null
  tickers.watch('BTC/USDT', onTicker)
  await pass(500)
  last().opened()
  for (let n = 0; n < 10; n++) {
    last().deliver(windowOf('BTCUSDT', '5', clock.now() - 120_000))
    await pass(1_000)
  }
  last().deliver(windowOf('BTCUSDT', '6', clock.now()))
  expect(received).toEqual([null, 6])
})

it('are sent once and in order when they arrive twice or late', async () => {
  const { clock, tickers, last, pass, received, onTicker } = startBinance()
  tickers.watch('BTC/USDT', onTicker)
  await pass(500)
  last().opened()
  const at = clock.now() + 1
  for (const [price, time] of [
    ['1', at],
    ['1', at],
    ['2', at + 5],
    ['3', at + 3],
    ['4', at + 9],
  ] as const)
    last().deliver(windowOf('BTCUSDT', price, time))
  expect(received.slice(1)).toEqual([1, 2, 4])
})

it('are ignored when dated ahead or older than what was sent', async () => {
  const { clock, tickers, last, pass } = startBinance()
  const received: FeedTicker[] = []
  tickers.watch('BTC/USDT', (ticker) => received.push(ticker))
  await pass(500)
  last().opened()
  for (const aheadMs of [30_000, 3_000, 1_500, 0, 0, 1_000]) {
    last().deliver(windowOf('BTCUSDT', String(50_000 + aheadMs), clock.now() + aheadMs))
    await pass(1_000)
  }
  expect(received.map(({ asOf }) => asOf)).toEqual(received.map(({ asOf }) => asOf).toSorted())
  // REST replaces windows that are dated ahead.
  expect(received.flatMap(({ last: price }) => price ?? []).filter((price) => price !== 100)).toEqual([
    51_500, 50_000, 51_000,
  ])
})

it('that were dated ahead do not block the windows that come after them', async () => {
  const { clock, tickers, last, pass, received, onTicker } = startBinance()
  tickers.watch('BTC/USDT', onTicker)
  await pass(500)
  last().opened()
  last().deliver(windowOf('BTCUSDT', '99999', clock.now() + 55_000))
  for (const price of ['55000', '55001', '55002']) {
    await pass(1_000)
    last().deliver(windowOf('BTCUSDT', price, clock.now()))
  }
  expect(received.slice(-3)).toEqual([55_000, 55_001, 55_002])
})

it.each([
  ['negative', (at: number) => windowOf('BTCUSDT', '-5', at)],
  ['zero', (at: number) => windowOf('BTCUSDT', '0', at)],
  ['dated ahead', (at: number) => windowOf('BTCUSDT', '7', at + 600_000)],
  ['stale', (at: number) => windowOf('BTCUSDT', '7', at - 600_000)],
  [
    'crossed',
    (at: number) => {
      const { data, ...rest } = windowOf('BTCUSDT', '7', at)
      return { ...rest, data: { ...data, b: '60000', a: '10' } }
    },
  ],
])('proven by REST are not withdrawn by windows that are %s; if REST is down too, they expire', async (_, bad) => {
  const { clock, tickers, last, rest, pass, received, onTicker } = startBinance()
  tickers.watch('BTC/USDT', onTicker)
  await pass(500)
  last().opened()
  for (let n = 0; n < 20; n++) {
    last().deliver(bad(clock.now()))
    await pass(1_000)
  }
  expect(new Set(received)).toEqual(new Set([100]))
  rest.price = null
  for (let n = 0; n < 20; n++) {
    last().deliver(bad(clock.now()))
    await pass(1_000)
  }
  expect([received.at(-1), received.lastIndexOf(100) < received.indexOf(null)]).toEqual([null, true])
})

it('read over HTTP are streamed for a while, so that the next reader causes no request', async () => {
  const { clock, tickers, last, requests, pass } = startBinance()
  const [first] = await tickers.fetch(['BTC/USDT'])
  expect(first).toMatchObject({
    last: 100,
    ask: null,
    askVolume: 0,
    baseVolume: 0,
    provenance: { source: 'binance-rest' },
  })
  await pass(500)
  last().opened()
  last().deliver(windowOf('BTCUSDT', '9', clock.now()))
  const [second] = await tickers.fetch(['BTC/USDT'])
  expect(second).toMatchObject({ last: 9, baseVolume: 12.5, provenance: { source: 'binance-ws' } })
  expect(requests).toHaveLength(1)
  // All tickers of one response come from one source.
  const both = await tickers.fetch(['BTC/USDT', 'ETH/USDT'])
  expect(both.map(({ provenance }) => provenance.source)).toEqual(['binance-rest', 'binance-rest'])
  await pass(4_000)
  expect((await tickers.fetch(['BTC/USDT']))[0]!.provenance.source).toBe('binance-rest')
  await pass(90_000)
  expect(last().isClosed).toBe(true)
  tickers.stop()
  expect(clock.pendingCount).toBe(0)
})

it('of a pair that Binance does not list are rejected without affecting the others', async () => {
  const { tickers, rest } = startBinance()
  rest.listed = false
  await expect(tickers.fetch(['BTC/USDT'])).rejects.toMatchObject({ code: 'FEED_NOT_FOUND' })
  const both = await tickers.fetch(['BTC/USDT', 'ETH/USDT'])
  expect(both.map(({ last, info }) => [last, info.unproven])).toEqual([
    [null, 'not listed'],
    [100, undefined],
  ])
})

function startChainlink() {
  const clock = new ManualClock()
  const requests: string[][] = []
  const chain = {
    price: 1 as number | null,
    unproven: undefined as string | undefined,
    roundAt: clock.now(),
    away: false,
  }
  const tickers = new ChainlinkTickers({
    async fetch(symbols) {
      requests.push([...symbols])
      if (chain.away) throw new Fault('FEED_UPSTREAM', 'away')
      const { price, unproven, roundAt } = chain
      return symbols.map((symbol) => {
        const ticker = emptyTicker(symbol, 'chainlink-onchain', roundAt, unproven === undefined ? {} : { unproven })
        return unproven === undefined ? { ...ticker, last: price, timestamp: roundAt } : ticker
      })
    },
    clock,
    log: silentLog,
  })
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 500) {
      clock.advance(Math.min(left, 500))
      await settled()
    }
  }
  return { clock, tickers, requests, chain, pass }
}

it('of oracles are sent when a round is new, when it no longer proves its price, and when it does again', async () => {
  const { clock, tickers, requests, chain, pass } = startChainlink()
  const received: (number | null)[] = []
  tickers.watch('BTC/USD', ({ last }) => received.push(last))
  await pass(30_000)
  expect(received).toEqual([1])
  Object.assign(chain, { price: 2, roundAt: clock.now() })
  await pass(10_000)
  chain.unproven = 'stale'
  await pass(10_000)
  chain.unproven = undefined
  await pass(10_000)
  expect(received).toEqual([1, 2, null, 2])
  chain.away = true
  await pass(120_000)
  expect(received).toEqual([1, 2, null, 2, null])
  chain.away = false
  await pass(6_000)
  expect(received).toEqual([1, 2, null, 2, null, 2])
  expect(requests.every((symbols) => symbols.join() === 'BTC/USD')).toBe(true)
})

it('of oracles are sent for a round of the next phase, although it was written before the last round of the previous phase', async () => {
  const { clock, tickers, chain, pass } = startChainlink()
  const received: (number | null)[] = []
  tickers.watch('BTC/USD', ({ last }) => received.push(last))
  await pass(10_000)
  Object.assign(chain, { price: 2, roundAt: clock.now() - 3_600_000 })
  await pass(120_000)
  expect(received).toEqual([1, 2])
})

it('of oracles are requested once for all subscribers, and not at all without subscribers', async () => {
  const { clock, tickers, requests, pass } = startChainlink()
  const received: string[] = []
  const ends = ['BTC/USD', 'ETH/USD', 'BTC/USD'].map((symbol, n) =>
    tickers.watch(symbol, () => received.push(`${n} ${symbol}`)),
  )
  await pass(500)
  expect(requests.at(-1)).toEqual(['BTC/USD', 'ETH/USD'])
  expect(received.sort()).toEqual(['0 BTC/USD', '1 ETH/USD', '2 BTC/USD'])
  // A later subscriber gets what is known, without a request.
  const before = requests.length
  tickers.watch('ETH/USD', () => received.push('late'))()
  expect([received.at(-1), requests.length]).toEqual(['late', before])
  for (const end of ends) end()
  for (const end of ends) end()
  await pass(6_000)
  const after = requests.length
  await pass(60_000)
  expect([requests.length, clock.pendingCount]).toEqual([after, 0])
  // A much later subscriber gets the same round, which is new to it.
  tickers.watch('BTC/USD', () => received.push('again'))
  await pass(60_500)
  expect(received.at(-1)).toBe('again')
  tickers.stop()
  expect(clock.pendingCount).toBe(0)
})
