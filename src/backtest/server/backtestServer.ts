// The part of the API that a strategy uses, answered from the exchange of a backtest. It opens no port: the strategy's client calls it within
// the process, or through the runner of the Python SDK.
import { Fault } from '#core/fault'
import type { CoverageGap } from '#schemas/history'
import type { TradeData } from '#schemas/topics'
import type { ExecutionAdapter } from '#venues/lane'
import type { Account } from '../account/account.ts'
import type { Builds } from '../exchange/builds.ts'
import { Exchange, type ExchangeOptions } from '../exchange/exchange.ts'
import type { TapeBook } from '../tape/books.ts'
import { FeedSubscribers } from './books.ts'
import { ExecutionsApi } from './executionsApi.ts'
import { MarketsApi } from './marketsApi.ts'
import { PortfolioApi } from './portfolioApi.ts'
import { type ApiAnswer, type ApiRequest, refusal } from './request.ts'
import { StreamSession } from './streamSession.ts'

export interface ServerOptions extends Omit<ExchangeOptions, 'listener'> {
  account: Account
  builds: Builds
  lanes: ReadonlyMap<string, ExecutionAdapter>
  now(): number
  newId(): string
}

type Handler = (request: ApiRequest, ...parts: string[]) => ApiAnswer | Promise<ApiAnswer>

/** Answers kept for repeated keys. */
const keysMax = 1_000

export class BacktestServer {
  readonly exchange: Exchange
  private readonly executions: ExecutionsApi
  private readonly portfolio: PortfolioApi
  private readonly markets: MarketsApi
  private readonly subscribers: readonly FeedSubscribers[]
  private readonly sessions = new Set<StreamSession>()
  private readonly routes: readonly [method: string, pattern: RegExp, handler: Handler][]
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
    this.routes = routesOf(this.executions, this.portfolio, this.markets)
  }

  /** Refusals are answers. Throws only errors of the program. */
  async handle(request: ApiRequest): Promise<ApiAnswer> {
    try {
      const { method, path, key } = request
      for (const [verb, pattern, handler] of this.routes) {
        const match = verb === method ? pattern.exec(path) : null
        if (match === null) continue
        const parts = match.slice(1).map(decodeURIComponent)
        return await (key === null
          ? handler(request, ...parts)
          : this.once(key, request, () => handler(request, ...parts)))
      }
      throw new Fault('NOT_SUPPORTED', `${method} ${path} is not part of a backtest`)
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
  private async once(key: string, request: ApiRequest, run: () => ApiAnswer | Promise<ApiAnswer>): Promise<ApiAnswer> {
    const { method, path, body } = request
    const digest = `${method} ${path} ${JSON.stringify(body)}`
    const before = this.answered.get(key)
    if (before !== undefined) {
      if (before.digest !== digest) throw new Fault('IDEMPOTENCY_CONFLICT', 'this key was used for another request')
      const { headers, ...answer } = await before.answer
      return { ...answer, headers: { ...headers, 'idempotency-replay': 'true' } }
    }
    const answer = (async () => run())()
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

const exec = '^/v1/exec/([^/]+)/orders'

function routesOf(executions: ExecutionsApi, portfolio: PortfolioApi, markets: MarketsApi) {
  const route = (method: string, pattern: string, handler: Handler) =>
    [method, new RegExp(`${pattern}$`), handler] as const
  return [
    route('POST', `${exec}/build`, (request, venue) => executions.build(venue!, request)),
    route('POST', `${exec}/([^/]+)/submit`, (_, venue, id) => executions.submit(venue!, id!)),
    route('POST', `${exec}/([^/]+)/cancel`, (request, venue, id) => executions.derive(venue!, id!, 'cancel', request)),
    route('POST', `${exec}/([^/]+)/modify`, (request, venue, id) => executions.derive(venue!, id!, 'modify', request)),
    route('POST', `${exec}/([^/]+)/refresh`, (_, venue, id) => executions.refresh(venue!, id!)),
    route('DELETE', `${exec}/([^/]+)`, (_, venue, id) => executions.discard(venue!, id!)),
    route('GET', '^/v1/exec/venues', () => executions.listVenues()),
    route('GET', '^/v1/exec/executions', (request) => executions.list(request)),
    route('GET', '^/v1/exec/executions/([^/]+)', (_, id) => executions.get(id!)),
    route('GET', '^/v1/exec/orders', (request) => executions.listOrders(request)),
    route('GET', '^/v1/exec/([^/]+)/trades', (request, venue) => executions.listFills(venue!, request)),
    route('GET', '^/v1/portfolio/positions', (request) => portfolio.listPositions(request)),
    route('GET', '^/v1/portfolio/summary', () => portfolio.summary()),
    route('GET', '^/v1/portfolio/fills', (request) => portfolio.listFills(request)),
    ...['GET', 'POST'].flatMap((method) => [
      route(method, '^/api/([^/]+)/fetchMarkets', (request, exchange) => markets.fetchMarkets(exchange!, request)),
      route(method, '^/api/([^/]+)/fetchMarket', (request, exchange) => markets.fetchMarket(exchange!, request)),
      route(method, '^/api/([^/]+)/fetchOrderBook', (request, exchange) => markets.fetchOrderBook(exchange!, request)),
    ]),
  ].map(([method, pattern, handler]): [string, RegExp, Handler] => [method, pattern, handler])
}
