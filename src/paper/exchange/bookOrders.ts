// The working paper orders on one book, in the terms of that book: buying an outcome that is one minus the book is selling at one minus the
// price. So the orders on both outcomes share what the book offers.
//
//   added ─ the book is live, or has not come within a few seconds ─► submitted to the fill model ─► events ─► ended
//         └ it worked before a restart ─► at the end of its queue
import { fromUnits, toUnits } from '#core/decimal'
import type { BookUpdate, TradeUpdate } from '#schemas/topics'
import type { OrderEvents, PaperOrderEvent } from '#storage/postgres/paper/apply'
import type { PaperOrderRow } from '#storage/postgres/paper/orderRow'
import { type FillModelSettings, OutcomeMatcher, type PaperEvent, type PaperOrderRequest } from '../model/index.ts'
import { paperBookOf, toMillionths, unitsPerOne } from './levels.ts'
import { closings, rejectionTexts } from './orderTexts.ts'

/** A book that was not watched until now comes within this time; an order that waits longer finds no live book. */
const bookAwaitedMs = 5_000
const places = 6

interface Tracked {
  executionId: string
  accountId: string
  version: number
  complement: boolean
  marketId: string
  isCancelRequested: boolean
}

interface Waiting {
  request: PaperOrderRequest
  until: number
}

export class BookOrders {
  private readonly matcher: OutcomeMatcher
  /** By the name that the model has of them. */
  private readonly tracked = new Map<string, Tracked>()
  private readonly waiting = new Map<string, Waiting>()
  /** Events of the model that `drain` has not returned yet, with the epoch of the book at that time. */
  private collected: { event: PaperEvent; epoch: number }[] = []
  private isLive = false
  private epoch = 0
  private breaks: number | undefined

  constructor(settings: FillModelSettings) {
    this.matcher = new OutcomeMatcher(settings)
  }

  get size(): number {
    return this.tracked.size
  }

  /** Its orders took size that the book still shows. */
  get hasTaken(): boolean {
    return this.matcher.hasTaken
  }

  *orders(): Generator<{ name: string; executionId: string; accountId: string; version: number; marketId: string }> {
    for (const [name, order] of this.tracked) yield { name, ...order }
  }

  has(name: string): boolean {
    return this.tracked.has(name)
  }

  /** A catalog market of this book, for reading the outcome ids of its trades. */
  get marketId(): string | null {
    const [first] = this.tracked.values()
    return first?.marketId ?? null
  }

  add(name: string, row: PaperOrderRow, now: number): void {
    const { execution_id: executionId, account_id: accountId, version, complement, market_id: marketId } = row
    this.tracked.set(name, { executionId, accountId, version, complement, marketId, isCancelRequested: false })
    const request = requestOf(name, row)
    // It was in the book before: its place in the queue is lost.
    if (row.queue_ahead !== null) {
      this.matcher.restore({ ...request, filled: 0 }, now)
    } else if (this.isLive) this.matcher.submit(request, now)
    else this.waiting.set(name, { request, until: now + bookAwaitedMs })
  }

  requestCancel(name: string, now: number): void {
    const order = this.tracked.get(name)
    if (order === undefined || order.isCancelRequested) return
    order.isCancelRequested = true
    this.release(name, now)
    this.matcher.cancel(name, now)
  }

  /** It has ended, or was modified: its later events are not returned. */
  drop(name: string, now: number): void {
    if (!this.tracked.delete(name)) return
    if (!this.waiting.delete(name)) this.matcher.cancel(name, now)
  }

  onBook(update: BookUpdate, now: number): void {
    const isBroken = this.isLive && (update.epoch !== this.epoch || update.breaks !== this.breaks)
    // The two books are separated by a time in which the book was not known.
    if (isBroken) this.matcher.onBook({ seq: update.seq, at: now, isLive: false, bids: [], asks: [] })
    if (update.epoch !== this.epoch) this.collect()
    this.epoch = update.epoch
    this.breaks = update.breaks
    const book = paperBookOf(update, now)
    this.isLive = book.isLive
    this.matcher.onBook(book)
    if (this.isLive) for (const name of [...this.waiting.keys()]) this.release(name, now)
  }

