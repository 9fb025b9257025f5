// Daily volume of markets whose venue reports none, from our own tape: the sum if the tape has no gap in that day, otherwise unknown. One
// statement per minute and venue sums the outcomes; a trade without price or side makes its sum unknown. Volume is what takers paid. A market
// that is recorded only because a client watches it has a volume only after a day.
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import type { Market } from '#schemas/market'
import { type BookOf, recordedOutcomeId } from './recordedOutcomeId.ts'
import { type DailyVolumeLine, findDailyVolumesSql } from './statements/dailyVolumes.ts'
import { type TapeReads, withDeadline } from './tapeReads.ts'

const dayMs = 86_400_000
/** For trades that are polled rather than streamed: a day that ended longer ago is not the last day. */
const readWithinMs = 60 * 60_000
/**
 * A book without coverage events for longer than this counts as never taped, so that the look-up need not read a year
 * of coverage.
 */
const lookBackMs = 31 * dayMs
/** One answer serves all pages of a walk. */
const keptMs = 60_000

export interface RecordedVolumes {
  /** By market id; markets with an outcome whose tape is incomplete are missing. */
  of(markets: readonly Market[]): Map<string, number>
}

/** One venue's. While the tape is unavailable nothing is known; logged once per outage. */
export class DailyVolumesOfTape {
  private paid: ReadonlyMap<string, number> = new Map()
  private queriedAt = Number.NEGATIVE_INFINITY
  private running: Promise<void> | null = null
  private isDown = false
  private readonly options: { store: TapeReads; venue: string; bookOf: BookOf; clock: Clock; log: Log }

  constructor(options: DailyVolumesOfTape['options']) {
    this.options = options
  }

  /** For the day before now. */
  async at(now: number): Promise<RecordedVolumes> {
    if (this.options.clock.monotonic() - this.queriedAt >= keptMs) {
      this.running ??= this.load(now).finally(() => {
        this.running = null
      })
    }
    await this.running
    const { paid } = this
    return { of: (markets) => this.sums(markets, paid) }
  }

  private async load(now: number): Promise<void> {
    const { store, venue, clock, log } = this.options
    try {
      const lines = await withDeadline(store).rows<DailyVolumeLine>(findDailyVolumesSql, {
        venue,
        now,
        readAfter: now - readWithinMs,
        oldest: now - lookBackMs,
        day: dayMs,
      })
      this.paid = new Map(lines.flatMap(({ outcomeId, paid, unpriced }) => (unpriced > 0 ? [] : [[outcomeId, paid]])))
      this.isDown = false
    } catch (error) {
      this.paid = new Map()
      if (!this.isDown) log.warn({ venue, err: error }, 'failed to read daily volumes from the tape')
      this.isDown = true
    }
    this.queriedAt = clock.monotonic()
  }

  private sums(markets: readonly Market[], paid: ReadonlyMap<string, number>): Map<string, number> {
    const { venue, bookOf } = this.options
    const sums = new Map<string, number>()
    for (const { marketId, outcomes } of markets) {
      // Both sides of one book share one tape.
      const books = new Set(
        outcomes.flatMap(({ outcomeId }) => recordedOutcomeId(bookOf, venue, [outcomeId], marketId).outcomeIds),
      )
      const parts = [...books].map((bookId) => paid.get(bookId))
      if (parts.length > 0 && parts.every((part) => part !== undefined))
        sums.set(marketId, Math.round(parts.reduce((sum, part) => sum + part, 0) * 1e6) / 1e6)
    }
    return sums
  }
}
