// Reads a shared topic so that a crash neither loses nor doubles a row.
//
//   fetch [a..b] ─► commit a with metadata "b" ─► handle(token a-b) ─► commit b+1
//                          │ crash                      │ crash
//                          └────────── next owner reads a and "b": handles exactly [a..b] under the same token again
//
// The sink refuses a token it has seen, so the repeat writes nothing. Without the written intent the next owner would cut
// its batch elsewhere, the token would differ, and rows would be doubled.
import type { Admin, Consumer, EachBatchPayload, KafkaMessage } from 'kafkajs'
import type { Clock } from '#lib/clock'
import type { Log } from '#lib/log'

const heartbeatMs = 1_000

export interface RawBatch {
  token: string
  values: Buffer[]
}

interface PartitionState {
  buffer: KafkaMessage[]
  /** Last offset of a batch somebody began and may have finished; null when there is none. */
  redoEnd: bigint | null
}

export interface SharedConsumerOptions {
  consumer: Consumer
  admin: Admin
  topic: string
  groupId: string
  handle(batch: RawBatch): Promise<void>
  clock: Clock
  log: Log
}

export async function runSharedConsumer({
  consumer,
  admin,
  topic,
  groupId,
  handle,
  clock,
  log,
}: SharedConsumerOptions): Promise<void> {
  const partitions = new Map<number, PartitionState>()
  // A new assignment forgets everything in memory: what was not committed belongs to whoever reads it next.
  consumer.on(consumer.events.GROUP_JOIN, () => partitions.clear())

  async function stateOf(partition: number): Promise<PartitionState> {
    const known = partitions.get(partition)
    if (known !== undefined) return known
    const [offsets] = await admin.fetchOffsets({ groupId, topics: [topic] })
    const committed = offsets?.partitions.find((entry) => entry.partition === partition)
    const intent = committed?.metadata?.match(/^intent:(\d+)$/)?.[1]
    const state: PartitionState = { buffer: [], redoEnd: intent === undefined ? null : BigInt(intent) }
    partitions.set(partition, state)
    return state
  }

  async function deliver(partition: number, messages: KafkaMessage[], announced: boolean): Promise<void> {
    const first = messages[0]!.offset
    const last = messages.at(-1)!.offset
    if (!announced) await consumer.commitOffsets([{ topic, partition, offset: first, metadata: `intent:${last}` }])
    await handle({
      token: `${topic}:${partition}:${first}-${last}`,
      values: messages.flatMap((message) => (message.value === null ? [] : [message.value])),
    })
    await consumer.commitOffsets([{ topic, partition, offset: (BigInt(last) + 1n).toString(), metadata: '' }])
  }

  async function eachBatch({ batch, resolveOffset, heartbeat, isRunning, isStale }: EachBatchPayload): Promise<void> {
    const beat = clock.every(heartbeatMs, () => {
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
        if (redo.length > 0) await deliver(batch.partition, redo, true)
      }
      if (state.buffer.length === 0) return
      const messages = state.buffer
      state.buffer = []
      await deliver(batch.partition, messages, false)
    } catch (error) {
      // Memory no longer matches what is committed: begin again from the committed offset.
      partitions.delete(batch.partition)
      throw error
    } finally {
      beat.cancel()
    }
  }

  await consumer.run({ autoCommit: false, eachBatchAutoResolve: false, partitionsConsumedConcurrently: 3, eachBatch })
}
