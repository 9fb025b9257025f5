// Orders of the lab's clients: they rest in the same book as the synthetic flow, trade with it and with each other, and keep
// price-time priority (clients before the flow at equal prices, so that clients get filled).
//
//   place ─► crosses? fill against the book ─► the rest rests, or is cancelled (ioc, fok) ─► flow trades into it ─► filled | canceled
import { ASK, BID, type Side } from './book.ts'
import type { EngineMarket, MarketListener } from './market.ts'

export interface SimulatedFill {
  /** Counts up across all markets, from 1 by default. */
  id: number
  priceMicros: number
  hundredths: number
  /** The order was resting. */
  maker: boolean
  /** Ordinal of the market's public trade. */
  trade: number
  atMs: number
}

export interface SimulatedOrder {
  /** Counts up across all markets, from 1 by default; the venue derives its own id from it. */
  ordinal: number
  account: string
  market: EngineMarket
  /** BID buys YES; buying NO at p is selling YES at 1 − p, and the venue has converted it before. */
  side: Side
  priceMicros: number
  hundredths: number
  filledHundredths: number
  status: 'open' | 'filled' | 'canceled'
  /** It was cancelled because it expired. */
  isExpired: boolean
  clientId: string | null
  readonly createdAtMs: number
  updatedAtMs: number
  fills: SimulatedFill[]
  /** Which order ends where two of one account meet. Null: they trade. */
  readonly selfTrade: 'ends-taker' | 'ends-maker' | 'ends-both' | null
  /** Venue data to return with the order. */
  details: Readonly<Record<string, unknown>>
}

export interface PlaceRequest {
  account: string
  side: Side
  priceMicros: number
  hundredths: number
  clientId: string | null
  /** gtc rests; ioc fills what it can; fok all or nothing. */
  life: 'gtc' | 'ioc' | 'fok'
  postOnly?: boolean
  selfTrade?: SimulatedOrder['selfTrade']
  details?: Readonly<Record<string, unknown>>
}

export type RejectReason =
  | 'market_closed'
  | 'off_grid'
  | 'no_size'
  | 'would_cross'
  | 'not_filled'
  | 'duplicate_client_id'

/** Ended orders kept; the oldest are evicted first. */
const endedMax = 10_000

export class OrderManager {
  private readonly nowMs: () => number
  private readonly listener: MarketListener
  private readonly open = new Map<EngineMarket, SimulatedOrder[]>()
  private readonly byOrdinal = new Map<number, SimulatedOrder>()
  private readonly clientIds = new Map<string, SimulatedOrder>()
  private ended: SimulatedOrder[] = []
  private lastOrdinal: number
  private lastFill: number

  constructor(options: { nowMs: () => number; listener: MarketListener; idsAfter?: number }) {
    this.nowMs = options.nowMs
    this.listener = options.listener
    this.lastOrdinal = options.idsAfter ?? 0
    this.lastFill = options.idsAfter ?? 0
  }

  place(market: EngineMarket, request: PlaceRequest): SimulatedOrder | RejectReason {
    const { side, priceMicros, hundredths, account, clientId } = request
    if (market.status !== 'open') return 'market_closed'
    const limit = market.book.grid.indexOf(priceMicros)
    if (limit < 0) return 'off_grid'
    if (!Number.isInteger(hundredths) || hundredths <= 0) return 'no_size'
    if (clientId !== null && this.clientIds.has(clientKey(account, clientId))) return 'duplicate_client_id'
    const available = this.availableTo(market, side, limit)
    if (request.postOnly === true && available > 0) return 'would_cross'
    if (request.life === 'fok' && available < hundredths) return 'not_filled'
    const now = this.nowMs()
    const order: SimulatedOrder = {
      ordinal: ++this.lastOrdinal,
      account,
      market,
      side,
      priceMicros,
      hundredths,
      filledHundredths: 0,
      status: 'open',
      isExpired: false,
      clientId,
      createdAtMs: now,
      updatedAtMs: now,
      fills: [],
      selfTrade: request.selfTrade ?? null,
      details: request.details ?? {},
    }
    this.byOrdinal.set(order.ordinal, order)
    if (clientId !== null) this.clientIds.set(clientKey(account, clientId), order)
    this.cross(order, limit)
    if (order.status === 'open') {
      if (request.life === 'gtc') this.rest(order, limit)
      else this.end(order, 'canceled')
    }
    this.listener.flush(market)
    return order
  }

