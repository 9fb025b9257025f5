// When a delivery that was not taken is tried again, and when it is given up.

const minuteMs = 60_000

/** Waits after the first, second, third and fourth attempt that failed. */
export const retryAfterMs: readonly number[] = [minuteMs, 5 * minuteMs, 30 * minuteMs, 120 * minuteMs]
export const attemptsMax = retryAfterMs.length + 1

/** Over the whole attempt: resolving, dialling, sending, and the answer. */
export const attemptTimeoutMs = 10_000

/** `attempts` were made, the last of them failed at `now`. Null: no further one. */
export function nextAttemptAt(attempts: number, now: number): number | null {
  const wait = retryAfterMs[attempts - 1]
  return wait === undefined ? null : now + wait
}

/** Only these are a yes; a redirect is none. */
export const isSuccess = (status: number): boolean => status >= 200 && status < 300
