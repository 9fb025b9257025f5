// What a refused attempt to send an order unattended means for the next one. Nothing was sent in any of these cases.
//
//   a halt:          no attempt at all; the order is watched again
//   another attempt: any retryable code, and anything an operator or time may resolve
//   final:           everything else; the same artifact gets the same refusal
import { type ErrorCode, isRetryable } from '#schemas/errors'
import { Fault } from './fault.ts'

/** Not retryable for an HTTP caller, who can change something; a fire can only wait. */
const lifted: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  // Other orders end and free their share of the cap.
  'SPEND_CAP_EXCEEDED',
  // The lane is not armed in this process, or takes no orders for now.
  'VENUE_NOT_SUPPORTED',
  'NOT_IMPLEMENTED',
  // The right to submit is reserved, for a minute at most.
  'CONDITIONAL_ATTEMPT_CONFLICT',
  // A key of an attempt whose outcome is unknown.
  'IDEMPOTENCY_CONFLICT',
])

/** Nothing else refuses a submit with this code. */
export const isHalt = (error: unknown): boolean => error instanceof Fault && error.code === 'PERMISSION_DENIED'

/** Anything thrown that is not a refusal is a bug, and is retried like any other error. */
export const isFinal = (error: unknown): boolean =>
  error instanceof Fault && !isRetryable(error.code) && !lifted.has(error.code)

const textMax = 300

/** For `lastError`: refusal messages are written for callers, and venue text in them has been sanitized. */
export const wordsOf = (error: unknown): string =>
  error instanceof Fault ? `${error.code}: ${error.message}`.slice(0, textMax) : 'internal error'
