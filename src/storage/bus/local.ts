// The bus inside one process: synchronous fan-out for broadcast topics, a bounded queue per consumer for shared ones.
import type { TopicName, TopicValues } from '#schemas/topics'
import type { Bus, BusFigures, SharedTopic, Stop, TopicBatch } from './bus.ts'

/** `ready()` waits while a consumer is further behind than this many messages; nothing is dropped. */
export const localQueueMax = 20_000
/** Beyond this the queue rejects messages: a producer that ignores `ready()` is a bug, and memory stays bounded. */
const localQueueHardMax = localQueueMax * 10

interface Consumer {
  queue: unknown[]
  running: boolean
  stopped: boolean
  idle: Promise<void>
  handle: (batch: { token: string; values: never[]; fenced: never[]; owned(): boolean }) => Promise<void>
}

/** No message is in flight. */
const noFigures: Readonly<BusFigures> = {
  ...{ backlogMessages: 0, backlogBytes: 0, backlogAgeMs: 0, stalledMs: 0, unreadMs: 0 },
  ...{ dropped: 0, producersReplaced: 0, repeated: 0, missing: 0, inboxTaken: 0, inboxIgnored: 0 },
}

export interface LocalBusOptions {
  /** A subscriber that throws is a bug; it must not starve the others. */
  onError(error: unknown, topic: TopicName): void
}

export function createLocalBus({ onError }: LocalBusOptions): Bus {
  const handlers = new Map<TopicName, Set<(value: never) => void>>()
  const consumers = new Map<TopicName, Set<Consumer>>()
  let waiting: (() => void)[] = []
  let tokens = 0
  let closed = false

  const longestQueue = (): number => {
    let longest = 0
    for (const group of consumers.values())
      for (const consumer of group) longest = Math.max(longest, consumer.queue.length)
    return longest
  }

  const releaseWaiting = (): void => {
    if (waiting.length === 0 || longestQueue() >= localQueueMax) return
    const released = waiting
    waiting = []
    for (const release of released) release()
  }

  async function drain(consumer: Consumer, topic: TopicName): Promise<void> {
    // One event loop turn later, so that everything a tick publishes arrives as one batch.
    await Promise.resolve()
    while (consumer.queue.length > 0) {
      const values = consumer.queue.splice(0)
      releaseWaiting()
      try {
        await consumer.handle({
          token: `local:${topic}:${tokens++}`,
          values: values as never[],
          fenced: [],
          owned: () => true,
        })
      } catch (error) {
        onError(error, topic)
      }
    }
    consumer.running = false
  }

  return {
    publish<T extends TopicName>(topic: T, _key: string, value: TopicValues[T]): void {
      if (closed) return
      const subscribed = handlers.get(topic)
      if (subscribed !== undefined) {
        for (const handle of subscribed) {
          try {
            handle(value as never)
          } catch (error) {
            onError(error, topic)
          }
        }
      }
      const group = consumers.get(topic)
      if (group === undefined) return
      for (const consumer of group) {
        if (consumer.queue.length >= localQueueHardMax) {
          onError(new Error(`${topic}: a producer ignores ready(); message refused`), topic)
          continue
        }
        consumer.queue.push(value)
        if (!consumer.running) {
          consumer.running = true
          consumer.idle = drain(consumer, topic)
        }
      }
    },

    ready(): Promise<void> {
      if (closed || longestQueue() < localQueueMax) return Promise.resolve()
      return new Promise((resolve) => waiting.push(resolve))
    },

    deliversOnDemand: false,

    // One process has one owner, and a successor starts where the last batch ended.
    fence: () => Promise.resolve(),

    async subscribe(topic, handle): Promise<Stop> {
      const set = handlers.get(topic) ?? new Set()
      handlers.set(topic, set)
      set.add(handle as (value: never) => void)
      return async () => {
        set.delete(handle as (value: never) => void)
      }
    },

    unreadMs: () => 0,

    undeliveredMs: () => 0,

    interruptions: () => 0,

    figures: () => ({ ...noFigures }),

    async consume<T extends SharedTopic>(
      topic: T,
      _group: string,
      handle: (batch: TopicBatch<T>) => Promise<void>,
    ): Promise<Stop> {
      const consumer: Consumer = {
        queue: [],
        running: false,
        stopped: false,
        idle: Promise.resolve(),
        handle: handle as Consumer['handle'],
      }
      const set = consumers.get(topic) ?? new Set()
      consumers.set(topic, set)
      set.add(consumer)
      return async () => {
        if (consumer.stopped) return
        consumer.stopped = true
        await consumer.idle
        set.delete(consumer)
        releaseWaiting()
      }
    },

    async close(): Promise<void> {
      closed = true
      for (const group of consumers.values()) for (const consumer of group) await consumer.idle
      for (const release of waiting) release()
      waiting = []
    },
  }
}
