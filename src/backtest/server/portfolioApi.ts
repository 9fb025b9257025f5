// The portfolio routes of a backtest, and the rows of its stream channel.
import { addDecimals, fromUnits } from '#core/decimal'
import { ONE } from '#core/price'
import type { CurrencyTotals, PortfolioPosition, VenueTotals } from '#schemas/portfolio'
import type { Position } from '../account/account.ts'
import { moneyText, notional } from '../account/money.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { decimalOfMicros, isoOf } from '../exchange/execution.ts'
import { portfolioFill } from '../exchange/fill.ts'
import type { BacktestMarket, BacktestOutcome } from '../markets/market.ts'
import { midOf, sizeUnits } from '../tape/books.ts'
import { type ApiAnswer, type ApiRequest, answer, pageOf, readTime } from './request.ts'

const limits = [100, 500] as const

interface Valued {
  mid: bigint | null
  bid: bigint | null
  last: bigint | null
}

export class PortfolioApi {
  private readonly exchange: Exchange
  private readonly now: () => number
  private readonly outcomes = new Map<string, { market: BacktestMarket; outcome: BacktestOutcome }>()

  constructor(exchange: Exchange, now: () => number) {
    this.exchange = exchange
    this.now = now
    for (const market of exchange.markets)
      for (const outcome of market.outcomes)
        this.outcomes.set(`${market.venue}\n${outcome.outcomeId}`, { market, outcome })
  }

  listPositions({ query }: ApiRequest): ApiAnswer {
    const [venue, marketId, status = 'open'] = ['venue', 'marketId', 'status'].map(
      (name) => query.get(name) ?? undefined,
    )
    const rows = this.positions()
      .filter(
        (position) =>
          (venue === undefined || position.venue === venue) &&
          (marketId === undefined || position.marketId === marketId) &&
          (status === 'all' || (position.quantity !== 0) === (status === 'open')),
      )
      .map((position) => this.positionRow(position))
    const { page, next } = pageOf(rows, query, ...limits)
    return answer(page, { ...this.fields(), ...next })
  }

  /** Oldest first, as the journal has them. */
  listFills({ query }: ApiRequest): ApiAnswer {
    const [venue, marketId] = ['venue', 'marketId'].map((name) => query.get(name))
    const [since, until] = [readTime(query, 'since'), readTime(query, 'until')]
    const fills = this.exchange.fills.filter(
      ({ execution, at }) =>
        (venue === null || execution.venue === venue) &&
        (marketId === null || execution.order!.market.market.marketId === marketId) &&
        (since === null || at >= since) &&
        (until === null || at <= until),
    )
    const { page, next } = pageOf(fills, query, ...limits)
    return answer(page.map(portfolioFill), { ...this.fields(), ...next })
  }

  summary(): ApiAnswer {
    const byVenue = this.totals()
    const byCurrency = Map.groupBy(byVenue, ({ currency }) => currency)
    return answer({ byVenue, byCurrency: [...byCurrency.values()].map(sumOfTotals) }, this.fields())
  }

  /** Open positions, the one changed last first. */
  openRows(): PortfolioPosition[] {
    return this.positions()
      .filter(({ quantity }) => quantity !== 0)
      .sort((a, b) => b.updatedAt - a.updatedAt)
      .map((position) => this.positionRow(position))
  }

  totals(): VenueTotals[] {
    const positions = this.positions()
    return this.exchange.account.cash().map(({ venue, currency, cash }) => {
      const own = positions.filter((position) => position.venue === venue && position.currency === currency)
      const open = own.filter(({ quantity }) => quantity !== 0)
      const values = open.map((position) => this.valueOf(position))
      const opening = this.exchange.account.openingCash(venue)
      return {
        venue,
        currency,
        cashFlow: moneyText(cash),
        deposits: moneyText(opening),
        fees: sumOf(own.map(({ fees }) => fees)),
        realizedPnl: sumOf(own.map(({ realized }) => realized)),
        realizedPnlFifo: { known: '0', unknown: own.length },
        value: markSums(values),
        unclaimed: '0',
        unrealizedPnl: markSums(values.map((value, i) => less(value, open[i]!.cost))),
        positions: { open: open.length, closed: own.length - open.length },
        unknown: [],
      }
    })
  }

  positionRow(position: Position): PortfolioPosition {
    const { venue, marketId, outcomeId, currency, quantity, cost, settled } = position
    const found = this.outcomes.get(`${venue}\n${outcomeId}`)
    const value = this.valueOf(position)
    return {
      ...{ venue, marketId, outcomeId, currency },
      quantity: decimalOfMicros(quantity),
      costBasis: moneyText(cost),
      averageCost: quantity === 0 ? null : fromUnits((cost * 1_000n) / BigInt(quantity), 9),
      costBasisFifo: null,
      realizedPnl: moneyText(position.realized),
      realizedPnlFifo: null,
      fees: moneyText(position.fees),
      bought: decimalOfMicros(position.bought),
      sold: decimalOfMicros(position.sold),
      market: found?.market.market.title ?? null,
      label: found?.outcome.label ?? null,
      marketStatus: settled === null ? 'active' : 'resolved',
      resolutionDate: null,
      settlement:
        settled === null
          ? null
          : {
              ...{ value: decimalOfMicros(settled), unclaimed: '0', paid: moneyText(position.paid) },
              ...{ at: isoOf(position.updatedAt), timeSource: 'venue' as const },
            },
      marks: this.marksOf(position),
      value: { ...textsOf(value), settlement: null },
      unrealizedPnl: textsOf(less(value, cost)),
      openedAt: position.openedAt === null ? null : isoOf(position.openedAt),
      updatedAt: isoOf(position.updatedAt),
    }
  }

