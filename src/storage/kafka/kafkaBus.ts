// The bus between processes, on kafkajs. Every process reads broadcast topics from now on; shared ones are split by group; books and trades go to
// the inboxes of the processes that demand them.
import { randomBytes } from 'node:crypto'
import {
  type Admin,
  Kafka,
  type KafkaConfig,
  logLevel,
  Partitioners,
  type PartitionMetadata,
  type Producer,
} from 'kafkajs'
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import { retryAtStartup } from '#core/retryAtStartup'
import { type Demand, type TopicName, type TopicValues, topics } from '#schemas/topics'
import type { BroadcastTopic, Bus, SharedTopic, Stop, TopicBatch } from '../bus/bus.ts'
import { accessOptions, type KafkaAccess } from './access.ts'
import { BroadcastReader } from './broadcast.ts'
import { decodeValue, encodeValue } from './codec.ts'
import { type Compression, registerCompression } from './compression.ts'
import { Fence } from './fence.ts'
import { chooseInbox } from './inbox.ts'
import { LosslessOutbox } from './losslessOutbox.ts'
import { kafkaAtStartup } from './outages.ts'
import { ConflatingOutbox } from './outbox.ts'
import { OwnDemand } from './ownDemand.ts'
import { Producers, type SendingProducer } from './producers.ts'
import { Sequence } from './sequence.ts'
import { runSharedConsumer } from './sharedConsumer.ts'
import { createSocketFactory, silentMs } from './sockets.ts'
import { completeSettings, settingsOf } from './topicSettings.ts'

/** Topics where only the newest message per key matters. */
const conflated: ReadonlySet<TopicName> = new Set(['books', 'demand', 'health', 'marketStatus', 'surfaceBeats'])
const topicsBy = (delivery: string): ReadonlySet<TopicName> =>
  new Set((Object.keys(topics) as TopicName[]).filter((topic) => topics[topic].delivery === delivery))
/** Topics that promise completeness. */
const lossless = topicsBy('shared')
const inInboxes = topicsBy('inbox')

export interface KafkaBusOptions {
  brokers: readonly string[]
  /** Default: without TLS and without a name. */
  access?: KafkaAccess
  /** Of what this process sends; it reads both. Default: zstd. */
  compression?: Compression
  /** Unique per process. */
  clientId: string
  clock: Clock
  log: Log
  /** How long a dead tape writer keeps its partitions before another takes over. */
  sessionTimeoutMs?: number
}

type Partitions = ReadonlyMap<string, PartitionMetadata[]>

/** Resolves with the partitions of shared and inbox topics: an operator may have created one with another number of them. */
async function makeTopics(admin: Admin, log: Log): Promise<Partitions> {
  await admin.connect()
  await admin.createTopics({
    waitForLeaders: true,
    topics: Object.values(topics).map(({ name, partitions, delivery }) => ({
      topic: name,
      numPartitions: partitions,
      replicationFactor: -1,
      configEntries: settingsOf(delivery),
    })),
  })
  await completeSettings(admin, log)
  const described = await admin.fetchTopicMetadata({
    topics: [...lossless, ...inInboxes].map((topic) => topics[topic].name),
  })
  return new Map(described.topics.map(({ name, partitions }) => [name, partitions]))
}

/**
 * Of each partition of a shared topic, a batch costs two commits and an insert for each table, however few rows it has: so batches gather at the
 * broker as long as rows do in one process.
 */
const sharedMinBytes = 1_048_576
const sharedMaxWaitMs = 1_000
const connectMs = 3_000
/** Nothing that is served waits for the tape. */
const tapeLingerMs = 25

async function connected(producer: Producer): Promise<SendingProducer> {
  try {
    await producer.connect()
    return producer
  } catch (error) {
    // It may hang, as the connecting did.
    producer.disconnect().catch(() => undefined)
    throw error
  }
}

