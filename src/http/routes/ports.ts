// What the system routes show and where they get it. main.ts provides it.
import type { Clock } from '#lib/clock'
import type { VenueStatus } from '#schemas/topics'
import type { Served } from '../served.ts'

export interface SystemPort {
  version: string
  /** Lab venues stand in for the real ones: nothing here is a market. */
  lab: boolean
  /** Parts by name (`postgres`, `engine`, `bus`, `books`): true when it serves, as of a few seconds ago at most. */
  readiness(): Readonly<Record<string, boolean>> | Promise<Readonly<Record<string, boolean>>>
  /** Prometheus text. */
  metrics(): { contentType: string; text: string } | Promise<{ contentType: string; text: string }>
  /** What each venue's owner last said of it. */
  venueHealth(): readonly VenueStatus[]
}

export interface SystemDeps {
  clock: Clock
  served: Served
  system: SystemPort
}
