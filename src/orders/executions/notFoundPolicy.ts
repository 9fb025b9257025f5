// Resolves a relay without an answer when the venue shows nothing of it: it failed, if by the venue's own rules no late copy can be
// accepted any more. Otherwise its status stays, and the response says what it waits for.
import { compareDecimals } from '#core/decimal'
import { Fault } from '#core/fault'
import type { JsonObject } from '#schemas/executions'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import {
  type AcceptanceDeadline,
  type LaneExecution,
  type Observation,
  type ReadingLane,
  relayWithinMs,
} from '#venues/lane'

/** Margin after the last moment a late copy can be accepted: clocks differ, and reads lag behind writes. */
const marginMs = 60_000
/** Two reads this far apart must agree: a single list may be read while an order moves between lists. */
export const betweenLooksMs = 10_000

/** Until when a copy of what was sent may be accepted; null: no rule of the venue determines it. */
export const acceptanceDeadline = (
  lane: Pick<ReadingLane, 'submit'>,
  row: Pick<ExecutionRow, 'updated_at'>,
  execution: LaneExecution,
): AcceptanceDeadline | null => lane.submit?.lateBound?.(execution, row.updated_at.getTime() + relayWithinMs) ?? null

/** From then on, reads that do not show it settle it. */
export const absenceSettlesFromMs = ({ untilMs }: AcceptanceDeadline): number => untilMs + marginMs

export interface NotFoundVerdict {
  error: string
  /** For the audit. */
  detail: JsonObject
}

export interface UnknownOutcome {
  reason: string
  /** ISO; null: no rule of the venue determines it. */
  acceptableUntil: string | null
}

/** Null: the outcome of this execution is known, or the read has settled it. */
export function resolveNotFound(
  lane: Pick<ReadingLane, 'submit'>,
  row: Pick<ExecutionRow, 'status' | 'intent' | 'updated_at' | 'matched_size'>,
  execution: LaneExecution,
  read: Observation,
  queriedAtMs: number,
): { undone: NotFoundVerdict } | { unresolved: UnknownOutcome } | null {
  if (row.status !== 'submitted' || read.status !== null) return null
  // The order exists: what is pending is the rest of the venue's data on it.
  if (read.shown === true && read.undone !== true) return null
  const bound = acceptanceDeadline(lane, row, execution)
  const acceptableUntil = bound === null ? null : new Date(bound.untilMs).toISOString()
  const unresolved = (why: string) => ({ unresolved: { reason: `${observedReason(read)}; ${why}`, acceptableUntil } })
  // A read that does not show it retracts no fill that was shown before.
  if (isMatchedOrder(row)) return unresolved(`the venue reported before that ${row.matched_size} of it was filled`)
  if (read.undone !== true) return unresolved('resolve it if you know its outcome')
  if (bound === null) {
    return unresolved('no rule of the venue says when a late copy is refused: resolve it if you know its outcome')
  }
  if (queriedAtMs < absenceSettlesFromMs(bound)) {
    return unresolved(
      `${bound.rule}, so a late copy may be accepted until ${acceptableUntil}: ask again a minute after that`,
    )
  }
  const { missingSince } = execution
  if (read.shown === false && (missingSince === null || queriedAtMs - missingSince < betweenLooksMs)) {
    return unresolved(`one read is not enough: refresh again in ${betweenLooksMs / 1_000} s`)
  }
  const detail = {
    askedAt: new Date(queriedAtMs).toISOString(),
    missingSince: missingSince === null ? null : new Date(missingSince).toISOString(),
    acceptableUntil,
    rule: bound.rule,
  }
  return { undone: { error: `the venue does not show it and no longer accepts it: ${bound.rule}`, detail } }
}

const observedReason = ({ observation }: Observation): string =>
  typeof observation?.reason === 'string' ? observation.reason : 'the venue does not report its outcome'

/** Fills may lag behind the state of an order by ten minutes: until then the venue settles it better than its owner. */
const awaitedMs = 15 * 60_000

/** Why a resolution contradicts what the venue shows or may show; null when it does not. */
export function contradiction(
  row: Pick<ExecutionRow, 'status' | 'intent' | 'updated_at'>,
  read: Observation,
  outcome: 'failed' | 'canceled' | 'filled',
  nowMs: number,
): Fault | null {
  const refuse = (why: string): Fault => new Fault('IDEMPOTENCY_CONFLICT', why)
  if (read.status === null && (read.mayBe === 'order' || (read.mayBe === 'trade' && outcome !== 'filled'))) {
    return refuse(
      `the venue shows ${read.mayBe === 'order' ? 'an open order' : 'a trade'} that may be this order’s: without credentials, your statement settles it, and its room stays held`,
    )
  }
  if (read.status === 'acked' && row.status === 'acked') {
    return refuse('the venue shows that it is still open: cancel it instead')
  }
  if (read.status !== null) return refuse('the venue shows its outcome: refresh it instead')
  const isMatchedThere = read.fills.length > 0 || compareDecimals(read.matchedSize ?? '0', '0') > 0
  // A change can fail whatever is filled of its order.
  if (outcome === 'failed' && row.intent === 'order' && isMatchedThere)
    return refuse('the venue shows fills of it: it cannot have failed')
  if (row.status === 'acked' || read.shown !== true || read.undone === true) return null
  const awaitedUntilMs = row.updated_at.getTime() + awaitedMs
  if (nowMs >= awaitedUntilMs) return null
  return refuse(
    `the venue shows it and has not reported all of it yet: refresh it instead; if that settles nothing, it can be resolved from ${new Date(awaitedUntilMs).toISOString()} on`,
  )
}

const isMatched = ({ matched_size: matched }: Pick<ExecutionRow, 'matched_size'>): boolean =>
  matched !== null && compareDecimals(matched, '0') > 0

/** The venue has reported that part of this order was filled. */
export const isMatchedOrder = (row: Pick<ExecutionRow, 'intent' | 'matched_size'>): boolean =>
  row.intent === 'order' && isMatched(row)

/** An order that was partly filled has reached the venue, whatever its owner states. */
export const isBelowFilled = (row: Pick<ExecutionRow, 'intent' | 'matched_size'>, outcome: string): boolean =>
  outcome === 'failed' && isMatchedOrder(row)

export function rejectBelowFilled(row: Pick<ExecutionRow, 'intent' | 'matched_size'>, outcome: string): void {
  if (!isBelowFilled(row, outcome)) return
  throw new Fault(
    'IDEMPOTENCY_CONFLICT',
    `the venue reports that ${row.matched_size} of it was filled: it cannot have failed`,
  )
}
