// Puts coverage events on the tape. They are few: each batch is one insert, and the bus keeps the rest in order meanwhile.
import { randomUUID } from 'node:crypto'
import type { Clock } from '#lib/clock'
import type { Log } from '#lib/log'
import type { Bus } from '#storage/bus/bus'
import type { TapeStore } from './client.ts'
import { insertCoverage } from './coverageInsert.ts'
import { untilWritten } from './retry.ts'

export const coverageGroup = 'crossbook-coverage'
/** After `stop`, the event being written has this long. */
const stopDeadlineMs = 5_000

export interface CoverageWriterOptions {
  bus: Bus
  store: TapeStore
  clock: Clock
  log: Log
  /** `local` tokens count from zero in every process, so they are made unique here; `kafka` tokens name offsets and must stay. */
  mode: 'local' | 'kafka'
  random?: () => number
}

export async function startCoverageWriter(options: CoverageWriterOptions): Promise<{ stop(): Promise<void> }> {
  const { bus, store, clock, log, mode, random = Math.random } = options
  const prefix = mode === 'local' ? `${randomUUID()}:` : ''
  const giveUp = new AbortController()
  const stopConsuming = await bus.consume('coverage', coverageGroup, async ({ token, values }) => {
    const written = await untilWritten(() => insertCoverage(store, values, `${prefix}${token}`), {
      clock,
      random,
      signal: giveUp.signal,
      onFailure: (error, attempt) => log.warn({ err: error, attempt }, 'coverage insert failed; it will be repeated'),
    })
    if (!written) throw new Error('the coverage writer stopped before the batch was on the tape')
  })
  let stopped: Promise<void> | undefined
  return {
    stop() {
      stopped ??= (async () => {
        const timer = clock.after(stopDeadlineMs, () => giveUp.abort())
        await stopConsuming()
        timer.cancel()
      })()
      return stopped
    },
  }
}
