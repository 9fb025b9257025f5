// One socket of the stream of a backtest: books, trades, orders and the portfolio. Other channels are refused with NOT_SUPPORTED.

import { formatIssues } from '#core/formatZodIssues'
import type { PortfolioPosition } from '#schemas/portfolio'
import { ClientOp, type OrdersData, type PortfolioData } from '#schemas/stream'
import type { Position } from '../account/account.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { type BacktestExecution, isoOf, orderState } from '../exchange/execution.ts'
import { type BacktestFill, fillRow } from '../exchange/fill.ts'
import {
  type BookSubscriber,
  type Depth,
  type FeedSubscribers,
  sendBook,
  staleFrame,
  type TradeSubscriber,
} from './books.ts'
import type { MarketsApi } from './marketsApi.ts'
import type { PortfolioApi } from './portfolioApi.ts'

export interface StreamDeps {
  markets: MarketsApi
  portfolio: PortfolioApi
  /** By index of the feed. */
  subscribers: readonly FeedSubscribers[]
  exchange: Pick<Exchange, 'liveBook' | 'feeds'>
  inFlight(): BacktestExecution[]
  now(): number
}

type Subscribe = Extract<ClientOp, { op: 'subscribe' | 'unsubscribe' }>

export class StreamSession {
  private readonly deps: StreamDeps
  private readonly send: (frame: object) => void
  private readonly books = new Map<string, { subscriber: BookSubscriber; feed: FeedSubscribers }>()
  private readonly trades = new Map<string, { subscriber: TradeSubscriber; feed: FeedSubscribers }>()
  private followsOrders = false
  /** Null: not subscribed. */
  private portfolioSeq: number | null = null

  /** `send` gives the frame to the socket, which delivers it when the strategy runs next. */
  constructor(deps: StreamDeps, send: (frame: object) => void) {
    this.deps = deps
    this.send = send
  }

