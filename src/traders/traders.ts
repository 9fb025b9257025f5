// Dependencies of the trader routes: the ports, and the requests to venues that they share.
import type { Market } from '#schemas/market'
import type { TraderTrade } from '#schemas/traders'
import { withoutVenue } from '#schemas/venues'
import type { TradersPorts, TraderVenue } from './ports.ts'
import { SharedReads } from './sharedReads.ts'

export interface Traders extends TradersPorts {
  reads: SharedReads
  /** Profiles: so many that they would evict rankings. */
  profiles: SharedReads
  /** From the catalog, or from the venue itself; null when neither knows it. */
  findMarket(venue: TraderVenue, marketId: string): Promise<Market | null>
  /** The same trades under the catalog's names of their markets. */
  underOurNames(venue: TraderVenue, trades: readonly TraderTrade[]): Promise<TraderTrade[]>
}

export interface TradersRouteDeps {
  traders: Traders
}

export function createTraders(ports: TradersPorts): Traders {
  const { catalog, clock } = ports
  const reads = new SharedReads(clock)
  return {
    ...ports,
    reads,
    profiles: new SharedReads(clock),
    async findMarket(venue, requested) {
      const marketId = withoutVenue(venue.slug, requested)
      const known = await catalog.findMarket(venue.slug, marketId)
      if (known !== null) return known
      const found = await reads.request(venue, `market ${marketId}`, (context) => venue.fetchMarket(context, marketId))
      return found?.market ?? null
    },
    async underOurNames({ slug, traders }, trades) {
      if (traders?.marketByOutcome !== true) return [...trades]
      const outcomes = new Set(trades.flatMap(({ outcomeId }) => outcomeId ?? []))
      const caller = {}
      const marketOf = new Map<string, string>()
      await Promise.all(
        [...outcomes].map(async (outcomeId) => {
          const [row] = await catalog.findOutcomes(slug, outcomeId, caller)
          if (row !== undefined) marketOf.set(outcomeId, row.market.marketId)
        }),
      )
      return trades.map((trade) => ({
        ...trade,
        marketId: marketOf.get(trade.outcomeId ?? '') ?? trade.marketId,
      }))
    },
  }
}
