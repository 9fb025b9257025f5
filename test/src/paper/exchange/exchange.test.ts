// The exchange between the stored orders and the fill model, with books and trades made by hand.
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { PaperExchange } from '#paper/exchange/index'
import type { BookUpdate, TradeUpdate } from '#schemas/topics'
import type { OrderEvents } from '#storage/postgres/paper/apply'
import type { PaperOrderRow } from '#storage/postgres/paper/orderRow'

const settings = { latencyMedianMs: 0, latencySigma: 0, cancelShareAhead: 0.5, seed: 't' }
const bookId = 'KX-1'
const noLatency = 10

function book(
  seq: number,
  bids: [number, number][],
  asks: [number, number][],
  more: Partial<BookUpdate> = {},
): BookUpdate {
  const levels = (side: [number, number][]) => side.map(([price, size]) => ({ price, size }))
  const core = JSON.stringify({ bids: levels(bids), asks: levels(asks), timestamp: 1 }).slice(0, -1)
  return {
    ...{ venue: 'kalshi', marketId: bookId, state: 'live', seq, epoch: 3, eventTs: null, recvTs: 1, breaks: 0 },
    core: Buffer.from(core),
    lastTradeMicros: null,
    ...more,
  }
}

const trade = (id: string, price: number, shares: number, type: 'Buy' | 'Sell', timestamp = 20): TradeUpdate => ({
  ...{ venue: 'kalshi', marketId: bookId, outcomeId: bookId, recvTs: 1 },
  data: {
    ...{ id, price, shares, type, time: '', timestamp, usd: null, outcome: null, outcomeIndex: null },
    ...{ maker: null, transactionHash: null, wallet: null, counterparty: null },
  },
})

function row(given: Partial<PaperOrderRow> = {}): PaperOrderRow {
  const id = randomUUID()
  return {
    ...{ execution_id: id, seq: '1', account_id: randomUUID(), key_id: id, venue: 'kalshi', ref: id, currency: 'USD' },
    ...{ market_id: bookId, outcome_id: bookId, book_id: bookId, complement: false, is_buy: true },
    ...{ price: '0.60', size: '10', time_in_force: 'GTC', post_only: false, expires_at: null, version: 1 },
    ...{ state: 'working', filled: '0', fills: 0, fee_model: {}, fee_exact: '0', fee: '0', reserved: '6' },
    ...{ queue_ahead: null, cancel_requested_at: null, changed_by: [], reason: null },
    placed_at: new Date(0),
    updated_at: new Date(0),
    ...given,
  } as PaperOrderRow
}

function exchangeWith(first: BookUpdate | undefined) {
  const wanted = new Set<string>()
  const exchange = new PaperExchange({
    settings,
    bookAt: () => first,
    isComplement: (_venue, outcomeId) => outcomeId !== bookId,
    watch: (_venue, id, isWanted) => void (isWanted ? wanted.add(id) : wanted.delete(id)),
  })
  return { exchange, wanted }
}

const kindsOf = (events: readonly OrderEvents[]): string[] =>
  events.flatMap(({ events: list }) => list.map(({ kind }) => kind))

it('fills a buy of the other outcome against the bids of the book, at one minus their price', () => {
  const { exchange } = exchangeWith(book(5, [[0.45, 30]], [[0.5, 30]]))
  // Buying NO at 0.60 is selling YES at 0.40.
  exchange.follow([row({ outcome_id: `${bookId}-NO`, complement: true })], 0)
  exchange.advance(noLatency)
  const [found] = exchange.drain()
  expect(found!.events.find(({ kind }) => kind === 'fill')).toMatchObject({
    price: '0.55',
    size: '10',
    liquidity: 'taker',
    evidence: { bookEpoch: 3, bookSeq: 5, tradeIds: [] },
  })
})

it('names the epoch of the book that a fill follows from, also when the next book came before it was read', () => {
  const { exchange } = exchangeWith(book(5, [], [[0.5, 50]]))
  exchange.follow([row()], 0)
  exchange.advance(noLatency)
  exchange.onBook(book(1, [], [[0.5, 50]], { epoch: 4 }), 20)
  const [found] = exchange.drain()
  expect(found!.events.find(({ kind }) => kind === 'fill')).toMatchObject({ evidence: { bookEpoch: 3, bookSeq: 5 } })
})

