// The gateway's watcher against the lab's chain over real sockets: trades of the lab's venue are reported before their
// block, and match the venue's own trades by transaction hash.
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { systemClock } from '#core/clock'
import { silentLog } from '#core/log'
import { tradeView } from '#lab/polymarket/encode'
import { type PolygonLab, startPolygonLab } from '#lab/polymarket/settlements'
import { type PolymarketLab, startPolymarketLab } from '#lab/polymarket/venue'
import type { PendingTradeUpdate } from '#marketData/pendingTrades/index'
import { createMetrics } from '#roles/metrics'
import { openPendingTrades } from '#roles/pendingTrades'
import { kalshi } from '#venues/kalshi/index'
import { polymarket } from '#venues/polymarket/index'

let venue: PolymarketLab
let polygon: PolygonLab
const native = new Map<string, { asset: string; shares: number; price: number }>()

beforeAll(async () => {
  const options = { clock: systemClock, seed: 'pending', recorded: [], port: 0 }
  venue = await startPolymarketLab({ ...options, ratePerSecond: 20, markets: 20 })
  polygon = await startPolygonLab({ ...options, blockMs: 25, trades: venue.trades })
  const settling = venue.trades.onTrade!
  venue.trades.onTrade = (market, trade) => {
    const { transactionHash, asset, priceMicros } = tradeView(market, trade)
    native.set(transactionHash, { asset, shares: trade.size, price: priceMicros / 1e6 })
    settling(market, trade)
  }
})
afterAll(async () => {
  await polygon.stop()
  await venue.stop()
})

it('does not watch without a node or without a venue that settles on that chain', () => {
  const deps = { clock: systemClock, log: silentLog }
  const { WS } = polygon.urls
  expect(
    openPendingTrades({ polygonWsUrl: undefined, contactUrl: undefined }, [{ manifest: polymarket }], deps),
  ).toBeNull()
  expect(openPendingTrades({ polygonWsUrl: WS, contactUrl: undefined }, [{ manifest: kalshi }], deps)).toBeNull()
})

it('reports fills before the chain has them, matching the venue’s trades, and confirms each once', async () => {
  const opened = openPendingTrades(
    { polygonWsUrl: polygon.urls.WS, contactUrl: undefined },
    [{ manifest: polymarket }],
    {
      clock: systemClock,
      log: silentLog,
    },
  )!
  const reported: PendingTradeUpdate[] = []
  opened.trades.listen((updates) => reported.push(...updates))
  await vi.waitFor(
    () => expect(reported.filter(({ state }) => state.status === 'confirmed').length).toBeGreaterThan(30),
    {
      timeout: 20_000,
    },
  )
  const pending = reported.filter(({ state }) => state.status === 'pending')
  const ids = pending.map(({ data }) => data.id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { data, bookId, state } of reported) {
    const trade = native.get(data.transactionHash!)
    // A settlement that was replaced belongs to no trade.
    if (trade === undefined) continue
    if (data.id.endsWith(':0')) {
      expect({ asset: bookId, shares: data.shares }).toEqual({ asset: trade.asset, shares: trade.shares })
      expect(data.price).toBeCloseTo(trade.price, 4)
    }
    if (state.status !== 'confirmed') continue
    const found = polygon.mempool.chain.find(data.transactionHash!)
    expect(found?.block.number).toBe(state.blockNumber)
  }
  const metrics = createMetrics()
  opened.measure(metrics)
  const { text } = await metrics.text()
  expect(text).toMatch(/crossbook_pending_trades_watching 1\n/)
  expect(text).toMatch(/crossbook_pending_trades_resolved_total\{as="confirmed"\} \d+/)
  metrics.stop()
  expect(opened.trades.disclosure.latencyMs).toBeGreaterThanOrEqual(0)
  opened.stop()
  await vi.waitFor(() => expect(polygon.node.connections).toBe(0))
})

it('keeps the key of a node URL out of the log when the node is unreachable', async () => {
  const lines: string[] = []
  const log = { warn: (fields: object, text: string) => lines.push(JSON.stringify(fields), text) } as never
  const url = 'ws://127.0.0.1:1/v2/secret-key?token=secret-key'
  const opened = openPendingTrades({ polygonWsUrl: url, contactUrl: undefined }, [{ manifest: polymarket }], {
    clock: systemClock,
    log,
  })!
  await vi.waitFor(() => expect(lines.length).toBeGreaterThan(0))
  opened.stop()
  expect(lines.join('')).toContain('pending trades are paused')
  expect(lines.join('')).not.toContain('secret-key')
})
