// Clock abstraction, replaceable in tests.

export interface Clock {
  /** Milliseconds; only differences are meaningful. */
  now(): number
  /** Runs once; the returned function cancels it. */
  after(ms: number, run: () => void): () => void
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

/** Rejects with the signal's reason. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const abort = (): void => {
      cancel()
      reject(signal?.reason)
    }
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener('abort', abort)
      resolve()
    })
    signal?.addEventListener('abort', abort, { once: true })
  })
}

export interface Backoff {
  /** The first delay, milliseconds. */
  baseMs: number
  capMs: number
}

/** Doubles up to the cap; the upper half is random, so that clients that failed together do not reconnect together. */
export function backoffMs(attempt: number, { baseMs, capMs }: Backoff, random: () => number): number {
  const ceiling = Math.min(capMs, baseMs * 2 ** Math.min(attempt, 30))
  return ceiling / 2 + (random() * ceiling) / 2
}
