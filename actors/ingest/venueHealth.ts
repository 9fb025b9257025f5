// How a venue's feed is doing, in the terms of `/v1/status`.

import type { Clock } from '#core/clock'
import type { StaleReason } from '#schemas/staleReason'
import type { VenueHealth } from '#schemas/topics'
import type { BookVerifier } from './bookVerifier.ts'
import type { IngestBook } from './ingestBook.ts'
import type { LeaseTerm } from './owner/venueLeaseManager.ts'
import type { Publisher } from './publisher.ts'
import type { IngestLimits } from './state.ts'
import type { VenueSockets } from './venueSockets.ts'

/** Maximum proof age of a leg for its row to count as executable, by the way its venue is read; ms. */
export const legMaxAgeMs = { stream: 15_000, poll: 5_000 } as const

/** Lag from which a feed is reported, ms. */
const lagReportMs = 3_000

export interface ConditionOptions {
  venue: string
  limits: Pick<IngestLimits, 'mode' | 'silenceMs'>
  clock: Clock
  lease: Pick<LeaseTerm, 'epoch' | 'part'>
  books: ReadonlyMap<string, IngestBook>
  publisher: Pick<Publisher, 'lastMessageAt' | 'lagMs'>
  /** Null when the venue is polled. */
  sockets: VenueSockets | null
  prover: BookVerifier | null
}

export class ConnectionHealth {
  /** Why the venue was last unreachable, null since it succeeded again. */
  lastFailure: string | null = null
  /** What the venue reported when it ended the last connection; null: it is open again. */
  feedError: string | null = null
  /** Why additional REST reads last failed, null since they succeeded again. */
  restFailure: string | null = null
  /** Books that share a socket with one that loses messages, when no further socket is opened to separate them. */
  crowdedBooks = 0
  private readonly options: ConditionOptions

  constructor(options: ConditionOptions) {
    this.options = options
  }

  report(): VenueHealth {
    const { venue, limits, clock, lease, books, publisher, sockets, prover } = this.options
    return {
      venue,
      epoch: lease.epoch,
      ...(lease.part !== undefined && { part: lease.part }),
      connection: this.connection(),
      lastMessageAt: publisher.lastMessageAt,
      lagMs: publisher.lagMs,
      watchedBooks: books.size,
      staleBooks: [...books.values()].filter((book) => !book.shown).length,
      staleReasons: this.staleReasons(),
      sockets: sockets?.open ?? 0,
      reason: this.lastFailure ?? this.trouble() ?? this.crowdedReason() ?? this.lateness(),
      legProofMs: legMaxAgeMs[limits.mode],
      provenWithinMs: books.size === 0 ? null : (prover?.withinMs(books.size) ?? limits.silenceMs),
      oldestProofMs: prover?.oldestMs() ?? this.oldestReadMs(),
      at: clock.now(),
    }
  }

  /** A polled book is proven by being read. */
  private oldestReadMs(): number | null {
    const { books, clock } = this.options
    const read = [...books.values()].filter((book) => book.shown).map((book) => book.recvTs)
    return read.length === 0 ? null : clock.now() - Math.min(...read)
  }

  private connection(): VenueHealth['connection'] {
    const { books, sockets } = this.options
    if (this.lastFailure !== null && (sockets?.open ?? 0) === 0) return 'unreachable'
    if (books.size === 0) return 'idle'
    const states = new Set([...books.values()].map(({ state, withheld }) => (withheld === null ? state : 'stale')))
    if (states.has('stale') || this.lateMs() >= lagReportMs) return 'degraded'
    if (sockets === null) return 'polling'
    return states.has('live') ? 'connected' : 'connecting'
  }

  private lateMs(): number {
    const { sockets, clock } = this.options
    return sockets?.lag.worstMs(clock.monotonic()) ?? 0
  }

  private lateness(): string | null {
    const lateMs = this.lateMs()
    return lateMs < lagReportMs ? null : `the feed is ${Math.round(lateMs / 1_000)} s behind`
  }

  /** Why books are not live although the venue is reachable. */
  private trouble(): string | null {
    const { books } = this.options
    const [most] = Object.entries(this.staleReasons()).sort((a, b) => b[1] - a[1])
    if (most === undefined) return null
    const stale = `${most[1]} of ${books.size} books are stale: ${most[0]}`
    return [stale, this.feedError, this.crowdedReason(), this.restFailure].filter((part) => part !== null).join('; ')
  }

  /** Counts every book that is not shown, with those requested that have not arrived. */
  private staleReasons(): Partial<Record<StaleReason, number>> {
    const counts: Partial<Record<StaleReason, number>> = {}
    for (const { withheld, state, staleReason } of this.options.books.values()) {
      const reason = withheld ?? (state === 'stale' ? staleReason : state === 'awaiting' ? 'not_received' : null)
      if (reason !== null) counts[reason] = (counts[reason] ?? 0) + 1
    }
    return counts
  }

  private crowdedReason(): string | null {
    if (this.crowdedBooks === 0) return null
    return `${this.crowdedBooks} books share sockets with some that lose messages, and no more sockets are opened to part them`
  }
}
