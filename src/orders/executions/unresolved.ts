// Executions of unknown outcome: what each waits for, until when, and what its owner can do. From the stored row and the lane's rules alone:
// the venue is not read. The codes follow notFoundPolicy.ts, which decides what a read that does not show the order means.
//
//   submitted ─ within 45 s, no response ─► response_pending       acked, not shown ─► not_shown
//             ─ a fill was reported ──────► fills_incomplete
//             ─ no rule of the venue ─────► no_venue_rule
//             ─ before its deadline ──────► late_copy_possible ─► read_due
import { Fault } from '#core/fault'
import type { OrderAction, UnresolvedOrder } from '#schemas/orders'
import { isPaperAccount } from '#schemas/paper'
import type { OrderRow } from '#storage/postgres/executions/findOrders'
import {
  type AcceptanceDeadline,
  type ExecutionAdapter,
  type LaneExecution,
  type ReadingLane,
  relayWithinMs,
} from '#venues/lane'
import { laneFor, lanesOf, readingLaneOf } from './findLane.ts'
import { absenceSettlesFromMs, acceptanceDeadline, betweenLooksMs, isMatchedOrder } from './notFoundPolicy.ts'
import { tradedIn } from './overview.ts'
import type { ExecutionsDeps } from './ports.ts'
import { isQueryable } from './refresh.ts'
import { resolvableFromMs, resolvableOutcomes } from './resolve.ts'
import { laneExecutionOf } from './rows.ts'
import { maySendAgain } from './submitChecks.ts'

type Lanes = Pick<ExecutionsDeps, 'knownLanes' | 'lanes' | 'paperLanes' | 'statusLanes'>

export function unresolvedOf(lanes: Lanes, row: OrderRow, nowMs: number): UnresolvedOrder {
  const { marketId, outcomeId, side, price, size } = tradedIn(row)
  const execution = readableExecution(row)
  const deadline = deadlineOf(lanes, row, execution)
  const { since, until, ...waitsFor } = waitOf(row, deadline, nowMs)
  return {
    executionId: row.id,
    venue: row.venue,
    intent: row.intent,
    status: row.status === 'acked' ? 'acked' : 'submitted',
    venueRef: row.venue_ref,
    targetExecutionId: row.target_id,
    conditionalId: row.conditional_id,
    groupId: row.group_id,
    ...{ marketId, outcomeId, side, price, size },
    matchedSize: row.matched_size,
    response: row.unknown_outcome,
    missingSince: row.missing_since?.toISOString() ?? null,
    waitsFor,
    since: since.toISOString(),
    until: until === null ? null : isoOf(until),
    actions: actionsOf(lanes, row, { execution, until, nowMs }),
  }
}

/** Null: the stored artifact does not match its hash. */
function readableExecution(row: OrderRow): LaneExecution | null {
  try {
    return laneExecutionOf(row, null)
  } catch (error) {
    if (error instanceof Fault) return null
    throw error
  }
}

/** Also of a lane that is not armed any more: the rule is the venue's. */
function deadlineOf({ knownLanes }: Lanes, row: OrderRow, execution: LaneExecution | null): AcceptanceDeadline | null {
  // No venue has it, and no rule of one applies.
  if (isPaperAccount(row.account_id)) return null
  const lane = knownLanes.find(({ slug }) => slug === row.venue)
  if (lane === undefined || execution === null) return null
  return acceptanceDeadline(laneFor(lane, row.intent), row, execution)
}

interface Wait {
  code: UnresolvedOrder['waitsFor']['code']
  text: string
  since: Date
  /** Epoch ms. */
  until: number | null
}

function waitOf(row: OrderRow, deadline: AcceptanceDeadline | null, nowMs: number): Wait {
  const { updated_at: sentAt, missing_since: missingSince } = row
  if (row.status === 'acked') {
    const text =
      'the venue accepted it, and reads have not shown it since: a read that shows it, or its owner, settles it'
    return { code: 'not_shown', text, since: missingSince ?? sentAt, until: null }
  }
  const sent = (code: Wait['code'], text: string, until: number | null): Wait => ({ code, text, since: sentAt, until })
  const leavesUntilMs = sentAt.getTime() + relayWithinMs
  if (row.unknown_outcome === null && missingSince === null && nowMs < leavesUntilMs) {
    return sent('response_pending', 'it is being sent, and the venue has not responded yet', leavesUntilMs)
  }
  if (isMatchedOrder(row)) {
    const text = `the venue reported that ${row.matched_size} of it was filled: a read that shows its status settles it`
    return sent('fills_incomplete', text, null)
  }
  if (deadline === null) {
    const text =
      'no known rule of the venue says when a late copy is refused: a read that shows it, or its owner, settles it'
    return sent('no_venue_rule', text, null)
  }
  const settlesFromMs = absenceSettlesFromMs(deadline)
  if (nowMs < settlesFromMs) {
    const text = `${deadline.rule}, so a late copy may be accepted until ${isoOf(deadline.untilMs)}: reads settle it a minute after that`
    return sent('late_copy_possible', text, settlesFromMs)
  }
  const text = `${deadline.rule}, so no late copy is accepted any more: two reads at least ${betweenLooksMs / 1_000} s apart settle it`
  return sent('read_due', text, null)
}

interface Known {
  execution: LaneExecution | null
  until: number | null
  nowMs: number
}

function actionsOf(lanes: Lanes, row: OrderRow, { execution, until, nowMs }: Known): OrderAction[] {
  const path = (verb: string): string => `/v1/exec/${row.venue}/orders/${row.id}/${verb}`
  const notBefore = (ms: number): string | null => (nowMs < ms ? isoOf(ms) : null)
  const actions: OrderAction[] = []
  if (until !== null) actions.push({ kind: 'wait', until: isoOf(until) })
  const refresh = readingLane(lanes, row)?.refresh
  if (refresh !== undefined && isQueryable(row)) {
    actions.push({
      kind: 'refresh',
      method: 'POST',
      path: path('refresh'),
      fields: [...refresh.fields],
      credentialFree: refresh.credentialFree,
      from: row.missing_since === null ? null : notBefore(row.missing_since.getTime() + betweenLooksMs),
    })
  }
  const lane = sendingLane(lanes, row)
  if (execution !== null && lane?.submit !== undefined && maySendAgain(row, lane)) {
    actions.push({ kind: 'resubmit', method: 'POST', path: path('submit'), fields: [...lane.submit.fields] })
  }
  // The paper exchange knows the outcome of its orders.
  const outcomes = isPaperAccount(row.account_id) ? [] : resolvableOutcomes(row)
  if (outcomes.length > 0) {
    actions.push({
      kind: 'resolve',
      method: 'POST',
      path: path('resolve'),
      fields: ['outcome', 'reason'],
      outcomes,
      from: notBefore(resolvableFromMs(row)),
    })
  }
  return actions
}

function readingLane(lanes: Lanes, { venue, intent, account_id }: OrderRow): ReadingLane | undefined {
  const armed = readingLaneOf(lanes, venue, account_id)
  return armed && laneFor<ReadingLane>(armed.lane, intent)
}

function sendingLane(lanes: Lanes, { venue, intent, account_id }: OrderRow): ExecutionAdapter | undefined {
  const armed = lanesOf(lanes, account_id).get(venue)
  return armed && laneFor(armed.lane, intent)
}

const isoOf = (ms: number): string => new Date(ms).toISOString()
