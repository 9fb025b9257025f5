// Messages that must all arrive, in order per partition. Every partition has its own line and one send in flight: kafkajs resolves a send to several
// partitions although some of them, whose leader changed meanwhile, were never sent, and loses count of what others received.
//
//   queued ─► sent ─► acknowledged: topic, partition and a later offset than before ─► done
//               └─ anything else ─► the same messages again, after a pause; when brokers refuse the producer, by a new one
import type { Message, RecordMetadata } from 'kafkajs'
import { backoffMs } from '#core/backoff'
import type { Clock, Timer } from '#core/clock'
import type { Log } from '#core/log'
import { bytesOf, chunk, isTooLarge, sendMax } from './chunking.ts'
import { type Compression, compressionFor } from './compression.ts'
import { LateError, type Producers, UnacknowledgedError } from './producers.ts'
import { numberHeaders } from './sequence.ts'

/** Messages that may wait before `ready()` makes producers wait. */
export const outboxReadyMax = 10_000
const retry = { baseMs: 100, capMs: 2_000 }
/** How long the leader waits for its followers; the send is retried after that. */
const followersMs = 4_000
/**
 * The library waits up to a minute for sends to the same broker that hang. Such a send is given up, and its producer as well: it could
 * still send, so its messages may only be repeated by a new producer. Two attempts of the library, of 5 s each, fit into this time.
 */
const answerWithinMs = 11_000

interface Queued {
  message: Message
  bytes: number
  /** On the monotonic clock. */
  pushedAt: number
  acked: (() => void) | undefined
}

interface Line {
  topic: string
  partition: number
  queue: Queued[]
  /** Number of the last message pushed. */
  number: number
  sending: Promise<void> | null
  /** Of the newest acknowledged send; null: none by this producer. */
  lastOffset: bigint | null
  /** When a send was last acknowledged, on the monotonic clock. */
  progressAt: number
  /** Since when sends have failed. */
  failingSince: number | null
  /** Messages of the next send: fewer after one that was too large. */
  countMax: number
}

export interface Backlog {
  messages: number
  bytes: number
  /** Age of the oldest. */
  oldestMs: number
  /** How long a partition has acknowledged nothing although something waits for it. */
  stalledMs: number
}

export interface LosslessOutboxOptions {
  producers: Pick<Producers, 'current' | 'failed'>
  /** Unique per process and run, without a colon. */
  sender: string
  partitionFor(topic: string, message: Message): number
  /** How long a message may wait for others. Default: not at all. */
  lingerMs?: number
  /** Default: none. */
  compression?: Compression | undefined
  clock: Clock
  log: Log
  random?: () => number
}

/** None is dropped, except a message larger than the broker's limit: it would block all others forever. */
export class LosslessOutbox {
  private readonly lines = new Map<string, Line>()
  private waiting: (() => void)[] = []
  private messages = 0
  private bytes = 0
  private readonly options: LosslessOutboxOptions

  constructor(options: LosslessOutboxOptions) {
    this.options = options
  }

  push(topic: string, message: Message, acked?: () => void): void {
    const { sender, clock } = this.options
    const partition = this.options.partitionFor(topic, message)
    const line = this.line(topic, partition)
    const numbered = { ...message, partition, headers: { ...message.headers, ...numberHeaders(sender, ++line.number) } }
    const bytes = bytesOf(message)
    line.queue.push({ message: numbered, bytes, pushedAt: clock.monotonic(), acked })
    this.messages++
    this.bytes += bytes
    line.sending ??= this.run(line).finally(() => {
      line.sending = null
    })
  }

  /** Resolves when this message, and so everything before it in its partition, is acknowledged. */
  pushed(topic: string, message: Message): Promise<void> {
    return new Promise((resolve) => {
      this.push(topic, message, resolve)
    })
  }

  ready(): Promise<void> {
    return this.messages < outboxReadyMax ? Promise.resolve() : new Promise((resolve) => this.waiting.push(resolve))
  }

  /** Resolves when everything pushed is acknowledged. */
  async flush(): Promise<void> {
    while (this.messages > 0) await Promise.all([...this.lines.values()].map(({ sending }) => sending))
  }

  backlog(): Backlog {
    const now = this.options.clock.monotonic()
    let oldestMs = 0
    let stalledMs = 0
    for (const { queue, progressAt } of this.lines.values()) {
      const [oldest] = queue
      if (oldest === undefined) continue
      oldestMs = Math.max(oldestMs, now - oldest.pushedAt)
      stalledMs = Math.max(stalledMs, now - Math.max(oldest.pushedAt, progressAt))
    }
    return { messages: this.messages, bytes: this.bytes, oldestMs, stalledMs }
  }

