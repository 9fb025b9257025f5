// A structure's facts about a market, from its catalog row and its venue's manifest: books, fees, tick, and order sizes. Anything
// undocumented is a reason not to buy, never a guess.
import { ONE } from '#core/price'
import type { Market } from '#schemas/market'
import type { VenueData } from '#venues/venue'
import { type SurfaceVenue, sidesOf, sourceOf } from '../pairsFromMatches.ts'
import { orderRule } from './orderRule.ts'
import type { MarketRefusal, StructureFacts } from './sets.ts'

export interface StructureVenue extends SurfaceVenue {
  data: SurfaceVenue['data'] & Pick<VenueData, 'orderSizes'>
}

export interface FactSources {
  /** Undefined: the venue is not served by this deployment. */
  venueOf(venue: string): StructureVenue | undefined
  /** Undefined: unknown to the catalog (any more). */
  marketOf(key: string): Market | undefined
}

const unknown = { kind: 'unknown', reason: 'not known' } as const

/** `key`: `<venue>:<marketId>`. */
export function structureFacts(key: string, { venueOf, marketOf }: FactSources): StructureFacts {
  const venue = key.slice(0, key.indexOf(':'))
  const served = venueOf(venue)
  const market = marketOf(key)
  const refuse = (refused: MarketRefusal): StructureFacts => ({
    market: {
      key,
      venue,
      fee: unknown,
      settlementFee: unknown,
      tickMicros: 1,
      stepUnits: 1,
      minimumUnits: 1,
      minimumMicros: 0,
      minimumOtherMicros: 0,
    },
    title: market?.title ?? key,
    yesBook: null,
    noBook: null,
    refused,
  })
  if (served === undefined) return refuse('venue_not_served')
  if (market === undefined) return refuse('not_in_catalog')
  if (market.status !== 'active') return refuse('not_open')
  const { yes, no } = sidesOf(market)
  if (yes === null || no === null) return refuse('no_yes_and_no')
  const { fee, settlementFee } = served.data.feeModel(market)
  if (fee.kind === 'unknown') return refuse('fee_unknown')
  if (settlementFee.kind === 'unknown') return refuse('settlement_fee_unknown')
  const tickMicros = market.tickSize === null ? null : Math.round(market.tickSize * ONE)
  if (tickMicros === null || !(tickMicros > 0)) return refuse('tick_unknown')
  const sizes = served.data.orderSizes?.(market) ?? null
  if (sizes === null) return refuse('order_size_unknown')
  return {
    market: { key, venue, fee, settlementFee, tickMicros, ...orderRule(sizes) },
    title: market.title,
    yesBook: sourceOf(served, market, yes),
    noBook: sourceOf(served, market, no),
    refused: null,
  }
}
