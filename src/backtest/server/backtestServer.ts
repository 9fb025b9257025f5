// The part of the API that a strategy uses, answered from the exchange of a backtest. It opens no port: the strategy's client calls it within
// the process, or through the runner of the Python SDK.
import { Fault } from '#core/fault'
import type { CoverageGap } from '#schemas/history'
import type { TradeData } from '#schemas/topics'
import type { OperationName } from '#sdk/typescript/src/operations'
import type { ExecutionAdapter } from '#venues/lane'
import type { Account } from '../account/account.ts'
import type { Builds } from '../exchange/builds.ts'
import { Exchange, type ExchangeOptions } from '../exchange/exchange.ts'
import type { TapeBook } from '../tape/books.ts'
import { FeedSubscribers } from './books.ts'
import { ExecutionsApi } from './executionsApi.ts'
import { MarketsApi } from './marketsApi.ts'
import { PortfolioApi } from './portfolioApi.ts'
import { type ApiAnswer, type ApiRequest, refusal, targetOf } from './request.ts'
import { StreamSession } from './streamSession.ts'

export interface ServerOptions extends Omit<ExchangeOptions, 'listener'> {
  account: Account
  builds: Builds
  lanes: ReadonlyMap<string, ExecutionAdapter>
  now(): number
  newId(): string
}

type Handler = (request: ApiRequest) => ApiAnswer | Promise<ApiAnswer>

/** Answers kept for repeated keys. */
const keysMax = 1_000

export class BacktestServer {
  readonly exchange: Exchange
  private readonly executions: ExecutionsApi
  private readonly portfolio: PortfolioApi
  private readonly markets: MarketsApi
  private readonly subscribers: readonly FeedSubscribers[]
  private readonly sessions = new Set<StreamSession>()
  private readonly handlers: ReadonlyMap<OperationName | null, Handler>
  private readonly answered = new Map<string, { digest: string; answer: Promise<ApiAnswer> }>()
  private readonly now: () => number
  private readonly newId: () => string

  constructor({ builds, lanes, now, newId, ...options }: ServerOptions) {
    this.now = now
    this.newId = newId
    this.exchange = new Exchange({
      ...options,
      listener: {
        executionChanged: (execution, previous) => {
          for (const session of this.sessions) session.executionChanged(execution, previous)
        },
        filled: (fill) => {
          for (const session of this.sessions) session.filled(fill)
        },
        positionsChanged: (positions) => {
          for (const session of this.sessions) session.positionsChanged(positions)
        },
      },
    })
    const { exchange } = this
    const venues = [...new Set(options.markets.map(({ venue }) => venue))]
    this.executions = new ExecutionsApi({ exchange, builds, lanes, venues, now, newId })
    this.portfolio = new PortfolioApi(exchange, now)
    this.markets = new MarketsApi(exchange, now)
    this.subscribers = options.feeds.map(() => new FeedSubscribers())
    this.handlers = handlersOf(this.executions, this.portfolio, this.markets)
  }

  /** Refusals are answers. Throws, or rejects with, only errors of the program. */
  handle(request: ApiRequest): ApiAnswer | Promise<ApiAnswer> {
    try {
      const handler = this.handlers.get(request.operation)
      if (handler === undefined) throw new Fault('NOT_SUPPORTED', `${targetOf(request)} is not part of a backtest`)
      const { key } = request
      const given = key === null ? handler(request) : this.once(key, request, handler)
      return given instanceof Promise ? given.catch((error: unknown) => refusal(error, this.newId)) : given
    } catch (error) {
      return refusal(error, this.newId)
    }
  }

  connect(send: (frame: object) => void): { receive(message: unknown): void; close(): void } {
    const { markets, portfolio, subscribers, exchange, now } = this
    const inFlight = () => this.executions.inFlight()
    const session = new StreamSession({ markets, portfolio, subscribers, exchange, inFlight, now }, send)
    this.sessions.add(session)
    return {
      receive: (message) => session.receive(message),
      close: () => {
        session.close()
        this.sessions.delete(session)
      },
    }
  }

