// The state machine of executions as a table. Transitions not in it are refused; only moveExecution.ts writes a status, and only along
// these rows.
//
//   built ─submit─► submitted ─accepted─► acked ─seen…─► filled | failed | expired | canceled
//     ▲                │  ├─acceptedFilled, acceptedCanceled─► filled, canceled
//     │                │  └─rejected─► failed
//     └────refused─────┘       (credentials rejected before the order was examined: nothing was placed)
//   submitted ─resubmit─► submitted  (the identical signed bytes, which the venue accepts only once)
//   submitted ─seen…─► acked | filled | failed | expired | canceled  (a read of the venue came before the response to the submit, or instead)
//   submitted ─provedUndone─► failed  (the venue does not show it, and no longer accepts it)
//   submitted | acked ─resolved…─► filled | failed | canceled  (its owner states what the venue does not show)
//   built | submitted ─reportedSent─► acked  (its owner sent it outside Crossbook, and names the venue's order)
//   built ─discard─► canceled  (no longer wanted; it was never sent)
//   built ─seenFilled, seenExpired, seenCanceled─► filled, expired, canceled  (stored from elsewhere with a venue order id: by the
//                              specification its status follows the venue; without that id it cannot be read, and never expires)
//   acked | filled | expired | canceled ─fillsTold, fillsWithdrawn─► unchanged  (fills only)
//
// `signed` is a status of the specification, which shows no transition into it. Crossbook never sets it, and treats it like `built`.
// A terminal status that later evidence contradicts changes only by a `corrected…` row; applyUpdate.ts defines what evidence suffices.
import { type ExecutionStatus, executionStatuses } from '#schemas/executions'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import type { Move } from '#storage/postgres/executions/moveExecution'

export const executionEvents = [
  /** A relay attempt begins: committed before the first byte leaves. */
  'submit',
  /** The same signed bytes are sent again while their outcome is unknown. */
  'resubmit',
  /** The caller no longer wants it: never sent. */
  'discard',
  'accepted',
  'acceptedFilled',
  'acceptedCanceled',
  'rejected',
  'refused',
  /** Refresh read the venue's status. */
  'seenAcked',
  'seenFilled',
  'seenFailed',
  'seenExpired',
  'seenCanceled',
  /** The venue shows nothing of what was sent and, by its own rules, no longer accepts it. */
  'provedUndone',
  /** The owner states the outcome, because no other source can. */
  'resolvedFilled',
  'resolvedFailed',
  'resolvedCanceled',
  /** The owner reports that the venue has what was sent outside Crossbook, and names it. */
  'reportedSent',
  /** The venue reported or reverted fills of an order whose status does not change. These names are stored, so they stay. */
  'fillsTold',
  'fillsWithdrawn',
  /** The venue shows that a terminal status was wrong. */
  'correctedAcked',
  'correctedFilled',
  'correctedFailed',
  'correctedExpired',
  'correctedCanceled',
] as const
export type ExecutionEvent = (typeof executionEvents)[number]

/** A status that only a correction can change. */
const terminalStatuses: readonly ExecutionStatus[] = ['filled', 'failed', 'expired', 'canceled']
export const isTerminal = (status: ExecutionStatus): boolean => terminalStatuses.includes(status)

const beforeSubmit = ['built', 'signed'] as const
/** Sent; may be at the venue. */
const sent = ['submitted'] as const
const inFlight = ['submitted', 'acked'] as const
const living = ['built', 'signed', 'submitted', 'acked'] as const
/** Accepted by the venue: it can have fills. */
const acceptedStatuses = ['acked', 'filled', 'expired', 'canceled'] as const

const terminalExcept = (status: ExecutionStatus): readonly ExecutionStatus[] =>
  terminalStatuses.filter((each) => each !== status)

type Rule = [from: readonly ExecutionStatus[], on: ExecutionEvent, to: ExecutionStatus]
const rules: readonly Rule[] = [
  [beforeSubmit, 'submit', 'submitted'],
  [sent, 'resubmit', 'submitted'],
  [beforeSubmit, 'discard', 'canceled'],
  [sent, 'accepted', 'acked'],
  [sent, 'acceptedFilled', 'filled'],
  [sent, 'acceptedCanceled', 'canceled'],
  [sent, 'rejected', 'failed'],
  [sent, 'refused', 'built'],
  [sent, 'seenAcked', 'acked'],
  [living, 'seenFilled', 'filled'],
  [inFlight, 'seenFailed', 'failed'],
  [living, 'seenExpired', 'expired'],
  [living, 'seenCanceled', 'canceled'],
  [sent, 'provedUndone', 'failed'],
  [inFlight, 'resolvedFilled', 'filled'],
  [inFlight, 'resolvedFailed', 'failed'],
  [inFlight, 'resolvedCanceled', 'canceled'],
  [[...beforeSubmit, ...sent], 'reportedSent', 'acked'],
  ...acceptedStatuses.flatMap((status): Rule[] => [
    [[status], 'fillsTold', status],
    [[status], 'fillsWithdrawn', status],
  ]),
  [terminalStatuses, 'correctedAcked', 'acked'],
  [terminalExcept('filled'), 'correctedFilled', 'filled'],
  [terminalExcept('failed'), 'correctedFailed', 'failed'],
  [terminalExcept('expired'), 'correctedExpired', 'expired'],
  [terminalExcept('canceled'), 'correctedCanceled', 'canceled'],
]

export const transitions: ReadonlyMap<string, ExecutionStatus> = new Map(
  rules.flatMap(([from, on, to]) => from.map((status) => [`${status} ${on}`, to] as const)),
)

/** Null: the table has no such row. */
export const nextStatus = (from: ExecutionStatus, on: ExecutionEvent): ExecutionStatus | null =>
  transitions.get(`${from} ${on}`) ?? null

const seenEvents: Readonly<Partial<Record<ExecutionStatus, ExecutionEvent>>> = {
  acked: 'seenAcked',
  filled: 'seenFilled',
  failed: 'seenFailed',
  expired: 'seenExpired',
  canceled: 'seenCanceled',
}

/** Null: a venue cannot report that of an order. */
export const observedEvent = (status: ExecutionStatus): ExecutionEvent | null => seenEvents[status] ?? null

/** Terminal events that the venue has not reported: any later report is better evidence. */
export const endsWithoutReport: ReadonlySet<string> = new Set<ExecutionEvent>([
  'provedUndone',
  'resolvedFilled',
  'resolvedFailed',
  'resolvedCanceled',
])

const correctedEvents: Readonly<Partial<Record<ExecutionStatus, ExecutionEvent>>> = {
  acked: 'correctedAcked',
  filled: 'correctedFilled',
  failed: 'correctedFailed',
  expired: 'correctedExpired',
  canceled: 'correctedCanceled',
}

export const correctionEvent = (status: ExecutionStatus): ExecutionEvent | null => correctedEvents[status] ?? null

/** Throws when the table has no such row. */
export const moveOf = (row: ExecutionRow, event: ExecutionEvent, at: Date): Move => {
  const to = nextStatus(row.status, event)
  if (to === null) throw new Error(`no transition from ${row.status} on ${event}`)
  return { id: row.id, venue: row.venue, from: row.status, to, event, fills: [], at }
}

export { executionStatuses }
