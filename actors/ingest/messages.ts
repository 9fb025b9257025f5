// The messages of an ingest actor, and the effects that it asks its shell to perform.
import type { Demand } from '#schemas/topics'

export type IngestMessage =
  | { kind: 'start' }
  /** The complete set one gateway wants now. */
  | ({ kind: 'demand'; gatewayId: string; marketIds: readonly string[] } & Pick<Demand, 'purpose' | 'near'>)
  /** Books the tape wants whoever listens. */
  | { kind: 'pin'; bookIds: readonly string[] }
  | { kind: 'opened'; shard: number }
  /** `at`: when it last brought something, on the monotonic clock; left out: just now. */
  | { kind: 'closed'; shard: number; reason: string; at?: number | undefined }
  | { kind: 'retry'; shard: number }
  | BookMessage
  /** What happened to books since the actor last looked, in order: a gap that breaks hundreds of them is one message. */
  | { kind: 'books'; messages: readonly BookMessage[] }
  /** The rest that `resyncLater` asked for is over. */
  | { kind: 'resyncDue'; shard: number }
  /** A probe of a silent socket answered: the book we hold is still the venue's, or it is not. */
  | { kind: 'probed'; shard: number; same: boolean }
  /** What this socket brings is too old to be believed. */
  | { kind: 'lagging'; shard: number }
  /** A connection opened after that has shown that it is in time. */
  | { kind: 'trusted'; shard: number }
  /** Once a second. `lastDataAt` per shard, on the monotonic clock. */
  | { kind: 'sweep'; lastDataAt: ReadonlyMap<number, number> }
  /** Polling only: the venue has not answered for this book since `sinceMs`. */
  | { kind: 'pollFailed'; bookIds: readonly string[]; reason: string }

export type BookMessage =
  /**
   * `isFrozen`: its feed has left it behind, so that a snapshot alone would not bring it back. `at`: when it was last known to be right, on the
   * monotonic clock; left out: just now.
   */
  | { kind: 'broken'; bookId: string; reason: string; isFrozen?: true; at?: number | undefined }
  /** The first complete book after opening or after having been stale. `at`: when it came, on the monotonic clock; left out: just now. */
  | { kind: 'synced'; bookId: string; at?: number | undefined }
  /** It has come, by a connection that has yet to prove that it is in time; `synced` follows. */
  | { kind: 'withheld'; bookId: string }
  | { kind: 'refused'; bookId: string; reason: string }
  /** The venue says that nothing trades there now; and that it does again. */
  | { kind: 'ended'; bookId: string; reason: string }
  | { kind: 'reopened'; bookId: string }
  /** Its feed is there and sends no first snapshot. */
  | { kind: 'unseeded'; bookId: string }
  /** To be asked again after `retryMs`. */
  | { kind: 'resyncFailed'; bookId: string; retryMs: number }

export type IngestEffect =
  | { kind: 'openBook'; bookId: string }
  | { kind: 'dropBook'; bookId: string }
  | { kind: 'connect'; shard: number }
  | { kind: 'disconnect'; shard: number; reason: string }
  | { kind: 'retryLater'; shard: number; attempt: number }
  | { kind: 'subscribe'; shard: number; bookIds: string[] }
  | { kind: 'unsubscribe'; shard: number; bookIds: string[] }
  | { kind: 'stale'; bookIds: string[]; reason: string }
  /** Books that were withheld are shown. */
  | { kind: 'release'; bookIds: string[] }
  /** A gateway that came late wants a book that is already live: it has not seen it yet. */
  | { kind: 'republish'; bookIds: string[] }
  | { kind: 'resync'; shard: number; bookIds: string[] }
  /** The feed owes these books although others flow: their subscriptions are made anew, which brings the first snapshot again. */
  | { kind: 'renew'; shard: number; bookIds: string[] }
  /** The shard breaks again and again: its books are asked for after a rest that grows with `attempt`. */
  | { kind: 'resyncLater'; shard: number; attempt: number }
  /** Live books of a silent socket, the one whose turn it is first. */
  | { kind: 'probe'; shard: number; bookIds: string[] }
  /** So many books share a socket with one that loses messages, and no other is opened to part them. */
  | { kind: 'crowded'; books: number }
  /** Whose books are read or proven first; `near` best first. */
  | { kind: 'rank'; readers: ReadonlySet<string>; near: readonly string[] }
  /** `at`: since when it holds, on the monotonic clock. The message that told of it may have waited. */
  | {
      kind: 'coverage'
      bookId: string
      event: 'opened' | 'gap' | 'resumed' | 'closed'
      reason: string | null
      at: number
    }