  /** False when it had already ended. */
  cancel(order: SimulatedOrder): boolean {
    if (order.status !== 'open') return false
    this.remove(order)
    this.listener.flush(order.market)
    return true
  }

  /** Expires it. False when it had already ended. */
  expire(order: SimulatedOrder): boolean {
    if (!this.cancel(order)) return false
    order.isExpired = true
    return true
  }

  /** New price and size under the same ordinal; it loses its time priority. Null: done. */
  amend(
    order: SimulatedOrder,
    next: { priceMicros: number; hundredths: number; clientId: string | null },
  ): RejectReason | null {
    const { market, account } = order
    const limit = market.book.grid.indexOf(next.priceMicros)
    if (order.status !== 'open' || market.status !== 'open') return 'market_closed'
    if (limit < 0) return 'off_grid'
    if (!Number.isInteger(next.hundredths) || next.hundredths <= order.filledHundredths) return 'no_size'
    if (next.clientId !== null && this.clientIds.has(clientKey(account, next.clientId))) return 'duplicate_client_id'
    this.withdraw(order)
    order.priceMicros = next.priceMicros
    order.hundredths = next.hundredths
    order.updatedAtMs = this.nowMs()
    if (next.clientId !== null) {
      order.clientId = next.clientId
      this.clientIds.set(clientKey(account, next.clientId), order)
    }
    this.cross(order, limit)
    if (order.status === 'open') this.rest(order, limit)
    this.listener.flush(market)
    return null
  }

  /** The market stopped trading: cancels everything. */
  cancelAll(market: EngineMarket): void {
    for (const order of [...(this.open.get(market) ?? [])]) this.cancel(order)
  }

  find(ordinal: number): SimulatedOrder | null {
    return this.byOrdinal.get(ordinal) ?? null
  }

  findByClientId(account: string, clientId: string): SimulatedOrder | null {
    return this.clientIds.get(clientKey(account, clientId)) ?? null
  }

  /** Oldest first. */
  ordersOf(account: string): SimulatedOrder[] {
    return [...this.byOrdinal.values()].filter((order) => order.account === account)
  }

  /** As if the venue had lost it: it leaves the book and is no longer known. */
  forget(order: SimulatedOrder): void {
    this.cancel(order)
    this.byOrdinal.delete(order.ordinal)
    if (order.clientId !== null) this.clientIds.delete(clientKey(order.account, order.clientId))
  }

  /** Clients' size at a level, hundredths: the flow may not remove it, only trade with it. */
  heldAt(market: EngineMarket, side: Side, priceMicros: number): number {
    let held = 0
    for (const order of this.open.get(market) ?? []) {
      if (order.side === side && order.priceMicros === priceMicros) held += order.hundredths - order.filledHundredths
    }
    return held
  }

  /** The flow traded with a level; clients resting there are filled first. Called before the level's total changes. */
  taken(market: EngineMarket, side: Side, priceMicros: number, hundredths: number, trade: number): void {
    let left = hundredths
    for (const order of [...(this.open.get(market) ?? [])]) {
      if (left === 0) return
      if (order.side !== side || order.priceMicros !== priceMicros) continue
      const size = Math.min(left, order.hundredths - order.filledHundredths)
      left -= size
      this.fill(order, priceMicros, size, true, trade)
    }
  }

