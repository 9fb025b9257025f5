// A question whose answer is worth only so much waiting. The question itself goes on.
import type { Clock } from './clock.ts'

/** Null for an answer that is late; a failure in time is thrown, a later one is not heard. */
export function inTime<T>(clock: Clock, withinMs: number, answer: Promise<T>): Promise<T | null> {
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
