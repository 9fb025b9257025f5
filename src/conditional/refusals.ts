// What a refused attempt to fire means for the next one. Nothing was sent in any of these cases.
//
//   a halt:          no attempt at all; the order is watched anew
//   another attempt: whatever the list of codes calls retryable, and what an operator or the passing of time may lift
//   final:           everything else; the same artifact meets the same refusal
import { Fault } from '#lib/fault'
import { type ErrorCode, isRetryable } from '#schemas/errors'

/** Not retryable for a caller of a route, who can change something; a fire can only wait. */
const lifted: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  // Other orders end, and give their room back.
  'SPEND_CAP_EXCEEDED',
  // The lane is not armed in this process, or takes no orders for the time being.
  'VENUE_NOT_SUPPORTED',
  'NOT_IMPLEMENTED',
  // The right to submit is held, for a minute at most.
  'CONDITIONAL_ATTEMPT_CONFLICT',
  // A key of an attempt whose end is unknown.
  'IDEMPOTENCY_CONFLICT',
])

/** Nothing else refuses a submit with this code. */
export const isHalt = (error: unknown): boolean => error instanceof Fault && error.code === 'PERMISSION_DENIED'

/** What is thrown that is no refusal is a bug, and bugs are tried again as often as anything. */
export const isFinal = (error: unknown): boolean =>
  error instanceof Fault && !isRetryable(error.code) && !lifted.has(error.code)

const textMax = 300

/** For `lastError`: messages of refusals are written for callers, and what a venue says in one was made fit for them. */
export const wordsOf = (error: unknown): string =>
  error instanceof Fault ? `${error.code}: ${error.message}`.slice(0, textMax) : 'internal error'
