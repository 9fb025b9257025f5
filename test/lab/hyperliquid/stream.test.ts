// The lab's socket with the most used client library: it must understand the books, trades, pongs and errors.
import { SubscriptionClient, WebSocketTransport } from '@nktkas/hyperliquid'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ManualClock } from '#core/clock'
import { type Lab, startLab } from '#lab/lab'

let lab: Lab
let client: SubscriptionClient
let transport: WebSocketTransport
const clock = new ManualClock()

beforeEach(async () => {
  lab = await startLab({ clock, seed: 'hyperliquid stream', venues: ['hyperliquid'], ratePerSecond: 0, markets: 12 })
  transport = new WebSocketTransport({ url: lab.hyperliquid.urls.WS })
  client = new SubscriptionClient({ transport })
})
afterEach(async () => {
  await transport.close()
  await lab.stop()
})
const coin = (): string => lab.hyperliquid.catalogMarkets().find(({ status }) => status === 'active')!.outcomeIds[0]!

it('sends a whole book on subscription, and after each change', async () => {
  const books: { coin: string; levels: { px: string; sz: string; n: number }[][] }[] = []
  const requestedCoin = coin()
  const subscription = await client.l2Book({ coin: requestedCoin, fast: true }, (book) => void books.push(book))
  const best = (): number[][] => lab.hyperliquid.book(requestedCoin)!.bids.slice(0, 5)
  const receivedBids = () => books.at(-1)?.levels[0]?.map(({ px, sz }) => [Math.round(Number(px) * 1e6), Number(sz)])
  await vi.waitFor(() => expect(receivedBids()).toEqual(best()))
  lab.hyperliquid.faults.burst({ market: requestedCoin, ratePerSecond: 50, durationMs: 1_000 })
  clock.advance(1_500)
  await vi.waitFor(() => expect(receivedBids()).toEqual(best()))
  expect(books.length).toBeGreaterThan(1)
  expect(books.every((book) => book.coin === requestedCoin && book.levels.every((side) => side.length <= 5))).toBe(true)
  expect(lab.hyperliquid.counters().subscriptions).toEqual({ [requestedCoin]: 1 })
  await subscription.unsubscribe()
  expect(lab.hyperliquid.counters().subscriptions).toEqual({})
})

it('sends trades with the taker’s side as A or B', async () => {
  const trades: { coin: string; side: string; px: string; tid: number }[] = []
  const requestedCoin = coin()
  await client.trades({ coin: requestedCoin }, (rows) => void trades.push(...rows))
  lab.hyperliquid.faults.burst({ market: requestedCoin, ratePerSecond: 200, durationMs: 2_000 })
  clock.advance(2_500)
  await vi.waitFor(() => expect(trades.length).toBeGreaterThan(0))
  expect(trades.every((trade) => trade.coin === requestedCoin && (trade.side === 'B' || trade.side === 'A'))).toBe(true)
})

it('rejects an unknown coin', async () => {
  await expect(client.l2Book({ coin: '#99999980' }, () => undefined)).rejects.toThrow(/Invalid subscription/)
})
