// Messages waiting to be produced. One send is in flight at a time; messages that accumulate meanwhile go out together.
import type { KafkaJSError, Message, Producer } from 'kafkajs'
import type { Clock } from '#lib/clock'
import type { Log } from '#lib/log'
import { bytesOf, isTooLarge, portion, sendMax } from './portions.ts'
import { waitedHeaders } from './waited.ts'

/** Lossless messages that may wait before `ready()` makes producers wait. */
export const outboxReadyMax = 10_000
/** Conflated keys that may wait; beyond it the oldest key is dropped and counted. */
const conflatedKeysMax = 50_000
/** After a failed send. */
const againMs = 1_000

interface Queued {
  topic: string
  message: Message
  acked?: () => void
}

interface Live extends Queued {
  key: string
  /** When it was published, on the monotonic clock. */
  saidAt: number
}

/**
 * Every message in order, none dropped: the tape and coverage. The idempotent producer retries a failed send; it is never re-enqueued. Only a message
 * larger than the broker's limit is dropped: it would block all others forever.
 */
export class LosslessOutbox {
  private queue: Queued[] = []
  private waiting: (() => void)[] = []
  private sending: Promise<void> = Promise.resolve()
  private active = false
  private readonly producer: Producer
  private readonly clock: Clock
  private readonly log: Log

  constructor(producer: Producer, clock: Clock, log: Log) {
    this.producer = producer
    this.clock = clock
    this.log = log
  }

  push(topic: string, message: Message, acked?: () => void): void {
    this.queue.push(acked === undefined ? { topic, message } : { topic, message, acked })
    if (this.active) return
    this.active = true
    this.sending = this.run()
  }

  /** Resolves when this message, and so everything before it, is acknowledged. */
  pushed(topic: string, message: Message): Promise<void> {
    return new Promise((resolve) => {
      this.push(topic, message, resolve)
    })
  }

  ready(): Promise<void> {
    return this.queue.length < outboxReadyMax ? Promise.resolve() : new Promise((resolve) => this.waiting.push(resolve))
  }

  /** Resolves when everything pushed is acknowledged. */
  async flush(): Promise<void> {
    await this.sending
  }

  private async run(): Promise<void> {
    await Promise.resolve()
    let batch: readonly Queued[] = []
    while (this.queue.length > 0) {
      // A failed batch is resent unchanged: the broker recognizes a repeat by its first sequence number and its length.
      if (batch.length === 0) batch = portion(this.queue)
      try {
        await this.producer.sendBatch({ acks: -1, topicMessages: byTopic(batch) })
        this.done(batch)
        batch = []
      } catch (error) {
        if (batch.length === 1 && isTooLarge(error)) {
          const [{ topic, message }] = batch as [Queued]
          this.log.error({ err: error, topic, bytes: bytesOf(message) }, 'kafka takes no message so large: it is lost')
          this.done(batch)
          batch = []
          continue
        }
        // kafkajs retries with the same sequence numbers for minutes; reaching this line means the cluster is gone. The batch stays first.
        this.log.error({ err: error, waiting: this.queue.length }, 'kafka refuses the tape; still trying')
        await pause(this.clock)
      }
      if (this.queue.length < outboxReadyMax) for (const release of this.waiting.splice(0)) release()
    }
    this.active = false
  }

  private done(batch: readonly Queued[]): void {
    for (const { acked } of this.queue.splice(0, batch.length)) acked?.()
  }
}

/**
 * The newest message per key wins while a send is in flight: books, health, demand. A message that could not be sent is resent unless a newer
 * one replaced it: a quiet book has no next one, and heartbeats would vouch for stale data instead. It carries how long it waited, and
 * readers take that into account. Others (trades) queue up to the same bound, and may arrive twice.
 */
