// Public exports of market data.

export { suggestOtherVenues } from './didYouMean.ts'
export { createMarkets, type Markets, type MarketsDeps } from './markets.ts'
export { outcomeOf } from './outcomes.ts'
export type { LiveBooks, MarketsPorts, SurfaceReads, VenueReads } from './ports.ts'
export { locate } from './qualifiedIds.ts'
export { marketRoutes } from './routes/marketRoutes.ts'
