// Every built venue. The compiler refuses a slug without its manifest here, and a manifest without its slug in schemas/venues.ts.
import type { BuiltVenue } from '#schemas/venues'
import { gemini } from './gemini/index.ts'
import { hyperliquid } from './hyperliquid/index.ts'
import { kalshi } from './kalshi/index.ts'
import { polymarket } from './polymarket/index.ts'
import { polymarketUs } from './polymarket_us/index.ts'
import type { VenueManifest } from './venue.ts'

export const registry = {
  polymarket,
  kalshi,
  gemini,
  polymarket_us: polymarketUs,
  hyperliquid,
} as const satisfies Record<BuiltVenue, VenueManifest>
