// Live messages waiting to be produced. One send is in flight at a time; messages that accumulate meanwhile go out together.
import type { KafkaJSError, Message } from 'kafkajs'
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import { topics } from '#schemas/topics'
import { bytesOf, chunk, isTooLarge, sendMax } from './chunking.ts'
import { type Compression, compressionFor } from './compression.ts'
import type { Producers, SendingProducer } from './producers.ts'
import { queueDelayHeaders } from './queueDelay.ts'

/** Conflated keys that may wait; beyond it the oldest key is dropped and counted. */
const conflatedKeysMax = 50_000
/** After a failed send. */
const againMs = 1_000

interface Queued {
  topic: string
  message: Message
}

interface Live extends Queued {
  key: string
  /** When it was published, on the monotonic clock. */
  publishedAt: number
}

/**
 * The newest message per key wins while a send is in flight: books, health, demand. A message that could not be sent is resent unless a
 * newer one replaced it: a quiet book has no next update, and later heartbeats would make readers trust stale data. The message carries how
 * long it waited, and readers take that into account. Others (trades) queue up to the same bound, and may arrive twice.
 */
export class ConflatingOutbox {
  private pending = new Map<string, Live>()
  private sending: Promise<void> = Promise.resolve()
  private active = false
  private unique = 0
  /** Messages of the next send: fewer after one that was too large. */
  private countMax = sendMax
  dropped = 0
  /** How often sends failed for a while and then succeeded again. */
  interruptions = 0
  /** When a send was last acknowledged, or the first of those that wait was published; on the monotonic clock. */
  private progressAt = 0
  private failingSince: number | null = null
  private readonly producers: Pick<Producers, 'current' | 'failed'>
  private readonly clock: Clock
  private readonly log: Log
  private readonly compression: Compression

  constructor(
    producers: Pick<Producers, 'current' | 'failed'>,
    clock: Clock,
    log: Log,
    compression: Compression = 'none',
  ) {
    this.producers = producers
    this.compression = compression
    this.clock = clock
    this.log = log
  }

  push(topic: string, message: Message, conflateKey: string | null): void {
    const key = conflateKey ?? `${onceMark}${this.unique++}`
    const publishedAt = this.clock.monotonic()
    const waiting = this.pending.get(key)
    // The key keeps its position, or a key that changes often would never be sent from a long queue. A heartbeat also keeps its time: it
    // confirms only what was published before it.
    if (waiting === undefined) this.pending.set(key, { key, topic, message, publishedAt })
    else if (message.value !== null) Object.assign(waiting, { message, publishedAt })
    this.bound()
    if (this.active) return
    this.active = true
    this.progressAt = this.clock.monotonic()
    this.sending = this.run()
  }

  /** How long nothing was acknowledged although something waits. */
  stalledMs(): number {
    return this.active ? this.clock.monotonic() - this.progressAt : 0
  }

  async flush(): Promise<void> {
    await this.sending
  }

  private async run(): Promise<void> {
    await Promise.resolve()
    while (this.pending.size > 0) {
      const batch = this.take()
      try {
        await this.send(batch)
        this.countMax = Math.min(sendMax, this.countMax * 2)
      } catch (error) {
        if (isTooLarge(error)) {
          this.shrink(batch, error)
          continue
        }
        this.log.warn(
          { err: error, messages: batch.length },
          'kafka refused live messages; the newest of each key is sent again',
        )
        this.putBack(batch, isRefusal(error))
        await pause(this.clock)
      }
    }
    this.active = false
  }

  private async send(batch: readonly Live[]): Promise<void> {
    let producer: SendingProducer | undefined
    try {
      producer = await this.producers.current()
      const topicMessages = byTopic(this.aged(batch))
      const compression = compressionFor(this.compression, bytesPerPartition(topicMessages))
      await producer.sendBatch({ acks: 1, compression, topicMessages })
      this.progressAt = this.clock.monotonic()
      if (this.failingSince !== null) this.interruptions++
      this.failingSince = null
    } catch (error) {
      if (isTooLarge(error)) throw error
      this.failingSince ??= this.clock.monotonic()
      if (producer !== undefined) this.producers.failed(producer, error, this.failingSince)
      throw error
    }
  }

  /** The first that wait, as many as one send takes: newer messages of their keys go in another. */
  private take(): Live[] {
    const batch = chunk(this.pending.values(), this.countMax)
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
    this.log.error({ err: error, topic, bytes: bytesOf(message) }, 'message exceeds the size limit of kafka; dropped')
    this.dropped++
  }

  private aged(batch: readonly Live[]): Queued[] {
    const now = this.clock.monotonic()
    return batch.map(({ topic, message, publishedAt }) => ({
      topic,
      message: { ...message, ...queueDelayHeaders(now - publishedAt) },
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

const partitionsOf = new Map<string, number>(Object.values(topics).map(({ name, partitions }) => [name, partitions]))

/** About: which messages go to which partition is not known yet, unless they name it. */
function bytesPerPartition(topicMessages: readonly { topic: string; messages: readonly Message[] }[]): number {
  let bytes = 0
  let batches = 0
  for (const { topic, messages } of topicMessages) {
    const chosen = new Set<number>()
    let others = 0
    for (const message of messages) {
      bytes += bytesOf(message)
      if (message.partition === undefined) others++
      else chosen.add(message.partition)
    }
    batches += Math.min(chosen.size + others, partitionsOf.get(topic) ?? 1)
  }
  return batches === 0 ? 0 : bytes / batches
}

function byTopic(batch: readonly Queued[]): { topic: string; messages: Message[] }[] {
  const sorted = new Map<string, Message[]>()
  for (const { topic, message } of batch) {
    const messages = sorted.get(topic)
    if (messages === undefined) sorted.set(topic, [message])
    else messages.push(message)
  }
  return [...sorted].map(([topic, messages]) => ({ topic, messages }))
}
