// Waits a limited time for an answer. The request itself continues.
import type { Clock } from './clock.ts'

/** Null for a late answer; a failure in time is thrown, a later one is ignored. */
export function withTimeout<T>(clock: Clock, withinMs: number, answer: Promise<T>): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(withinMs, () => resolve(null))
    answer.then(
      (value) => {
        timer.cancel()
        resolve(value)
      },
      (error: unknown) => {
        timer.cancel()
        reject(error)
      },
    )
  })
}
