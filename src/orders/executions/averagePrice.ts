// The average price of an order, from its stored fills as its lane reads them.
import { addDecimals, compareDecimals, divideDecimals } from '#core/decimal'
import type { OrderFill } from '#storage/postgres/executions/findOrders'
import { withdrawnFillId } from '#storage/postgres/executions/withdrawnFill'
import type { ExecutionAdapter, FilledOrder } from '#venues/lane'

const places = 9

/**
 * Before fees. Null where it cannot be computed exactly: no fill is stored, one cannot be read or reports no price, or less is stored than
 * `matchedSize`.
 */
export function averagePriceOf(
  lane: Pick<ExecutionAdapter, 'readFill'>,
  order: FilledOrder,
  fills: readonly OrderFill[],
  matchedSize: string | null,
): string | null {
  let size = '0'
  let cash = '0'
  for (const { fill } of withoutWithdrawn(fills)) {
    const read = lane.readFill?.(fill, order) ?? null
    if (read === null || read.cash === null) return null
    const earlier = read.cumulative === true ? { size: '0', cash: '0' } : { size, cash }
    size = addDecimals(earlier.size, read.size)
    cash = addDecimals(earlier.cash, read.cash)
  }
  if (compareDecimals(size, '0') <= 0) return null
  if (matchedSize !== null && compareDecimals(size, matchedSize) < 0) return null
  return divideDecimals(cash, size, places, 'halfEven')
}

/** A fill that the venue reverted is followed by a row that names it. */
function withoutWithdrawn(fills: readonly OrderFill[]): OrderFill[] {
  const withdrawn = new Set(fills.flatMap(({ fill }) => withdrawnFillId(fill) ?? []))
  return fills.filter(({ id, fill }) => !withdrawn.has(id) && withdrawnFillId(fill) === null)
}
