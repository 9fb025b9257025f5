// The limits of a venue when several ingest processes feed a part of it each: together they send the venue no more requests than one
// would. Pure.
import { defaultRequestsPerSecond, type VenueManifest } from '#venues/venue'
import { comparesPerSecond } from './bookVerifier.ts'

export function shareLimits(venue: VenueManifest, parts: number): VenueManifest {
  if (parts === 1) return venue
  const { data } = venue
  const { requestsPerSecond = defaultRequestsPerSecond, poll, stream } = data
  const { tradesEveryMs } = poll
  return {
    ...venue,
    data: {
      ...data,
      requestsPerSecond: requestsPerSecond / parts,
      poll: {
        ...poll,
        // The request budget of each part limits them as well.
        concurrency: Math.max(1, Math.floor(poll.concurrency / parts)),
        ...(tradesEveryMs !== undefined && { tradesEveryMs: tradesEveryMs * parts }),
      },
      ...(stream !== undefined && { stream: { ...stream, comparesPerSecond: comparesPerSecond(data) / parts } }),
    },
  }
}
