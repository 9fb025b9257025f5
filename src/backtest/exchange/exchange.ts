// The exchange of a backtest: books from the tape, orders in the fill model, fills to the account. It has no clock of its own and no I/O.
import { Fault } from '#core/fault'
import { ONE } from '#core/price'
import { isTerminal } from '#orders/executions/transitions'
import { takeFill } from '#paper/accounts/orderMoney'
import type { FillModelSettings, PaperEvent } from '#paper/model/index'
import { paperWorkingOrdersMax } from '#schemas/paper'
import type { TradeData } from '#schemas/topics'
import type { Account, Position } from '../account/account.ts'
import { moneyOf } from '../account/money.ts'
import type { BacktestMarket, BacktestOutcome, Feed } from '../markets/market.ts'
import { mirrored, type TapeBook } from '../tape/books.ts'
import { type BacktestExecution, decimalOfMicros, isInFlight, type OrderDetails } from './execution.ts'
import { FeedState } from './feedState.ts'
import type { BacktestFill } from './fill.ts'
import { keyOf, moneyBefore, type Need, Needs, pricedOf } from './orderMoney.ts'

export interface ExchangeListener {
  /** Before `previous` it was in that status. */
  executionChanged(execution: BacktestExecution, previous: BacktestExecution['status']): void
  filled(fill: BacktestFill): void
  positionsChanged(positions: readonly Position[]): void
}

export interface ExchangeOptions {
  markets: readonly BacktestMarket[]
  feeds: readonly Feed[]
  account: Account
  model: FillModelSettings
  listener: ExchangeListener
}

const rejections = {
  NO_LIVE_BOOK: 'rejected: PAPER_NO_LIVE_BOOK (the book was not live when the order arrived)',
  POST_ONLY_WOULD_TAKE: 'rejected: the post-only order would take liquidity',
  FOK_NOT_FILLABLE: 'rejected: the book cannot fill the whole order',
} as const

export class Exchange {
  readonly feeds: readonly FeedState[]
  readonly markets: readonly BacktestMarket[]
  readonly account: Account
  readonly fills: BacktestFill[] = []
  private readonly listener: ExchangeListener
  private readonly working = new Map<string, BacktestExecution>()
  private readonly cancels = new Map<string, BacktestExecution[]>()
  private readonly settled = new Set<BacktestMarket>()
  private readonly needs = new Needs()
  /** The earliest of `dueAt` of the feeds and of settlements; infinity: nothing is due. */
  private dueAt: number
  private readonly byExecution = new Map<BacktestExecution, BacktestFill[]>()

  constructor({ markets, feeds, account, model, listener }: ExchangeOptions) {
    this.markets = markets
    this.account = account
    this.listener = listener
    this.feeds = feeds.map((feed, i) => new FeedState(feed, { ...model, seed: `${model.seed}:${i}` }))
    this.dueAt = this.earliestDue()
  }

  /** Working orders of a market, oldest first. */
  workingOrders(): Iterable<BacktestExecution> {
    return this.working.values()
  }

  get workingCount(): number {
    return this.working.size
  }

  /** Oldest first. */
  fillsOf(execution: BacktestExecution): readonly BacktestFill[] {
    return this.byExecution.get(execution) ?? []
  }

  isSettled(market: BacktestMarket): boolean {
    return this.settled.has(market)
  }

  /** Null: no live book. */
  liveBook({ feed, mirrored: isMirrored }: BacktestOutcome): TapeBook | null {
    const { book, isLive } = this.feeds[feed]!
    return !isLive || book === null ? null : isMirrored ? mirrored(book) : book
  }

  /** Micros: the middle of the book as last known; null: never known. */
  markOf({ feed, mirrored: isMirrored }: BacktestOutcome): number | null {
    const mark = this.feeds[feed]!.markMicros()
    return mark === null || !isMirrored ? mark : ONE - mark
  }

  onBook(feed: number, book: TapeBook, at: number): boolean {
    const state = this.feeds[feed]!
    const isShown = state.onBook(book, at)
    this.collect(state)
    return isShown
  }

  onTrade(feed: number, trade: TradeData, at: number): void {
    const state = this.feeds[feed]!
    state.onTrade(trade, at)
    this.collect(state)
  }

  onGap(feed: number, until: number | null, at: number): boolean {
    const state = this.feeds[feed]!
    const wasLive = state.onGap(until, at)
    this.collect(state)
    return wasLive
  }

  /** When something is due that no event of the tape causes; infinity: nothing is. */
  nextAt(): number {
    return this.dueAt
  }

