import type { Clock } from './clock.ts'

/** Resolves after `ms`, or as soon as `signal` is aborted. */
export const pause = (clock: Pick<Clock, 'after'>, ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted === true) return resolve()
    const end = (): void => {
      timer.cancel()
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = clock.after(ms, end)
    signal?.addEventListener('abort', end)
  })
