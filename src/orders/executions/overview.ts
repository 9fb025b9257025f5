// An order as listed with those of all venues: what is stored of it, and nothing read from a venue.
import { compareDecimals, subtractDecimals } from '#core/decimal'
import { Fault } from '#core/fault'
import type { OrderOverview } from '#schemas/orders'
import type { OrderFill, OrderRow, OverviewRow } from '#storage/postgres/executions/findOrders'
import type { ExecutionAdapter, OrderTerms } from '#venues/lane'
import { averagePriceOf } from './averagePrice.ts'
import { laneExecutionOf } from './rows.ts'
import { storedSummaryOf } from './summary.ts'

/** Of an order with more stored fills the average price is not computed. */
export const averagedFillsMax = 500

/** What is traded, from the terms or, where the build stored none, from its summary. */
export function tradedIn(
  row: OrderRow,
): Pick<OrderOverview, 'marketId' | 'outcomeId' | 'market' | 'label' | 'side' | 'price' | 'size'> {
  const terms = row.terms as unknown as OrderTerms | null
  const summary = storedSummaryOf(row)
  return {
    marketId: terms?.marketId ?? summary?.outcome?.marketId ?? null,
    outcomeId: terms?.outcomeId ?? summary?.outcome?.outcomeId ?? null,
    market: summary?.outcome?.market ?? null,
    label: summary?.outcome?.label ?? null,
    side: terms === null ? (summary?.side ?? null) : terms.isBuy ? 'buy' : 'sell',
    price: terms?.price ?? summary?.price ?? null,
    size: terms?.size ?? summary?.size ?? null,
  }
}

/** `lane` undefined: this version has none for the venue. */
export function overviewOf(
  row: OverviewRow,
  lane: ExecutionAdapter | undefined,
  fills: readonly OrderFill[],
): OrderOverview {
  const traded = tradedIn(row)
  const summary = storedSummaryOf(row)
  return {
    executionId: row.id,
    venue: row.venue,
    intent: row.intent === 'modify' ? 'modify' : 'order',
    status: row.status,
    ...traded,
    matchedSize: row.matched_size,
    remainingSize: remainingOf(traded.size, row.matched_size),
    averagePrice: averageOf(row, lane, fills),
    timeInForce: summary?.timeInForce ?? null,
    expiresAt: summary?.expiresAt ?? null,
    venueRef: row.venue_ref,
    conditionalId: row.conditional_id,
    groupId: row.group_id,
    targetExecutionId: row.target_id,
    targetOf: row.modification_ids,
    error: row.error,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    statusSince: row.status_since.toISOString(),
  }
}

function remainingOf(size: string | null, matched: string | null): string | null {
  if (size === null || matched === null) return null
  const left = subtractDecimals(size, matched)
  // A venue may fill slightly more than was ordered.
  return compareDecimals(left, '0') < 0 ? '0' : left
}

function averageOf(row: OverviewRow, lane: ExecutionAdapter | undefined, fills: readonly OrderFill[]): string | null {
  if (lane === undefined || fills.length === 0 || fills.length > averagedFillsMax) return null
  try {
    return averagePriceOf(lane, laneExecutionOf(row, null), fills, row.matched_size)
  } catch (error) {
    // The stored artifact does not match its hash.
    if (error instanceof Fault) return null
    throw error
  }
}
