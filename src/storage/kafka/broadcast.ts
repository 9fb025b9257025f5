// Reads a broadcast topic, or this process's inbox of one: one consumer per process and topic, however many parts of the process subscribe. Two
// consumers of one group would split the partitions and each miss half; two groups would fetch and decode everything twice.
import type { Admin, Kafka } from 'kafkajs'
import type { Clock } from '#core/clock'
import { LagEstimator } from '#core/clockSkew'
import type { Log } from '#core/log'
import { retryAtStartup } from '#core/retryAtStartup'
import { type TopicName, type TopicValues, topics } from '#schemas/topics'
import type { BroadcastTopic } from '../bus/bus.ts'
import { decodeValue } from './codec.ts'
import { Heartbeat, pulseMs } from './heartbeat.ts'
import { inboxGroup, onlyPartition } from './inbox.ts'
import { kafkaAtStartup } from './outages.ts'
import { queueDelayOf } from './queueDelay.ts'
import { keepRunning } from './superviseConsumer.ts'

/** After a broker outage shorter than this the reader keeps its group membership. */
const sessionTimeoutMs = 15_000
/** How long a broker keeps an empty answer; it answers at once when something arrives. */
const maxWaitMs = 500

interface Reading {
  handlers: Set<(value: never, lateMs: number) => void>
  /** Null until everything published is being delivered. */
  pulse: Heartbeat | null
  open: Promise<() => Promise<void>>
}

export interface BroadcastOptions {
  kafka: Pick<Kafka, 'consumer'>
  admin: Pick<Admin, 'fetchTopicMetadata' | 'deleteGroups'>
  /** Unique per process. */
  clientId: string
  /** The partition of inbox topics that is read here. */
  inbox(): Promise<number>
  /** Whether this process wants a message of its inbox. */
  isWanted(key: string): boolean
  /** An empty message keyed by a lease arrived in the inbox: books of its owner use the same route. */
  onHeartbeat(lease: string, lateMs: number): void
  /** Sends an empty message, which is not delivered to subscribers. */
  sendPulse(topic: TopicName, partition: number): void
  clock: Clock
  log: Log
}

export class BroadcastReader {
  private readonly readings = new Map<TopicName, Reading>()
  private readonly options: BroadcastOptions
  /** Messages of inbox topics since the start. */
  readonly inbox = { taken: 0, ignored: 0 }
  private opened = 0
  /** Shared by all topics: their timestamps are the broker's. */
  private readonly lateness = new LagEstimator()

  constructor(options: BroadcastOptions) {
    this.options = options
  }

  /** Resolves when everything published from now on is delivered; the returned function unsubscribes. */
  async subscribe<T extends BroadcastTopic>(
    topic: T,
    handle: (value: TopicValues[T], lateMs: number) => void,
  ): Promise<() => Promise<void>> {
    let reading = this.readings.get(topic)
    if (reading === undefined) {
      const begun: Omit<Reading, 'open'> = { handlers: new Set(), pulse: null }
      reading = Object.assign(begun, { open: this.open(topic, begun) })
      this.readings.set(topic, reading)
    }
    const { handlers, open } = reading
    // Wrapped, so that a handler subscribed twice is called twice.
    const own = (value: never, lateMs: number): void => handle(value, lateMs)
    handlers.add(own)
    await open
    return async () => {
      handlers.delete(own)
      if (handlers.size > 0 || this.readings.get(topic) !== reading) return
      this.readings.delete(topic)
      await (await open)()
    }
  }

  /** How long ago the last read message was sent, in the slowest partition; infinite without a reader. */
  unreadMs(topic: BroadcastTopic): number {
    return this.readings.get(topic)?.pulse?.unreadMs() ?? Number.POSITIVE_INFINITY
  }

  /** The same for the slowest topic that is read; 0 without a reader. */
  slowestUnreadMs(): number {
    return Math.max(0, ...[...this.readings.values()].map(({ pulse }) => pulse?.unreadMs() ?? 0))
  }

