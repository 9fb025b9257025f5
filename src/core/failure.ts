// What callers and the log learn of a failure. A `Fault` has its code; anything else is our own error.
import { type ErrorEnvelope, isRetryable, statusOf } from '#schemas/errors'
import { Fault } from './fault.ts'
import type { Log } from './log.ts'

export interface Failure {
  status: number
  error: ErrorEnvelope['error']
}

/** Default Retry-After of a transient 503. */
const soonSeconds = 1

export function describeFailure(error: unknown, requestId: string): Failure {
  const fault = error instanceof Fault ? error : new Fault('INTERNAL', 'unexpected failure; quote the requestId')
  const status = fault.status ?? statusOf(fault.code)
  const retryable = fault.retryable ?? isRetryable(fault.code)
  const retryAfter = retryAfterOf(fault, status === 503 && retryable)
  return {
    status,
    error: {
      message: fault.message,
      code: fault.code,
      retryable,
      requestId,
      ...(fault.exchange === undefined ? {} : { exchange: fault.exchange }),
      ...(retryAfter === undefined ? {} : { retryAfter }),
    },
  }
}

function retryAfterOf({ retryAfterSeconds }: Fault, isTransient: boolean): number | undefined {
  if (retryAfterSeconds !== undefined) return Math.ceil(retryAfterSeconds)
  return isTransient ? soonSeconds : undefined
}

/** Logs what the caller is not shown: the cause of a fault, and every failure that is not a fault. */
export function logFailure(log: Log, error: unknown, where: object): void {
  if (!(error instanceof Fault) || error.code === 'INTERNAL')
    log.error({ ...where, err: error }, 'request failed unexpectedly')
  else if (error.detail !== undefined || error.cause !== undefined) {
    log.warn({ ...where, code: error.code, detail: error.detail, err: error.cause }, 'request refused')
  }
}
