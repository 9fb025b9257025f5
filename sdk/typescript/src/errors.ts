// How a call ends that was not answered with data.
import type { components } from './generated/api.ts'

/** Codes of this version of the service; later ones may say others. */
export type ErrorCode = components['schemas']['ErrorCode']

export interface Refusal {
  code: ErrorCode
  message: string
  /** The same call may succeed later. */
  retryable: boolean
  requestId: string | null
  /** The venue, where it was one that refused. */
  exchange?: string
  /** Seconds. */
  retryAfter?: number
}

/** What every error of this package is. */
export class CrossbookError extends Error {
  override name = 'CrossbookError'
}

/** The service refused, or failed. */
export class ApiError extends CrossbookError {
  override name = 'ApiError'
  readonly code: ErrorCode
  /** Of HTTP. */
  readonly status: number
  readonly retryable: boolean
  /** Quote it when reporting. */
  readonly requestId: string | null
  readonly exchange: string | undefined
  /** Seconds; undefined: nothing was said. */
  readonly retryAfter: number | undefined
  /** Under which the call was made: the same key again never does it twice. */
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

/** No answer, or half of one: nobody knows whether the call was done. */
export class ConnectionError extends CrossbookError {
  override name = 'ConnectionError'
  readonly timedOut: boolean
  readonly idempotencyKey: string | undefined

  constructor(message: string, told: { cause?: unknown; timedOut?: boolean; idempotencyKey?: string } = {}) {
    super(message, { cause: told.cause })
    this.timedOut = told.timedOut ?? false
    this.idempotencyKey = told.idempotencyKey
  }
}

/** The stream refused a subscription for good, or the key. */
export class StreamError extends CrossbookError {
  override name = 'StreamError'
  readonly code: string

  constructor(code: string, message: string) {
    super(`${code}: ${message}`)
    this.code = code
  }
}