  private async open(topic: BroadcastTopic, reading: Omit<Reading, 'open'>): Promise<() => Promise<void>> {
    const { admin, clientId, clock, log, sendPulse } = this.options
    const name = `${clientId}-${topic}-${this.opened++}`
    const inbox = topics[topic].delivery === 'inbox' ? await this.options.inbox() : null
    const groupId = inbox === null ? name : inboxGroup(name, inbox)
    const partitions = inbox === null ? await this.partitionsOf(topic) : [inbox]
    const first = await this.read(topic, groupId, inbox, reading)
    await first.fetched
    let { stop } = first
    const pulse = new Heartbeat(partitions, clock)
    reading.pulse = pulse
    let stopped = false

    /**
     * In the same group, so that reading continues from what was committed. A hung consumer may hang when leaving, too, and is not
     * awaited.
     */
    const restart = async (): Promise<void> => {
      log.warn({ topic, unreadMs: Math.round(pulse.unreadMs()) }, 'a topic is no longer read; restarting its reader')
      stop().catch((error: unknown) => log.debug({ err: error, topic }, 'failed to stop a hung reader'))
      stop = () => Promise.resolve()
      const again = await this.read(topic, groupId, inbox, reading)
      if (stopped) await again.stop()
      else stop = again.stop
    }
    let beginning = false
    const beat = clock.every(pulseMs, () => {
      for (const partition of pulse.partitions) sendPulse(topic, partition)
      if (beginning || !pulse.restartDue()) return
      beginning = true
      restart()
        .catch((error: unknown) => log.warn({ err: error, topic }, 'failed to restart a reader; retrying'))
        .finally(() => {
          beginning = false
        })
    })
    return async () => {
      stopped = true
      beat.cancel()
      await stop()
      // The group had this process as its only member: delete it from the broker.
      await admin
        .deleteGroups([groupId])
        .catch((error: unknown) => log.debug({ err: error }, 'failed to delete the consumer group'))
    }
  }

  private async partitionsOf(topic: BroadcastTopic): Promise<number[]> {
    const { admin, clock, log } = this.options
    const describe = () => admin.fetchTopicMetadata({ topics: [topics[topic].name] })
    const described = await retryAtStartup(kafkaAtStartup, describe, { clock, log })
    return described.topics[0]!.partitions.map(({ partitionId }) => partitionId)
  }

  /** `inbox`: the one partition to read; null: all. */
  private async read(
    topic: BroadcastTopic,
    groupId: string,
    inbox: number | null,
    reading: Omit<Reading, 'open'>,
  ): Promise<{ stop(): Promise<void>; fetched: Promise<void> }> {
    const { kafka, clock, log, isWanted, onHeartbeat } = this.options
    const consumer = kafka.consumer({
      groupId,
      ...(inbox !== null && { partitionAssigners: [onlyPartition(inbox)] }),
      maxWaitTimeInMs: maxWaitMs,
      sessionTimeout: sessionTimeoutMs,
      // A reader that starts again waits for the one before it no longer than that one's session.
      rebalanceTimeout: sessionTimeoutMs,
    })
    await retryAtStartup(
      kafkaAtStartup,
      async () => {
        await consumer.connect()
        await consumer.subscribe({ topic: topics[topic].name, fromBeginning: false })
      },
      { clock, log },
    )
    // The "latest" offset is resolved at the first fetch, after the group was joined: messages published in between would be
    // skipped.
    const fetched = new Promise<void>((resolve) => {
      const off = consumer.on(consumer.events.FETCH, () => {
        off()
        resolve()
      })
    })
    const attempt = (work: () => void): void => {
      try {
        work()
      } catch (error) {
        log.error({ err: error, topic }, 'a bus message could not be handled')
      }
    }
    const deliver = (bytes: Buffer, lateMs: number): void =>
      attempt(() => {
        const value = decodeValue(topic, bytes) as never
        for (const handle of reading.handlers) attempt(() => handle(value, lateMs))
      })
    const run = (): Promise<void> =>
      consumer.run({
        partitionsConsumedConcurrently: 1,
        eachBatch: async ({ batch, resolveOffset }) => {
          for (const message of batch.messages) {
            const readMs = this.lateness.of(Number(message.timestamp), clock.monotonic())
            const lateMs = readMs + queueDelayOf(message.headers)
            if (message.value !== null) {
              const isOurs = inbox === null || isWanted(String(message.key))
              if (isOurs) deliver(message.value, lateMs)
              if (inbox !== null) this.inbox[isOurs ? 'taken' : 'ignored']++
            } else if (message.key !== null) onHeartbeat(String(message.key), lateMs)
            reading.pulse?.read(batch.partition, lateMs)
            resolveOffset(message.offset)
          }
        },
      })
    const stop = await keepRunning({ consumer, run, clock, log })
    return { stop, fetched }
  }
}