  /** Next to `data` in every answer. */
  fields() {
    return {
      asOf: isoOf(this.now()),
      provenance: { source: 'journal', entries: ['journal'] },
      unavailable: [],
      gaps: {
        unexplained: { total: 0, orders: [] },
        unreadable: { total: 0, fills: [] },
        exchanges: { total: 0, executions: [] },
      },
    }
  }

  private positions(): Position[] {
    return this.exchange.account.positions.filter(
      ({ bought, sold, quantity }) => bought !== 0 || sold !== 0 || quantity !== 0,
    )
  }

  /** Micros. `mid`: the middle of the live book; `last`: the last known one. */
  private pricesOf({ venue, outcomeId }: Position) {
    const found = this.outcomes.get(`${venue}\n${outcomeId}`)
    if (found === undefined) return { book: null, mid: null, last: null }
    const book = this.exchange.liveBook(found.outcome)
    return { book, mid: book === null ? null : midOf(book), last: this.exchange.markOf(found.outcome) }
  }

  private marksOf(position: Position) {
    const { book, mid, last } = this.pricesOf(position)
    const bid = book?.bids[0]
    const priceOf = (micros: number | null): string | null =>
      micros === null || position.quantity === 0 ? null : decimalOfMicros(micros)
    return { mid: priceOf(mid), bid: bid === undefined ? null : String(bid.price), last: priceOf(last) }
  }

  private valueOf(position: Position): Valued {
    const { book, mid, last } = this.pricesOf(position)
    const { quantity } = position
    const at = (micros: number | null): bigint | null => (micros === null ? null : notional(micros, quantity))
    return { mid: at(mid), bid: book === null ? null : soldInto(book.bids, quantity), last: at(last) }
  }
}

/** Null: the book is too thin. */
function soldInto(bids: readonly { price: number; size: number }[], quantity: number): bigint | null {
  let left = quantity
  let cash = 0n
  for (const { price, size } of bids) {
    const taken = Math.min(left, Math.round(size * sizeUnits))
    cash += notional(Math.round(price * ONE), taken)
    left -= taken
    if (left === 0) return cash
  }
  return left === 0 ? cash : null
}

const less = ({ mid, bid, last }: Valued, cost: bigint): Valued => ({
  mid: mid === null ? null : mid - cost,
  bid: bid === null ? null : bid - cost,
  last: last === null ? null : last - cost,
})

const textOf = (money: bigint | null): string | null => (money === null ? null : moneyText(money))
const textsOf = ({ mid, bid, last }: Valued) => ({ mid: textOf(mid), bid: textOf(bid), last: textOf(last) })

const sumOf = (amounts: readonly (bigint | null)[]) => ({
  known: moneyText(amounts.reduce<bigint>((sum, amount) => sum + (amount ?? 0n), 0n)),
  unknown: amounts.filter((amount) => amount === null).length,
})

const markSums = (values: readonly Valued[]) => ({
  mid: sumOf(values.map(({ mid }) => mid)),
  bid: sumOf(values.map(({ bid }) => bid)),
  last: sumOf(values.map(({ last }) => last)),
})

function sumOfTotals([first, ...rest]: readonly VenueTotals[]): CurrencyTotals {
  const { venue: _, ...totals } = first!
  return rest.reduce<CurrencyTotals>(addTotals, totals)
}

function addTotals(a: CurrencyTotals, b: CurrencyTotals): CurrencyTotals {
  const marks = (x: CurrencyTotals['value'], y: CurrencyTotals['value']) => ({
    mid: addSums(x.mid, y.mid),
    bid: addSums(x.bid, y.bid),
    last: addSums(x.last, y.last),
  })
  return {
    ...a,
    cashFlow: a.cashFlow === null || b.cashFlow === null ? null : addDecimals(a.cashFlow, b.cashFlow),
    deposits: addDecimals(a.deposits, b.deposits),
    fees: addSums(a.fees, b.fees),
    realizedPnl: addSums(a.realizedPnl, b.realizedPnl),
    realizedPnlFifo: addSums(a.realizedPnlFifo, b.realizedPnlFifo),
    value: marks(a.value, b.value),
    unrealizedPnl: marks(a.unrealizedPnl, b.unrealizedPnl),
    positions: { open: a.positions.open + b.positions.open, closed: a.positions.closed + b.positions.closed },
  }
}

const addSums = (a: CurrencyTotals['fees'], b: CurrencyTotals['fees']) => ({
  known: addDecimals(a.known, b.known),
  unknown: a.unknown + b.unknown,
})
