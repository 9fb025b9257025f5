// What each day or month added to a portfolio, by venue and currency. Periods without entries are left out: they added nothing.
import { addDecimals, subtractDecimals } from '#core/decimal'
import { Fault } from '#core/fault'
import type { PortfolioPeriod, StatementTotals } from '#schemas/portfolio'
import type { FillEntry, LedgerEntry } from '../ledger/entry.ts'
import { foldLedgerYielding } from '../ledger/fold.ts'
import type { CashBalance, Ledger } from '../ledger/ledger.ts'
import { withdrawnIds } from '../ledger/order.ts'
import { type Interval, type Period, periodOf } from './periods.ts'

/** Entries that one request may add up, each counted for every period that ends after it. */
export const foldedMax = 5_000_000

interface Range {
  interval: Interval
  /** Epoch ms, inclusive. */
  from: number
  /** Epoch ms, exclusive. */
  to: number
}

/** Oldest first. */
export async function historyOf(entries: readonly LedgerEntry[], range: Range): Promise<PortfolioPeriod[]> {
  const withdrawn = withdrawnIds(entries)
  const counted = entries.filter(({ id, kind }) => kind !== 'correction' && !withdrawn.has(id))
  const periods = periodsWith(counted, range)
  if (periods.length * entries.length > foldedMax) {
    throw new Fault(
      'VALIDATION_ERROR',
      'from, to: too many entries for so many periods; use interval=month or a shorter range',
    )
  }
  const [first] = periods
  if (first === undefined) return []
  const rows: PortfolioPeriod[] = []
  // Between two of these periods nothing changed.
  let before = await foldLedgerYielding(counted, first.period.from - 1)
  for (const { period, own } of periods) {
    const after = await foldLedgerYielding(counted, period.to - 1)
    rows.push(...rowsOf(period, own, changes(before, after, own)))
    before = after
  }
  return rows
}

function periodsWith(
  entries: readonly LedgerEntry[],
  { interval, from, to }: Range,
): { period: Period; own: LedgerEntry[] }[] {
  const periods = new Map<string, { period: Period; own: LedgerEntry[] }>()
  for (const entry of entries) {
    if (entry.at < from || entry.at >= to) continue
    const period = periodOf(entry.at, interval)
    const known = periods.get(period.name)
    if (known === undefined) periods.set(period.name, { period, own: [entry] })
    else known.own.push(entry)
  }
  return [...periods.values()].sort((a, b) => a.period.from - b.period.from)
}

/**
 * What was added between two ledgers of one account, by venue and currency. `own`: the entries between them, without withdrawn
 * ones.
 */
export function changes(
  before: Pick<Ledger, 'cash'>,
  after: Pick<Ledger, 'cash'>,
  own: readonly LedgerEntry[],
): StatementTotals[] {
  const byBalance = Map.groupBy(own, balanceKey)
  const count = (of: CashBalance, isUnknown: (entry: LedgerEntry) => boolean): number =>
    (byBalance.get(balanceKey(of)) ?? []).filter(isUnknown).length
  const old = new Map(before.cash.map((balance) => [balanceKey(balance), balance]))
  return after.cash.map((balance) => {
    const { venue, currency } = balance
    const from: Pick<CashBalance, 'cash' | 'deposits' | 'fees' | 'realizedPnl'> =
      old.get(balanceKey(balance)) ?? nothing
    return {
      venue,
      currency,
      cashFlow: less(balance.cash, from.cash),
      deposits: {
        known: subtractDecimals(balance.deposits, from.deposits),
        unknown: count(balance, (entry) => entry.kind === 'import' && entry.cost === null),
      },
      fees: {
        known: subtractDecimals(balance.fees, from.fees),
        unknown: count(balance, (entry) => 'fee' in entry && entry.fee === null),
      },
      realizedPnl: less(balance.realizedPnl, from.realizedPnl),
    }
  })
}

const nothing = { cash: '0', deposits: '0', fees: '0', realizedPnl: '0' }
const balanceKey = ({ venue, currency }: Pick<CashBalance, 'venue' | 'currency'>): string =>
  JSON.stringify([venue, currency])
const less = (a: string | null, b: string | null): string | null =>
  a === null || b === null ? null : subtractDecimals(a, b)

function rowsOf(period: Period, own: readonly LedgerEntry[], changed: readonly StatementTotals[]): PortfolioPeriod[] {
  const byBalance = Map.groupBy(own, balanceKey)
  return changed
    .filter((change) => byBalance.has(balanceKey(change)))
    .map(({ venue, currency, realizedPnl, fees, deposits }) => {
      const fills = byBalance
        .get(balanceKey({ venue, currency }))!
        .filter((entry): entry is FillEntry => entry.kind === 'fill')
      const traded = (side: FillEntry['side']) => cashOf(fills.filter((fill) => fill.side === side))
      return {
        ...{ period: period.name, venue, currency, realizedPnl, fees, deposits },
        bought: traded('buy'),
        sold: traded('sell'),
        fills: fills.length,
      }
    })
}

function cashOf(fills: readonly FillEntry[]): { known: string; unknown: number } {
  let known = '0'
  let unknown = 0
  for (const { cash } of fills) {
    if (cash === null) unknown++
    else known = addDecimals(known, cash)
  }
  return { known, unknown }
}