it('gives buyers of one outcome and sellers of the other no more than the book has', () => {
  const { exchange } = exchangeWith(book(1, [], [[0.5, 12]]))
  const sellNo = row({ outcome_id: `${bookId}-NO`, complement: true, is_buy: false, price: '0.40', seq: '2' })
  exchange.follow([row({ time_in_force: 'IOC' }), { ...sellNo, time_in_force: 'IOC' }], 0)
  exchange.advance(noLatency)
  const sizes = exchange
    .drain()
    .flatMap(({ events }) => events.flatMap((event) => (event.kind === 'fill' ? [Number(event.size)] : [])))
  expect(sizes.reduce((a, b) => a + b, 0)).toBe(12)
})

it('fills a resting order by a trade that reaches it, and names the trade', () => {
  const { exchange } = exchangeWith(book(1, [[0.4, 5]], [[0.7, 5]]))
  exchange.follow([row({ price: '0.60' })], 0)
  exchange.advance(noLatency)
  expect(kindsOf(exchange.drain())).toEqual(['accepted'])
  exchange.onTrade(trade('t-1', 0.6, 4, 'Sell'), 20)
  const [found] = exchange.drain()
  expect(found!.events).toMatchObject([
    { kind: 'fill', size: '4', liquidity: 'maker', evidence: { tradeIds: ['t-1'] } },
  ])
})

it('does not fill an order by a trade that happened before it arrived, or at an unknown time', () => {
  const { exchange } = exchangeWith(book(1, [[0.4, 5]], [[0.7, 5]]))
  exchange.follow([row({ price: '0.60' })], 0)
  exchange.advance(noLatency)
  exchange.drain()
  exchange.onTrade(trade('t-1', 0.6, 4, 'Sell', -1), 20)
  exchange.onTrade(trade('t-2', 0.6, 4, 'Sell', Number.NaN), 20)
  expect(exchange.drain()).toEqual([])
})

it('does not fill an order again after a restart with what the book showed before', () => {
  const shown = book(1, [[0.3, 5]], [[0.5, 4]])
  const order = row({ price: '0.60' })
  const before = exchangeWith(shown).exchange
  before.follow([order], 0)
  before.advance(noLatency)
  expect(kindsOf(before.drain())).toEqual(['accepted', 'fill'])
  const { exchange } = exchangeWith(shown)
  exchange.follow([{ ...order, filled: '4', fills: 1, queue_ahead: '0' }], 20)
  exchange.onBook(book(2, [[0.3, 6]], [[0.5, 4]]), 30)
  expect(exchange.drain()).toEqual([])
})

it('waits a few seconds for a book that was not watched, and then rejects', () => {
  const { exchange, wanted } = exchangeWith(undefined)
  exchange.follow([row()], 0)
  expect([...wanted]).toEqual([bookId])
  exchange.advance(4_000)
  expect(exchange.drain()).toEqual([])
  exchange.advance(6_000)
  exchange.advance(7_000)
  expect(exchange.drain()[0]!.events).toMatchObject([{ kind: 'ended', state: 'rejected' }])
})

it('submits an order that waited when its book comes', () => {
  const { exchange } = exchangeWith(undefined)
  exchange.follow([row()], 0)
  exchange.onBook(book(1, [], [[0.5, 50]]), 100)
  exchange.advance(100 + noLatency)
  expect(kindsOf(exchange.drain())).toContain('fill')
})

it('does not report what it reported again when it reads the orders as they were before', () => {
  const { exchange, wanted } = exchangeWith(book(1, [], [[0.5, 50]]))
  const order = row()
  exchange.follow([order], 0)
  exchange.advance(noLatency)
  expect(kindsOf(exchange.drain())).toContain('fill')
  exchange.follow([order], 20)
  exchange.advance(40)
  expect(exchange.drain()).toEqual([])
  // The book still shows what the order took.
  exchange.follow([], 50)
  expect(wanted.size).toBe(1)
  exchange.follow([], 60_020)
  expect(wanted.size).toBe(0)
})

