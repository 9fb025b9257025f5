// A refusal with two audiences: `message` is for the caller, `detail` and `cause` only reach the log.
import type { ErrorCode } from '#schemas/errors'

export interface FaultOptions {
  /** Venue slug, when the error is attributed to one exchange. */
  exchange?: string
  /** For the log only. Never a credential. */
  detail?: string
  cause?: unknown
  /** Whole seconds, for RATE_LIMITED and retryable upstream faults. */
  retryAfterSeconds?: number
  /** Overrides the table's status when the specification names another (405 for a wrong method, 413 for a large body). */
  status?: number
  /** Overrides the table: whether the same call may succeed later. */
  retryable?: boolean
  /** The refusal came after work that costs us something, such as a signature: the request is still charged. */
  afterWork?: boolean
  /** Response headers, in addition to those of every refusal. */
  headers?: Readonly<Record<string, string>>
}

export class Fault extends Error {
  readonly code: ErrorCode
  readonly exchange: string | undefined
  readonly detail: string | undefined
  readonly retryAfterSeconds: number | undefined
  readonly status: number | undefined
  readonly retryable: boolean | undefined
  readonly afterWork: boolean
  readonly headers: Readonly<Record<string, string>> | undefined

  constructor(code: ErrorCode, message: string, options: FaultOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'Fault'
    this.code = code
    this.exchange = options.exchange
    this.detail = options.detail
    this.retryAfterSeconds = options.retryAfterSeconds
    this.status = options.status
    this.retryable = options.retryable
    this.afterWork = options.afterWork === true
    this.headers = options.headers
  }
}
