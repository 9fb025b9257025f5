// Capped exponential backoff with full jitter; the caller owns the timer.

export interface BackoffOptions {
  baseMs: number
  capMs: number
}

/**
 * Delay before attempt `attempt` (0 = first retry). `random` in [0,1) is supplied by the caller, so that a seed repeats
 * it.
 */
export function backoffMs(attempt: number, { baseMs, capMs }: BackoffOptions, random: () => number): number {
  const ceiling = Math.min(capMs, baseMs * 2 ** Math.min(attempt, 30))
  return Math.round(ceiling / 2 + (random() * ceiling) / 2)
}
