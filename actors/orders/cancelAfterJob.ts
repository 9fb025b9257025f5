// Builds the cancels of accounts whose dead man's switch has lapsed. Every gateway looks, and skips rows that another one has locked or leased.
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'
import type { LapseEnd } from '#orders/executions/index'
import type { CancelAfterRow } from '#storage/postgres/executions/cancelAfter'

const lookEveryMs = 1_000
/** At once; a look that fills it continues at once. */
const lapsesPerLook = 10
/** Building takes seconds at most; a process that dies is succeeded after this. */
const leaseMs = 60_000

export interface CancelAfterJobOptions {
  store: { takeLapsed(options: { limit: number; leaseMs: number }): Promise<CancelAfterRow[]> }
  /** Builds the cancels of one. */
  build(row: CancelAfterRow, options: { signal: AbortSignal }): Promise<LapseEnd>
  clock: Clock
  log: Log
}

export function startCancelAfterJob({ store, build, clock, log }: CancelAfterJobOptions): { stop(): Promise<void> } {
  const abort = new AbortController()
  const { signal } = abort
  let timer: Timer | null = null
  let looking: Promise<void> = Promise.resolve()

  const buildOne = async (row: CancelAfterRow): Promise<void> => {
    const { id, account_id: accountId } = row
    try {
      const end = await build(row, { signal })
      if (end === 'done') log.warn({ accountId, cancelAfter: id }, 'a dead man’s switch lapsed: its cancels are built')
    } catch (error) {
      // Its lease ends, and it is tried again.
      log.warn({ err: error, accountId, cancelAfter: id }, 'failed to build the cancels of a dead man’s switch')
    }
  }
  const look = async (): Promise<void> => {
    let taken = lapsesPerLook
    while (taken === lapsesPerLook && !signal.aborted) {
      const rows = await store.takeLapsed({ limit: lapsesPerLook, leaseMs })
      await Promise.all(rows.map(buildOne))
      taken = rows.length
    }
  }
  const begin = (): void => {
    looking = look()
      .catch((error: unknown) => log.warn({ err: error }, 'failed to look for dead man’s switches that have lapsed'))
      .then(() => {
        if (!signal.aborted) timer = clock.after(lookEveryMs, begin)
      })
  }
  begin()
  return {
    async stop() {
      abort.abort()
      timer?.cancel()
      await looking
    },
  }
}
