// Every error code with its HTTP status and whether the same call may succeed later. Source: the specification's Errors part.

/** `[status, retryable]` per code. A test checks the keys against the specification's list. */
export const errorCodes = {
  VALIDATION_ERROR: [400, false],
  NOT_SUPPORTED: [501, false],
  ACCOUNTS_UNSUPPORTED: [400, false],
  VENUE_NOT_AVAILABLE: [404, false],
  EXCHANGE_NOT_AVAILABLE: [404, false],
  MARKET_NOT_FOUND: [404, false],
  EVENT_NOT_FOUND: [404, false],
  TRADERS_UNSUPPORTED: [400, false],
  TRADER_NOT_FOUND: [404, false],
  CLUSTER_NOT_FOUND: [404, false],
  OUTCOME_NOT_FOUND: [404, false],
  SNAPSHOT_NOT_FOUND: [404, false],
  CATALOG_UNAVAILABLE: [503, true],
  CATALOG_QUERY_TOO_BROAD: [400, false],
  HISTORY_UNAVAILABLE: [503, true],
  SPORTS_SCREEN_UNAVAILABLE: [503, true],
  SPORTS_FIXTURE_NOT_FOUND: [404, false],
  SPORTS_BLOCK_NOT_FOUND: [404, false],
  ROUTE_NOT_FOUND: [404, false],
  INTERNAL: [500, true],
  AUTHENTICATION_ERROR: [401, false],
  PERMISSION_DENIED: [403, false],
  RATE_LIMIT_EXCEEDED: [429, true],
  NETWORK_ERROR: [503, true],
  NOT_FOUND: [404, false],
  BAD_REQUEST: [400, false],
  BRIDGE_UNSUPPORTED: [400, false],
  BRIDGE_NO_ROUTE: [404, false],
  BRIDGE_UPSTREAM: [502, true],
  BRIDGE_PROVIDER_UNAVAILABLE: [503, true],
  BRIDGE_TRANSACTION_NOT_FOUND: [404, false],
  BRIDGE_SESSION_NOT_FOUND: [404, false],
  TRANSFER_PLAN_UNSUPPORTED: [400, false],
  UNAUTHORIZED: [401, false],
  SCOPE_MISSING: [403, false],
  PLAN_REQUIRED: [403, false],
  INSUFFICIENT_CREDITS: [402, false],
  RATE_LIMITED: [429, true],
  GEO_BLOCKED: [451, false],
  VENUE_REGION_BLOCKED: [451, false],
  IDEMPOTENCY_KEY_REQUIRED: [400, false],
  RESERVED_IDEMPOTENCY_KEY: [400, false],
  IDEMPOTENCY_CONFLICT: [409, false],
  ARTIFACT_VERSION_CONFLICT: [409, false],
  SPEND_CAP_EXCEEDED: [402, false],
  RESERVATION_REQUIRED: [409, false],
  RESERVATION_CONSUMED: [409, false],
  RESERVATION_MISMATCH: [409, false],
  RESERVATION_EXPIRED: [409, false],
  RESERVATION_RELEASED: [409, false],
  ARTIFACT_BOUNDS_VIOLATION: [400, false],
  ARTIFACT_INTEGRITY_MISMATCH: [409, false],
  CLAIM_GENERATION_UNDETERMINED: [409, false],
  VENUE_NOT_SUPPORTED: [404, false],
  EXECUTION_NOT_FOUND: [404, false],
  EXECUTION_TERMINAL: [409, false],
  CONDITIONAL_NOT_FOUND: [404, false],
  CONDITIONAL_NOT_ARMED: [409, false],
  CONDITIONAL_ATTEMPT_CONFLICT: [409, false],
  CONDITIONAL_ARMED: [409, false],
  CONDITIONAL_CLOSED_NOT_SUBMITTED: [409, false],
  OCO_GROUP_CLOSED: [409, false],
  HOSTED_FIRE_NOT_ELIGIBLE: [400, false],
  HOSTED_FIRE_UNAVAILABLE: [503, true],
  NOT_IMPLEMENTED: [501, false],
  VENUE_CREDENTIAL_REJECTED: [401, false],
  VENUE_CREDENTIAL_BREAKER_OPEN: [429, true],
  GEMINI_TIME_NONCE_REQUIRED: [400, false],
  GEMINI_HEARTBEAT_KEY_UNSUPPORTED: [400, false],
  VENUE_RELAY_FAILED: [502, true],
  EXEC_UNAVAILABLE: [503, true],
  RAIN_INVALID_OPTION: [400, false],
  RAIN_INVALID_SIDE: [400, false],
  RAIN_INVALID_PRICE: [400, false],
  RAIN_INVALID_AMOUNT: [400, false],
  RAIN_SLIPPAGE_REQUIRED: [400, false],
  RAIN_INVALID_DEADLINE: [400, false],
  RAIN_PHASE_NOT_OPEN: [409, false],
  RAIN_ORDER_LIMIT_REACHED: [409, false],
  RAIN_POOL_SAFETY_CHECK_FAILED: [409, false],
  PLATFORM_UNAVAILABLE: [503, true],
  PACK_NOT_FOUND: [404, false],
  BILLING_UNAVAILABLE: [503, true],
  BILLING_CUSTOMER_REQUIRED: [409, false],
  PLAN_NOT_FOUND: [404, false],
  SUBSCRIPTION_EXISTS: [409, false],
  WEBHOOK_NOT_FOUND: [404, false],
  INVALID_SIGNATURE: [400, false],
  PAPER_INSUFFICIENT_CASH: [409, false],
  PAPER_POSITION_TOO_SMALL: [409, false],
  PAPER_MARKET_CLOSED: [409, false],
  PAPER_WORKING_ORDER_CAP: [409, false],
  PAPER_NO_LIVE_BOOK: [503, true],
  PAPER_ORDER_NOT_FOUND: [404, false],
  PAPER_ORDER_NOT_OPEN: [409, false],
  SQL_QUERY_FAILED: [400, false],
  SQL_TIMEOUT: [408, false],
  FEED_NOT_FOUND: [404, false],
  FEEDS_UNAVAILABLE: [503, true],
  FEED_UPSTREAM: [502, true],
  MATCHES_UNAVAILABLE: [503, true],
  ARBITRAGE_UNAVAILABLE: [503, true],
} as const satisfies Record<string, readonly [status: number, retryable: boolean]>

export type ErrorCode = keyof typeof errorCodes

/** Codes used only in stream error frames. */
export const streamOnlyCodes = ['PLAN_UPGRADE_REQUIRED', 'BAD_MESSAGE', 'NOT_SUBSCRIBED', 'SUBSCRIPTION_LIMIT'] as const
export type StreamErrorCode = ErrorCode | (typeof streamOnlyCodes)[number]

export const statusOf = (code: ErrorCode): number => errorCodes[code][0]
export const isRetryable = (code: ErrorCode): boolean => errorCodes[code][1]

/**
 * Body of every failed request. `exchange` only when a venue error is attributed to one exchange; `retryAfter` in whole seconds
 * wherever the Retry-After header is sent.
 */
export interface ErrorEnvelope {
  success: false
  error: {
    message: string
    code: ErrorCode
    retryable: boolean
    requestId: string
    exchange?: string
    retryAfter?: number
  }
}
