// Repeats a pass of work on request: never two at once, with a pause after each, and once more if it was requested meanwhile.
import type { Clock, Timer } from './clock.ts'

export interface PassesOptions {
  clock: Pick<Clock, 'after'>
  /** A request while this is false waits for the next one. */
  isNeeded(): boolean
  /** Must not reject. */
  pass(): Promise<PassResult>
}

export interface PassResult {
  /** Pause after it, ms. */
  restMs: number
  /** Something is left to do. */
  again: boolean
}

export interface Passes {
  request(): void
  readonly isRunning: boolean
  /** Resolves when no pass is running any more. */
  stop(): Promise<void>
}

export function createPasses({ clock, isNeeded, pass }: PassesOptions): Passes {
  let running: Promise<void> | null = null
  let resting: Timer | null = null
  let again = false
  let stopped = false

  const request = (): void => {
    again = true
    if (stopped || running !== null || resting !== null || !isNeeded()) return
    again = false
    running = pass().then((result) => {
      running = null
      again ||= result.again
      if (stopped) return
      resting = clock.after(result.restMs, () => {
        resting = null
        if (again) request()
      })
    })
  }

  return {
    request,
    get isRunning() {
      return running !== null
    },
    async stop() {
      stopped = true
      resting?.cancel()
      await running
    },
  }
}
