import { expect, it } from 'vitest'
import { z } from 'zod'
import { LaneEntry } from '#orders/executions/listVenues'
import { Execution, Fill } from '#schemas/executions'
import { Market } from '#schemas/market'
import { OrderBook } from '#schemas/marketData'
import { OrderOverview } from '#schemas/orders'
import { PortfolioFill, PortfolioPosition, PortfolioSummary, portfolioFields } from '#schemas/portfolio'
import { ServerFrame } from '#schemas/streamFrames'
import { backtest, book, gap, marketId, noId, placeOrder, trade } from '#test/support/backtest/world'

const tape = [book(0, 0.4, 0.5), trade(2_000, 0.41, 5, 'Sell'), book(5_000, 0.41, 0.5), book(30_000, 0.4, 0.5)]

it('answers have the shapes of the contract', async () => {
  await backtest({ tape }, async (context) => {
    const { client, clock } = context
    await clock.sleep(1_500)
    const executionId = await placeOrder(context, { isBuy: true, price: '0.5', size: 3 })
    await placeOrder(context, { isBuy: true, price: '0.3', size: 3 })
    await clock.sleep(1_000)
    const path = { venue: 'kalshi' }
    const of = { ...path, executionId }
    const { api } = client
    const market = { path: { exchange: 'kalshi' } }
    const parsed: [z.ZodType, unknown][] = [
      [z.array(LaneEntry), await api.listExecVenues()],
      [z.array(Execution), await api.listExecutions()],
      [Execution, await api.getExecution({ path: { executionId } })],
      [Execution, await api.refreshExecution({ path: of, body: {} as never })],
      [z.array(OrderOverview), await api.listOrders()],
      [z.array(Fill), await api.listExecTrades({ path })],
      [z.array(PortfolioPosition), await api.listPositions()],
      [z.array(PortfolioFill), await api.listPortfolioFills()],
      [PortfolioSummary, await api.getPortfolioSummary()],
      [z.array(Market), await api.fetchMarkets(market)],
      [Market, await api.fetchMarket({ ...market, query: { marketId } })],
      [OrderBook, await api.fetchOrderBook({ ...market, query: { outcomeId: noId } })],
    ]
    for (const [schema, answer] of parsed) {
      const { data } = answer as { data: unknown }
      expect(schema.safeParse(data).error?.issues ?? []).toEqual([])
      expect(Array.isArray(data) ? data.length : 1).toBeGreaterThan(0)
    }
    const { success: _, data: __, ...fields } = await api.listPositions()
    expect(z.object(portfolioFields).safeParse(fields).success).toBe(true)
  })
})

it('frames have the shapes of the contract', async () => {
  const frames: unknown[] = []
  await backtest({ tape, gaps: [gap(8_000, 20_000)] }, async (context) => {
    const stream = context.client.stream()
    const inner = stream as unknown as { frame(frame: unknown): void }
    const receive = inner.frame.bind(stream)
    inner.frame = (frame) => {
      frames.push(frame)
      receive(frame)
    }
    stream.subscribeBook({ venue: 'kalshi', marketId, depth: 1 })
    stream.subscribeTrades({ venue: 'kalshi', marketId: noId })
    stream.subscribeOrders()
    stream.subscribePortfolio()
    stream.subscribeFeedTicker({ feed: 'binance', symbol: 'BTCUSDT' })
    await context.clock.sleep(1_500)
    await placeOrder(context, { isBuy: true, price: '0.5', size: 3 })
    await context.clock.sleep(40_000)
  })
  const kinds = new Set<string>()
  for (const frame of frames) {
    const { type, data } = frame as { type: string; data?: { kind?: string } }
    kinds.add(data?.kind === undefined ? type : `${type} ${data.kind}`)
    expect(ServerFrame.safeParse(frame).error?.issues ?? [], JSON.stringify(frame)).toEqual([])
  }
  const expected = ['snapshot', 'update', 'trade', 'error', 'subscribed', 'orders snapshot', 'orders execution']
  expect([...kinds].sort()).toEqual([...expected, 'orders fill', 'portfolio change', 'portfolio snapshot'].sort())
})

it('a book with a depth is sent when it changed within it, and says how many were skipped', async () => {
  const deeper = (afterMs: number, size: number) => {
    const frame = book(afterMs, 0.4, 0.5)
    const data = frame.data as { bids: object[] }
    return { ...frame, data: { ...data, bids: [...data.bids, { price: 0.3, size }] } }
  }
  const seen: [number, number][] = []
  const changing = [deeper(0, 1), deeper(1_000, 2), deeper(2_000, 3), book(3_000, 0.41, 0.5)]
  await backtest({ tape: changing }, async ({ client }) => {
    for await (const event of client.stream().subscribeBook({ venue: 'kalshi', marketId, depth: 1 }))
      if (event.type === 'book') seen.push([event.sequence, event.conflated])
  })
  expect(seen).toEqual([
    [1, 0],
    [4, 2],
  ])
})
