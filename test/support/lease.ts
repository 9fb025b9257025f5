// A lease of a venue that no other process can take.
import type { LeaseTerm } from '#actors/ingest/owner/venueLeaseManager'

export const singleProcessLease = (epoch: number): LeaseTerm => ({
  epoch,
  holds: () => true,
  over: new Promise(() => undefined),
})
