// When a failed delivery is retried, and when it is given up.

const minuteMs = 60_000

/** Waits after the first, second, third and fourth failed attempt. */
export const retryAfterMs: readonly number[] = [minuteMs, 5 * minuteMs, 30 * minuteMs, 120 * minuteMs]
export const attemptsMax = retryAfterMs.length + 1

/** For the whole attempt: resolving, dialling, sending, and the answer. */
export const attemptTimeoutMs = 10_000

/** `attempts` were made, the last failed at `now`. Null: no further one. */
export function nextAttemptAt(attempts: number, now: number): number | null {
  const wait = retryAfterMs[attempts - 1]
  return wait === undefined ? null : now + wait
}

/** Only 2xx counts as success; a redirect does not. */
export const isSuccess = (status: number): boolean => status >= 200 && status < 300