export async function createKafkaBus({
  brokers,
  access = {},
  compression = 'zstd',
  clientId,
  clock,
  log,
  sessionTimeoutMs = 10_000,
}: KafkaBusOptions): Promise<Bus> {
  registerCompression()
  const common: KafkaConfig = {
    clientId,
    brokers: [...brokers],
    ...accessOptions(access),
    logLevel: logLevel.NOTHING,
    connectionTimeout: connectMs,
    authenticationTimeout: connectMs,
    socketFactory: createSocketFactory(clock),
  }
  // A restarting broker is waited for.
  const kafka = new Kafka({ ...common, retry: { retries: 30, initialRetryTime: 100, maxRetryTime: 5_000 } })
  // Outboxes repeat what fails, and judge by it whether the producer is of any more use.
  const sending = new Kafka({
    ...common,
    requestTimeout: silentMs,
    retry: { retries: 1, initialRetryTime: 100, maxRetryTime: 1_000 },
  })
  const admin = kafka.admin()
  const partitions = await retryAtStartup(kafkaAtStartup, () => makeTopics(admin, log), { clock, log })
  const createPartitioner = Partitioners.DefaultPartitioner
  const partitioner = createPartitioner()
  const openTape = () =>
    connected(sending.producer({ idempotent: true, allowAutoTopicCreation: false, createPartitioner }))
  // Not retried unchanged: brokers stamp on arrival, and a delayed book would look current.
  const openLive = () =>
    connected(sending.producer({ allowAutoTopicCreation: false, createPartitioner, retry: { retries: 0 } }))
  const tapeProducers = new Producers({ open: openTape, clock, log })
  const liveProducers = new Producers({ open: openLive, clock, log })
  await retryAtStartup(kafkaAtStartup, () => Promise.all([tapeProducers.current(), liveProducers.current()]), {
    clock,
    log,
  })
  const tapeOutbox = new LosslessOutbox({
    producers: tapeProducers,
    sender: randomBytes(6).toString('hex'),
    partitionFor: (topic, message) =>
      partitioner({ topic, message, partitionMetadata: partitions.get(topic) as PartitionMetadata[] }),
    lingerMs: tapeLingerMs,
    compression,
    clock,
    log,
  })
  const liveOutbox = new ConflatingOutbox(liveProducers, clock, log, compression)
  const read = { repeated: 0, missing: 0 }
  const inboxCount = Math.min(...[...inInboxes].map((topic) => partitions.get(topics[topic].name)!.length))
  const everyInbox = Array.from({ length: inboxCount }, (_, inbox) => inbox)
  const ownDemand = new OwnDemand(clock)
  /** Undefined until this process reads books or trades. */
  let inbox: number | undefined
  let choosing: Promise<number> | null = null
  const takeInbox = async (): Promise<number> => {
    choosing ??= chooseInbox({ admin, partitions: inboxCount, clientId, log })
    inbox = await choosing
    return inbox
  }
  const broadcast = new BroadcastReader({
    kafka,
    admin,
    clientId,
    inbox: takeInbox,
    isWanted: (key) => ownDemand.includes(key),
    onHeartbeat: (lease, lateMs) => ownDemand.onHeartbeat(lease, lateMs),
    sendPulse: (topic, partition) =>
      liveOutbox.push(topics[topic].name, { partition, value: null }, `${topic}#${partition}`),
    clock,
    log,
  })
  const stops = new Set<Stop>()

  /** The bytes are shared; each inbox has a newest message of its own per key. */
  function deliver(topic: TopicName, message: { key: string; value: Buffer | null }, inboxes: readonly number[]): void {
    const { name } = topics[topic]
    for (const partition of inboxes)
      liveOutbox.push(
        name,
        { ...message, partition },
        conflated.has(topic) ? `${topic}|${partition}|${message.key}` : null,
      )
  }

  function addressed<T extends TopicName>(value: TopicValues[T]): TopicValues[T] {
    const demand = value as Demand
    ownDemand.take(demand)
    return (inbox === undefined ? demand : { ...demand, inbox }) as TopicValues[T]
  }

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
    publish<T extends TopicName>(topic: T, key: string, value: TopicValues[T], inboxes?: readonly number[]): void {
      if (inInboxes.has(topic)) {
        if (inboxes?.length !== 0) deliver(topic, { key, value: encodeValue(topic, value) }, inboxes ?? everyInbox)
        return
      }
      if (topic === 'health' && inboxes !== undefined) deliver('books', { key, value: null }, inboxes)
      const message = { key, value: encodeValue(topic, topic === 'demand' ? addressed(value) : value) }
      if (lossless.has(topic)) tapeOutbox.push(topics[topic].name, message)
      else liveOutbox.push(topics[topic].name, message, conflated.has(topic) ? `${topic}|${key}` : null)
    },

    deliversOnDemand: true,

    ready: () => tapeOutbox.ready(),

    async fence(venue, { epoch, part }) {
      const nothing: TopicValues['tape'] = {
        ...{ venue, outcomeId: '', epoch, topOfBook: [], trades: [], books: [] },
        ...(part !== undefined && { part }),
      }
      const value = encodeValue('tape', nothing)
      await Promise.all(
        partitions
          .get(topics.tape.name)!
          .map(({ partitionId: partition }) => tapeOutbox.pushed(topics.tape.name, { partition, value })),
      )
    },

    async subscribe<T extends BroadcastTopic>(
      topic: T,
      handle: (value: TopicValues[T], lateMs: number) => void,
    ): Promise<Stop> {
      return owned(await broadcast.subscribe(topic, handle))
    },

    unreadMs: (topic) => broadcast.unreadMs(topic),

    undeliveredMs: (lease) => ownDemand.undeliveredMs(lease),

    interruptions: () => liveOutbox.interruptions,

    async consume<T extends SharedTopic>(
      topic: T,
      group: string,
      handle: (batch: TopicBatch<T>) => Promise<void>,
      onSoleReader?: () => void,
    ): Promise<Stop> {
      const consumer = kafka.consumer({
        groupId: group,
        minBytes: sharedMinBytes,
        maxWaitTimeInMs: sharedMaxWaitMs,
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
        onSoleReader,
        async handle({ token, messages, memo, repeated, owned }) {
          const fence = new Fence(memo)
          const sequence = new Sequence(memo)
          const batch: TopicBatch<T> = { token, values: [], fenced: [], repeated, owned }
          for (const { value: bytes, headers } of messages) {
            if (!sequence.admits(headers)) continue
            const value = decodeValue(topic, bytes)
            if (fence.admits(value)) batch.values.push(value)
            else batch.fenced.push(value)
          }
          await handle(batch)
          read.repeated += sequence.repeated
          read.missing += sequence.missing
          if (sequence.missing > 0) log.error({ token, missing: sequence.missing }, 'messages of a topic are missing')
          return [fence, sequence].map(String).filter(Boolean).join(',')
        },
      })
      return owned(stop)
    },

    figures() {
      const { messages, bytes, oldestMs, stalledMs } = tapeOutbox.backlog()
      return {
        backlogMessages: messages,
        backlogBytes: bytes,
        backlogAgeMs: oldestMs,
        stalledMs: Math.max(stalledMs, liveOutbox.stalledMs()),
        unreadMs: broadcast.slowestUnreadMs(),
        dropped: liveOutbox.dropped,
        producersReplaced: tapeProducers.replaced + liveProducers.replaced,
        inboxTaken: broadcast.inbox.taken,
        inboxIgnored: broadcast.inbox.ignored,
        ...read,
      }
    },

    async close(): Promise<void> {
      await Promise.all([...stops].map((stop) => stop()))
      await Promise.all([tapeOutbox.flush(), liveOutbox.flush()])
      await Promise.all([tapeProducers.close(), liveProducers.close(), admin.disconnect()])
    },
  }
}
