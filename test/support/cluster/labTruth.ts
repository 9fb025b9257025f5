// The state of the lab's venues, by venue name, so that a test can treat each in the same way.
import { BID } from '#lab/engine/book'
import type { MarketTruth } from '#lab/engine/market'
import type { Lab, LabVenueName } from '#lab/lab'

export const labVenues = ['polymarket', 'kalshi'] as const satisfies readonly LabVenueName[]

/** Ids as the stream names them, open markets only, catalog order. */
export const openMarkets = (lab: Lab, venue: LabVenueName): string[] =>
  venue === 'kalshi' ? lab.kalshi.openTickers() : lab.polymarket.openTokens()

export const truthOf = (lab: Lab, venue: LabVenueName, marketId: string): MarketTruth | null =>
  lab[venue].book(marketId)

/** The venues send nothing for as long as `work` takes. */
export async function whilePaused<T>(lab: Lab, work: () => Promise<T>): Promise<T> {
  for (const venue of labVenues) lab[venue].engine.paused = true
  try {
    return await work()
  } finally {
    for (const venue of labVenues) lab[venue].engine.paused = false
  }
}

const keyOf = (lab: Lab, venue: LabVenueName, marketId: string): string =>
  venue === 'kalshi'
    ? lab.kalshi.listing.byTicker.get(marketId)!.key
    : lab.polymarket.listing.byToken.get(marketId)!.market.key

/** The market of the id, whichever side of it the id names. */
export const labMarket = (lab: Lab, venue: LabVenueName, marketId: string) =>
  lab[venue].engine.market(keyOf(lab, venue, marketId))!

/** Gives the best bid a unique size: a book that shows it has received everything before it. */
export function markBest(lab: Lab, venue: LabVenueName, marketId: string, size: number): void {
  const key = keyOf(lab, venue, marketId)
  const { engine } = lab[venue]
  engine.setLevel(key, BID, engine.market(key)!.truth().bids[0]![0], size)
}

/** How many upstream subscriptions name the market, in any form that the venue uses. */
export const upstreamOf = (lab: Lab, venue: LabVenueName, marketId: string): number =>
  Object.entries(lab[venue].counters().subscriptions)
    .filter(([name]) => name === marketId || name.endsWith(`:${marketId}`) || name.startsWith(`${marketId}:`))
    .reduce((sum, [, count]) => sum + count, 0)
