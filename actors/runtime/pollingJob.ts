// Runs a job repeatedly, with a pause between the end of one run and the beginning of the next.
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'

export interface PollingJobOptions {
  clock: Pick<Clock, 'after'>
  log: Log
  everyMs: number
  /** One run. A failure is logged as `failure`, and the next run follows after the pause. `signal`: the job is being stopped. */
  run(signal: AbortSignal): Promise<void>
  failure: string
}

export interface PollingJob {
  /** Resolves when no run is in progress any more. */
  stop(): Promise<void>
}

export function startPollingJob({ clock, log, everyMs, run, failure }: PollingJobOptions): PollingJob {
  const abort = new AbortController()
  const { signal } = abort
  let timer: Timer | null = null
  let running: Promise<void> = Promise.resolve()
  const begin = (): void => {
    running = run(signal)
      .catch((error: unknown) => log.warn({ err: error }, failure))
      .then(() => {
        if (!signal.aborted) timer = clock.after(everyMs, begin)
      })
  }
  begin()
  return {
    async stop() {
      abort.abort()
      timer?.cancel()
      await running
    },
  }
}
