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

interface WakeablePollingJob extends PollingJob {
  /** The next run begins now, or right after the one in progress. */
  wake(): void
}

export function startPollingJob({ clock, log, everyMs, run, failure }: PollingJobOptions): WakeablePollingJob {
  const abort = new AbortController()
  const { signal } = abort
  /** Null: a run is in progress. */
  let timer: Timer | null = null
  let isWoken = false
  let running: Promise<void> = Promise.resolve()
  const begin = (): void => {
    timer = null
    isWoken = false
    running = run(signal)
      .catch((error: unknown) => log.warn({ err: error }, failure))
      .then(() => {
        if (signal.aborted) return
        if (isWoken) begin()
        else timer = clock.after(everyMs, begin)
      })
  }
  begin()
  return {
    wake() {
      isWoken = true
      if (timer === null || signal.aborted) return
      timer.cancel()
      begin()
    },
    async stop() {
      abort.abort()
      timer?.cancel()
      await running
    },
  }
}
