// Fills catalog rows with data from the tape: price changes and coverage. A read waits for it, but not indefinitely; what the tape does not
// know is null, and what it did not return in time is null and marked as pending.
//
//   rows ─► outcomes by venue ─► one request of each kind ──┬─ in time ───────► filled
//                                                           ├─ late ──────────► null, pending; the answer serves the next read
//                                                           └─ refused, down ─► null

import { withTimeout } from '#core/withTimeout'
import type { PriceChanges } from '#history/outcomeStats'
import type { Coverage, Event, Market, Outcome } from '#schemas/market'
import type { MarketsPorts } from './ports.ts'

/** How long a list read waits for the tape, milliseconds: a first request under load takes about a second. */
export const enrichTimeoutMs = 2_000
/** While the tape is late, other readers wait for it no longer than this, milliseconds. */
export const lateTimeoutMs = 150
/** A late tape gets the full time again after this. */
const lateForMs = 10_000
/** Outcomes looked up per answer; beyond that they stay unknown. */
export const outcomesMax = 5_000

interface Found {
  changes: ReadonlyMap<string, PriceChanges>
  coverage: ReadonlyMap<string, Coverage>
}

/** New rows; the given ones are not modified. */
export interface FillEstimate<Row> {
  rows: Row[]
  /** True when the tape did not answer in time: a later read will know more. */
  pending: boolean
}

export class TapeFacts {
  private failing = false
  /** When the tape was last late, on the monotonic clock. */
  private lateAt: number | null = null
  private readonly ports: Pick<MarketsPorts, 'facts' | 'clock' | 'log'>

  constructor(ports: Pick<MarketsPorts, 'facts' | 'clock' | 'log'>) {
    this.ports = ports
  }

  /** Never rejects. */
  async fillMarkets(markets: readonly Market[]): Promise<FillEstimate<Market>> {
    if (this.ports.facts === null || markets.length === 0) return { rows: [...markets], pending: false }
    const { found, pending } = await this.readFacts(markets)
    return { rows: markets.map((market) => filled(market, found.get(market.sourceExchange))), pending }
  }

  async fillEvents(events: readonly Event[]): Promise<FillEstimate<Event>> {
    const { rows, pending } = await this.fillMarkets(events.flatMap((event) => event.markets))
    let from = 0
    const filledEvents = events.map((event) => {
      const markets = rows.slice(from, from + event.markets.length)
      from += markets.length
      return { ...event, markets }
    })
    return { rows: filledEvents, pending }
  }

  private async readFacts(markets: readonly Market[]): Promise<{ found: Map<string, Found>; pending: boolean }> {
    const byVenue = new Map<string, Outcome[]>()
    let remaining = outcomesMax
    for (const { sourceExchange, outcomes } of markets) {
      if (remaining <= 0) break
      remaining -= outcomes.length
      const known = byVenue.get(sourceExchange)
      if (known === undefined) byVenue.set(sourceExchange, [...outcomes])
      else known.push(...outcomes)
    }
    const { facts, clock } = this.ports
    let pending = false
    const orNothing = async <T>(request: Promise<Map<string, T>> | undefined): Promise<ReadonlyMap<string, T>> => {
      const answer = request === undefined ? new Map<string, T>() : await this.answerOf(request)
      if (answer === 'late') pending = true
      return answer === 'late' ? new Map() : answer
    }
    const now = clock.now()
    const found = await Promise.all(
      [...byVenue].map(async ([venue, outcomes]): Promise<[string, Found]> => {
        const [changes, coverage] = await Promise.all([
          orNothing(facts?.findPriceChanges(venue, outcomes, now)),
          orNothing(facts?.findCoverage(venue, outcomes, now)),
        ])
        return [venue, { changes, coverage }]
      }),
    )
    return { found: new Map(found), pending }
  }

  /** Empty when the tape failed. */
  private async answerOf<T>(request: Promise<Map<string, T>>): Promise<ReadonlyMap<string, T> | 'late'> {
    const { clock, log } = this.ports
    const isLate = this.lateAt !== null && clock.monotonic() - this.lateAt < lateForMs
    try {
      const answer = await withTimeout(clock, isLate ? lateTimeoutMs : enrichTimeoutMs, request)
      if (answer === null) {
        this.lateAt = clock.monotonic()
        return 'late'
      }
      this.lateAt = null
      this.failing = false
      return answer
    } catch (error) {
      // Once per outage: every list read would repeat it.
      if (!this.failing) log.warn({ err: error }, 'failed to read price changes and coverage from the tape')
      this.failing = true
      return new Map()
    }
  }
}

const filled = (market: Market, found: Found | undefined): Market =>
  found === undefined
    ? market
    : {
        ...market,
        outcomes: market.outcomes.map((outcome) => ({
          ...outcome,
          ...found.changes.get(outcome.outcomeId),
          coverage: found.coverage.get(outcome.outcomeId) ?? null,
        })),
      }
