// Public exports of market data.
export { createMarkets, type Markets, type MarketsDeps } from './markets.ts'
export { findElsewhere } from './meant.ts'
export { outcomeOf } from './outcomes.ts'
export type { LiveBooks, MarketsPorts, SurfaceReads, VenueReads } from './ports.ts'
export { locate } from './routerIds.ts'
export { marketRoutes } from './routes/marketRoutes.ts'
