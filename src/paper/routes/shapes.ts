// Shared by the routes of paper accounts: the caller's account, and rows as they are returned.
import { subtractDecimals } from '#core/decimal'
import { Fault } from '#core/fault'
import { isPaper } from '#platform/auth/principal'
import type { PaperBalance, PaperFill, PaperOrder, PaperPosition } from '#schemas/paper'
import type { RouteInput } from '#server/http/defineRoute'
import { plain } from '#storage/postgres/paper/cash'
import type { PaperBalanceRow, PaperPositionRow } from '#storage/postgres/paper/findPaper'
import type { PaperFillRow, PaperOrderRow } from '#storage/postgres/paper/orderRow'

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
  cash: plain(cash),
  reserved: plain(reserved),
  available: subtractDecimals(plain(cash), plain(reserved)),
})

export const positionOf = (row: PaperPositionRow): PaperPosition => ({
  venue: row.venue,
  marketId: row.market_id,
  outcomeId: row.outcome_id,
  currency: currencyOf(row.currency),
  quantity: plain(row.quantity),
  reserved: plain(row.reserved),
})

export const orderOf = (row: PaperOrderRow): PaperOrder => ({
  executionId: row.execution_id,
  venue: row.venue,
  orderId: row.ref,
  marketId: row.market_id,
  outcomeId: row.outcome_id,
  side: row.is_buy ? 'buy' : 'sell',
  price: plain(row.price),
  size: plain(row.size),
  filled: plain(row.filled),
  timeInForce: row.time_in_force,
  postOnly: row.post_only,
  expiresAt: row.expires_at?.toISOString() ?? null,
  state: row.state,
  reason: row.reason,
  reserved: plain(row.reserved),
  fee: plain(row.fee),
  queueAhead: row.queue_ahead === null ? null : plain(row.queue_ahead),
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
  price: plain(row.price),
  size: plain(row.size),
  cash: plain(row.cash),
  fee: plain(row.fee),
  liquidity: row.liquidity,
  evidence: row.evidence,
  filledAt: row.filled_at.toISOString(),
})
