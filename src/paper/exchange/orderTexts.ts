// Why the exchange ended an order, for its owner.
import type { PaperOrderState } from '#schemas/paper'
import type { PaperEvent } from '../model/index.ts'

type Rejection = Extract<PaperEvent, { kind: 'rejected' }>['reason']
type Closing = Extract<PaperEvent, { kind: 'closed' }>['reason']

export const rejectionTexts: Readonly<Record<Rejection, string>> = {
  NO_LIVE_BOOK: 'PAPER_NO_LIVE_BOOK: the book was not live when the order arrived',
  POST_ONLY_WOULD_TAKE: 'post-only: the order would have taken liquidity',
  FOK_NOT_FILLABLE: 'fill-or-kill: the book could not fill all of it',
}

export const closings: Readonly<
  Record<Closing, { state: Exclude<PaperOrderState, 'working' | 'rejected'>; reason: string | null }>
> = {
  filled: { state: 'filled', reason: null },
  canceled: { state: 'canceled', reason: null },
  expired: { state: 'expired', reason: null },
  ioc_remainder: { state: 'canceled', reason: 'immediate-or-cancel: the rest was canceled' },
}

export const marketClosed = 'PAPER_MARKET_CLOSED: the market takes no orders any more'
