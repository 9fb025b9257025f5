// Every built venue for the test suites, one file each under `cases`. A venue left out does not compile.
import type { BuiltVenue } from '#schemas/venues'
import type { LaneVenue, registry } from '#venues/registry'
import { gemini } from './cases/gemini.ts'
import { hyperliquid } from './cases/hyperliquid.ts'
import { kalshi } from './cases/kalshi.ts'
import type { LaneCase } from './cases/laneCase.ts'
import { limitless } from './cases/limitless.ts'
import { myriad } from './cases/myriad.ts'
import { novig } from './cases/novig.ts'
import { opinion } from './cases/opinion.ts'
import { pascal } from './cases/pascal.ts'
import { polymarket } from './cases/polymarket.ts'
import { polymarketUs } from './cases/polymarket_us.ts'
import { pred } from './cases/pred.ts'
import { predictfun } from './cases/predictfun.ts'
import { predictstreet } from './cases/predictstreet.ts'
import { rain } from './cases/rain.ts'
import { sxbet } from './cases/sxbet.ts'
import type { VenueCase } from './cases/venueCase.ts'
import { xo } from './cases/xo.ts'

export const venueCases = {
  polymarket,
  kalshi,
  opinion,
  gemini,
  polymarket_us: polymarketUs,
  hyperliquid,
  pred,
  predictfun,
  predictstreet,
  novig,
  limitless,
  sxbet,
  pascal,
  myriad,
  xo,
  rain,
} as const satisfies { [V in BuiltVenue]: VenueCase<(typeof registry)[V]> }

/** Those that take orders. */
export const laneFacts: { readonly [V in LaneVenue]: { lane: LaneCase<V> } } = venueCases
