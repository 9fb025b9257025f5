// The right to speak for a venue, where nobody else could have it.
import type { LeaseTerm } from '#actors/ingest/owner/venueLeaseManager'

export const soleTenure = (epoch: number): LeaseTerm => ({
  epoch,
  holds: () => true,
  over: new Promise(() => undefined),
})
