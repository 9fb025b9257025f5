// The paper exchange without its storage: it follows the working orders as stored, feeds each book and trade to the orders on it, and returns
// what happened. After a restart the stored orders are all it needs.
import type { BookUpdate, TradeUpdate } from '#schemas/topics'
import type { OrderEvents } from '#storage/postgres/paper/apply'
import type { PaperOrderRow } from '#storage/postgres/paper/orderRow'
import type { FillModelSettings } from '../model/index.ts'
import { BookOrders } from './bookOrders.ts'
import { closings, marketClosed } from './orderTexts.ts'

export interface PaperExchangeOptions {
  settings: FillModelSettings
  /** The newest book held here; undefined: none. */
  bookAt(venue: string, bookId: string): BookUpdate | undefined
  /** Whether an outcome of this market is one minus its book; null: the id is not one of the venue's. */
  isComplement(venue: string, outcomeId: string, marketId: string): boolean | null
  /** A book is needed now, or is not any more. */
  watch(venue: string, bookId: string, isWanted: boolean): void
}

export interface WorkingMarket {
  venue: string
  marketId: string
}

/** A book without orders is watched this much longer while it shows size that paper orders took: the next order must not get it again. */
const takenKeptMs = 60_000

interface WatchedBook {
  venue: string
  bookId: string
  orders: BookOrders
  /** Since when it has no orders, epoch ms; null: it has some. */
  emptySince: number | null
}

export class PaperExchange {
  private readonly options: PaperExchangeOptions
  /** By venue and book. */
  private readonly books = new Map<string, WatchedBook>()
  /** Order and version → its book. */
  private readonly placed = new Map<string, string>()
  /** Ended here, and perhaps not yet in what is stored. */
  private readonly ended = new Set<string>()
  private direct: OrderEvents[] = []

  constructor(options: PaperExchangeOptions) {
    this.options = options
  }

  get workingCount(): number {
    return this.placed.size
  }

  /** `rows`: all working orders, read after everything returned by `drain` before was stored. Oldest first. */
  follow(rows: readonly PaperOrderRow[], now: number): void {
    const stored = new Set(rows.map(nameOf))
    for (const name of this.ended) if (!stored.has(name)) this.ended.delete(name)
    for (const [name, key] of this.placed) {
      if (stored.has(name)) continue
      this.books.get(key)?.orders.drop(name, now)
      this.placed.delete(name)
    }
    for (const row of rows) this.followOrder(row, now)
    this.leaveEmptyBooks(now)
  }

  onBook(update: BookUpdate, now: number): void {
    this.books.get(keyOf(update.venue, update.marketId))?.orders.onBook(update, now)
  }

  onTrade(update: TradeUpdate, now: number): void {
    const book = this.books.get(keyOf(update.venue, update.marketId))
    const marketId = book?.orders.marketId ?? null
    if (book === undefined || marketId === null) return
    const complement = this.options.isComplement(update.venue, update.outcomeId, marketId)
    if (complement !== null) book.orders.onTrade(update, complement, now)
  }

  advance(now: number): void {
    for (const { orders } of this.books.values()) {
      const next = orders.nextAt()
      if (next !== null && next <= now) orders.advance(now)
    }
  }

  nextAt(): number | null {
    let next: number | null = null
    for (const { orders } of this.books.values()) {
      const at = orders.nextAt()
      if (at !== null) next = next === null ? at : Math.min(next, at)
    }
    return next
  }

  /** Markets with working orders. */
  markets(): WorkingMarket[] {
    const found = new Map<string, WorkingMarket>()
    for (const { venue, orders } of this.books.values()) {
      for (const { marketId } of orders.orders()) found.set(keyOf(venue, marketId), { venue, marketId })
    }
    return [...found.values()]
  }

  /** The market takes no orders any more: those on it are canceled. */
  closeMarket({ venue, marketId }: WorkingMarket, now: number): void {
    const at = new Date(now)
    for (const book of this.books.values()) {
      if (book.venue !== venue) continue
      for (const order of [...book.orders.orders()]) {
        if (order.marketId !== marketId) continue
        const { name, executionId, accountId, version } = order
        book.orders.drop(name, now)
        this.end(name)
        const events = [{ kind: 'ended', state: 'canceled', reason: marketClosed, at } as const]
        this.direct.push({ executionId, accountId, version, events })
      }
    }
  }

  /** Everything that happened since the last call, to be stored in this order. */
  drain(): OrderEvents[] {
    const all = this.direct
    this.direct = []
    for (const { orders } of this.books.values()) {
      const { events, ended } = orders.drain()
      all.push(...events)
      for (const name of ended) this.end(name)
    }
    return all
  }

  /** One order for a new start from what is stored. What `drain` has not returned of it is lost. */
  forget(executionId: string, now: number): void {
    const isOf = (name: string): boolean => name.startsWith(`${executionId}.`)
    for (const [name, key] of this.placed) {
      if (!isOf(name)) continue
      this.books.get(key)?.orders.drop(name, now)
      this.placed.delete(name)
    }
    for (const name of this.ended) if (isOf(name)) this.ended.delete(name)
    this.direct = this.direct.filter((events) => events.executionId !== executionId)
  }

  /** For a new start from what is stored. */
  clear(): void {
    for (const { venue, bookId } of this.books.values()) this.options.watch(venue, bookId, false)
    this.books.clear()
    this.placed.clear()
    this.ended.clear()
    this.direct = []
  }

  private followOrder(row: PaperOrderRow, now: number): void {
    const name = nameOf(row)
    if (this.ended.has(name)) return
    const key = keyOf(row.venue, row.book_id)
    // It traded at once and never rests; the end of it was not stored.
    if (!this.placed.has(name) && row.queue_ahead !== null && neverRests(row)) {
      this.end(name)
      const { execution_id: executionId, account_id: accountId, version } = row
      const events = [{ kind: 'ended', ...closings.ioc_remainder, at: new Date(now) } as const]
      this.direct.push({ executionId, accountId, version, events })
      return
    }
    if (!this.placed.has(name)) {
      this.bookFor(row.venue, row.book_id, key, now).add(name, row, now)
      this.placed.set(name, key)
    }
    if (row.cancel_requested_at !== null) this.books.get(key)!.orders.requestCancel(name, now)
  }

  private bookFor(venue: string, bookId: string, key: string, now: number): BookOrders {
    const known = this.books.get(key)
    if (known !== undefined) return known.orders
    const orders = new BookOrders(this.options.settings)
    this.books.set(key, { venue, bookId, orders, emptySince: null })
    this.options.watch(venue, bookId, true)
    const held = this.options.bookAt(venue, bookId)
    if (held !== undefined) orders.onBook(held, now)
    return orders
  }

  private end(name: string): void {
    this.ended.add(name)
    this.placed.delete(name)
  }

  private leaveEmptyBooks(now: number): void {
    for (const [key, book] of this.books) {
      const { venue, bookId, orders } = book
      book.emptySince = orders.size > 0 ? null : (book.emptySince ?? now)
      if (book.emptySince === null || (orders.hasTaken && now - book.emptySince < takenKeptMs)) continue
      this.books.delete(key)
      this.options.watch(venue, bookId, false)
    }
  }
}

const neverRests = ({ time_in_force }: PaperOrderRow): boolean => time_in_force === 'IOC' || time_in_force === 'FOK'

const keyOf = (venue: string, id: string): string => JSON.stringify([venue, id])
/** A modified order is another one to the fill model. */
const nameOf = ({ execution_id, version }: Pick<PaperOrderRow, 'execution_id' | 'version'>): string =>
  `${execution_id}.${version}`
