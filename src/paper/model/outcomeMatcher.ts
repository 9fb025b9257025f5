// All paper orders of all accounts on one outcome, matched against the venue's books and trades.
//
//   submit ─► in flight ─► arrives ─► rejected
//                             └─► accepted ─► fills as taker ─► rests ─► fills as maker ─► closed
//
// Paper orders never match each other and never change the venue's book. Together they get no more than the venue offered: what one took
// from a level or of a trade is not available to the others.
import { latencyMs } from './latency.ts'
import { reaches, type Side, sizeWithin } from './levels.ts'
import { Schedule } from './schedule.ts'
import { TakenVolume } from './takenVolume.ts'
import type {
  FillEvidence,
  FillModelSettings,
  PaperBook,
  PaperEvent,
  PaperEventBody,
  PaperOrderRequest,
  PaperTrade,
} from './types.ts'
import { type PaperOrder, type PriceGroup, type RestingOrder, WorkingOrders } from './workingOrders.ts'

/** A trade that became known later than this after it happened does not count. Venues' tapes are polled at most every 15 seconds. */
export const tradeAgeMaxMs = 20_000

interface DueStep {
  orderId: string
  kind: 'arrival' | 'cancel' | 'expiry'
}

export class OutcomeMatcher {
  private readonly settings: FillModelSettings
  private readonly orders = new Map<string, PaperOrder>()
  private readonly schedule = new Schedule<DueStep>()
  private readonly buys = new WorkingOrders('buy')
  private readonly sells = new WorkingOrders('sell')
  private readonly takenBids = new TakenVolume('buy')
  private readonly takenAsks = new TakenVolume('sell')
  /** The last live book; null before the first and during a gap. */
  private book: PaperBook | null = null
  /** Latest time seen: no event is older than the one before it. */
  private now = Number.NEGATIVE_INFINITY
  private nextDueAt = Number.POSITIVE_INFINITY
  private events: PaperEvent[] = []

  constructor(settings: FillModelSettings) {
    this.settings = settings
  }

  /** Orders that have not ended, including those whose latency has not passed. */
  get workingCount(): number {
    return this.orders.size
  }

  /** Some size of the book is taken: a new matcher would offer it again. */
  get hasTaken(): boolean {
    return !this.takenBids.isEmpty || !this.takenAsks.isEmpty
  }

  /** Arrives at the book after its latency. */
  submit(request: PaperOrderRequest, at: number): void {
    const arrivesAt = at + latencyMs(this.settings, request.id)
    const order = this.add(request, request.size, 'in_flight', arrivesAt)
    this.plan(order, 'arrival', arrivesAt)
    if (request.expiresAt !== null) this.plan(order, 'expiry', request.expiresAt)
  }

  /** Arrives after a latency of its own, never before the order. Nothing happens when the order has ended by then. */
  cancel(orderId: string, at: number): void {
    const order = this.orders.get(orderId)
    if (order === undefined) return
    const arrivesAt = at + latencyMs(this.settings, `${orderId}\ncancel`)
    this.plan(order, 'cancel', Math.max(arrivesAt, order.arrivesAt))
  }

  /**
   * A working order after a restart: it queues at the end of its price level, without latency. It may have filled against what the book shows
   * within its limit, so only what is added to that can fill it.
   */
  restore(request: PaperOrderRequest & { filled: number }, at: number): void {
    this.advance(at)
    const order = this.add(request, request.size - request.filled, 'working', at)
    if (request.expiresAt !== null) this.plan(order, 'expiry', request.expiresAt)
    if (order.remaining <= 0) {
      this.close(order, 'filled')
      return
    }
    const side = this.sideOf(request.side)
    const crossedSize = this.book === null ? null : side.crossedSizeOf(request.price, this.book)
    side.rest(order, this.now, this.book, crossedSize)
  }

