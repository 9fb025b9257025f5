// Shared by the routes of paper accounts: whose they are, and how rows are returned.
import { Fault } from '#core/fault'
import { isPaper } from '#platform/auth/principal'
import type { PaperBalance, PaperFill, PaperOrder, PaperPosition } from '#schemas/paper'
import type { RouteInput } from '#server/http/defineRoute'
import type { PaperBalanceRow, PaperPositionRow } from '#storage/postgres/paper/findPaper'
import type { PaperFillRow, PaperOrderRow } from '#storage/postgres/paper/orderRow'
import { plainAmount, subtractAmounts } from '../accounts/amounts.ts'

export const tag = 'paper'

/** The account of a paper key. Throws PERMISSION_DENIED for a live one. */
export function paperCallerOf({ principal }: Pick<RouteInput, 'principal'>): { accountId: string; keyId: string } {
  const { accountId, keyId } = principal!
  if (isPaper(principal!)) return { accountId, keyId }
  throw new Fault('PERMISSION_DENIED', 'this is a live key: use a paper key, which begins with xb_paper_')
}

const currencyOf = (currency: string): string | null => (currency === '' ? null : currency)

export const balanceOf = ({ venue, currency, cash, reserved }: PaperBalanceRow): PaperBalance => ({
  venue,
  currency: currencyOf(currency),
  cash: plainAmount(cash),
  reserved: plainAmount(reserved),
  available: subtractAmounts(cash, reserved),
})

export const positionOf = (row: PaperPositionRow): PaperPosition => ({
  venue: row.venue,
  marketId: row.market_id,
  outcomeId: row.outcome_id,
  currency: currencyOf(row.currency),
  quantity: plainAmount(row.quantity),
  reserved: plainAmount(row.reserved),
})

export const orderOf = (row: PaperOrderRow): PaperOrder => ({
  executionId: row.execution_id,
  venue: row.venue,
  orderId: row.ref,
  marketId: row.market_id,
  outcomeId: row.outcome_id,
  side: row.is_buy ? 'buy' : 'sell',
  price: plainAmount(row.price),
  size: plainAmount(row.size),
  filled: plainAmount(row.filled),
  timeInForce: row.time_in_force,
  postOnly: row.post_only,
  expiresAt: row.expires_at?.toISOString() ?? null,
  state: row.state,
  reason: row.reason,
  reserved: plainAmount(row.reserved),
  fee: plainAmount(row.fee),
  queueAhead: row.queue_ahead === null ? null : plainAmount(row.queue_ahead),
  cancelRequestedAt: row.cancel_requested_at?.toISOString() ?? null,
  placedAt: row.placed_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})

export const fillOf = (row: PaperFillRow): PaperFill => ({
  fillId: row.id,
  executionId: row.execution_id,
  venue: row.venue,
  marketId: row.market_id,
  outcomeId: row.outcome_id,
  currency: currencyOf(row.currency),
  side: row.is_buy ? 'buy' : 'sell',
  price: plainAmount(row.price),
  size: plainAmount(row.size),
  cash: plainAmount(row.cash),
  fee: plainAmount(row.fee),
  liquidity: row.liquidity,
  evidence: row.evidence,
  filledAt: row.filled_at.toISOString(),
})