  onBook(feed: number, book: TapeBook, at: number): void {
    if (!this.exchange.onBook(feed, book, at)) return
    const subscribers = this.subscribers[feed]!
    if (subscribers.books.size > 0) subscribers.onBook(book, at)
  }

  onTrade(feed: number, trade: TradeData, at: number): void {
    this.exchange.onTrade(feed, trade, at)
    const subscribers = this.subscribers[feed]!
    if (subscribers.trades.size > 0) subscribers.onTrade(trade, at)
  }

  onGap(feed: number, { to, reason, kind }: CoverageGap, at: number): void {
    const wasLive = this.exchange.onGap(feed, to === null ? null : Date.parse(to), at)
    if (wasLive) this.subscribers[feed]!.onStale(reason ?? kind, at)
  }

  counts(): { orders: number; cancels: number; rejected: number } {
    const all = [...this.executions.executions.values()].filter(({ submittedArtifact }) => submittedArtifact !== null)
    const ordersOnly = all.filter(({ intent }) => intent !== 'cancel')
    return {
      orders: ordersOnly.length,
      cancels: all.length - ordersOnly.length,
      rejected: ordersOnly.filter(({ status }) => status === 'failed').length,
    }
  }

  /** A repeated key returns the first answer; a refused call may be repeated. */
  private async once(key: string, request: ApiRequest, handler: Handler): Promise<ApiAnswer> {
    const { operation, parts, body } = request
    const digest = JSON.stringify([operation, parts, body])
    const before = this.answered.get(key)
    if (before !== undefined) {
      if (before.digest !== digest) throw new Fault('IDEMPOTENCY_CONFLICT', 'this key was used for another request')
      const { headers, ...answer } = await before.answer
      return { ...answer, headers: { ...headers, 'idempotency-replay': 'true' } }
    }
    const answer = (async () => handler(request))()
    this.answered.set(key, { digest, answer })
    if (this.answered.size > keysMax) this.answered.delete(this.answered.keys().next().value!)
    try {
      return await answer
    } catch (error) {
      this.answered.delete(key)
      throw error
    }
  }
}

function handlersOf(executions: ExecutionsApi, portfolio: PortfolioApi, markets: MarketsApi) {
  const fetchMarkets: Handler = (request) => markets.fetchMarkets(request.parts[0]!, request)
  const fetchMarket: Handler = (request) => markets.fetchMarket(request.parts[0]!, request)
  const fetchOrderBook: Handler = (request) => markets.fetchOrderBook(request.parts[0]!, request)
  const handlers: Partial<Record<OperationName, Handler>> = {
    buildExecution: (request) => executions.build(request.parts[0]!, request),
    submitExecution: ({ parts: [venue, id] }) => executions.submit(venue!, id!),
    cancelExecution: (request) => executions.derive(request.parts[0]!, request.parts[1]!, 'cancel', request),
    modifyExecution: (request) => executions.derive(request.parts[0]!, request.parts[1]!, 'modify', request),
    refreshExecution: ({ parts: [venue, id] }) => executions.refresh(venue!, id!),
    discardExecution: ({ parts: [venue, id] }) => executions.discard(venue!, id!),
    listExecVenues: () => executions.listVenues(),
    listExecutions: (request) => executions.list(request),
    getExecution: ({ parts: [id] }) => executions.get(id!),
    listOrders: (request) => executions.listOrders(request),
    listExecTrades: (request) => executions.listFills(request.parts[0]!, request),
    listPositions: (request) => portfolio.listPositions(request),
    getPortfolioSummary: () => portfolio.summary(),
    listPortfolioFills: (request) => portfolio.listFills(request),
    ...{ fetchMarkets, fetchMarket, fetchOrderBook },
    ...{ fetchMarkets_post: fetchMarkets, fetchMarket_post: fetchMarket, fetchOrderBook_post: fetchOrderBook },
  }
  return new Map(Object.entries(handlers) as [OperationName, Handler][])
}
