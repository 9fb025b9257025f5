// The port between roles. Two implementations: `local` (one process, synchronous, bounded) and `kafka`.
import type { Sender } from '#core/ownerEpochs'
import type { TopicName, TopicValues } from '#schemas/topics'

/** Closes what it was returned with; idempotent. */
export type Stop = () => Promise<void>

export interface Bus {
  /**
   * Publishes a message without waiting. Local: subscribers run before this returns. Kafka: queued in a bounded batch;
   * broadcast topics drop the oldest for the same key when full (the newest book wins), shared topics never drop: see `ready`.
   *
   * `inboxes`, of books and trades: the processes that get it, as named in their demand; absent: all. Of health: the processes that hear the
   * heartbeat also where they get the venue's books (`undeliveredMs`), its key being the lease; absent: none. Local: every subscriber gets it.
   */
  publish<T extends TopicName>(topic: T, key: string, value: TopicValues[T], inboxes?: readonly number[]): void
  /** Resolves when the bus accepts more `tape`; a producer awaits it between batches, never per message. */
  ready(): Promise<void>
  /**
   * Once it resolves, all `tape` this process published before is safe, and no consumer is given a batch of the venue, or of this part of
   * it, under a lower epoch any more, regardless of the sender.
   */
  fence(venue: string, owner: Sender): Promise<void>
  /**
   * True: books and trades reach this process only while it demands their market, and the last book it got is outdated soon afterwards.
   * Demand published here carries the inbox of this process. Local: false.
   */
  readonly deliversOnDemand: boolean
  /**
   * All but shared topics: from now on every subscriber receives every message that reaches this process. `lateMs`: how much longer than usual delivery took,
   * which is long for messages that waited while this process was suspended; absent where nothing waits.
   */
  subscribe<T extends BroadcastTopic>(topic: T, handle: (value: TopicValues[T], lateMs?: number) => void): Promise<Stop>
  /**
   * Every message published to this topic longer ago than this has been delivered to its subscribers here: check it before relying on held
   * state because of some other liveness signal. Infinite without a subscriber. Local: 0, nothing is ever in flight.
   */
  unreadMs(topic: BroadcastTopic): number
  /**
   * Time since the last heartbeat of this lease's owner in this process's inbox, while it demands books of the venue. Books sent since then may be
   * lost, or the owner may not know the demand. 0 without demand. Local: 0.
   */
  undeliveredMs(lease: string): number
  /**
   * How often publishing failed for a while and then succeeded again. A broker may have died, and with it messages that it had just acknowledged,
   * except those of shared topics. Local: 0.
   */
  interruptions(): number
  /**
   * Shared topics: batches of whole messages, in order per key. The batch counts as delivered only when `handle` resolves;
   * after a crash before that it is delivered again with the same `token`. Local cannot crash alone, hence never repeats. `onSoleReader`
   * (Kafka only): every partition is read here now, so no reader that was in the group before still is.
   */
  consume<T extends SharedTopic>(
    topic: T,
    group: string,
    handle: (batch: TopicBatch<T>) => Promise<void>,
    onSoleReader?: () => void,
  ): Promise<Stop>
  /** Of this process. Local: zeros. */
  figures(): BusFigures
  /** Flushes what was published, then closes. */
  close(): Promise<void>
}

export type BroadcastTopic = Exclude<TopicName, SharedTopic>
export type SharedTopic = 'tape' | 'coverage' | 'withdrawals' | 'walletTrades' | 'arbitrageRecords'

export interface BusFigures {
  /** Messages of shared topics that are not acknowledged yet. */
  backlogMessages: number
  backlogBytes: number
  /** Age of the oldest of them. */
  backlogAgeMs: number
  /** How long some partition has acknowledged nothing although messages wait for it: this process publishes nothing there. */
  stalledMs: number
  /** How long some topic that is subscribed to here has not been read. */
  unreadMs: number
  /** Since the start: broadcast messages that were dropped. */
  dropped: number
  /** Since the start: producers that were replaced because brokers no longer accepted what they sent. */
  producersReplaced: number
  /** Since the start: messages of shared topics that were read twice, and left out. */
  repeated: number
  /** Since the start: messages of shared topics that a sender numbered and that never arrived. */
  missing: number
  /** Since the start: books and trades that this process demanded and read. */
  inboxTaken: number
  /** Since the start: those that it read and left out, as another process reads the same inbox. */
  inboxIgnored: number
}

export interface TopicBatch<T extends SharedTopic> {
  /** Equal for equal content: topic, partition and offset range. The sink deduplicates by it. */
  token: string
  values: TopicValues[T][]
  /** Another consumer started it before, and may have written it; absent: none did. */
  repeated?: boolean
  /** False once another consumer may have been given the batch: rows not written yet must no longer be written here. */
  owned(): boolean
  /** Sent by a former owner after its successor took over: counted but not stored. */
  fenced: TopicValues[T][]
}
