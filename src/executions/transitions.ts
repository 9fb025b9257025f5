// The state machine of executions as a table. What is not in it is refused; one place writes a status, and only along these rows.
//
//   built ─submit─► submitted ─accepted─► acked ─seen…─► filled | failed | expired | canceled
//     ▲                │  └─rejected─► failed
//     └────refused─────┘       (credentials turned down before the order was looked at: nothing was placed)
//   built ─discard─► canceled  (the caller wants it no more; it was never sent)
//
// An end that later evidence contradicts is led on by a `corrected…` row and by nothing else; fold.ts says what is evidence enough.
import { type ExecutionStatus, executionStatuses } from '#schemas/executions'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import type { Move } from '#storage/postgres/executions/moveExecution'

export const executionEvents = [
  /** A relay attempt begins: committed before the first byte leaves. */
  'submit',
  /** The caller wants it no more: never sent. */
  'discard',
  'accepted',
  'acceptedFilled',
  'acceptedCanceled',
  'rejected',
  'refused',
  /** Refresh read the venue's truth. */
  'seenAcked',
  'seenFilled',
  'seenFailed',
  'seenExpired',
  'seenCanceled',
  /** The venue shows nothing of what was sent, and by its own rules takes it no more. */
  'provedUndone',
  /** The owner says what became of it, because no other source can. */
  'resolvedFilled',
  'resolvedFailed',
  'resolvedCanceled',
  /** The venue told fills, or took fills back, of an order that stays as it is. */
  'fillsTold',
  'fillsWithdrawn',
  /** The venue shows that an end was none, or another one. */
  'correctedAcked',
  'correctedFilled',
  'correctedFailed',
  'correctedExpired',
  'correctedCanceled',
] as const
export type ExecutionEvent = (typeof executionEvents)[number]

/** A status from which nothing leads on but a correction. */
export const terminalStatuses: readonly ExecutionStatus[] = ['filled', 'failed', 'expired', 'canceled']
export const isTerminal = (status: ExecutionStatus): boolean => terminalStatuses.includes(status)

const before = ['built', 'signed'] as const
/** Sent, perhaps there. */
const sent = ['submitted'] as const
const inFlight = ['submitted', 'acked'] as const
const living = ['built', 'signed', 'submitted', 'acked'] as const
const ends = ['filled', 'failed', 'expired', 'canceled'] as const
/** What the venue took: it can have fills. */
const taken = ['acked', 'filled', 'expired', 'canceled'] as const

const endsBut = (status: ExecutionStatus): readonly ExecutionStatus[] => ends.filter((end) => end !== status)

type Rule = [from: readonly ExecutionStatus[], on: ExecutionEvent, to: ExecutionStatus]
const rules: readonly Rule[] = [
  [before, 'submit', 'submitted'],
  [before, 'discard', 'canceled'],
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
  [sent, 'resolvedFilled', 'filled'],
  [sent, 'resolvedFailed', 'failed'],
  [sent, 'resolvedCanceled', 'canceled'],
  ...taken.flatMap((status): Rule[] => [
    ...(status === 'acked' ? [] : [[[status], 'fillsTold', status] satisfies Rule]),
    [[status], 'fillsWithdrawn', status],
  ]),
  [ends, 'correctedAcked', 'acked'],
  [endsBut('filled'), 'correctedFilled', 'filled'],
  [endsBut('failed'), 'correctedFailed', 'failed'],
  [endsBut('expired'), 'correctedExpired', 'expired'],
  [endsBut('canceled'), 'correctedCanceled', 'canceled'],
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

/** Null: a venue cannot say that of an order. */
export const seen = (status: ExecutionStatus): ExecutionEvent | null => seenEvents[status] ?? null

/** Ends that the venue has not stated: whatever it says later is better evidence. */
export const unheardEvents: ReadonlySet<string> = new Set<ExecutionEvent>([
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

export const corrected = (status: ExecutionStatus): ExecutionEvent | null => correctedEvents[status] ?? null

/** Throws where the table has no such row. */
export const moveOf = (row: ExecutionRow, event: ExecutionEvent, at: Date): Move => {
  const to = nextStatus(row.status, event)
  if (to === null) throw new Error(`${row.status} cannot take ${event}`)
  return { id: row.id, from: row.status, to, event, fills: [], at }
}

export { executionStatuses }
