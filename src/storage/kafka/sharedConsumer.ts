// Reads a shared topic so that a crash neither loses nor duplicates a row.
//
//   fetch [a..b] ─► commit a with metadata "b" ─► handle(token a-b) ─► commit b+1 with what the handler wants to know next time
//                          │ crash                      │ crash
//                          └────────── next owner reads a and "b": handles exactly [a..b] under the same token again
//
// Offsets begin at 0 again when a topic is created again or a Kafka has lost its data, while the sink still knows the old tokens. So a
// token also names the cluster and the time of its first message.
//
// The sink rejects a token it has seen, so the repeat writes nothing. Without the written intent the next owner would split batches
// elsewhere, the token would differ, and rows would be duplicated.
//
// kafkajs is not relied on to go back to the committed offset: a batch error is lost when the connection fails at the same time, and
// messages fetched before a rebalance may be delivered after it. So every batch has to begin where the one before it, or the commit,
// ended.
import type { Admin, Consumer, EachBatchPayload, IHeaders, KafkaMessage } from 'kafkajs'
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import { retryAtStartup } from '#core/retryAtStartup'
import { SuspendDetector } from '#core/suspendDetector'
import { kafkaAtStartup } from './outages.ts'
import { keepRunning } from './superviseConsumer.ts'

const heartbeatMs = 1_000

/** After these kafkajs rejoins the group, which also goes back to the committed offset. */
const rejoinTypes: ReadonlySet<unknown> = new Set([
  'REBALANCE_IN_PROGRESS',
  'NOT_COORDINATOR_FOR_GROUP',
  'UNKNOWN_MEMBER_ID',
])

/** kafkajs stops a consumer permanently for errors marked like this. */
class BeginAgain extends Error {
  readonly retriable = false
}

export interface RawBatch {
  token: string
  messages: { value: Buffer; headers: IHeaders | undefined }[]
  /** Returned by the handler of the partition's previous batch; empty at first. */
  memo: string
  /** Another process started it before, and may have written it. */
  repeated: boolean
  /**
   * False once this process was suspended so long that another may have been given the batch and written it outside the sink's deduplication
   * window.
   */
  owned(): boolean
}

interface PartitionState {
  buffer: KafkaMessage[]
  /** The next offset. */
  next: bigint
  /** Last offset of a batch that was started and may be finished; null when there is none. */
  redoEnd: bigint | null
  /** That batch was started by a version whose tokens named offsets alone; the sink may know it by that one. */
  redoByOffsets: boolean
  clusterId: string
  memo: string
}

/** `intent` was written by versions whose tokens named offsets alone. */
const metadataForm = /^(?:(begun|intent):(\d+))?;?(.*)$/

export interface SharedConsumerOptions {
  consumer: Consumer
  admin: Admin
  topic: string
  groupId: string
  /** Resolves with the next memo: committed with the offset, short and on one line. */
  handle(batch: RawBatch): Promise<string>
  /** How long a silent consumer keeps its partitions. */
  sessionTimeoutMs: number
  /** Every partition was assigned to this consumer: no other is left in the group. */
  onSoleReader?: (() => void) | undefined
  clock: Clock
  log: Log
}

