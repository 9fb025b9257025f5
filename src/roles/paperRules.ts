// How paper orders move their executions and what their fills cost: the same state machine as that of live orders, and the venues' fees.
import { correctionEvent, isTerminal, moveOf, nextStatus, observedEvent } from '#orders/executions/transitions'
import type { PaperFeeModel } from '#paper/accounts/fees'
import { type PricedOrder, takeFill } from '#paper/accounts/orderMoney'
import { storedPaperFill } from '#paper/lane/index'
import type { ExecutionStatus } from '#schemas/executions'
import type { PaperOrderState } from '#schemas/paper'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import type { PaperOutcome, PaperRules } from '#storage/postgres/paper/apply'
import { plain } from '#storage/postgres/paper/cash'
import type { PaperOrderRow } from '#storage/postgres/paper/orderRow'

const statuses: Readonly<Record<PaperOrderState, ExecutionStatus | null>> = {
  working: null,
  filled: 'filled',
  canceled: 'canceled',
  expired: 'expired',
  rejected: 'failed',
}

const pricedOf = ({ is_buy: isBuy, price, size, fee_model }: PaperOrderRow): PricedOrder => ({
  isBuy,
  price: plain(price),
  size: plain(size),
  fees: fee_model as PaperFeeModel,
})

export const paperRules: PaperRules = {
  takeFill: (order, before, fill) => takeFill(pricedOf(order), before, fill),
  storedFill: storedPaperFill,
  moveOf(row, outcome) {
    const event = eventOf(row, outcome)
    if (event === null) return null
    const move = moveOf(row, event, laterOf(row.updated_at, outcome.at))
    return {
      ...move,
      fills: outcome.fills,
      matchedSize: row.intent === 'order' ? outcome.filled : undefined,
      error: move.to === 'failed' ? (outcome.reason ?? 'the paper exchange rejected it') : undefined,
      detail: outcome.reason === null ? undefined : { reason: outcome.reason },
    }
  },
  moveUnplaced(row, reached, now) {
    const at = laterOf(row.updated_at, now)
    if (reached) return moveOf(row, row.intent === 'redeem' ? 'seenFilled' : 'seenAcked', at)
    return { ...moveOf(row, 'provedUndone', at), error: 'it never reached the paper exchange', venueRef: null }
  },
}

/** Null: the execution stays as it is. */
function eventOf(row: ExecutionRow, { state, fills }: PaperOutcome) {
  const status = statuses[state]
  const added = fills.length > 0 && nextStatus(row.status, 'fillsTold') !== null ? ('fillsTold' as const) : null
  if (status === null) return row.status === 'submitted' ? ('seenAcked' as const) : added
  if (row.status === status) return added
  const seen = observedEvent(status)
  if (seen !== null && nextStatus(row.status, seen) !== null) return seen
  const corrected = isTerminal(row.status) ? correctionEvent(status) : null
  return corrected !== null && nextStatus(row.status, corrected) !== null ? corrected : added
}

const laterOf = (a: Date, b: Date): Date => (a.getTime() > b.getTime() ? a : b)