export class ConflatingOutbox {
  private pending = new Map<string, Live>()
  private sending: Promise<void> = Promise.resolve()
  private active = false
  private unique = 0
  /** Messages of the next send: fewer after one that was too large. */
  private countMax = sendMax
  dropped = 0
  private readonly producer: Pick<Producer, 'sendBatch'>
  private readonly clock: Clock
  private readonly log: Log

  constructor(producer: Pick<Producer, 'sendBatch'>, clock: Clock, log: Log) {
    this.producer = producer
    this.clock = clock
    this.log = log
  }

  push(topic: string, message: Message, conflateKey: string | null): void {
    const key = conflateKey ?? `${onceMark}${this.unique++}`
    this.pending.delete(key)
    this.pending.set(key, { key, topic, message, saidAt: this.clock.monotonic() })
    this.bound()
    if (this.active) return
    this.active = true
    this.sending = this.run()
  }

  async flush(): Promise<void> {
    await this.sending
  }

  private async run(): Promise<void> {
    await Promise.resolve()
    while (this.pending.size > 0) {
      const batch = this.take()
      try {
        await this.producer.sendBatch({ acks: 1, topicMessages: byTopic(this.aged(batch)) })
        this.countMax = Math.min(sendMax, this.countMax * 2)
      } catch (error) {
        if (isTooLarge(error)) {
          this.shrink(batch, error)
          continue
        }
        this.log.warn(
          { err: error, messages: batch.length },
          'kafka refused live messages; the newest of each key go again',
        )
        this.putBack(batch, isRefusal(error))
        await pause(this.clock)
      }
    }
    this.active = false
  }

  /** The first that wait, as many as one send takes: newer messages of their keys go in another. */
  private take(): Live[] {
    const batch = portion(this.pending.values(), this.countMax)
    for (const { key } of batch) this.pending.delete(key)
    return batch
  }

  /** Retries with half as many; a single message that is too large will never be accepted. */
  private shrink(batch: readonly Live[], error: unknown): void {
    if (batch.length > 1) {
      this.countMax = Math.ceil(batch.length / 2)
      this.putBack(batch, false)
      return
    }
    const [{ topic, message }] = batch as [Live]
    this.log.error({ err: error, topic, bytes: bytesOf(message) }, 'kafka takes no message so large: it is dropped')
    this.dropped++
  }

  private aged(batch: readonly Live[]): Queued[] {
    const now = this.clock.monotonic()
    return batch.map(({ topic, message, saidAt }) => ({
      topic,
      message: { ...message, ...waitedHeaders(now - saidAt) },
    }))
  }

  private putBack(batch: readonly Live[], isRefused: boolean): void {
    const newer = this.pending
    this.pending = new Map()
    for (const queued of batch) {
      if (isRefused && queued.key.startsWith(onceMark)) this.dropped++
      else if (!newer.has(queued.key)) this.pending.set(queued.key, queued)
    }
    for (const [key, queued] of newer) this.pending.set(key, queued)
    this.bound()
  }

  private bound(): void {
    for (const oldest of this.pending.keys()) {
      if (this.pending.size <= conflatedKeysMax) return
      this.pending.delete(oldest)
      this.dropped++
    }
  }
}

/** Prefix of the keys of messages that are not conflated. */
const onceMark = '#'

/** The brokers rejected it as invalid, and would again. Otherwise they were unavailable, or no longer leaders. */
const isRefusal = (error: unknown): boolean => {
  const { name, retriable } = error as Partial<KafkaJSError>
  return retriable === false && name !== 'KafkaJSNumberOfRetriesExceeded'
}

const pause = (clock: Clock): Promise<void> => new Promise((resolve) => clock.after(againMs, resolve))

function byTopic(batch: readonly Queued[]): { topic: string; messages: Message[] }[] {
  const topics = new Map<string, Message[]>()
  for (const { topic, message } of batch) {
    const messages = topics.get(topic)
    if (messages === undefined) topics.set(topic, [message])
    else messages.push(message)
  }
  return [...topics].map(([topic, messages]) => ({ topic, messages }))
}