  /** `complement`: the trade is of the other outcome. */
  onTrade({ data }: TradeUpdate, complement: boolean, now: number): void {
    const { id, timestamp, price, shares, type } = data
    if (price === null || !Number.isFinite(timestamp)) return
    const units = toMillionths(price)
    const side = type === 'Buy' ? 'buy' : type === 'Sell' ? 'sell' : null
    this.matcher.onTrade({
      id,
      at: timestamp,
      receivedAt: now,
      price: complement ? unitsPerOne - units : units,
      size: toMillionths(shares),
      takerSide: side === null || !complement ? side : side === 'buy' ? 'sell' : 'buy',
    })
  }

  advance(now: number): void {
    for (const [name, { until }] of this.waiting) if (until <= now) this.release(name, now)
    this.matcher.advance(now)
  }

  /** When `advance` has something to do; null: never. */
  nextAt(): number | null {
    let next = this.matcher.nextAt()
    for (const { until } of this.waiting.values()) next = next === null ? until : Math.min(next, until)
    return next
  }

  /** What happened since the last call, by order; those that ended are tracked no more. `ended`: their names. */
  drain(): { events: OrderEvents[]; ended: string[] } {
    const byName = new Map<string, { order: Tracked; events: PaperOrderEvent[] }>()
    const ended: string[] = []
    this.collect()
    const { collected } = this
    this.collected = []
    for (const { event, epoch } of collected) {
      const order = this.tracked.get(event.orderId)
      if (order === undefined) continue
      const found = byName.get(event.orderId) ?? { order, events: [] }
      byName.set(event.orderId, found)
      found.events.push(eventOf(event, order, epoch))
      if (event.kind !== 'closed' && event.kind !== 'rejected') continue
      this.tracked.delete(event.orderId)
      ended.push(event.orderId)
    }
    const events = [...byName.values()].map(({ order: { executionId, accountId, version }, events: list }) => ({
      ...{ executionId, accountId, version },
      events: list,
    }))
    return { events, ended }
  }

  private release(name: string, now: number): void {
    const waiting = this.waiting.get(name)
    if (waiting === undefined) return
    this.waiting.delete(name)
    this.matcher.submit(waiting.request, now)
  }

  private collect(): void {
    for (const event of this.matcher.drain()) this.collected.push({ event, epoch: this.epoch })
  }
}

function eventOf(event: PaperEvent, { complement }: Tracked, bookEpoch: number): PaperOrderEvent {
  const at = new Date(event.at)
  switch (event.kind) {
    case 'accepted':
      return { kind: 'accepted', queueAhead: textOf(event.queueAhead), at }
    case 'rejected':
      return { kind: 'ended', state: 'rejected', reason: rejectionTexts[event.reason], at }
    case 'closed':
      return { kind: 'ended', ...closings[event.reason], at }
    case 'fill':
      return {
        kind: 'fill',
        price: textOf(complement ? unitsPerOne - event.price : event.price),
        size: textOf(event.size),
        liquidity: event.liquidity,
        evidence: { bookEpoch, bookSeq: event.evidence.bookSeq, tradeIds: [...event.evidence.tradeIds] },
        at,
      }
  }
}

function requestOf(name: string, row: PaperOrderRow): PaperOrderRequest {
  const price = unitsOf(row.price)
  const isBuy = row.is_buy !== row.complement
  return {
    id: name,
    side: isBuy ? 'buy' : 'sell',
    price: row.complement ? unitsPerOne - price : price,
    size: unitsOf(row.size) - unitsOf(row.filled),
    timeInForce: row.time_in_force,
    expiresAt: row.expires_at?.getTime() ?? null,
    postOnly: row.post_only,
  }
}

const unitsOf = (text: string): number => Number(toUnits(text, places))
const textOf = (units: number): string => fromUnits(BigInt(units), places)
