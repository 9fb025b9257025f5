// Totals of a portfolio by venue and currency, and by currency. Every sum says how many positions it leaves out, and why.
import { addDecimals } from '#core/decimal'
import { isOpenPosition } from '#schemas/openPosition'
import type { CurrencyTotals, PortfolioSummary, unknownReasons, VenueTotals } from '#schemas/portfolio'
import type { LedgerEntry } from '../ledger/entry.ts'
import type { CashBalance } from '../ledger/ledger.ts'
import { withdrawnIds } from '../ledger/order.ts'
import type { AccountPortfolio, MarkedPosition } from '../ports.ts'

type Reason = (typeof unknownReasons)[number]
type Sum = VenueTotals['fees']
const marks = ['mid', 'bid', 'last'] as const
type Mark = (typeof marks)[number]

interface Group {
  venue: string
  currency: string | null
  balances: CashBalance[]
  positions: MarkedPosition[]
  /** Imports whose cost was not entered. */
  withoutCost: number
}

export function summaryOf(portfolio: AccountPortfolio): PortfolioSummary {
  const byVenue = groupsOf(portfolio, ({ venue, currency }) => JSON.stringify([venue, currency]))
  const byCurrency = groupsOf(portfolio, ({ currency }) => JSON.stringify(currency))
  return {
    byVenue: byVenue.map((group) => ({ venue: group.venue, ...totalsOf(group, portfolio.unavailable) })),
    byCurrency: byCurrency.map((group) => totalsOf(group, portfolio.unavailable)),
  }
}

function groupsOf(
  { ledger, positions, entries }: AccountPortfolio,
  keyOf: (of: { venue: string; currency: string | null }) => string,
): Group[] {
  const groups = new Map<string, Group>()
  const groupOf = ({ venue, currency }: { venue: string; currency: string | null }): Group => {
    const key = keyOf({ venue, currency })
    const known = groups.get(key)
    if (known !== undefined) return known
    const made: Group = { venue, currency, balances: [], positions: [], withoutCost: 0 }
    groups.set(key, made)
    return made
  }
  for (const balance of ledger.cash) groupOf(balance).balances.push(balance)
  for (const position of positions) groupOf(position).positions.push(position)
  const withdrawn = withdrawnIds(entries)
  for (const entry of entries) if (isWithoutCost(entry) && !withdrawn.has(entry.id)) groupOf(entry).withoutCost++
  return [...groups.values()]
}

const isWithoutCost = (entry: LedgerEntry): boolean => entry.kind === 'import' && entry.cost === null

function totalsOf(
  { currency, balances, positions, withoutCost }: Group,
  unavailable: readonly string[],
): CurrencyTotals {
  const open = positions.filter(isOpenPosition)
  const held = open.length + positions.filter(isUnclaimed).length
  const unknown = new Unknowns()
  const cashFlow = sumOrNull(balances.map(({ cash }) => cash))
  if (cashFlow === null)
    unknown.add('cashFlow', 'amount_not_reported', balances.filter(({ cash }) => cash === null).length)
  unknown.add('deposits', 'cost_not_entered', withoutCost)
  const sum = (field: string, amounts: readonly (string | null)[], reason: Reason): Sum => {
    const total = sumOf(amounts)
    unknown.add(field, reason, total.unknown)
    return total
  }
  const marked = (field: string, amountOf: (position: MarkedPosition, mark: Mark) => string | null) => {
    const sums = marks.map((mark): [Mark, Sum] => {
      for (const position of open) {
        if (amountOf(position, mark) !== null) continue
        unknown.add(`${field}.${mark}`, reasonOf(position, mark, unavailable), 1)
      }
      return [mark, sumOf(open.map((position) => amountOf(position, mark)))]
    })
    return Object.fromEntries(sums) as Record<Mark, Sum>
  }
  return {
    currency,
    cashFlow,
    deposits: sumOf(balances.map(({ deposits }) => deposits)).known,
    fees: sum(
      'fees',
      positions.map(({ fees }) => fees),
      'amount_not_reported',
    ),
    realizedPnl: sum(
      'realizedPnl',
      positions.map(({ realizedPnl }) => realizedPnl),
      'amount_not_reported',
    ),
    realizedPnlFifo: sum(
      'realizedPnlFifo',
      positions.map(({ realizedPnlFifo }) => realizedPnlFifo),
      'amount_not_reported',
    ),
    value: marked('value', ({ value }, mark) => value[mark]),
    unclaimed: sumOf(positions.map(({ value }) => value.settlement ?? '0')).known,
    unrealizedPnl: marked('unrealizedPnl', ({ unrealizedPnl }, mark) => unrealizedPnl[mark]),
    positions: { open: held, closed: positions.length - held },
    unknown: unknown.list(),
  }
}

export const isUnclaimed = ({ settlement }: Pick<MarkedPosition, 'settlement'>): boolean =>
  settlement !== null && settlement.unclaimed !== '0'

function reasonOf(
  { marketStatus, value, marks: at }: MarkedPosition,
  mark: Mark,
  unavailable: readonly string[],
): Reason {
  // Its value is known: its cost is not.
  if (value[mark] !== null) return 'cost_unknown'
  if (marketStatus === null && unavailable.includes('catalog')) return 'catalog_unavailable'
  if (marketStatus === 'resolved') return 'payout_unknown'
  if (mark === 'last') return 'no_last_price'
  return mark === 'bid' && at.mid !== null ? 'book_too_thin' : 'no_live_book'
}

class Unknowns {
  private readonly counts = new Map<string, CurrencyTotals['unknown'][number]>()

  add(field: string, reason: Reason, count: number): void {
    if (count === 0) return
    const key = `${field} ${reason}`
    const known = this.counts.get(key)
    if (known === undefined) this.counts.set(key, { field, reason, count })
    else known.count += count
  }

  list(): CurrencyTotals['unknown'] {
    return [...this.counts.values()]
  }
}

export function sumOf(amounts: readonly (string | null)[]): Sum {
  let known = '0'
  let unknown = 0
  for (const amount of amounts) {
    if (amount === null) unknown++
    else known = addDecimals(known, amount)
  }
  return { known, unknown }
}

function sumOrNull(amounts: readonly (string | null)[]): string | null {
  const { known, unknown } = sumOf(amounts)
  return unknown === 0 ? known : null
}
