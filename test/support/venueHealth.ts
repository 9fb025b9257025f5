// What the owner of a venue reports about it with every heartbeat.
import type { Clock } from '#core/clock'
import type { VenueHealth } from '#schemas/topics'

/** Connected, with one live book, reported now. */
export const healthOf = (clock: Clock, venue: string, more: Partial<VenueHealth> = {}): VenueHealth => ({
  venue,
  epoch: 1,
  connection: 'connected',
  lastMessageAt: null,
  lagMs: null,
  watchedBooks: 1,
  staleBooks: 0,
  staleReasons: {},
  sockets: 1,
  reason: null,
  legProofMs: 15_000,
  provenWithinMs: null,
  oldestProofMs: null,
  at: clock.now(),
  ...more,
})
