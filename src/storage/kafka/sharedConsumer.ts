// Reads a shared topic so that a crash neither loses nor doubles a row.
//
//   fetch [a..b] ─► commit a with metadata "b" ─► handle(token a-b) ─► commit b+1 with what the handler wants to know next time
//                          │ crash                      │ crash
//                          └────────── next owner reads a and "b": handles exactly [a..b] under the same token again
//
// The sink refuses a token it has seen, so the repeat writes nothing. Without the written intent the next owner would cut
// its batch elsewhere, the token would differ, and rows would be doubled.
import type { Admin, Consumer, EachBatchPayload, KafkaMessage } from 'kafkajs'
import type { Clock } from '#lib/clock'
import type { Log } from '#lib/log'
import { SleepWatch } from '#lib/sleep'
import { keepRunning } from './keepRunning.ts'
import { patiently } from './patiently.ts'

const heartbeatMs = 1_000

/** After these kafkajs joins the group again, which also goes back to what is committed. */
const rejoinTypes: ReadonlySet<unknown> = new Set([
  'REBALANCE_IN_PROGRESS',
  'NOT_COORDINATOR_FOR_GROUP',
  'UNKNOWN_MEMBER_ID',
])

/** kafkajs gives a consumer up for an error that says so of itself. */
class BeginAgain extends Error {
  readonly retriable = false
}

export interface RawBatch {
  token: string
  values: Buffer[]
  /** What was returned for the batch before this one of the partition, by whoever handled it; empty at first. */
  memo: string
  /** False once this process slept so long that another may have been given the batch, and have written it out of reach of the sink's memory. */
  owned(): boolean
}

interface PartitionState {
  buffer: KafkaMessage[]
  /** Last offset of a batch somebody began and may have finished; null when there is none. */
  redoEnd: bigint | null
  memo: string
}

export interface SharedConsumerOptions {
  consumer: Consumer
  admin: Admin
  topic: string
  groupId: string
  /** Resolves with the next memo: committed with the offset, short and of one line. */
  handle(batch: RawBatch): Promise<string>
  /** How long a consumer that says nothing keeps its partitions. */
  sessionTimeoutMs: number
  clock: Clock
  log: Log
}

/** The function it resolves with ends the reading after the batch in hand. */
export async function runSharedConsumer({
  consumer,
  admin,
  topic,
  groupId,
  handle,
  sessionTimeoutMs,
  clock,
  log,
}: SharedConsumerOptions): Promise<() => Promise<void>> {
  const partitions = new Map<number, PartitionState>()
  // A new assignment forgets everything in memory: what was not committed belongs to whoever reads it next.
  consumer.on(consumer.events.GROUP_JOIN, () => partitions.clear())

  async function stateOf(partition: number): Promise<PartitionState> {
    const known = partitions.get(partition)
    if (known !== undefined) return known
    const [offsets] = await admin.fetchOffsets({ groupId, topics: [topic] })
    const committed = offsets?.partitions.find((entry) => entry.partition === partition)
    const [, intent, memo = ''] = committed?.metadata?.match(/^(?:intent:(\d+))?;?(.*)$/) ?? []
    const state: PartitionState = { buffer: [], redoEnd: intent === undefined ? null : BigInt(intent), memo }
    partitions.set(partition, state)
    return state
  }

  async function deliver(
    batch: EachBatchPayload,
    state: PartitionState,
    messages: KafkaMessage[],
    announced: boolean,
    owned: () => boolean,
  ): Promise<void> {
    const { partition } = batch.batch
    // Not `consumer.commitOffsets`: that one does nothing, without a word, once the consumer is asked to stop. A batch written without
    // its intent would be cut elsewhere by the next owner, and doubled.
    const commit = (offset: string, metadata: string): Promise<void> => {
      const committed = { topic, partitions: [{ partition, offset, metadata }] }
      return batch.commitOffsetsIfNecessary({ topics: [committed] })
    }
    const first = messages[0]!.offset
    const last = messages.at(-1)!.offset
    if (!announced) await commit(first, `intent:${last};${state.memo}`)
    state.memo = await handle({
      token: `${topic}:${partition}:${first}-${last}`,
      values: messages.flatMap((message) => (message.value === null ? [] : [message.value])),
      memo: state.memo,
      owned,
    })
    await commit((BigInt(last) + 1n).toString(), `;${state.memo}`)
  }

  async function eachBatch(payload: EachBatchPayload): Promise<void> {
    const { batch, resolveOffset, heartbeat, isRunning, isStale } = payload
    const sleep = new SleepWatch(clock, sessionTimeoutMs / 2)
    const owned = (): boolean => !sleep.slept()
    const beat = clock.every(heartbeatMs, () => {
      sleep.slept()
      heartbeat().catch((error: unknown) => log.debug({ err: error }, 'heartbeat while writing the tape failed'))
    })
    try {
      const state = await stateOf(batch.partition)
      if (!isRunning() || isStale()) return
      state.buffer.push(...batch.messages)
      const last = batch.messages.at(-1)
      if (last !== undefined) resolveOffset(last.offset)
      if (state.redoEnd !== null) {
        const end = state.redoEnd
        if (last === undefined || BigInt(last.offset) < end) return
        const redo = state.buffer.filter((message) => BigInt(message.offset) <= end)
        state.buffer = state.buffer.filter((message) => BigInt(message.offset) > end)
        state.redoEnd = null
        if (redo.length > 0) await deliver(payload, state, redo, true, owned)
      }
      if (state.buffer.length === 0) return
      const messages = state.buffer
      state.buffer = []
      await deliver(payload, state, messages, false, owned)
    } catch (error) {
      // Memory no longer matches what is committed: begin again from the committed offset.
      partitions.delete(batch.partition)
      if (rejoinTypes.has((error as { type?: unknown }).type)) throw error
      // kafkajs would repeat the fetch after what was read: rows in hand would be lost. This makes it give up, and begin again.
      throw new BeginAgain(error instanceof Error ? error.message : String(error))
    } finally {
      beat.cancel()
    }
  }

  await patiently(
    async () => {
      await consumer.connect()
      await consumer.subscribe({ topic, fromBeginning: true })
    },
    { clock, log },
  )
  const run = (): Promise<void> =>
    consumer.run({ autoCommit: false, eachBatchAutoResolve: false, partitionsConsumedConcurrently: 3, eachBatch })
  return keepRunning({ consumer, run, clock, log })
}
