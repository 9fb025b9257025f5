// The state of a venue's ingest: which books are watched, on which socket, and who wants them.
import { Demands } from './demands.ts'
import type { IngestEffect } from './messages.ts'

export interface IngestLimits {
  mode: 'stream' | 'poll'
  /** False for books that another ingest process feeds. Absent: none. */
  isOurs?: ((bookId: string) => boolean) | undefined
  /** Maximum sockets beyond those that the books need. Absent: `splitsMax`. */
  splitsMax?: number | undefined
  /** Books of a streaming venue that its socket does not carry. Absent: none. */
  isPolled?: ((bookId: string) => boolean) | undefined
  booksPerSocket: number
  silenceMs: number
  idleUnwatchMs: number
  /** True when the socket itself can send a fresh snapshot; then an unanswered request closes the socket. */
  resyncInBand: boolean
  /** Books of a stream are compared, and read over REST, one after the other: those of readers come first. */
  ranksReaders?: boolean
}

export interface WatchedBook {
  shard: number | null
  idleSince: number | null
  state: 'waiting' | 'live' | 'stale'
  everLive: boolean
  /** When it last came alive, on the monotonic clock: no gap begins before. */
  liveAt: number
  /** When a snapshot was last requested (by subscribing or resyncing), null when none is awaited. */
  requestedAt: number | null
  attempt: number
  /** Recent resyncs, less those forgiven, and when they were last counted. */
  resyncs: number
  resyncsAt: number
  /** Broke too often: not requested before `resyncDue`. */
  isPaused: boolean
  /** It has arrived and waits for its connection to prove itself: not requested. */
  isWithheld: boolean
}

export interface Shard {
  status: 'connecting' | 'open' | 'resting'
  books: Set<string>
  attempt: number
  /** Null unless open. */
  openedAt: number | null
  /** Consecutive short-lived connections that brought a book. */
  shortLives: number
  /** Consecutive connections that were given up before they brought a book. */
  fruitless: number
  /** The later of: opened, last subscribed to. Silence counts from here or from the last data. */
  activeSince: number
  probedAt: number | null
  /** The later of `activeSince` and its last data, as of the last sweep. */
  lastSign: number
  /** A book that the last probe found different, if no data came since: the next probe decides. */
  differingBook: string | null
  /** Its last connection was frozen, and the new one has not delivered anything yet. */
  isFrozen: boolean
  probeCursor: number
  /** How often in a row it was closed for lagging, and when last. */
  lagged: number
  laggedAt: number
  /** `resyncDue` will come. */
  isPaused: boolean
  /** Opened although the books needed no further socket. */
  isExtra: boolean
  /** Its books break together, and no socket is left to separate them. */
  isCrowded: boolean
  /** How often its books broke together of late, less what is forgiven, and when last. */
  jointBreaks: number
  brokeAt: number
  /** From then on it counts as calm, unless its books break together again. */
  calmAt: number
}

export interface IngestState {
  books: Map<string, WatchedBook>
  shards: Map<number, Shard>
  nextShard: number
  demands: Demands
  /** When any gateway last announced its demand, even an empty one; epoch ms. */
  demandAt: number
  pinned: ReadonlySet<string>
  /** The last demand named near legs. */
  hasNear: boolean
  /** Book id → when the venue refused it, epoch ms. */
  refused: Map<string, number>
  /** Books that broke in the current message, by shard. */
  broken: Map<number, Set<string>>
  /** How many books share a socket with one that loses messages, as last reported. */
  crowded: number
}

/** One message being processed: the known state, and the effects to perform. */
export interface Turn {
  readonly limits: IngestLimits
  readonly state: IngestState
  /** On the monotonic clock, ms. */
  readonly now: number
  readonly effects: IngestEffect[]
}

/** `demands` and `pinned`: those known before, where the actor starts again after a crash. */
export const initialIngestState = (demands = new Demands(), pinned: ReadonlySet<string> = new Set()): IngestState => ({
  books: new Map(),
  shards: new Map(),
  nextShard: 0,
  demands,
  demandAt: Number.NEGATIVE_INFINITY,
  pinned,
  hasNear: false,
  refused: new Map(),
  broken: new Map(),
  crowded: 0,
})