  advance(at: number): void {
    for (const state of this.feeds) {
      if (state.dueAt === null || state.dueAt > at) continue
      state.matcher.advance(at)
      this.collect(state)
    }
    for (const market of this.markets) {
      const { settlement } = market
      if (settlement?.at != null && settlement.at <= at && !this.settled.has(market)) this.settle(market, at)
    }
  }

  private earliestDue(): number {
    let next = Number.POSITIVE_INFINITY
    for (const { dueAt } of this.feeds) if (dueAt !== null && dueAt < next) next = dueAt
    for (const market of this.markets) {
      const at = this.settled.has(market) ? null : (market.settlement?.at ?? null)
      if (at !== null && at < next) next = at
    }
    return next
  }

  /** Places a built order, or a modification, which replaces its target. Throws the refusals of a paper account. */
  submit(execution: BacktestExecution, at: number): void {
    const order = execution.order!
    const target = execution.intent === 'modify' ? execution.target : null
    const { cash, size } = this.check(execution, order, target)
    const state = this.feeds[order.outcome.feed]!
    if (target !== null) this.replace(target, execution, at)
    this.hold(order, cash, size)
    state.startMatching(at)
    this.working.set(execution.id, execution)
    const { mirrored: isMirrored } = order.outcome
    state.matcher.submit(
      {
        id: execution.id,
        side: order.isBuy === isMirrored ? 'sell' : 'buy',
        price: isMirrored ? ONE - order.price : order.price,
        size: order.size - order.filled,
        timeInForce: order.timeInForce,
        expiresAt: order.expiresAt,
        postOnly: order.postOnly,
      },
      at,
    )
    execution.venueRef = `backtest-${execution.seq}`
    execution.submittedArtifact = execution.unsigned
    this.move(execution, 'acked', at)
    this.collect(state)
  }

  /** The cancel of an order arrives after a latency of its own. */
  cancel(cancel: BacktestExecution, at: number): void {
    const target = cancel.target!
    cancel.venueRef = target.venueRef
    cancel.submittedArtifact = cancel.unsigned
    this.move(cancel, 'acked', at)
    if (!this.working.has(target.id)) {
      this.endCancel(cancel, target, at)
      return
    }
    this.cancels.set(target.id, [...(this.cancels.get(target.id) ?? []), cancel])
    const state = this.feeds[target.order!.outcome.feed]!
    state.matcher.cancel(target.id, at)
    this.collect(state)
  }

  /** What it will hold back. */
  private check(execution: BacktestExecution, order: OrderDetails, target: BacktestExecution | null): Need {
    const { venue } = execution
    const { market, outcome } = order
    const options = { exchange: venue }
    if (this.settled.has(market)) throw new Fault('PAPER_MARKET_CLOSED', 'the market has ended', options)
    if (target !== null && !this.working.has(target.id))
      throw new Fault('PAPER_ORDER_NOT_OPEN', 'the order is not open any more', options)
    if (target === null && this.working.size >= paperWorkingOrdersMax)
      throw new Fault('PAPER_WORKING_ORDER_CAP', `at most ${paperWorkingOrdersMax} orders work at a time`, options)
    if (!this.feeds[outcome.feed]!.isLive)
      throw new Fault('PAPER_NO_LIVE_BOOK', 'the book is not live: the tape has a gap here, or has not begun', options)
    const freed = target?.order ?? null
    if (freed !== null && freed.filled >= order.size)
      throw new Fault('PAPER_ORDER_NOT_OPEN', 'so much is filled already, and nothing would rest', options)
    const wanted = this.needs.of(order, freed?.filled ?? 0)
    if (wanted.size > 0 && wanted.size > this.unreserved(order) + (freed?.heldSize ?? 0))
      throw new Fault('PAPER_POSITION_TOO_SMALL', 'more would be sold than is held', options)
    const available = this.account.available(venue, market.currency) + (freed?.heldCash ?? 0n)
    if (wanted.cash > available)
      throw new Fault('PAPER_INSUFFICIENT_CASH', 'the order costs more than is free', options)
    return wanted
  }

  /** Contracts of the outcome that no working sale holds back. */
  private unreserved({ market, outcome }: OrderDetails): number {
    let held = 0
    for (const { order } of this.working.values()) if (order!.outcome === outcome) held += order!.heldSize
    return this.account.quantity({ venue: market.venue, outcomeId: outcome.outcomeId }) - held
  }

  /** Instead of what the order held before. */
  private hold(order: OrderDetails, cash: bigint, size: number): void {
    this.account.hold(order.market.venue, order.market.currency, cash - order.heldCash)
    order.heldCash = cash
    order.heldSize = size
  }