  onBook(book: PaperBook): void {
    const { at, bids, asks } = book
    if (this.nextDueAt < at) this.runBefore(at)
    if (at > this.now) this.now = at
    const before = this.book
    if (!book.isLive) {
      this.book = null
      this.takenBids.clear()
      this.takenAsks.clear()
      return
    }
    this.book = book
    this.takenBids.onLevels(bids)
    this.takenAsks.onLevels(asks)
    if (before === null) {
      this.buys.requeue(book, this.now)
      this.sells.requeue(book, this.now)
    } else {
      const { cancelShareAhead } = this.settings
      if (this.buys.groups.length > 0) this.buys.follow(bids, this.now, cancelShareAhead)
      if (this.sells.groups.length > 0) this.sells.follow(asks, this.now, cancelShareAhead)
    }
    this.matchCrossed(this.buys)
    this.matchCrossed(this.sells)
  }

  onTrade(given: PaperTrade): void {
    const { takerSide, receivedAt = given.at } = given
    if (this.nextDueAt < receivedAt) this.runBefore(receivedAt)
    if (receivedAt > this.now) this.now = receivedAt
    if (this.book === null || receivedAt - given.at > tradeAgeMaxMs) return
    // The venue's clock may be ahead.
    const trade = given.at > receivedAt ? { ...given, at: receivedAt } : given
    let left = trade.size
    if (takerSide !== 'buy') left = this.matchTrade(this.buys, trade, left)
    if (takerSide !== 'sell') this.matchTrade(this.sells, trade, left)
  }

  /** Time passes: latencies and expiries that are due by `at`. */
  advance(at: number): void {
    while (this.nextDueAt <= at) this.runNext()
    if (at > this.now) this.now = at
  }

  /** Events since the last call, in order. */
  drain(): readonly PaperEvent[] {
    const { events } = this
    if (events.length === 0) return none
    this.events = []
    return events
  }

  /** Earliest time at which `advance` has something to do; null: none. */
  nextAt(): number | null {
    return this.nextDueAt === Number.POSITIVE_INFINITY ? null : this.nextDueAt
  }

  private add(
    request: PaperOrderRequest,
    remaining: number,
    state: 'in_flight' | 'working',
    arrivesAt: number,
  ): PaperOrder {
    if (this.orders.has(request.id)) throw new Error(`order ${request.id} is already in this matcher`)
    const order: PaperOrder = { request, remaining, state, arrivesAt, dueCount: 0 }
    this.orders.set(request.id, order)
    return order
  }

  private plan(order: PaperOrder, kind: DueStep['kind'], at: number): void {
    order.dueCount++
    this.schedule.add(at, { orderId: order.request.id, kind })
    this.nextDueAt = this.schedule.nextAt
  }

  /** What is due at the time of a book or trade is applied after it. */
  private runBefore(at: number): void {
    while (this.nextDueAt < at) this.runNext()
  }

  private runNext(): void {
    const due = this.schedule.shift()
    this.nextDueAt = this.schedule.nextAt
    if (due === undefined) return
    if (due.at > this.now) this.now = due.at
    const order = this.orders.get(due.what.orderId)
    if (order === undefined) return
    order.dueCount--
    if (due.what.kind === 'cancel') this.close(order, 'canceled')
    else if (due.what.kind === 'expiry') this.close(order, 'expired')
    else this.arrive(order)
  }

  private arrive(order: PaperOrder): void {
    const { book } = this
    const { request } = order
    const { side, price, size } = request
    if (book === null) {
      this.reject(order, 'NO_LIVE_BOOK')
      return
    }
    const opposite = side === 'buy' ? book.asks : book.bids
    const taken = side === 'buy' ? this.takenAsks : this.takenBids
    const displayed = sizeWithin(opposite, side, price)
    if (request.postOnly && displayed > 0) {
      this.reject(order, 'POST_ONLY_WOULD_TAKE')
      return
    }
    const available = displayed === 0 ? 0 : taken.available(opposite, side, price)
    if (request.timeInForce === 'FOK' && available < size) {
      this.reject(order, 'FOK_NOT_FILLABLE')
      return
    }

    const rests = available < size && (request.timeInForce === 'GTC' || request.timeInForce === 'GTD')
    order.state = 'working'
    const resting = rests ? this.sideOf(side).rest(order, this.now, book, displayed) : null
    this.emit(order, { kind: 'accepted', queueAhead: resting?.queue.ahead ?? 0 })
    if (available > 0) {
      const evidence = { bookSeq: book.seq, tradeIds: [] }
      taken.take(opposite, side, price, size, (levelPrice, part) => {
        order.remaining -= part
        this.emit(order, { kind: 'fill', price: levelPrice, size: part, liquidity: 'taker', evidence })
      })
    }
    if (order.remaining === 0) this.close(order, 'filled')
    else if (!rests) this.close(order, 'ioc_remainder')
  }

