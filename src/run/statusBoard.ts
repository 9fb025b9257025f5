// What the venues last said of themselves, for /v1/status, /ready and metrics.
import type { Clock } from '#lib/clock'
import type { VenueHealth } from '#schemas/topics'
import type { Bus, Stop } from '#storage/bus/bus'

/** An ingest process that has said nothing for this long is not running. It reports every second. */
const silentMs = 10_000

export interface StatusBoard {
  venues(): VenueHealth[]
  /** False where no ingest process has spoken for the venue lately. */
  reporting(): { venue: string; reporting: boolean }[]
  /** True once every venue has a live book or is known to be unreachable. */
  settled(): boolean
  stop: Stop
}

export async function keepStatusBoard(bus: Bus, slugs: readonly string[], clock: Clock): Promise<StatusBoard> {
  const latest = new Map<string, { health: VenueHealth; heardAt: number }>()
  const live = new Set<string>()
  const stops = await Promise.all([
    bus.subscribe('health', (health) => latest.set(health.venue, { health, heardAt: clock.now() })),
    bus.subscribe('books', (update) => {
      if (update.state === 'live') live.add(update.venue)
    }),
  ])
  const heard = (venue: string): VenueHealth | undefined => {
    const entry = latest.get(venue)
    return entry !== undefined && clock.now() - entry.heardAt <= silentMs ? entry.health : undefined
  }
  const unheard = (venue: string): VenueHealth => ({
    venue,
    connection: 'unreachable',
    lastMessageAt: latest.get(venue)?.health.lastMessageAt ?? null,
    lagMs: null,
    watchedBooks: 0,
    staleBooks: 0,
    sockets: 0,
    reason: 'no ingest process reports this venue',
    at: clock.now(),
  })
  return {
    venues: () => slugs.map((slug) => heard(slug) ?? unheard(slug)),
    reporting: () => slugs.map((slug) => ({ venue: slug, reporting: heard(slug) !== undefined })),
    settled: () => slugs.every((slug) => live.has(slug) || heard(slug)?.connection === 'unreachable'),
    async stop() {
      await Promise.all(stops.map((stop) => stop()))
    },
  }
}
