// What the venues last said of themselves, for /v1/status, /ready and metrics.
import type { Clock } from '#lib/clock'
import type { VenueHealth } from '#schemas/topics'
import type { Bus, Stop } from '#storage/bus/bus'

/** An ingest process that has said nothing for this long is not running. */
const silentMs = 10_000

export interface StatusBoard {
  venues(): VenueHealth[]
  /** True once every venue has a live book or is known to be unreachable. */
  settled(): boolean
  stop: Stop
}

export async function keepStatusBoard(bus: Bus, slugs: readonly string[], clock: Clock): Promise<StatusBoard> {
  const latest = new Map<string, VenueHealth>()
  const live = new Set<string>()
  const stops = await Promise.all([
    bus.subscribe('health', (health) => latest.set(health.venue, health)),
    bus.subscribe('books', (update) => {
      if (update.state === 'live') live.add(update.venue)
    }),
  ])
  const unheard = (venue: string): VenueHealth => ({
    venue,
    connection: 'unreachable',
    lastMessageAt: null,
    lagMs: null,
    watchedBooks: 0,
    staleBooks: 0,
    sockets: 0,
    reason: 'no ingest process reports this venue',
    at: clock.now(),
  })
  return {
    venues: () =>
      slugs.map((slug) => {
        const health = latest.get(slug)
        return health === undefined || clock.now() - health.at > silentMs ? unheard(slug) : health
      }),
    settled: () => slugs.every((slug) => live.has(slug) || latest.get(slug)?.connection === 'unreachable'),
    async stop() {
      await Promise.all(stops.map((stop) => stop()))
    },
  }
}
