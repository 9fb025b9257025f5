// What the system routes show and where they get it. main.ts provides it.
import type { Clock } from '#lib/clock'
import type { VenueHealth } from '#schemas/topics'

export interface SystemPort {
  version: string
  /** Parts by name (`postgres`, `tape`, `books`…): true when it serves. */
  readiness(): Readonly<Record<string, boolean>> | Promise<Readonly<Record<string, boolean>>>
  /** Prometheus text. */
  metrics(): { contentType: string; text: string } | Promise<{ contentType: string; text: string }>
  /** Newest health per venue. */
  venueHealth(): readonly VenueHealth[]
}

export interface SystemDeps {
  clock: Clock
  system: SystemPort
}