  /** The old order ends at once, and the new one arrives after its latency: its place in the queue is lost. */
  private replace(target: BacktestExecution, execution: BacktestExecution, at: number): void {
    const order = execution.order!
    const { filled, traded, feeExact, fee, outcome } = target.order!
    Object.assign(order, { filled, traded, feeExact, fee })
    this.feeds[outcome.feed]!.matcher.cancel(target.id, at)
    this.end(target, 'canceled', at)
  }

  /** After every call that may change what the fill model of a feed has done, or has due. */
  private collect(state: FeedState): void {
    const events = state.matcher.drain()
    for (let i = 0; i < events.length; i++) this.take(events[i]!)
    const due = state.matcher.nextAt()
    if (due === state.dueAt) return
    state.dueAt = due
    this.dueAt = this.earliestDue()
  }

  private take(event: PaperEvent): void {
    const execution = this.working.get(event.orderId)
    // An order that was replaced or whose market ended: what arrives later is ignored.
    if (execution === undefined) return
    switch (event.kind) {
      case 'accepted':
        return
      case 'rejected':
        execution.error = rejections[event.reason]
        this.end(execution, 'failed', event.at)
        return
      case 'fill':
        this.fill(execution, event)
        return
      case 'closed':
        this.end(execution, closedAs[event.reason], event.at)
    }
  }

  private fill(execution: BacktestExecution, event: Extract<PaperEvent, { kind: 'fill' }>): void {
    const order = execution.order!
    const { market, outcome, isBuy } = order
    const price = outcome.mirrored ? ONE - event.price : event.price
    const { size, liquidity, evidence, at } = event
    const { after, ...paid } = takeFill(pricedOf(order), moneyBefore(order), {
      ...{ price: decimalOfMicros(price), size: decimalOfMicros(size), liquidity },
    })
    const [cash, fee] = [moneyOf(paid.cash), moneyOf(paid.fee)]
    const side = isBuy ? 'buy' : 'sell'
    const changed = this.account.apply(keyOf(market, outcome), { side, price, size, fee, at })
    order.filled += size
    order.traded += cash
    order.feeExact = after.feeExact
    order.fee = after.fee
    execution.updatedAt = at
    if (isBuy) this.hold(order, moneyOf(after.reserved), 0)
    else this.hold(order, 0n, order.heldSize - size)
    const fill = { id: this.fills.length + 1, execution, price, size, cash, fee, liquidity, evidence, at }
    this.fills.push(fill)
    const earlier = this.byExecution.get(execution)
    if (earlier === undefined) this.byExecution.set(execution, [fill])
    else earlier.push(fill)
    this.listener.filled(fill)
    this.listener.positionsChanged([changed])
  }

  private end(execution: BacktestExecution, status: 'filled' | 'failed' | 'expired' | 'canceled', at: number): void {
    if (isTerminal(execution.status)) return
    this.working.delete(execution.id)
    this.hold(execution.order!, 0n, 0)
    this.move(execution, status, at)
    const cancels = this.cancels.get(execution.id)
    if (cancels === undefined) return
    this.cancels.delete(execution.id)
    for (const cancel of cancels) this.endCancel(cancel, execution, at)
  }

  private endCancel(cancel: BacktestExecution, { status }: BacktestExecution, at: number): void {
    if (status !== 'canceled') cancel.error = `the order is ${status}`
    this.move(cancel, status === 'canceled' ? 'canceled' : 'failed', at)
  }

  private move(execution: BacktestExecution, status: BacktestExecution['status'], at: number): void {
    const previous = execution.status
    execution.status = status
    execution.updatedAt = at
    execution.statusSince = at
    this.listener.executionChanged(execution, previous)
  }

  private settle(market: BacktestMarket, at: number): void {
    this.settled.add(market)
    for (const execution of [...this.working.values()]) {
      if (execution.order!.market !== market || !isInFlight(execution)) continue
      this.feeds[execution.order!.outcome.feed]!.matcher.cancel(execution.id, at)
      execution.error = 'the market has ended'
      this.end(execution, 'canceled', at)
    }
    for (const state of this.feeds) state.dueAt = state.matcher.nextAt()
    this.dueAt = this.earliestDue()
    const changed: Position[] = []
    for (const { outcomeId } of market.outcomes) {
      const position = this.account.find({ venue: market.venue, outcomeId })
      const payout = market.settlement!.payouts.get(outcomeId)
      if (position === undefined || payout === undefined) continue
      this.account.settle(position, payout, at)
      changed.push(position)
    }
    if (changed.length > 0) this.listener.positionsChanged(changed)
  }
}

const closedAs = { filled: 'filled', canceled: 'canceled', expired: 'expired', ioc_remainder: 'canceled' } as const
