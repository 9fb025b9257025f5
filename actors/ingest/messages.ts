// The messages of an ingest actor, and the effects that it asks its shell to perform.
import type { StaleReason } from '#schemas/staleReason'
import type { Demand } from '#schemas/topics'

export type IngestMessage =
  | { kind: 'start' }
  /**
   * The complete set one gateway wants now. `near`: those of its markets that come first, closest to arbitrage first. `inbox`: the
   * partition from which the gateway reads books. `lacking`: positions in `marketIds` of the markets whose book it does not have.
   */
  | ({ kind: 'demand'; gatewayId: string; marketIds: readonly string[] } & Pick<
      Demand,
      'purpose' | 'near' | 'inbox' | 'lacking'
    >)
  /** Books to be recorded even without readers. */
  | { kind: 'pin'; bookIds: readonly string[] }
  | { kind: 'opened'; shard: number }
  /** `at`: when it last brought data, on the monotonic clock; default: just now. */
  | { kind: 'closed'; shard: number; reason: StaleReason; at?: number | undefined }
  | { kind: 'retry'; shard: number }
  | BookMessage
  /** What happened to books since the actor's last message, in order: a gap that breaks hundreds of them is one message. */
  | { kind: 'books'; messages: readonly BookMessage[] }
  /** The pause requested by `resyncLater` is over. */
  | { kind: 'resyncDue'; shard: number }
  /** A probe of a silent socket was answered, and the books we hold match the venue's. */
  | { kind: 'probed'; shard: number; same: true }
  /** A probe of a silent socket was answered, and this book differs from the venue's. */
  | { kind: 'probed'; shard: number; same: false; bookId: string }
  /** A new connection has delivered its first data. */
  | { kind: 'delivering'; shard: number }
  /** This book differs from the venue's, and the whole connection that feeds it has been silent meanwhile. */
  | { kind: 'feedFrozen'; bookId: string }
  /** This socket's data is too old to be trusted. */
  | { kind: 'lagging'; shard: number }
  /** A connection opened after `lagging` now delivers data that is recent enough. */
  | { kind: 'trusted'; shard: number }
  /** Once a second. `lastDataAt` per shard, on the monotonic clock. */
  | { kind: 'sweep'; lastDataAt: ReadonlyMap<number, number> }
  /** Polling only: the venue has not answered for this book since `sinceMs`. */
  | { kind: 'pollFailed'; bookIds: readonly string[]; reason: StaleReason }

export type BookMessage =
  /**
   * `feed`: it differs from the venue's own book although its feed is up: it is resubscribed. `lossy`: the feed has delivered something
   * meanwhile; `silent`: it has not, so a snapshot alone does not repair it. `at`: when it was last known to be right, on the monotonic clock;
   * default: just now.
   */
  | { kind: 'broken'; bookId: string; reason: StaleReason; feed?: 'silent' | 'lossy'; at?: number | undefined }
  /** The first complete book after opening or after having been stale. `at`: when it came, on the monotonic clock; default: just now. */
  | { kind: 'synced'; bookId: string; at?: number | undefined }
  /** It arrived over a connection whose data is not known to be recent enough yet; `synced` follows. */
  | { kind: 'withheld'; bookId: string }
  | { kind: 'refused'; bookId: string; reason: string }
  /** The venue says that trading has stopped there; or resumed. */
  | { kind: 'ended'; bookId: string; reason: string }
  | { kind: 'reopened'; bookId: string }
  /** Its feed is up but sends no first snapshot. */
  | { kind: 'unseeded'; bookId: string }
  /** To be requested again after `retryMs`. */
  | { kind: 'resyncFailed'; bookId: string; retryMs: number }

export type IngestEffect =
  | { kind: 'openBook'; bookId: string }
  | { kind: 'dropBook'; bookId: string }
  | { kind: 'connect'; shard: number }
  | { kind: 'disconnect'; shard: number; reason: string }
  | { kind: 'retryLater'; shard: number; attempt: number }
  | { kind: 'subscribe'; shard: number; bookIds: string[] }
  | { kind: 'unsubscribe'; shard: number; bookIds: string[] }
  | { kind: 'stale'; bookIds: string[]; reason: StaleReason }
  /**
   * The feed of these books was found silent: they are live again only when it has delivered something for them, or when their connection has
   * delivered anything.
   */
  | { kind: 'awaitFeed'; bookIds: string[]; awaits: 'message' | 'connection' }
  /** Shows books that were withheld. */
  | { kind: 'release'; bookIds: string[] }
  /** A reader that came late wants a book that was published before, or has lost it. */
  | { kind: 'republish'; bookIds: string[] }
  /** This inbox (a partition that a gateway reads) no longer gets these books: the last update must not be treated as current. */
  | { kind: 'withdraw'; inbox: number; bookIds: string[] }
  | { kind: 'resync'; shard: number; bookIds: string[] }
  /** The feed has not sent these books although others flow: they are resubscribed, which brings the first snapshot again. */
  | { kind: 'renew'; shard: number; bookIds: string[] }
  /** The shard breaks again and again: its books are requested after a pause that grows with `attempt`. */
  | { kind: 'resyncLater'; shard: number; attempt: number }
  /** Live books of a silent socket, the next one to check first. */
  | { kind: 'probe'; shard: number; bookIds: string[] }
  /** How many books share a socket with one that loses messages, when no further socket is opened to separate them. */
  | { kind: 'crowded'; books: number }
  /** Books that are read or verified first. `readers`: those with readers; `near`: closest to arbitrage first. */
  | { kind: 'rank'; readers: ReadonlySet<string>; near: readonly string[] }
  /** `at`: when it happened, on the monotonic clock. The triggering message may have waited. */
  | {
      kind: 'coverage'
      bookId: string
      event: 'opened' | 'gap' | 'resumed' | 'closed'
      reason: string | null
      at: number
    }