  private availableTo(market: EngineMarket, side: Side, limit: number): number {
    let available = 0
    market.book.each(side === BID ? ASK : BID, (index, size) => {
      if (side === BID ? index <= limit : index >= limit) available += size
    })
    return available
  }

  private cross(order: SimulatedOrder, limit: number): void {
    const { market, side } = order
    const { book } = market
    const other: Side = side === BID ? ASK : BID
    const atMs = this.nowMs()
    while (order.status === 'open') {
      const index = other === ASK ? book.bestAsk : book.bestBid
      const resting = book.at(other, index)
      if (resting === 0 || (side === BID ? index > limit : index < limit)) return
      const priceMicros = book.grid.prices[index]!
      const own = this.ownAt(market, other, priceMicros, order.account)
      if (own.length > 0 && order.selfTrade !== null) {
        if (order.selfTrade !== 'ends-taker') for (const each of own) this.remove(each)
        if (order.selfTrade !== 'ends-maker') this.end(order, 'canceled')
        continue
      }
      const size = Math.min(resting, order.hundredths - order.filledHundredths)
      const trade = market.recordTrade({ priceMicros, size: size / 100, takerBuysYes: side === BID, atMs })
      this.taken(market, other, priceMicros, size, trade.ordinal)
      this.fill(order, priceMicros, size, false, trade.ordinal)
      market.setLevel(other, index, resting - size, atMs, this.listener)
      this.listener.trade(market, trade)
    }
  }

  private ownAt(market: EngineMarket, side: Side, priceMicros: number, account: string): SimulatedOrder[] {
    return (this.open.get(market) ?? []).filter(
      (order) => order.account === account && order.side === side && order.priceMicros === priceMicros,
    )
  }

  private rest(order: SimulatedOrder, index: number): void {
    const { market, side } = order
    const orders = this.open.get(market) ?? []
    orders.push(order)
    this.open.set(market, orders)
    const total = market.book.at(side, index) + order.hundredths - order.filledHundredths
    market.setLevel(side, index, total, this.nowMs(), this.listener)
  }

  private remove(order: SimulatedOrder): void {
    this.withdraw(order)
    this.end(order, 'canceled')
  }

  /** Removes the resting rest from the book. */
  private withdraw(order: SimulatedOrder): void {
    const { market, side, priceMicros } = order
    this.unrest(order)
    const index = market.book.grid.indexOf(priceMicros)
    if (index < 0) return
    const left = order.hundredths - order.filledHundredths
    market.setLevel(side, index, market.book.at(side, index) - left, this.nowMs(), this.listener)
  }

  private unrest(order: SimulatedOrder): void {
    const orders = (this.open.get(order.market) ?? []).filter((each) => each !== order)
    if (orders.length === 0) this.open.delete(order.market)
    else this.open.set(order.market, orders)
  }

  private fill(order: SimulatedOrder, priceMicros: number, hundredths: number, maker: boolean, trade: number): void {
    const atMs = this.nowMs()
    order.filledHundredths += hundredths
    order.updatedAtMs = atMs
    order.fills.push({ id: ++this.lastFill, priceMicros, hundredths, maker, trade, atMs })
    if (order.filledHundredths < order.hundredths) return
    this.unrest(order)
    this.end(order, 'filled')
  }

  private end(order: SimulatedOrder, status: 'filled' | 'canceled'): void {
    order.status = status
    order.updatedAtMs = this.nowMs()
    this.ended.push(order)
    if (this.ended.length <= endedMax * 2) return
    // A client id stays used for ever, as at the venues; only its order is evicted.
    for (const old of this.ended.slice(0, endedMax)) this.byOrdinal.delete(old.ordinal)
    this.ended = this.ended.slice(endedMax)
  }
}

/** The order's final state, for venues with a separate word for expiry. */
export const faultFor = ({ isExpired, status }: SimulatedOrder): SimulatedOrder['status'] | 'expired' =>
  isExpired ? 'expired' : status

const clientKey = (account: string, clientId: string): string => `${account} ${clientId}`
