// The port between roles. Two implementations: `local` (one process, synchronous, bounded) and `kafka`.
import type { TopicName, TopicValues } from '#schemas/topics'

/** Closes what it came with; calling it twice is harmless. */
export type Stop = () => Promise<void>

export interface Bus {
  /**
   * Hands a message over without waiting. Local: subscribers run before this returns. Kafka: queued in a bounded batch;
   * broadcast topics drop the oldest for the same key when full (the newest book wins), shared topics never drop: see `ready`.
   */
  publish<T extends TopicName>(topic: T, key: string, value: TopicValues[T]): void
  /** Resolves when the bus takes more `tape`; a producer awaits it between batches, never per message. */
  ready(): Promise<void>
  /**
   * Once it resolves, all `tape` this process published before is safe, and no batch of the venue under a lower epoch is handed to a
   * consumer any more, whoever sends it.
   */
  fence(venue: string, epoch: number): Promise<void>
  /**
   * Broadcast topics only: every subscriber sees every message from now on. `lateMs`: how much longer than usual it took, which is long
   * for what waited while this process slept; absent where nothing waits.
   */
  subscribe<T extends BroadcastTopic>(topic: T, handle: (value: TopicValues[T], lateMs?: number) => void): Promise<Stop>
  /**
   * What was said into this topic longer ago than this has been told to its subscribers here: whoever trusts what it holds by another sign
   * of life asks this, too. Infinite where nobody subscribed. Local: 0, nothing is ever on its way.
   */
  unreadMs(topic: BroadcastTopic): number
  /**
   * Shared topics: batches of whole messages, in order per key. The batch counts as delivered only when `handle` resolves;
   * on a crash before that it is delivered again with the same `token`. Local has no crash, hence no repeat.
   */
  consume<T extends SharedTopic>(
    topic: T,
    group: string,
    handle: (batch: TopicBatch<T>) => Promise<void>,
  ): Promise<Stop>
  /** Flushes what was published, then closes. */
  close(): Promise<void>
}

export type BroadcastTopic = Exclude<TopicName, SharedTopic>
export type SharedTopic = 'tape' | 'coverage' | 'withdrawals' | 'walletTrades' | 'arbitrageRecords'

export interface TopicBatch<T extends SharedTopic> {
  /** Equal for equal content: topic, partition and offset range. The sink deduplicates by it. */
  token: string
  values: TopicValues[T][]
  /** Another consumer began with it before, and may have written it; absent: none did. */
  repeated?: boolean
  /** False once another consumer may have been given the batch: what is not written yet is not to be written here any more. */
  owned(): boolean
  /** Said by a former owner behind its successor: not to be kept, only counted. */
  fenced: TopicValues[T][]
}