  /** Fills orders whose price an opposite level reached, with the size that is new within their limit. */
  private matchCrossed(working: WorkingOrders): void {
    const { groups, side } = working
    if (groups.length === 0) return
    const book = this.book!
    const opposite = side === 'buy' ? book.asks : book.bids
    const best = opposite[0]
    for (let i = 0; i < groups.length; i++) {
      const group = groups[i]!
      const isCrossed = best !== undefined && reaches(side, group.price, best[0])
      if (!isCrossed && !group.isCrossed) continue
      group.isCrossed = isCrossed
      const size = isCrossed ? sizeWithin(opposite, side, group.price) : 0
      this.fillCrossed(group, side, size)
      if (group.orders.length === 0) i--
    }
  }

  private fillCrossed(group: PriceGroup, side: Side, size: number): void {
    const book = this.book!
    const opposite = side === 'buy' ? book.asks : book.bids
    const taken = side === 'buy' ? this.takenAsks : this.takenBids
    for (const resting of [...group.orders]) {
      const wanted = Math.min(resting.order.remaining, Math.max(0, size - (resting.crossedSize ?? size)))
      resting.crossedSize = size
      if (wanted === 0) continue
      const filled = wanted - taken.take(opposite, side, group.price, wanted, ignorePart)
      this.fillMaker(resting, group.price, filled, { bookSeq: book.seq, tradeIds: [] })
    }
  }

  /** Returns what paper orders left of the trade. */
  private matchTrade(working: WorkingOrders, trade: PaperTrade, size: number): number {
    const { groups, side } = working
    let left = size
    for (let i = 0; i < groups.length; i++) {
      const group = groups[i]!
      if (!reaches(side, group.price, trade.price)) break
      const isThrough = group.price !== trade.price
      for (const resting of isThrough || group.orders.length > 1 ? [...group.orders] : group.orders) {
        const reached = isThrough ? trade.size : this.advanceQueue(resting, trade)
        if (trade.at < resting.restedAt) continue
        // Paper orders before it got `trade.size - left` of the trade.
        const part = Math.min(resting.order.remaining, Math.max(0, reached - (trade.size - left)))
        left -= part
        this.fillMaker(resting, group.price, part, { bookSeq: this.book!.seq, tradeIds: [trade.id] })
        if (group.orders.length === 0) break
      }
      if (group.orders.length === 0) i--
    }
    return left
  }

  private advanceQueue({ queue, queuedAt, restedAt }: RestingOrder, { at, size }: PaperTrade): number {
    // The book in which the position was read includes it.
    if (at <= queuedAt && at < restedAt) return 0
    return queue.tradedAt(size, this.now)
  }

  private fillMaker({ order }: RestingOrder, price: number, size: number, evidence: FillEvidence): void {
    if (size === 0) return
    order.remaining -= size
    this.emit(order, { kind: 'fill', price, size, liquidity: 'maker', evidence })
    if (order.remaining === 0) this.close(order, 'filled')
  }

  private reject(order: PaperOrder, reason: Extract<PaperEvent, { kind: 'rejected' }>['reason']): void {
    this.emit(order, { kind: 'rejected', reason })
    this.forget(order)
  }

  private close(order: PaperOrder, reason: Extract<PaperEvent, { kind: 'closed' }>['reason']): void {
    this.emit(order, { kind: 'closed', reason })
    if (order.state === 'working') this.sideOf(order.request.side).remove(order)
    this.forget(order)
  }

  private forget(order: PaperOrder): void {
    order.state = 'closed'
    this.orders.delete(order.request.id)
    if (order.dueCount === 0) return
    this.schedule.remove(order.request.id)
    this.nextDueAt = this.schedule.nextAt
  }

  private sideOf(side: Side): WorkingOrders {
    return side === 'buy' ? this.buys : this.sells
  }

  private emit(order: PaperOrder, event: PaperEventBody): void {
    this.events.push({ orderId: order.request.id, at: this.now, ...event })
  }
}

const none: readonly PaperEvent[] = []
const ignorePart = (): void => undefined
