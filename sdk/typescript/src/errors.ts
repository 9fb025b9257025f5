// Errors of calls.
import type { components } from './generated/api.ts'

/** Codes of this version of the service; later versions may add others. */
export type ErrorCode = components['schemas']['ErrorCode']

export interface Refusal {
  code: ErrorCode
  message: string
  /** The same call may succeed later. */
  retryable: boolean
  requestId: string | null
  /** The venue, if it caused the error. */
  exchange?: string
  /** Seconds. */
  retryAfter?: number
}

/** Base class of the errors of this package. */
export class CrossbookError extends Error {
  override name = 'CrossbookError'
}

/** The service rejected the call, or failed. */
export class ApiError extends CrossbookError {
  override name = 'ApiError'
  readonly code: ErrorCode
  /** HTTP status. */
  readonly status: number
  readonly retryable: boolean
  /** Quote it when you report a problem. */
  readonly requestId: string | null
  readonly exchange: string | undefined
  /** Seconds; undefined: not stated. */
  readonly retryAfter: number | undefined
  /** The key that the call was made with: repeating it never does the work twice. */
  readonly idempotencyKey: string | undefined

  constructor(status: number, refusal: Refusal, idempotencyKey?: string) {
    super(`${refusal.code}: ${refusal.message}`)
    this.code = refusal.code
    this.status = status
    this.retryable = refusal.retryable
    this.requestId = refusal.requestId
    this.exchange = refusal.exchange
    this.retryAfter = refusal.retryAfter
    this.idempotencyKey = idempotencyKey
  }
}

/** No response, or an incomplete one: it is unknown whether the call took effect. */
export class ConnectionError extends CrossbookError {
  override name = 'ConnectionError'
  readonly timedOut: boolean
  readonly idempotencyKey: string | undefined

  constructor(message: string, details: { cause?: unknown; timedOut?: boolean; idempotencyKey?: string } = {}) {
    super(message, { cause: details.cause })
    this.timedOut = details.timedOut ?? false
    this.idempotencyKey = details.idempotencyKey
  }
}

/** The stream rejected a subscription permanently, or the key. */
export class StreamError extends CrossbookError {
  override name = 'StreamError'
  readonly code: string

  constructor(code: string, message: string) {
    super(`${code}: ${message}`)
    this.code = code
  }
}
