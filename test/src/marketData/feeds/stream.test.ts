// Streaming tickers over real sockets and the real clock: Binance's stream, its REST fallback, and new rounds of an oracle.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { systemClock } from '#core/clock'
import { createMetrics } from '#roles/metrics'
import type { FeedTicker } from '#schemas/feeds'
import { type FeedsHere, openFeedsLab } from './feedsLab.ts'

const isLong = process.env.CROSSBOOK_TEST_LONG === '1'

let here: FeedsHere
beforeAll(async () => {
  here = await openFeedsLab({ clock: systemClock })
})
afterAll(() => here.close())

function watch(feed: 'binance' | 'chainlink', symbol: string) {
  const tickers: FeedTicker[] = []
  const end = here.feeds.get(feed)!.watchTicker!(symbol, (ticker) => tickers.push(ticker))
  return { tickers, end, sources: () => new Set(tickers.map(({ provenance }) => provenance.source)) }
}
const until = (check: () => void) => vi.waitFor(check, { timeout: 20_000, interval: 20 })

it('Binance streams windows, and is unsubscribed when there are no subscribers', async () => {
  const { tickers, end, sources } = watch('binance', 'BTC/USDT')
  await until(() => expect(sources()).toContain('binance-ws'))
  expect(tickers.at(-1)).toMatchObject({ symbol: 'BTC/USDT', last: expect.any(Number), info: { s: 'BTCUSDT' } })
  const { subscriptions } = here.lab.binance.counters()
  expect(subscriptions).toEqual({ 'btcusdt@ticker': 1 })
  end()
  if (!isLong) return
  const second = watch('binance', 'ETH/USDT')
  await until(() => expect(here.lab.binance.counters().subscriptions).toEqual({ 'ethusdt@ticker': 1 }))
  second.end()
  await until(() => expect(here.lab.binance.counters().socketsOpen).toBe(0))
})

it('metrics show whether it streams, and for how many', async () => {
  const metrics = createMetrics()
  here.measure(metrics)
  const { end } = watch('chainlink', 'SOL/USD')
  const { text } = await metrics.text()
  expect(text).toContain('crossbook_feed_pairs_watched{feed="chainlink"} 1')
  expect(text).toMatch(/crossbook_feed_stream_open\{feed="binance"\} [01]/)
  end()
  metrics.stop()
})

it.runIf(isLong)('a slow upstream is a 502 in bounded time', async () => {
  const slow = await openFeedsLab({ clock: systemClock })
  slow.lab.binance.faults.slow({ delayMs: 60_000, where: 'http' })
  slow.lab.chainlink.faults.slow({ delayMs: 60_000, where: 'http' })
  const failure = { code: 'FEED_UPSTREAM' }
  await Promise.all([
    expect(slow.feeds.get('binance')!.fetchTickers(['SOL/USDT'])).rejects.toMatchObject(failure),
    expect(slow.feeds.get('chainlink')!.fetchOracleHistory!('SOL/USD', 5)).rejects.toMatchObject(failure),
  ])
  await slow.close()
})

it.runIf(isLong)('a node that never answers is skipped for the next one', async () => {
  const mute = createServer(() => undefined)
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
  const { port } = mute.address() as AddressInfo
  const nodes = { CROSSBOOK_CHAINLINK_RPC_URL: `http://127.0.0.1:${port},${here.lab.chainlink.urls.RPC}` }
  const other = await openFeedsLab({ clock: systemClock }, nodes)
  const feed = other.feeds.get('chainlink')!
  expect(await feed.fetchOracleRound!('BTC/USD')).toMatchObject({ feed: 'BTC/USD' })
  await other.close()
  mute.closeAllConnections()
  await new Promise((resolve) => mute.close(resolve))
})

it('an oracle ticker is sent at once', async () => {
  const { tickers, end } = watch('chainlink', 'BTC/USD')
  await until(() => expect(tickers).toHaveLength(1))
  expect(tickers[0]).toMatchObject({ last: expect.any(Number), provenance: { source: 'chainlink-onchain' } })
  end()
})

it.runIf(isLong)(
  'REST replaces a stream that is cut, silent or shut down until it is back; a new round is sent',
  async () => {
    const { binance, chainlink, prices } = here.lab
    const { tickers, sources, end } = watch('binance', 'BTC/USDT')
    const rounds = watch('chainlink', 'ETH/USD')
    for (const spoil of [
      () => binance.faults.disconnect({ refuseMs: 60_000 }),
      () => binance.faults.mute({ scope: 'venue' }),
      () => binance.faults.mute({ scope: 'sockets' }),
      () => {
        binance.shutDown()
        binance.faults.disconnect({ refuseMs: 60_000 })
      },
    ]) {
      await until(() => expect(sources()).toContain('binance-ws'))
      tickers.length = 0
      spoil()
      await until(() => expect(sources()).toContain('binance-rest'))
      expect(tickers.every(({ last }) => last !== null)).toBe(true)
      binance.faults.recover()
      tickers.length = 0
    }
    binance.faults.http({ status: 500 })
    binance.faults.disconnect({ refuseMs: 60_000 })
    await until(() => expect(tickers.at(-1)?.last).toBeNull())
    binance.faults.recover()
    await until(() => expect(tickers.at(-1)?.last).not.toBeNull())
    end()
    prices.set('ETH', 1_000)
    await until(() => expect(rounds.tickers.at(-1)?.last).toBeLessThan(1_100))
    chainlink.faults.http({ status: 500, path: '/rpc' })
    prices.set('ETH', 2_000)
    await until(() => expect(rounds.tickers.at(-1)?.last).toBeGreaterThan(1_900))
    chainlink.faults.recover()
    rounds.end()
  },
)