/** The returned function stops reading after the current batch. */
export async function runSharedConsumer({
  consumer,
  admin,
  topic,
  groupId,
  handle,
  sessionTimeoutMs,
  onSoleReader,
  clock,
  log,
}: SharedConsumerOptions): Promise<() => Promise<void>> {
  const partitions = new Map<number, PartitionState>()
  let assigned: ReadonlySet<number> = new Set()
  /** Partition → the current batch. One started before a rebalance may not be finished when the next one arrives. */
  const inHand = new Map<number, Promise<void>>()
  // A new assignment discards everything in memory: what was not committed belongs to its next reader.
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    assigned = new Set(payload.memberAssignment[topic])
    partitions.clear()
    if (assigned.size > 0 && onSoleReader !== undefined) void checkSoleReader(assigned, onSoleReader)
  })

  async function checkSoleReader(mine: ReadonlySet<number>, whenSole: () => void): Promise<void> {
    try {
      const all = await admin.fetchTopicOffsets(topic)
      if (assigned === mine && all.every(({ partition }) => mine.has(partition))) whenSole()
    } catch (error) {
      log.warn({ err: error, topic }, 'the partitions of a topic could not be counted')
    }
  }

  async function stateOf(partition: number): Promise<PartitionState> {
    const known = partitions.get(partition)
    if (known !== undefined) return known
    const of = <T extends { partition: number }>(all: readonly T[] | undefined): T | undefined =>
      all?.find((entry) => entry.partition === partition)
    const [[offsets], ends, { clusterId }] = await Promise.all([
      admin.fetchOffsets({ groupId, topics: [topic] }),
      admin.fetchTopicOffsets(topic),
      admin.describeCluster(),
    ])
    const oldest = BigInt(of(ends)?.low ?? 0)
    const committed = of(offsets?.partitions)
    let next = BigInt(committed?.offset ?? -1)
    if (next < oldest) {
      const removed = { topic, partition, next: String(next), oldest: String(oldest) }
      if (next >= 0n) log.error(removed, 'messages were removed before they were read')
      next = oldest
    }
    const [, word, end, memo = ''] = committed?.metadata?.match(metadataForm) ?? []
    const state: PartitionState = {
      buffer: [],
      next,
      redoEnd: end === undefined ? null : BigInt(end),
      redoByOffsets: word === 'intent',
      clusterId,
      memo,
    }
    partitions.set(partition, state)
    return state
  }

  /** Appends fetched messages to those already there. Throws if there is a gap between the two. */
  function take(state: PartitionState, messages: readonly KafkaMessage[]): void {
    for (const message of messages) {
      const offset = BigInt(message.offset)
      if (offset < state.next) continue
      if (offset > state.next) throw new Error(`offset ${message.offset} was fetched where ${state.next} comes next`)
      state.buffer.push(message)
      state.next = offset + 1n
    }
  }

  async function deliver(
    batch: EachBatchPayload,
    state: PartitionState,
    messages: KafkaMessage[],
    announced: boolean,
    owned: () => boolean,
  ): Promise<void> {
    const { partition } = batch.batch
    // Not `consumer.commitOffsets`: it silently does nothing once the consumer is stopping. A batch written without its intent would be
    // split elsewhere by the next owner, and duplicated.
    const commit = (offset: string, metadata: string): Promise<void> => {
      // The group was rejoined meanwhile: the commit is up to the partition's current reader. Brokers would accept
      // ours.
      if (partitions.get(partition) !== state || !assigned.has(partition))
        throw new Error('the batch is no longer in hand')
      const committed = { topic, partitions: [{ partition, offset, metadata }] }
      return batch.commitOffsetsIfNecessary({ topics: [committed] })
    }
    const first = messages[0]!.offset
    const last = messages.at(-1)!.offset
    if (!announced) await commit(first, `begun:${last};${state.memo}`)
    const offsets = `${topic}:${partition}:${first}-${last}`
    state.memo = await handle({
      token: announced && state.redoByOffsets ? offsets : `${state.clusterId}/${offsets}@${messages[0]!.timestamp}`,
      messages: messages.flatMap(({ value, headers }) => (value === null ? [] : [{ value, headers }])),
      memo: state.memo,
      repeated: announced,
      owned,
    })
    await commit((BigInt(last) + 1n).toString(), `;${state.memo}`)
  }

  async function eachBatch(payload: EachBatchPayload): Promise<void> {
    const { heartbeat } = payload
    const { partition } = payload.batch
    const sleep = new SuspendDetector(clock, sessionTimeoutMs / 2)
    const owned = (): boolean => !sleep.slept()
    const beat = clock.every(heartbeatMs, () => {
      sleep.slept()
      heartbeat().catch((error: unknown) => log.debug({ err: error }, 'heartbeat while writing the tape failed'))
    })
    const work = (inHand.get(partition) ?? Promise.resolve()).then(() => takeBatch(payload, owned))
    const done = work.catch(() => undefined)
    inHand.set(partition, done)
    try {
      await work
    } finally {
      beat.cancel()
      if (inHand.get(partition) === done) inHand.delete(partition)
    }
  }

  async function takeBatch(payload: EachBatchPayload, owned: () => boolean): Promise<void> {
    const { batch, resolveOffset, isRunning, isStale } = payload
    let state: PartitionState | undefined
    try {
      state = await stateOf(batch.partition)
      if (!isRunning() || isStale()) return
      take(state, batch.messages)
      const last = batch.messages.at(-1)
      if (state.redoEnd !== null) {
        const end = state.redoEnd
        if (state.next <= end) {
          if (last !== undefined) resolveOffset(last.offset)
          return
        }
        const redo = state.buffer.filter((message) => BigInt(message.offset) <= end)
        state.buffer = state.buffer.filter((message) => BigInt(message.offset) > end)
        state.redoEnd = null
        if (redo.length > 0) await deliver(payload, state, redo, true, owned)
      }
      const messages = state.buffer
      state.buffer = []
      if (messages.length > 0) await deliver(payload, state, messages, false, owned)
      if (last !== undefined) resolveOffset(last.offset)
    } catch (error) {
      // Memory no longer matches the commit: restart from the committed offset.
      if (partitions.get(batch.partition) === state) partitions.delete(batch.partition)
      if (rejoinTypes.has((error as { type?: unknown }).type)) throw error
      // kafkajs would repeat the fetch after what was read and lose the current rows. This makes it give up and restart.
      throw new BeginAgain(error instanceof Error ? error.message : String(error))
    }
  }

  await retryAtStartup(
    kafkaAtStartup,
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
