// Which failures are retried, and when.
import { backoffMs } from './clock.ts'
import { ApiError, ConnectionError } from './errors.ts'
import { factsOf, type OperationName } from './operations.ts'

export interface RetryOptions {
  /** Attempts after the first; 0 for none. */
  retries: number
  baseMs: number
  capMs: number
  /** If the service requests a longer delay than this, the error is thrown. */
  retryAfterMaxMs: number
}

export const retryDefaults: RetryOptions = { retries: 3, baseMs: 250, capMs: 8_000, retryAfterMaxMs: 60_000 }

/** POSTs without a key that are safe to repeat: they only read, or a repeated call returns the result of the first. */
const repeatablePosts: ReadonlySet<string> = new Set([
  'refreshExecution',
  'getHyperliquidFundingSteps',
  'haltTrading',
  'quoteBridge',
  'scheduleVenueCancel',
  'setCancelAfter',
])

/** May be sent again although its outcome is unknown. */
export function isRepeatable(name: OperationName): boolean {
  const { method, path, keyed } = factsOf(name)
  return method !== 'POST' || keyed === true || path.startsWith('/api/') || repeatablePosts.has(name)
}

/** Null: thrown to the caller. `attempt`: 0 after the first attempt. */
export function retryDelay(
  name: OperationName,
  failure: unknown,
  attempt: number,
  options: RetryOptions,
  random: () => number,
): number | null {
  if (attempt >= options.retries) return null
  const backoff = backoffMs(attempt, options, random)
  if (failure instanceof ConnectionError) return isRepeatable(name) ? backoff : null
  if (!(failure instanceof ApiError) || !failure.retryable) return null
  // Other errors may follow a committed write (a proxy timeout, a lost response). A 429 is sent before any work begins.
  if (failure.status !== 429 && !isRepeatable(name)) return null
  const retryAfterMs = (failure.retryAfter ?? 0) * 1_000
  if (retryAfterMs > options.retryAfterMaxMs) return null
  // Adds jitter: all clients received the same Retry-After.
  return retryAfterMs === 0 ? backoff : retryAfterMs + backoff
}
