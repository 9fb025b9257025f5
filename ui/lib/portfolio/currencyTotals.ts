// Totals of a currency over all venues that have it. Exact; what is unknown at a venue is unknown in the total.
import { addDecimals } from '#core/decimal'
import type { CurrencyTotals, VenueTotals } from '#schemas/portfolio'

type Sum = VenueTotals['fees']

/** Of currencies that are at more than one venue. A currency that is not known is not added up. */
export function currencyTotals(rows: readonly VenueTotals[]): CurrencyTotals[] {
  const byCurrency = Map.groupBy(
    rows.filter(({ currency }) => currency !== null),
    ({ currency }) => currency,
  )
  return [...byCurrency.values()]
    .filter((same) => same.length > 1)
    .map((same) => same.map(({ venue: _, ...totals }): CurrencyTotals => totals).reduce(added))
}

const added = (a: CurrencyTotals, b: CurrencyTotals): CurrencyTotals => ({
  currency: a.currency,
  cashFlow: a.cashFlow === null || b.cashFlow === null ? null : addDecimals(a.cashFlow, b.cashFlow),
  deposits: addDecimals(a.deposits, b.deposits),
  fees: sumOf(a.fees, b.fees),
  realizedPnl: sumOf(a.realizedPnl, b.realizedPnl),
  realizedPnlFifo: sumOf(a.realizedPnlFifo, b.realizedPnlFifo),
  value: markedSum(a.value, b.value),
  unclaimed: addDecimals(a.unclaimed, b.unclaimed),
  unrealizedPnl: markedSum(a.unrealizedPnl, b.unrealizedPnl),
  positions: {
    open: a.positions.open + b.positions.open,
    closed: a.positions.closed + b.positions.closed,
  },
  unknown: unknownOf([...a.unknown, ...b.unknown]),
})

const sumOf = (a: Sum, b: Sum): Sum => ({ known: addDecimals(a.known, b.known), unknown: a.unknown + b.unknown })

const markedSum = (a: VenueTotals['value'], b: VenueTotals['value']): VenueTotals['value'] => ({
  mid: sumOf(a.mid, b.mid),
  bid: sumOf(a.bid, b.bid),
  last: sumOf(a.last, b.last),
})

function unknownOf(all: VenueTotals['unknown']): VenueTotals['unknown'] {
  const byKind = Map.groupBy(all, ({ field, reason }) => `${field} ${reason}`)
  return [...byKind.values()].map((same) => ({ ...same[0]!, count: same.reduce((sum, { count }) => sum + count, 0) }))
}
