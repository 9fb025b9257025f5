// A venue as callers name it, in a path, a query or a body.
import { z } from 'zod'
import { Fault } from '#core/fault'
import { canonicalVenue, executionVenues, isDark, refreshedVenues, sandboxVenues, servedVenues } from '#schemas/venues'

/** In any case and by any of its names. A dark one is refused wherever it is named; an empty name is a mistake. */
export const VenueName = z
  .string()
  .min(1, 'must be a venue')
  .transform((name) => {
    const venue = canonicalVenue(name)
    if (isDark(venue))
      throw new Fault('EXCHANGE_NOT_AVAILABLE', 'this exchange is not available here', { exchange: venue })
    return venue
  })

const listed: ReadonlySet<string> = new Set([...servedVenues, ...sandboxVenues])

/** Of a market. */
export const MarketVenue = VenueName.refine((venue) => listed.has(venue), {
  error: `must be one of ${[...listed].join(', ')}`,
})

const traded: ReadonlySet<string> = new Set([...executionVenues, ...refreshedVenues])

/** In a filter of orders: a typo must not read as "there are none". */
export const TradedVenue = VenueName.refine((venue) => traded.has(venue), {
  error: `must be one of ${[...traded].join(', ')}`,
})
