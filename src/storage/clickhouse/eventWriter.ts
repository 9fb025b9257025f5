// Puts rare events (coverage, stretches of the surface, trades taken back) on the tape: each batch is one insert, and the bus keeps the rest in order meanwhile.
// In one process few of them rest after an insert, so that those of the next second go together: the first is never kept waiting.
import { randomUUID } from 'node:crypto'
import type { Clock } from '#lib/clock'
import type { Log } from '#lib/log'
import type { TopicValues } from '#schemas/topics'
import type { Bus } from '#storage/bus/bus'
import { insertArbitrage } from './arbitrageInsert.ts'
import type { TapeStore } from './client.ts'
import { insertCoverage } from './coverageInsert.ts'
import { untilWritten } from './retry.ts'
import { insertWithdrawals } from './withdrawalInsert.ts'
import { flushMs } from './writer.ts'

const inserts = {
  coverage: { group: 'crossbook-coverage', insert: insertCoverage },
  arbitrageRecords: { group: 'crossbook-arbitrage-records', insert: insertArbitrage },
  withdrawals: { group: 'crossbook-withdrawals', insert: insertWithdrawals },
} as const
type EventTopic = keyof typeof inserts

/** With so many at once there is no rest: the bus must not fill up. */
const manyEvents = 1_000
/** After `stop`, the event being written has this long. */
const stopDeadlineMs = 5_000

export interface EventWriterOptions {
  bus: Bus
  store: TapeStore
  clock: Clock
  log: Log
  /** `local` tokens count from zero in every process, so they are made unique here; `kafka` tokens name offsets and must stay. */
  mode: 'local' | 'kafka'
  random?: () => number
}

export async function startEventWriter<T extends EventTopic>(
  topic: T,
  options: EventWriterOptions,
): Promise<{ stop(): Promise<void> }> {
  const { group } = inserts[topic]
  const insert = inserts[topic].insert as (
    store: TapeStore,
    values: readonly TopicValues[T][],
    token: string,
  ) => Promise<void>
  const { bus, store, clock, log, mode, random = Math.random } = options
  const prefix = mode === 'local' ? `${randomUUID()}:` : ''
  const giveUp = new AbortController()
  let stopping = false
  let endRest: (() => void) | null = null
  const rest = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = clock.after(flushMs, resolve)
      endRest = () => {
        timer.cancel()
        resolve()
      }
    })
  const stopConsuming = await bus.consume(topic, group, async ({ token, values, owned }) => {
    const written = await untilWritten(() => insert(store, values, `${prefix}${token}`), {
      clock,
      random,
      signal: giveUp.signal,
      allowed: owned,
      onFailure: (error, attempt) => log.warn({ err: error, attempt }, `${topic} insert failed; it will be repeated`),
    })
    if (!written) throw new Error(`the event writer ${owned() ? 'stopped' : 'slept'} before the batch was on the tape`)
    if (mode === 'local' && values.length < manyEvents && !stopping) await rest()
  })
  let stopped: Promise<void> | undefined
  return {
    stop() {
      stopping = true
      endRest?.()
      stopped ??= (async () => {
        const timer = clock.after(stopDeadlineMs, () => giveUp.abort())
        await stopConsuming()
        timer.cancel()
      })()
      return stopped
    },
  }
}
