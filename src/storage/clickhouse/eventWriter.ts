// Writes rare events (coverage, stretches of the surface, withdrawn trades) to the tape: one insert per batch.
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import type { TopicValues } from '#schemas/topics'
import type { Bus } from '#storage/bus/bus'
import { insertArbitrage } from './arbitrageInsert.ts'
import { consumeBatches } from './batchConsumer.ts'
import type { TapeStore } from './client.ts'
import { insertCoverage } from './coverageInsert.ts'
import { insertWithdrawals } from './withdrawalInsert.ts'

const inserts = {
  coverage: { group: 'crossbook-coverage', insert: insertCoverage },
  arbitrageRecords: { group: 'crossbook-arbitrage-records', insert: insertArbitrage },
  withdrawals: { group: 'crossbook-withdrawals', insert: insertWithdrawals },
} as const
type EventTopic = keyof typeof inserts

const manyEvents = 1_000

export interface EventWriterOptions {
  bus: Bus
  store: TapeStore
  clock: Clock
  log: Log
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
    repeated: boolean,
  ) => Promise<void>
  const { bus, store, clock, log, mode, random = Math.random } = options
  return consumeBatches({
    topic,
    group,
    bus,
    mode,
    manyAtOnce: manyEvents,
    write: (values, token, repeated) => insert(store, values, token, repeated),
    onFailure: (error, attempt) => log.warn({ err: error, attempt }, `${topic} insert failed; will retry`),
    name: 'the event writer',
    clock,
    random,
  })
}
