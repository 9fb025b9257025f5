// An upstream request with a deadline: the caller gets an answer or a NETWORK_ERROR in time, and the request itself is
// aborted.
import type { Clock } from '#core/clock'
import { Fault } from '#core/fault'
import type { VenueReads } from './ports.ts'

/** Time limit for a venue read that a user waits for, milliseconds. */
export const venueReadMs = 3_000

/** Runs `read` with the venue's context, cut off after `limitMs`. */
export async function readFromVenue<T>(
  venue: VenueReads,
  clock: Clock,
  read: (context: VenueReads['context']) => Promise<T>,
  limitMs = venueReadMs,
): Promise<T> {
  const controller = new AbortController()
  const signal = AbortSignal.any([venue.context.signal, controller.signal])
  let cut: () => void = () => undefined
  const late = new Promise<never>((_, reject) => {
    cut = () => {
      reject(
        new Fault('NETWORK_ERROR', 'the venue did not answer in time', { exchange: venue.slug, retryAfterSeconds: 1 }),
      )
      controller.abort()
    }
  })
  const timer = clock.after(limitMs, cut)
  try {
    return await Promise.race([read({ ...venue.context, signal }), late])
  } finally {
    timer.cancel()
  }
}
