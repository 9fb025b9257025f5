// What the tape knows of outcomes, filled into catalog rows: price changes and coverage. It may never cost a read more than a moment:
// what the tape does not say in time stays null, which means unknown and never zero.
//
//   rows ─► outcomes by venue ─► one question of each kind ─┬─ in time ─► filled
//                                                           └─ late, refused, down ─► null; a late answer serves the next read
import type { PriceChanges } from '#history/outcomeFacts'
import type { Coverage, Event, Market, Outcome } from '#schemas/market'
import type { MarketsPorts } from './ports.ts'

/** A list read waits this long for the tape, milliseconds. */
export const factsWaitMs = 150
/** Outcomes of one answer that are looked up; those of a larger answer stay unknown beyond that. */
export const outcomesMax = 5_000

interface Found {
  changes: ReadonlyMap<string, PriceChanges>
  coverage: ReadonlyMap<string, Coverage>
}

export class TapeFacts {
  private failing = false
  private readonly ports: Pick<MarketsPorts, 'facts' | 'clock' | 'log'>

  constructor(ports: Pick<MarketsPorts, 'facts' | 'clock' | 'log'>) {
    this.ports = ports
  }

  /** New rows; the given ones stay as they are. Never rejects. */
  async fillMarkets(markets: readonly Market[]): Promise<Market[]> {
    if (this.ports.facts === null || markets.length === 0) return [...markets]
    const found = await this.ask(markets)
    return markets.map((market) => filled(market, found.get(market.sourceExchange)))
  }

  async fillEvents(events: readonly Event[]): Promise<Event[]> {
    if (this.ports.facts === null || events.length === 0) return [...events]
    const found = await this.ask(events.flatMap((event) => event.markets))
    return events.map((event) => ({
      ...event,
      markets: event.markets.map((market) => filled(market, found.get(market.sourceExchange))),
    }))
  }

  private async ask(markets: readonly Market[]): Promise<Map<string, Found>> {
    const byVenue = new Map<string, Outcome[]>()
    let room = outcomesMax
    for (const { sourceExchange, outcomes } of markets) {
      if (room <= 0) break
      room -= outcomes.length
      const known = byVenue.get(sourceExchange)
      if (known === undefined) byVenue.set(sourceExchange, [...outcomes])
      else known.push(...outcomes)
    }
    const { facts, clock } = this.ports
    if (facts === null) return new Map()
    const now = clock.now()
    return new Map(
      await Promise.all(
        [...byVenue].map(async ([venue, outcomes]): Promise<[string, Found]> => {
          const [changes, coverage] = await Promise.all([
            this.inTime(facts.findPriceChanges(venue, outcomes, now)),
            this.inTime(facts.findCoverage(venue, outcomes, now)),
          ])
          return [venue, { changes: changes ?? new Map(), coverage: coverage ?? new Map() }]
        }),
      ),
    )
  }

  /** Null for an answer that failed or is late. */
  private inTime<T>(answer: Promise<T>): Promise<T | null> {
    return new Promise((resolve) => {
      const timer = this.ports.clock.after(factsWaitMs, () => resolve(null))
      const settle = (value: T | null): void => {
        timer.cancel()
        resolve(value)
      }
      answer.then(
        (value) => {
          this.failing = false
          settle(value)
        },
        (error: unknown) => {
          // Once per outage: every list read would say it again.
          if (!this.failing) this.ports.log.warn({ err: error }, 'the tape cannot say price changes and coverage')
          this.failing = true
          settle(null)
        },
      )
    })
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
