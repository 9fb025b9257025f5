// What is stored of one paper account, in memory: the same rules for fills, reservations and payouts as in PostgreSQL, and the same limits on its
// rows. Each call happens completely or not at all, as a transaction does.
import { randomUUID } from 'node:crypto'
import { addDecimals, compareDecimals, multiplyDecimals, subtractDecimals } from '#core/decimal'
import { type PaperFeeModel, purchaseReserve } from '#paper/accounts/fees'
import { paperRules } from '#roles/paperRules'
import { changeOf, foldEvents, type OrderEvents, type RecordedFill } from '#storage/postgres/paper/apply'
import type { PaperOrderRow } from '#storage/postgres/paper/orderRow'

interface MemoryOrder {
  outcomeId: string
  bookId: string
  complement: boolean
  isBuy: boolean
  price: string
  size: string
  timeInForce: PaperOrderRow['time_in_force']
  postOnly: boolean
}

interface Position {
  quantity: string
  reserved: string
}

const nothing = { quantity: '0', reserved: '0' } as const

export class MemoryLedger {
  cash: string
  reserved = '0'
  /** Paid in, and out by resets. */
  transfers: string
  settled = '0'
  readonly orders: PaperOrderRow[] = []
  readonly positions = new Map<string, Position>()
  readonly fills: { order: PaperOrderRow; fill: RecordedFill }[] = []
  /** Shares that left positions without a sale. */
  private readonly left = new Map<string, string>()
  private readonly fees: PaperFeeModel
  private readonly startCash: string

  constructor(fees: PaperFeeModel, startCash: string) {
    this.fees = fees
    this.startCash = startCash
    this.cash = startCash
    this.transfers = startCash
  }

  working(): PaperOrderRow[] {
    return this.orders.filter(({ state }) => state === 'working')
  }

  /** False: there is not enough for it. */
  place(order: MemoryOrder, at: Date): boolean {
    const { price, size, isBuy, outcomeId } = order
    const reserve = isBuy ? purchaseReserve(this.fees, { price, size, hasFills: false }) : size
    if (!this.reserve(isBuy, outcomeId, reserve)) return false
    const id = randomUUID()
    this.orders.push({
      ...{
        execution_id: id,
        seq: String(this.orders.length + 1),
        account_id: 'a',
        key_id: 'k',
        venue: 'kalshi',
        ref: id,
      },
      ...{ market_id: order.bookId, outcome_id: outcomeId, currency: 'USD', book_id: order.bookId },
      ...{ complement: order.complement, is_buy: isBuy, price, size, time_in_force: order.timeInForce },
      ...{ post_only: order.postOnly, expires_at: null, version: 1, state: 'working', filled: '0', fills: 0 },
      ...{ fee_model: this.fees, fee_exact: '0', fee: '0', reserved: reserve, queue_ahead: null },
      ...{ cancel_requested_at: null, changed_by: [], reason: null, placed_at: at, updated_at: at },
    })
    return true
  }

  requestCancel(order: PaperOrderRow, at: Date): void {
    if (order.state === 'working') order.cancel_requested_at ??= at
  }

  modify(order: PaperOrderRow, price: string, size: string): void {
    if (order.state !== 'working' || compareDecimals(size, order.filled) <= 0) return
    const remaining = subtractDecimals(size, order.filled)
    const reserve = order.is_buy
      ? purchaseReserve(this.fees, { price, size: remaining, hasFills: order.fills > 0 })
      : remaining
    if (!this.reserve(order.is_buy, order.outcome_id, subtractDecimals(reserve, order.reserved))) return
    Object.assign(order, { price, size, reserved: reserve, version: order.version + 1, queue_ahead: null })
  }

  apply(batch: readonly OrderEvents[]): void {
    for (const { executionId, version, events } of batch) {
      const order = this.orders.find(({ execution_id }) => execution_id === executionId)!
      if (order.state !== 'working' || order.version !== version) continue
      const { totals, fills } = foldEvents(paperRules, order, events)
      const { cash, position } = changeOf(order, totals)
      for (const fill of fills) this.fills.push({ order, fill })
      const { state, reason, filled, reserved, fee, feeExact, queueAhead, at } = totals
      Object.assign(order, { state, reason, filled, reserved, fee, fills: totals.fills, fee_exact: feeExact })
      Object.assign(order, { queue_ahead: queueAhead, updated_at: at })
      if (cash !== null) this.changeCash(cash.cash, cash.reserved)
      if (position !== null) this.changePosition(order.outcome_id, position)
    }
  }