it('does not offer again what an order took before it ended, until the level changes', () => {
  const { exchange } = exchangeWith(book(1, [], [[0.5, 12]]))
  const immediate = { time_in_force: 'IOC', size: '10' } as const
  const filledAt = (now: number): number => {
    exchange.follow([row(immediate)], now)
    exchange.advance(now + noLatency)
    const events = exchange.drain().flatMap((order) => order.events)
    exchange.follow([], now + noLatency)
    return events.reduce((sum, event) => sum + (event.kind === 'fill' ? Number(event.size) : 0), 0)
  }
  expect([filledAt(0), filledAt(1_000), filledAt(2_000)]).toEqual([10, 2, 0])
  exchange.onBook(book(2, [], [[0.5, 11]]), 3_000)
  expect(filledAt(4_000)).toBe(10)
})

it('leaves a book without orders as soon as it shows nothing that they took', () => {
  const { exchange, wanted } = exchangeWith(book(1, [], [[0.5, 12]]))
  exchange.follow([row()], 0)
  exchange.advance(noLatency)
  exchange.drain()
  exchange.onBook(book(2, [], [[0.5, 2]]), 20)
  exchange.follow([], 30)
  expect(wanted.size).toBe(0)
})

it('drops the events of an order that was modified or ended elsewhere', () => {
  const { exchange } = exchangeWith(book(1, [[0.4, 5]], [[0.7, 5]]))
  const order = row()
  exchange.follow([order], 0)
  exchange.advance(noLatency)
  exchange.drain()
  exchange.follow([{ ...order, version: 2, price: '0.70' }], 20)
  exchange.advance(40)
  expect(exchange.drain().every(({ version }) => version === 2)).toBe(true)
  exchange.follow([], 50)
  exchange.onBook(book(2, [], [[0.1, 100]]), 60)
  exchange.advance(100)
  expect(exchange.drain()).toEqual([])
})

it('fills nothing on a book that is not live', () => {
  const { exchange } = exchangeWith(book(1, [[0.4, 5]], [[0.7, 5]]))
  exchange.follow([row()], 0)
  exchange.advance(noLatency)
  exchange.drain()
  exchange.onBook(book(2, [], [[0.1, 100]], { state: 'stale' }), 20)
  exchange.onTrade(trade('t-2', 0.5, 100, 'Sell'), 30)
  exchange.advance(40)
  expect(kindsOf(exchange.drain())).not.toContain('fill')
})

it('cancels the orders of a market that closes, after what happened before', () => {
  const { exchange } = exchangeWith(book(1, [[0.4, 5]], [[0.7, 5]]))
  const order = row()
  exchange.follow([order], 0)
  exchange.advance(noLatency)
  exchange.drain()
  expect(exchange.markets()).toEqual([{ venue: 'kalshi', marketId: bookId }])
  exchange.closeMarket({ venue: 'kalshi', marketId: bookId }, 30)
  expect(exchange.drain()).toMatchObject([
    { executionId: order.execution_id, events: [{ kind: 'ended', state: 'canceled' }] },
  ])
  expect(exchange.markets()).toEqual([])
})

it('ends an immediate order whose end was not stored before a restart', () => {
  const { exchange } = exchangeWith(book(1, [], [[0.5, 50]]))
  exchange.follow([row({ time_in_force: 'IOC', filled: '3', queue_ahead: '0' })], 0)
  expect(exchange.drain()[0]!.events).toMatchObject([{ kind: 'ended', state: 'canceled' }])
})

it('forgets one order, and follows it again as it is stored', () => {
  const { exchange } = exchangeWith(book(1, [], [[0.5, 50]]))
  const [one, other] = [row({ seq: '1' }), row({ seq: '2' })]
  exchange.follow([one, other], 0)
  exchange.advance(noLatency)
  exchange.forget(one.execution_id, 20)
  expect(exchange.drain().map(({ executionId }) => executionId)).toEqual([other.execution_id])
  exchange.follow([one, other], 30)
  exchange.advance(30 + noLatency)
  expect(exchange.drain().map(({ executionId }) => executionId)).toEqual([one.execution_id])
})
