// Reference feeds whose upstreams fail, send wrong data or limit us, and stale prices.
import { describe, expect, it } from 'vitest'
import { codeOf, openRoutesLab } from './routesLab.ts'

const api = openRoutesLab()
const { get, later, logged, open, proxyOf } = api

describe('a price is only returned', () => {
  const unproven = async (path: string) => {
    const { json } = await get(path)
    const { last, close, timestamp, datetime, info } = json.data
    expect([last, close, timestamp, datetime]).toEqual([null, null, null, null])
    return info.unproven
  }

  it('if its round is not too old', async () => {
    const proxy = proxyOf('DOGE/USD')
    const round = proxy.rounds.get(proxy.newest)!
    const at = round.updatedAt - 90_000
    proxy.write(proxy.newest, { ...round, updatedAt: at })
    expect(await unproven('chainlink/fetchTicker?symbol=DOGE/USD')).toBe('stale')
    // The round itself is still returned, with its time.
    expect((await get('chainlink/fetchOracleRound?symbol=DOGE/USD')).json.data.updatedAt).toBe(at)
    proxy.write(proxy.newest, round)
  })

  it('if the sequencer of the chain is up, and has been for an hour', async () => {
    const { sequencer } = api.here.lab.chainlink
    const up = sequencer.rounds.get(1)!
    const now = Math.floor(api.clock.now() / 1_000)
    sequencer.write(1, { ...up, answer: 1n })
    expect(await unproven('chainlink/fetchTicker?symbol=BTC/USD')).toBe('sequencer down')
    later()
    sequencer.write(1, { ...up, startedAt: now - 600 })
    expect(await unproven('chainlink/fetchTicker?symbol=BTC/USD')).toBe('sequencer just back')
    sequencer.write(1, up)
  })

  it('if its window ends now', async () => {
    api.here.lab.binance.lagMs = 120_000
    expect(await unproven('binance/fetchTicker?symbol=SOL/USDT')).toBe('stale')
    api.here.lab.binance.lagMs = -120_000
    later()
    expect(await unproven('binance/fetchTicker?symbol=SOL/USDT')).toBe('dated ahead')
    const { asOf } = (await get('binance/fetchTicker?symbol=SOL/USDT')).json.data
    expect(Date.parse(asOf)).toBeLessThanOrEqual(api.clock.now())
    api.here.lab.binance.lagMs = 0
  })
})

describe('a failing upstream', () => {
  const binance = () => get('binance/fetchTicker?symbol=XRP/USDT')
  const chainlink = () => get('chainlink/fetchOracleRound?symbol=XRP/USD')

  it('is a retryable 502 FEED_UPSTREAM without text of the upstream', async () => {
    api.here.lab.binance.faults.http({ status: 500 })
    api.here.lab.chainlink.faults.http({ status: 403 })
    for (const reply of await Promise.all([binance(), chainlink()])) {
      expect(codeOf(reply)).toEqual([502, 'FEED_UPSTREAM'])
      expect(reply.json.error.retryable).toBe(true)
      expect(reply.text).not.toMatch(/127\.0\.0\.1|refused with|canary|Too many requests|http/i)
    }
    expect(logged.length).toBeGreaterThan(0)
    expect(logged.join()).not.toMatch(/canary|Too many requests/)
  })

  it('a failing node is skipped for the next one', async () => {
    api.here.lab.chainlink.faults.http({ status: 403, path: '/rpc' })
    const spare = api.here.lab.chainlink.counters().httpRequests['/spare'] ?? 0
    expect((await chainlink()).status).toBe(200)
    later()
    expect((await get('chainlink/fetchOracleHistory?symbol=XRP/USD')).status).toBe(200)
    expect(api.here.lab.chainlink.counters().httpRequests['/spare']).toBeGreaterThan(spare)
  })

  it.each<[string, (result: unknown) => unknown]>([
    ['nothing', () => '0x'],
    ['garbage', () => '0xdeadbeef'],
    ['half of the response', (result) => String(result).slice(0, 200)],
    ['more than was requested', (result) => `${result}${'00'.repeat(32)}`],
    ['HTML', () => '<html></html>'],
    ['null', () => null],
  ])('rejects %s from a node', async (_, corrupt) => {
    api.here.lab.chainlink.node.falsifiers = new Map([['eth_call', corrupt]])
    expect(codeOf(await chainlink())).toEqual([502, 'FEED_UPSTREAM'])
  })

  it('a node of another chain is not used', async () => {
    await api.here.close()
    await open()
    api.here.lab.chainlink.node.chainId = 1
    expect(codeOf(await chainlink())).toEqual([502, 'FEED_UPSTREAM'])
    api.here.lab.chainlink.node.chainId = 42_161
  })

  it('equal concurrent requests are one', async () => {
    const before = api.here.lab.chainlink.counters().httpRequests['/rpc'] ?? 0
    await Promise.all(Array.from({ length: 20 }, () => get('chainlink/fetchTicker?symbol=BNB/USD')))
    const once = (api.here.lab.chainlink.counters().httpRequests['/rpc'] ?? 0) - before
    expect(once).toBeLessThanOrEqual(2)
    const requestCount = api.here.lab.binance.counters().httpRequests['/api/v3/ticker/24hr'] ?? 0
    await Promise.all(Array.from({ length: 20 }, () => get('binance/fetchTicker?symbol=BNB/USDT')))
    expect(api.here.lab.binance.counters().httpRequests['/api/v3/ticker/24hr']).toBe(requestCount + 1)
  })
})

it('a rate limit is respected for as long as it says, and the caller gets the wait', async () => {
  await api.here.close()
  await open()
  api.here.lab.binance.faults.http({ status: 429, retryAfterSeconds: 9, count: 1 })
  api.here.lab.chainlink.faults.http({ status: 429, retryAfterSeconds: 9, path: '/', count: 2 })
  for (const path of ['binance/fetchTicker?symbol=BTC/USDT', 'chainlink/fetchOracleRound?symbol=BTC/USD']) {
    const replies = [await get(path), await get(path)]
    for (const reply of replies) {
      expect(codeOf(reply)).toEqual([502, 'FEED_UPSTREAM'])
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(7)
    }
  }
  expect(api.here.lab.binance.counters().httpRequests['/api/v3/ticker/24hr']).toBe(1)
})