  deposit(amount: string): void {
    this.transfers = addDecimals(this.transfers, amount)
    this.changeCash(amount, '0')
  }

  /** Pays positions that no sale holds. */
  settle(values: ReadonlyMap<string, string>): void {
    for (const [outcomeId, { quantity, reserved }] of this.positions) {
      if (compareDecimals(reserved, '0') !== 0) continue
      const cash = multiplyDecimals(quantity, values.get(outcomeId)!)
      this.settled = addDecimals(this.settled, cash)
      this.changeCash(cash, '0')
      this.remove(outcomeId, quantity)
    }
  }

  reset(at: Date): void {
    const events = [{ kind: 'ended', state: 'canceled', reason: 'reset', at } as const]
    this.apply(
      this.working().map(({ execution_id, account_id, version }) => ({
        ...{ executionId: execution_id, accountId: account_id, version },
        events,
      })),
    )
    for (const [outcomeId, { quantity }] of this.positions) this.remove(outcomeId, quantity)
    this.deposit(subtractDecimals(this.startCash, this.cash))
  }

  /** What should be equal: each pair, what is held and what it follows from. */
  pairs(): Record<string, readonly [held: string, expected: string]> {
    const sum = (amounts: readonly string[]): string => amounts.reduce(addDecimals, '0')
    const working = this.working()
    const traded = this.fills.map(({ order, fill: { cash, fee } }) =>
      order.is_buy ? subtractDecimals('0', addDecimals(cash, fee)) : subtractDecimals(cash, fee),
    )
    const pairs: Record<string, readonly [string, string]> = {
      cash: [this.cash, sum([this.transfers, this.settled, ...traded])],
      'reserved cash': [this.reserved, sum(working.filter((order) => order.is_buy).map((order) => order.reserved))],
    }
    for (const [outcomeId, { quantity, reserved }] of this.positions) {
      const of = this.fills.filter(({ order }) => order.outcome_id === outcomeId)
      const shares = of.map(({ order, fill }) => (order.is_buy ? fill.size : subtractDecimals('0', fill.size)))
      const sales = working.filter((order) => !order.is_buy && order.outcome_id === outcomeId)
      pairs[`shares of ${outcomeId}`] = [quantity, subtractDecimals(sum(shares), this.left.get(outcomeId) ?? '0')]
      pairs[`reserved shares of ${outcomeId}`] = [
        reserved,
        sum(sales.map(({ size, filled }) => subtractDecimals(size, filled))),
      ]
    }
    for (const order of this.orders) {
      const sizes = this.fills.filter((one) => one.order === order).map(({ fill }) => fill.size)
      pairs[`fills of order ${order.seq}`] = [order.filled, sum(sizes)]
    }
    return pairs
  }

  private reserve(isBuy: boolean, outcomeId: string, amount: string): boolean {
    const { quantity, reserved } = isBuy
      ? { quantity: this.cash, reserved: this.reserved }
      : (this.positions.get(outcomeId) ?? nothing)
    if (compareDecimals(subtractDecimals(quantity, reserved), amount) < 0) return false
    if (isBuy) this.changeCash('0', amount)
    else this.changePosition(outcomeId, { quantity: '0', reserved: amount })
    return true
  }

  private remove(outcomeId: string, quantity: string): void {
    this.left.set(outcomeId, addDecimals(this.left.get(outcomeId) ?? '0', quantity))
    this.changePosition(outcomeId, { quantity: subtractDecimals('0', quantity), reserved: '0' })
  }

  private changeCash(cash: string, reserved: string): void {
    this.cash = addDecimals(this.cash, cash)
    this.reserved = addDecimals(this.reserved, reserved)
    checkHeld('cash', this.cash, this.reserved)
  }

  private changePosition(outcomeId: string, change: Position): void {
    const before = this.positions.get(outcomeId) ?? nothing
    const quantity = addDecimals(before.quantity, change.quantity)
    const reserved = addDecimals(before.reserved, change.reserved)
    checkHeld(`shares of ${outcomeId}`, quantity, reserved)
    this.positions.set(outcomeId, { quantity, reserved })
  }
}

/** The checks of the tables. */
function checkHeld(what: string, held: string, reserved: string): void {
  if (compareDecimals(reserved, '0') < 0 || compareDecimals(held, reserved) < 0)
    throw new Error(`${what}: ${held} with ${reserved} reserved`)
}
