// Resolves a relay without an answer when the venue shows nothing of it: it failed, if by the venue's own rules no late copy can be
// accepted any more. Otherwise its status stays, and the answer says what it waits for.
import { compareDecimals } from '#lib/decimal'
import { Fault } from '#lib/fault'
import type { JsonObject } from '#schemas/executions'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import { type LaneExecution, type Observation, type ReadingLane, relayWithinMs } from '#venues/lane'

/** Margin after the last moment a late copy can be accepted: clocks differ, and reads lag behind writes. */
const marginMs = 60_000
/** Two looks this far apart must agree: a single list may be read while an order moves between lists. */
const betweenLooksMs = 10_000

export interface Undone {
  error: string
  /** For the audit. */
  detail: JsonObject
}

export interface Doubt {
  reason: string
  /** ISO; null: no rule of the venue determines it. */
  acceptableUntil: string | null
}

/** Null: this execution is not in doubt, or the read has settled it. */
export function judgeAbsence(
  lane: Pick<ReadingLane, 'submit'>,
  row: Pick<ExecutionRow, 'status' | 'intent' | 'updated_at'>,
  execution: LaneExecution,
  read: Observation,
  askedAtMs: number,
): { undone: Undone } | { doubt: Doubt } | null {
  if (row.status !== 'submitted' || read.status !== null) return null
  // The order exists: what is pending is the rest of the venue's data on it.
  if (read.shown === true && read.undone !== true) return null
  const bound = lane.submit?.lateBound?.(execution, row.updated_at.getTime() + relayWithinMs) ?? null
  const acceptableUntil = bound === null ? null : new Date(bound.untilMs).toISOString()
  const doubt = (why: string) => ({ doubt: { reason: `${said(read)}; ${why}`, acceptableUntil } })
  if (read.undone !== true) return doubt('resolve it if you know its outcome')
  if (bound === null) {
    return doubt('no rule of the venue says when a late copy is refused: resolve it if you know its outcome')
  }
  if (askedAtMs < bound.untilMs + marginMs) {
    return doubt(
      `${bound.rule}, so a late copy may be accepted until ${acceptableUntil}: ask again a minute after that`,
    )
  }
  const { missingSince } = execution
  if (read.shown === false && (missingSince === null || askedAtMs - missingSince < betweenLooksMs)) {
    return doubt(`one read is not enough: refresh again in ${betweenLooksMs / 1_000} s`)
  }
  const detail = {
    askedAt: new Date(askedAtMs).toISOString(),
    missingSince: missingSince === null ? null : new Date(missingSince).toISOString(),
    acceptableUntil,
    rule: bound.rule,
  }
  return { undone: { error: `the venue does not show it and no longer accepts it: ${bound.rule}`, detail } }
}

const said = ({ observation }: Observation): string =>
  typeof observation?.reason === 'string' ? observation.reason : 'the venue does not report its outcome'

/**
 * Why a resolution contradicts what the venue shows or may show; null when it does not. `isFilled`: the owner states it was filled.
 */
export function contradiction(read: Observation, isFilled: boolean): Fault | null {
  if (read.status === null && (read.mayBe === 'order' || (read.mayBe === 'trade' && !isFilled))) {
    return new Fault(
      'IDEMPOTENCY_CONFLICT',
      `the venue shows ${read.mayBe === 'order' ? 'an open order' : 'a trade'} that may be this order’s: without credentials, your statement settles it, and its room stays held`,
    )
  }
  if (read.status === null && (read.shown !== true || read.undone === true)) return null
  return new Fault('IDEMPOTENCY_CONFLICT', 'the venue shows its outcome: refresh it instead')
}

/** No statement overrides fills the venue has already reported, whoever makes it. */
export function refuseAgainstFills(
  { matched_size: matched }: Pick<ExecutionRow, 'matched_size'>,
  isFilled: boolean,
): void {
  if (isFilled || matched === null || compareDecimals(matched, '0') <= 0) return
  throw new Fault('IDEMPOTENCY_CONFLICT', `the venue reports that ${matched} of it was filled: refresh it instead`)
}
