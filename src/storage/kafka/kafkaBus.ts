// The bus between processes, on kafkajs. Every process reads broadcast topics from now on; shared ones are split by group.
import { type Admin, Kafka, logLevel, Partitioners, type PartitionMetadata } from 'kafkajs'
import type { Clock } from '#lib/clock'
import type { Log } from '#lib/log'
import { type TopicName, type TopicValues, topics } from '#schemas/topics'
import type { BroadcastTopic, Bus, SharedTopic, Stop, TopicBatch } from '../bus/bus.ts'
import { accessOptions, type KafkaAccess } from './access.ts'
import { BroadcastReader } from './broadcast.ts'
import { decodeValue, encodeValue } from './codec.ts'
import { Fence } from './fence.ts'
import { ConflatingOutbox, LosslessOutbox } from './outbox.ts'
import { patiently } from './patiently.ts'
import { runSharedConsumer } from './sharedConsumer.ts'

/** Topics where only the newest message per key matters. */
const conflated: ReadonlySet<TopicName> = new Set(['books', 'demand', 'health', 'marketStatus', 'surfaceBeats'])
const lossless: ReadonlySet<TopicName> = new Set([
  'tape',
  'coverage',
  'withdrawals',
  'walletTrades',
  'arbitrageRecords',
])

/** Broadcast messages are read as they arrive and never again. */
const broadcastRetentionMs = 600_000

export interface KafkaBusOptions {
  brokers: readonly string[]
  /** Default: without TLS and without a name. */
  access?: KafkaAccess
  /** Unique per process. */
  clientId: string
  clock: Clock
  log: Log
  /** How long a dead tape writer keeps its partitions before another takes over. */
  sessionTimeoutMs?: number
}

/** Resolves with the tape's partitions: an operator may have created the topic with another number of them. */
async function makeTopics(admin: Admin): Promise<PartitionMetadata[]> {
  await admin.connect()
  await admin.createTopics({
    waitForLeaders: true,
    topics: Object.values(topics).map(({ name, partitions, delivery }) => ({
      topic: name,
      numPartitions: partitions,
      replicationFactor: -1,
      // Stamped by the broker: a reader that was suspended judges all senders' messages by one clock.
      configEntries:
        delivery === 'broadcast'
          ? [
              { name: 'retention.ms', value: String(broadcastRetentionMs) },
              { name: 'message.timestamp.type', value: 'LogAppendTime' },
            ]
          : [],
    })),
  })
  const described = await admin.fetchTopicMetadata({ topics: [topics.tape.name] })
  return described.topics[0]!.partitions
}

export async function createKafkaBus({
  brokers,
  access = {},
  clientId,
  clock,
  log,
  sessionTimeoutMs = 10_000,
}: KafkaBusOptions): Promise<Bus> {
  const kafka = new Kafka({
    clientId,
    brokers: [...brokers],
    ...accessOptions(access),
    logLevel: logLevel.NOTHING,
    // A restarting broker is waited for; meanwhile the idempotent producer repeats with the same sequence numbers.
    retry: { retries: 30, initialRetryTime: 100, maxRetryTime: 5_000 },
  })
  const admin = kafka.admin()
  const patience = { clock, log }
  const tapePartitions = await patiently(() => makeTopics(admin), patience)
  const createPartitioner = Partitioners.DefaultPartitioner
  const tapeProducer = kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    createPartitioner,
  })
  // Not retried unchanged: brokers stamp on arrival, and a delayed book would look current.
  const liveProducer = kafka.producer({ allowAutoTopicCreation: false, createPartitioner, retry: { retries: 0 } })
  await patiently(() => Promise.all([tapeProducer.connect(), liveProducer.connect()]), patience)
  const tapeOutbox = new LosslessOutbox(tapeProducer, clock, log)
  const liveOutbox = new ConflatingOutbox(liveProducer, clock, log)
  const broadcast = new BroadcastReader({
    kafka,
    admin,
    clientId,
    sendPulse: (topic, partition) =>
      liveOutbox.push(topics[topic].name, { partition, value: null }, `${topic}#${partition}`),
    clock,
    log,
  })
  const stops = new Set<Stop>()

  const owned = (close: () => Promise<void>): Stop => {
    let done: Promise<void> | null = null
    const stop: Stop = () => {
      stops.delete(stop)
      done ??= close()
      return done
    }
    stops.add(stop)
    return stop
  }

  return {
    publish<T extends TopicName>(topic: T, key: string, value: TopicValues[T]): void {
      const message = { key, value: encodeValue(topic, value) }
      if (lossless.has(topic)) tapeOutbox.push(topics[topic].name, message)
      else liveOutbox.push(topics[topic].name, message, conflated.has(topic) ? `${topic}|${key}` : null)
    },

    ready: () => tapeOutbox.ready(),

    async fence(venue, epoch) {
      const nothing: TopicValues['tape'] = { venue, outcomeId: '', epoch, topOfBook: [], trades: [], books: [] }
      const value = encodeValue('tape', nothing)
      await Promise.all(
        tapePartitions.map(({ partitionId: partition }) => tapeOutbox.pushed(topics.tape.name, { partition, value })),
      )
    },

    async subscribe<T extends BroadcastTopic>(
      topic: T,
      handle: (value: TopicValues[T], lateMs: number) => void,
    ): Promise<Stop> {
      return owned(await broadcast.subscribe(topic, handle))
    },

    unreadMs: (topic) => broadcast.unreadMs(topic),

    async consume<T extends SharedTopic>(
      topic: T,
      group: string,
      handle: (batch: TopicBatch<T>) => Promise<void>,
    ): Promise<Stop> {
      const consumer = kafka.consumer({
        groupId: group,
        minBytes: 64 * 1024,
        maxWaitTimeInMs: 200,
        sessionTimeout: sessionTimeoutMs,
        rebalanceTimeout: sessionTimeoutMs,
        heartbeatInterval: Math.min(1_000, sessionTimeoutMs / 4),
      })
      const stop = await runSharedConsumer({
        consumer,
        admin,
        topic: topics[topic].name,
        groupId: group,
        sessionTimeoutMs,
        clock,
        log,
        async handle({ token, values, memo, repeated, owned }) {
          const fence = new Fence(memo)
          const batch: TopicBatch<T> = { token, values: [], fenced: [], repeated, owned }
          for (const bytes of values) {
            const value = decodeValue(topic, bytes)
            if (fence.admits(value)) batch.values.push(value)
            else batch.fenced.push(value)
          }
          await handle(batch)
          return fence.toString()
        },
      })
      return owned(stop)
    },

    async close(): Promise<void> {
      await Promise.all([...stops].map((stop) => stop()))
      await Promise.all([tapeOutbox.flush(), liveOutbox.flush()])
      await Promise.all([tapeProducer.disconnect(), liveProducer.disconnect(), admin.disconnect()])
    },
  }
}
