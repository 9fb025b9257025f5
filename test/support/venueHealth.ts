// What the owner of a venue says of it, every beat.
import type { Clock } from '#lib/clock'
import type { VenueHealth } from '#schemas/topics'

/** Connected, with one live book, said now. */
export const healthOf = (clock: Clock, venue: string, more: Partial<VenueHealth> = {}): VenueHealth => ({
  venue,
  epoch: 1,
  connection: 'connected',
  lastMessageAt: null,
  lagMs: null,
  watchedBooks: 1,
  staleBooks: 0,
  sockets: 1,
  reason: null,
  legProofMs: 15_000,
  provenWithinMs: null,
  oldestProofMs: null,
  at: clock.now(),
  ...more,
})
