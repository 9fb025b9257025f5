// What was filled of an algorithm, and at which average price.
import { addDecimals, compareDecimals, divideDecimals, multiplyDecimals } from '#core/decimal'
import type { AlgorithmRow } from '#storage/postgres/algorithms/algorithmRow'
import type { StoredProgress } from '#storage/postgres/algorithms/progress'
import type { AlgorithmDeps } from './ports.ts'
import { liveRowOf } from './state.ts'

const averagePlaces = 9

/** Decimal strings; null: not known. */
export interface Totals {
  filledSize: string | null
  averagePrice: string | null
}

/** Of all slices. A live slice with fills counts at the price of those that are stored. */
export async function totalsOf(
  { orders }: Pick<AlgorithmDeps, 'orders'>,
  row: AlgorithmRow,
  stored: StoredProgress,
): Promise<Totals> {
  if (stored.is_unknown) return { filledSize: null, averagePrice: null }
  const { filled } = stored
  if (compareDecimals(filled, '0') <= 0) return { filledSize: filled, averagePrice: null }
  if (row.filled_size === filled && row.average_price !== null)
    return { filledSize: filled, averagePrice: row.average_price }
  let { cash } = stored
  const live = liveRowOf(stored)
  const liveFilled = live?.matched_size ?? '0'
  if (cash !== null && live !== null && live.execution_id !== null && compareDecimals(liveFilled, '0') > 0) {
    const average = await orders.averagePrice(row.account_id, live.execution_id)
    cash = average === null ? null : addDecimals(cash, multiplyDecimals(average, liveFilled))
  }
  return {
    filledSize: filled,
    averagePrice: cash === null ? null : divideDecimals(cash, filled, averagePlaces, 'halfEven'),
  }
}