  receive(message: unknown): void {
    const parsed = ClientOp.safeParse(message)
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      this.refuse('BAD_MESSAGE', formatIssues(issue === undefined ? [] : [issue]), {})
      return
    }
    const op = parsed.data
    switch (op.op) {
      case 'auth':
        this.send({ type: 'auth', status: 'ok' })
        return
      case 'subscribe':
        this.forEachMarket(op, (marketId) => this.subscribe(op, marketId))
        return
      case 'unsubscribe':
        this.forEachMarket(op, (marketId) => this.unsubscribe(op, marketId))
        return
      case 'subscribeOrders':
        this.subscribeOrders()
        return
      case 'unsubscribeOrders':
        this.followsOrders = false
        this.send({ type: 'unsubscribed', channel: 'orders' })
        return
      case 'subscribePortfolio':
        this.subscribePortfolio()
        return
      case 'unsubscribePortfolio':
        this.portfolioSeq = null
        this.send({ type: 'unsubscribed', channel: 'portfolio' })
        return
      case 'unsubscribePrice':
        this.refuse('NOT_SUBSCRIBED', 'not subscribed', {
          ...{ channel: 'price', venue: op.venue },
          ...(op.marketId === undefined ? {} : { marketId: op.marketId }),
        })
        return
      default:
        this.refuse('NOT_SUPPORTED', `${op.op} is not part of a backtest`, channelOf(op))
    }
  }

  executionChanged(execution: BacktestExecution, previousStatus: BacktestExecution['status']): void {
    if (!this.followsOrders) return
    const occurredAt = isoOf(execution.statusSince)
    this.sendOrders({ kind: 'execution', previousStatus, occurredAt, execution: orderState(execution) })
  }

  filled(fill: BacktestFill): void {
    if (this.followsOrders) this.sendOrders({ kind: 'fill', fill: fillRow(fill) })
  }

  positionsChanged(positions: readonly Position[]): void {
    if (this.portfolioSeq === null) return
    this.portfolioSeq += 1
    const { portfolio } = this.deps
    const rows = positions.map((position) => portfolio.positionRow(position))
    const isOpen = ({ quantity }: PortfolioPosition): boolean => quantity !== '0'
    this.sendPortfolio({
      kind: 'change',
      ...{ seq: this.portfolioSeq, asOf: isoOf(this.deps.now()), unavailable: [] },
      positions: rows.filter(isOpen),
      removed: rows
        .filter((row) => !isOpen(row))
        .map(({ venue, marketId, outcomeId }) => ({ venue, marketId, outcomeId })),
      summary: portfolio.totals(),
      removedSummary: [],
    })
  }

  close(): void {
    for (const { subscriber, feed } of this.books.values()) feed.books.delete(subscriber)
    for (const { subscriber, feed } of this.trades.values()) feed.trades.delete(subscriber)
    this.books.clear()
    this.trades.clear()
    this.followsOrders = false
    this.portfolioSeq = null
  }

  private forEachMarket({ marketId, outcomeId, marketIds }: Subscribe, run: (marketId: string) => void): void {
    const one = marketId ?? outcomeId
    for (const id of one === undefined ? (marketIds ?? []) : [one]) run(id)
  }

  private subscribe({ channel, venue, depth = 'all' }: Subscribe, marketId: string): void {
    const found = this.deps.markets.find(venue, marketId)
    if (found === null) {
      this.refuse('MARKET_NOT_FOUND', `the backtest has no market ${marketId} of ${venue}`, {
        ...{ channel, venue, marketId },
      })
      return
    }
    const { market, outcome } = found
    const feed = this.deps.subscribers[outcome.feed]!
    this.send({
      ...{ type: 'subscribed', channel, venue, marketId, outcomeId: outcome.outcomeId },
      catalogMarketId: market.market.marketId,
      ...(channel === 'orderbook' && depth !== 'all' ? { depth } : {}),
    })
    const key = JSON.stringify([venue, marketId])
    if (channel === 'trades') {
      const subscriber = { venue, marketId, mirrored: outcome.mirrored, send: this.send }
      this.leave(this.trades, key, (held) => held.feed.trades.delete(held.subscriber))
      feed.trades.add(subscriber)
      this.trades.set(key, { subscriber, feed })
      return
    }
    this.leave(this.books, key, (held) => held.feed.books.delete(held.subscriber))
    const subscriber: BookSubscriber = {
      ...{ venue, marketId, depth: depth as Depth, mirrored: outcome.mirrored, sequence: 0, skipped: 0, sent: null },
      send: this.send,
    }
    feed.books.add(subscriber)
    this.books.set(key, { subscriber, feed })
    const book = this.deps.exchange.liveBook(outcome)
    if (book !== null) sendBook(subscriber, book, this.deps.now())
    // Before its first book nothing is stale yet.
    else if (this.deps.exchange.feeds[outcome.feed]!.book !== null)
      this.send(staleFrame(subscriber, 'gap', this.deps.now()))
  }

  private unsubscribe({ channel, venue }: Subscribe, marketId: string): void {
    const key = JSON.stringify([venue, marketId])
    const wasSubscribed =
      channel === 'trades'
        ? this.leave(this.trades, key, (held) => held.feed.trades.delete(held.subscriber))
        : this.leave(this.books, key, (held) => held.feed.books.delete(held.subscriber))
    if (wasSubscribed) this.send({ type: 'unsubscribed', channel, venue, marketId })
    else this.refuse('NOT_SUBSCRIBED', 'not subscribed', { channel, venue, marketId })
  }

  private leave<Held>(all: Map<string, Held>, key: string, release: (held: Held) => void): boolean {
    const held = all.get(key)
    if (held === undefined) return false
    all.delete(key)
    release(held)
    return true
  }

  private subscribeOrders(): void {
    this.followsOrders = true
    this.send({ type: 'subscribed', channel: 'orders' })
    const executions = this.deps.inFlight().map(orderState)
    this.sendOrders({
      kind: 'snapshot',
      reason: 'subscribed',
      ...{ executions, conditionals: [], truncated: false },
      part: { i: 1, n: 1 },
    })
  }

  private subscribePortfolio(): void {
    this.portfolioSeq = 1
    this.send({ type: 'subscribed', channel: 'portfolio' })
    const { portfolio, now } = this.deps
    this.sendPortfolio({
      kind: 'snapshot',
      reason: 'subscribed',
      ...{ seq: 1, asOf: isoOf(now()), unavailable: [], truncated: false },
      positions: portfolio.openRows(),
      summary: portfolio.totals(),
      part: { i: 1, n: 1 },
    })
  }

  private sendOrders(data: OrdersData): void {
    this.send({ type: 'orders', ts: this.deps.now(), data })
  }

  private sendPortfolio(data: PortfolioData): void {
    this.send({ type: 'portfolio', ts: this.deps.now(), data })
  }

  private refuse(code: string, message: string, about: object): void {
    this.send({ type: 'error', code, message, ...about, ts: this.deps.now() })
  }
}

/** As the stream names the channel in a refusal, so that a client matches it to its request. */
function channelOf(op: ClientOp): object {
  switch (op.op) {
    case 'subscribeAll':
    case 'unsubscribeAll':
      return { channel: 'orderbook:all', venue: op.venue }
    case 'subscribeFeedTicker':
    case 'unsubscribeFeedTicker':
      return { channel: 'feedTicker', feed: op.feed, symbol: op.symbol }
    case 'subscribePrice':
      return { channel: 'price', venue: op.venue, ...(op.marketId === undefined ? {} : { marketId: op.marketId }) }
    case 'subscribeArbitrage':
    case 'unsubscribeArbitrage':
      return { channel: 'arbitrage' }
    case 'subscribeStructures':
    case 'unsubscribeStructures':
      return { channel: 'structures' }
    case 'subscribeReplay':
    case 'unsubscribeReplay':
    case 'pauseReplay':
    case 'resumeReplay':
      return { channel: 'replay' }
    default:
      return {}
  }
}
