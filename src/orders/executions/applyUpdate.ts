// How a read of the venue changes an execution. An in-flight order follows the venue. A terminal one stays terminal unless the venue
// positively shows otherwise, by status or by a fill, never because something is missing.
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import type { FillRow } from '#storage/postgres/executions/findExecutions'
import type { Observation, VenueFill } from '#venues/lane'
import {
  correctionEvent,
  type ExecutionEvent,
  endsWithoutReport,
  isTerminal,
  nextStatus,
  observedEvent,
} from './transitions.ts'

/** Replicas of a venue may lag by this long: an order that has just ended may be shown as open again. */
export const settlingMs = 60_000

export interface StatusUpdate {
  event: ExecutionEvent
  fills: VenueFill[]
}

type Row = Pick<ExecutionRow, 'status' | 'last_event' | 'updated_at'>

/** True of a terminal status that the venue has not reported. */
export const closedWithoutReport = ({ status, last_event }: Row): boolean =>
  isTerminal(status) && endsWithoutReport.has(last_event)

/** Null: nothing changes. `recorded`: fills already stored. */
export function updateFor(
  row: Row,
  read: Observation,
  recorded: readonly Pick<FillRow, 'id' | 'venue_key'>[],
  nowMs: number,
): StatusUpdate | null {
  const ids = new Map(recorded.map(({ venue_key, id }) => [venue_key, id]))
  const withdrawals = (read.withdrawn ?? []).flatMap(({ key, fill, filledAt }): VenueFill[] => {
    const id = ids.get(key)
    const own = `${key}:withdrawn`
    if (id === undefined || ids.has(own)) return []
    return [{ key: own, fill: { ...fill, withdrawn: true, withdrawsFillId: id }, filledAt }]
  })
  const event = isTerminal(row.status) ? correction(row, read, withdrawals.length > 0, nowMs) : step(row, read)
  if (event !== null) return { event, fills: [...read.fills, ...withdrawals] }
  if (nextStatus(row.status, 'fillsWithdrawn') !== null && withdrawals.length > 0) {
    return { event: 'fillsWithdrawn', fills: withdrawals }
  }
  // Fills of a resting order wait for its next status. An order that is gone may have none: its end may never be reported.
  const isFinal = isTerminal(row.status) || read.rests === false
  const hasNewFills =
    isFinal && nextStatus(row.status, 'fillsTold') !== null && read.fills.some(({ key }) => !ids.has(key))
  return hasNewFills ? { event: 'fillsTold', fills: read.fills } : null
}

function step({ status }: Row, read: Observation): ExecutionEvent | null {
  const event = read.status === null ? null : observedEvent(read.status)
  return event === null || nextStatus(status, event) === null ? null : event
}

function correction(row: Row, read: Observation, hasWithdrawals: boolean, nowMs: number): ExecutionEvent | null {
  if (read.status === null || read.status === row.status || read.inferred === true) return null
  // A venue refusal is final, and so is a fill, unless the venue reverts it.
  if (row.status === 'failed' && !closedWithoutReport(row)) return null
  if (row.status === 'filled' && !hasWithdrawals && !closedWithoutReport(row)) return null
  // Dated far in the future: the clock was set back since.
  if (read.status === 'acked' && Math.abs(nowMs - row.updated_at.getTime()) < settlingMs) return null
  return correctionEvent(read.status)
}
