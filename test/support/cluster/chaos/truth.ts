// Past states of some books of the lab, with the time each of them ended: a served book can be compared although the market has moved on.
import type { Lab, LabVenueName } from '#lab/lab'
import { levelsOfTruth } from '../client.ts'
import { labMarket, truthOf } from '../labTruth.ts'

/** Longer than any age that is compared. */
const retentionMs = 180_000

export interface WatchedBook {
  venue: LabVenueName
  marketId: string
}

export class Truth {
  /** Levels as text → when they were last true; infinite for those of now. */
  private readonly until = new Map<string, Map<string, number>>()
  private readonly stops: (() => void)[] = []

  constructor(lab: Lab, books: readonly WatchedBook[]) {
    for (const { venue, marketId } of books) {
      const was = new Map<string, number>()
      this.until.set(`${venue}:${marketId}`, was)
      let present = levelsOfTruth(truthOf(lab, venue, marketId)!)
      was.set(present, Number.POSITIVE_INFINITY)
      const market = labMarket(lab, venue, marketId)
      const before = market.onChange
      market.onChange = () => {
        before?.()
        const now = performance.now()
        was.delete(present)
        was.set(present, now)
        present = levelsOfTruth(truthOf(lab, venue, marketId)!)
        was.delete(present)
        was.set(present, Number.POSITIVE_INFINITY)
        for (const [levels, until] of was) {
          if (until > now - retentionMs) break
          was.delete(levels)
        }
      }
      this.stops.push(() => {
        market.onChange = before
      })
    }
  }

  /** How long ago these levels were last true, ms; infinite when they never were, as far as the history goes back. */
  ageOf({ venue, marketId }: WatchedBook, levels: string): number {
    const until = this.until.get(`${venue}:${marketId}`)!.get(levels)
    return until === undefined ? Number.POSITIVE_INFINITY : Math.max(0, performance.now() - until)
  }

  stop(): void {
    for (const stop of this.stops) stop()
  }
}
