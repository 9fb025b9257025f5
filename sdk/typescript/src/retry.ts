// Which failures are worth another try, and when.
import { backoffMs } from './clock.ts'
import { ApiError, ConnectionError } from './errors.ts'
import { factsOf, type OperationName } from './operations.ts'

export interface RetryOptions {
  /** Tries after the first; 0 for none. */
  retries: number
  baseMs: number
  capMs: number
  /** A service that asks for a longer wait than this is not waited for: its refusal is thrown. */
  retryAfterMaxMs: number
}

export const retryDefaults: RetryOptions = { retries: 3, baseMs: 250, capMs: 8_000, retryAfterMaxMs: 60_000 }

/** POSTs without a key that do nothing twice: they read, or the second says what the first did. */
const harmless: ReadonlySet<string> = new Set([
  'refreshExecution',
  'getHyperliquidFundingSteps',
  'haltTrading',
  'quoteBridge',
])

/** May be sent again although nobody knows what became of it. */
export function isRepeatable(name: OperationName): boolean {
  const { method, path, keyed } = factsOf(name)
  return method !== 'POST' || keyed === true || path.startsWith('/api/') || harmless.has(name)
}

/** Null: thrown to the caller. `attempt`: 0 after the first try. */
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
  // Any other refusal may come behind the deed: a proxy that did not wait for the answer, a store whose word was lost. At a limit nothing was begun.
  if (failure.status !== 429 && !isRepeatable(name)) return null
  const askedMs = (failure.retryAfter ?? 0) * 1_000
  if (askedMs > options.retryAfterMaxMs) return null
  // Everybody was told the same seconds: coming back at once after them would be a crowd.
  return askedMs === 0 ? backoff : askedMs + backoff
}
