// A venue as callers name it, in a path, a query or a body.
import { z } from 'zod'
import { Fault } from '#lib/fault'
import { canonicalVenue, isDark } from '#schemas/venues'

/** In any case and by any of its names. One that is dark is refused wherever it is named; no name at all is a slip. */
export const VenueName = z
  .string()
  .min(1, 'must be a venue')
  .transform((name) => {
    const venue = canonicalVenue(name)
    if (isDark(venue))
      throw new Fault('EXCHANGE_NOT_AVAILABLE', 'this exchange is not available here', { exchange: venue })
    return venue
  })
