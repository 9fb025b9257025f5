// What the tape records about its own coverage: since when a book is covered, where it has gaps, how often a polled one is read, and up to when its
// trades were read.
import type { Clock } from '#core/clock'
import { type CoverageEvent, recordsTrades, takeoverMarker } from '#schemas/topics'
import type { OwnedBus } from './owner/fencedBus.ts'
import type { Poller } from './poller.ts'
import type { TapeBuffer } from './recordBuffer.ts'

/**
 * A new polling pace is recorded when it differs by this factor, and at most once per the interval below unless the class
 * changed.
 */
const paceChange = 1.25
const paceEveryMs = 60_000

export interface CoverageReporterOptions {
  venue: string
  /** Of the owner; absent: it feeds the whole venue. */
  part?: string | undefined
  bus: OwnedBus
  clock: Clock
  tape: TapeBuffer
  mechanismOf(bookId: string): CoverageEvent['mechanism']
  /** Null when every book is streamed. */
  poller: Pick<Poller, 'intervalOf' | 'hasNewPace'> | null
}

export class CoverageReporter {
  /** The recorded polling pace of each book. */
  private readonly recordedPaces = new Map<string, { intervalMs: number; at: number }>()
  /** Time up to which a book's trades were read; recorded once they are on their way to the tape. */
  private tradesUntil = new Map<string, number>()
  private readonly options: CoverageReporterOptions

  constructor(options: CoverageReporterOptions) {
    this.options = options
  }

  /** Before anything else of this owner. */
  recordTakeover(): void {
    this.publish(takeoverMarker, this.event(takeoverMarker, 'opened', this.options.part ?? null))
  }

  /** `since`: on the monotonic clock; default: from now on. */
  record(bookId: string, kind: CoverageEvent['kind'], reason: string | null, since?: number): void {
    const event = this.event(bookId, kind, reason)
    if (since !== undefined) event.at -= Math.max(0, Math.round(this.options.clock.monotonic() - since))
    this.publish(bookId, event)
  }

  /** A polled book is read as often as the other demand allows: its coverage follows. */
  recordPace(bookId: string): void {
    const { poller, clock } = this.options
    const intervalMs = poller?.intervalOf(bookId) ?? null
    if (intervalMs === null) return
    const now = clock.monotonic()
    const recorded = this.recordedPaces.get(bookId)
    if (recorded !== undefined) {
      const ratio = intervalMs / recorded.intervalMs
      const isSoon = now - recorded.at < paceEveryMs && !poller?.hasNewPace(bookId)
      if (isSoon || (ratio < paceChange && ratio > 1 / paceChange)) return
    }
    this.recordedPaces.set(bookId, { intervalMs, at: now })
    this.record(bookId, 'resumed', null)
  }

  /** The book is released. */
  forget(bookId: string): void {
    this.recordedPaces.delete(bookId)
  }

  clear(): void {
    this.recordedPaces.clear()
  }

  tradesRead(bookId: string, until: number): void {
    this.tradesUntil.set(bookId, until)
  }

  /** Hands the tape's rows to the bus, and then records what they cover. */
  async flush(): Promise<void> {
    const { tape, bus } = this.options
    const read = this.tradesUntil
    this.tradesUntil = new Map()
    await tape.flush(bus, (bookId) => this.event(bookId, 'gap', 'tape backlog full'))
    for (const [bookId, at] of read) this.publish(bookId, { ...this.event(bookId, 'resumed', recordsTrades), at })
  }

  private publish(bookId: string, event: CoverageEvent): void {
    const { bus, venue } = this.options
    bus.publish('coverage', `${venue}:${bookId}`, event)
  }

  private event(bookId: string, kind: CoverageEvent['kind'], reason: string | null): CoverageEvent {
    const { venue, mechanismOf, poller, clock } = this.options
    return {
      venue,
      outcomeId: bookId,
      kind,
      mechanism: mechanismOf(bookId),
      effectiveIntervalMs: poller?.intervalOf(bookId) ?? null,
      reason,
      at: clock.now(),
    }
  }
}