  private line(topic: string, partition: number): Line {
    const key = `${topic}|${partition}`
    const known = this.lines.get(key)
    if (known !== undefined) return known
    const line: Line = {
      ...{ topic, partition, queue: [], number: 0, sending: null },
      ...{ lastOffset: null, progressAt: Number.NEGATIVE_INFINITY, failingSince: null, countMax: sendMax },
    }
    this.lines.set(key, line)
    return line
  }

  private async run(line: Line): Promise<void> {
    await Promise.resolve()
    let batch: readonly Queued[] = []
    for (let failures = 0; line.queue.length > 0; ) {
      // A failed batch is resent unchanged: the broker recognizes a repeat by its first sequence number and its length.
      if (batch.length === 0) {
        if (line.queue.length < line.countMax) await this.linger()
        batch = chunk(line.queue, line.countMax)
      }
      try {
        await this.send(line, batch)
        this.done(line, batch)
        line.countMax = Math.min(sendMax, line.countMax * 2)
        batch = []
        failures = 0
      } catch (error) {
        if (isTooLarge(error)) {
          this.shrink(line, batch, error)
          batch = []
          continue
        }
        this.note(line, error, failures)
        await this.pause(failures++)
      }
    }
  }

  /** Lets a batch grow: a request costs this process and the broker about the same, however little it carries. */
  private async linger(): Promise<void> {
    const { clock, lingerMs = 0 } = this.options
    if (lingerMs > 0) await new Promise<void>((resolve) => clock.after(lingerMs, resolve))
  }

  private async send(line: Line, batch: readonly Queued[]): Promise<void> {
    const { producers, clock } = this.options
    const { topic } = line
    const producer = await producers.current()
    try {
      const messages = batch.map(({ message }) => message)
      const compression = compressionFor(
        this.options.compression ?? 'none',
        batch.reduce((sum, { bytes }) => sum + bytes, 0),
      )
      const topicMessages = [{ topic, messages }]
      const sent = producer.sendBatch({ acks: -1, timeout: followersMs, compression, topicMessages })
      const answer = await within(sent, answerWithinMs, clock)
      line.lastOffset = acknowledgedOffset(answer, line)
      line.progressAt = clock.monotonic()
      line.failingSince = null
    } catch (error) {
      line.failingSince ??= clock.monotonic()
      // Offsets may begin again with a new topic: known offsets count for one producer only.
      if (error instanceof UnacknowledgedError) line.lastOffset = null
      if (!isTooLarge(error)) producers.failed(producer, error, line.failingSince)
      throw error
    }
  }

  private done(line: Line, batch: readonly Queued[]): void {
    for (const { bytes, acked } of line.queue.splice(0, batch.length)) {
      this.messages--
      this.bytes -= bytes
      acked?.()
    }
    if (this.messages < outboxReadyMax) for (const release of this.waiting.splice(0)) release()
  }

  /** Retries with half as many; a single message that is too large will never be accepted. */
  private shrink(line: Line, batch: readonly Queued[], error: unknown): void {
    if (batch.length > 1) {
      line.countMax = Math.ceil(batch.length / 2)
      return
    }
    const [{ bytes }] = batch as [Queued]
    this.options.log.error({ err: error, topic: line.topic, bytes }, 'message exceeds the size limit of kafka; dropped')
    this.done(line, batch)
  }

  private note({ topic, partition, queue }: Line, error: unknown, failures: number): void {
    const details = { err: error, topic, partition, waiting: queue.length, failures: failures + 1 }
    // A broker that restarts is an ordinary event.
    if (failures < 3) this.options.log.debug(details, 'kafka did not accept messages; retrying')
    else this.options.log.error(details, 'kafka does not accept messages; still trying')
  }

  private pause(failures: number): Promise<void> {
    const { clock, random = Math.random } = this.options
    return new Promise((resolve) => clock.after(backoffMs(failures, retry, random), resolve))
  }
}

/** Rejects when `work` takes longer; it may still end some time. */
async function within<T>(work: Promise<T>, limitMs: number, clock: Clock): Promise<T> {
  let timer: Timer | undefined
  const late = new Promise<never>((_, reject) => {
    timer = clock.after(limitMs, () => reject(new LateError(`no answer within ${limitMs} ms`)))
  })
  try {
    return await Promise.race([work, late])
  } finally {
    timer?.cancel()
  }
}

/** Throws if the answer does not acknowledge what was sent to the partition. */
function acknowledgedOffset(answer: readonly RecordMetadata[], { topic, partition, lastOffset }: Line): bigint | null {
  const own = answer.find((entry) => entry.topicName === topic && entry.partition === partition)
  if (own === undefined || own.errorCode !== 0)
    throw new UnacknowledgedError(`the answer does not acknowledge ${topic} ${partition}`)
  if (own.baseOffset === undefined) return lastOffset
  const offset = BigInt(own.baseOffset)
  if (lastOffset !== null && offset <= lastOffset)
    throw new UnacknowledgedError(`offset ${offset} of ${topic} ${partition} was acknowledged before`)
  return offset
}
