// Sports of this deployment: the engine where jobs run, the mirror and live books where the gateway serves.
import type { Sports } from '#actors/sports/sportsActor'
import type { Clock } from '#core/clock'
import type { BookOf } from '#history/recordedOutcomeId'
import type { LiveBooks } from '#marketData/markets/index'
import { type FixtureMirror, type Quote, type Quotes, unplacedReasons } from '#sports/index'
import type { Metrics } from './metrics.ts'

export interface LiveQuotesOptions {
  bookOf: BookOf
  books: LiveBooks
  /** Keeps the book fed for a while. */
  hold(venue: string, bookId: string): void
}

export function liveQuotes({ bookOf, books, hold }: LiveQuotesOptions): Quotes {
  return {
    read(venue, marketId, outcomeId): Quote | null {
      const ref = bookOf(venue, outcomeId, marketId)
      const update = ref === null ? undefined : books.get(venue, ref.bookId)
      if (ref === null || update === undefined) return null
      const core = books.limit(ref.complement ? books.complement(update.core) : update.core, 1)
      const { bids, asks } = JSON.parse(`${core.toString('latin1')}}`) as Record<'bids' | 'asks', Level[]>
      const [bid, ask] = [bids[0], asks[0]]
      return {
        bid: bid?.price ?? null,
        bidSize: bid?.size ?? null,
        ask: ask?.price ?? null,
        askSize: ask?.size ?? null,
        state: update.state,
        asOf: update.provenAt ?? update.eventTs ?? update.recvTs,
      }
    },
    hold(venue, marketId, outcomeId) {
      const ref = bookOf(venue, outcomeId, marketId)
      if (ref !== null) hold(venue, ref.bookId)
    },
  }
}

interface Level {
  price: number
  size: number
}

/** The engine's own figures, where it runs. Before its first pass it has none. */
export function measureSports(metrics: Metrics, { stats }: Pick<Sports, 'stats'>, clock: Clock): void {
  const total = (name: 'fixtures' | 'placed') => () => {
    const { totals } = stats()
    return totals === null ? [] : [{ value: totals[name] }]
  }
  metrics.gauge('sports_fixtures', 'Games known to the engine', [], total('fixtures'))
  metrics.gauge('sports_placed', 'Markets placed on a fixture, in a published bet', [], total('placed'))
  metrics.gauge('sports_unplaced', 'Sports markets placed in no bet, by reason', ['reason'], () => {
    const { totals } = stats()
    return totals === null
      ? []
      : unplacedReasons.map((reason) => ({ labels: { reason }, value: totals.unplaced[reason] ?? 0 }))
  })
  metrics.gauge('sports_pass_age_seconds', 'Age of the engine’s last pass', [], () => {
    const { writtenAt } = stats()
    return writtenAt === null ? [] : [{ value: (clock.monotonic() - writtenAt) / 1_000 }]
  })
  metrics.gauge('sports_failures', 'Failed passes since the last success', [], () => [{ value: stats().failures }])
}

/** What this process serves of it. */
export function measureFixtures(metrics: Metrics, mirror: FixtureMirror, clock: Clock): void {
  const age = (name: 'refreshedAt' | 'readAt') => () => {
    const snapshot = mirror.snapshot()
    if (snapshot === null) return []
    const at = name === 'readAt' ? snapshot.engine.readAt : snapshot.refreshedAt
    return [{ value: Math.max(0, clock.now() - at) / 1_000 }]
  }
  metrics.gauge('sports_snapshot_age_seconds', 'Age of the fixtures served here', [], age('refreshedAt'))
  metrics.gauge('sports_lag_seconds', 'Age of the catalog behind the fixtures served here', [], age('readAt'))
}
