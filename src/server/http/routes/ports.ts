// Data of the system routes and its sources. main.ts provides it.
import type { Clock } from '#core/clock'
import type { DriftFinding, JobReport, VenueStatus } from '#schemas/topics'
import type { EnabledFeatures } from '../enabledRoutes.ts'

export interface Readiness {
  /** Requests may be sent to this process. */
  ready: boolean
  /** By name (`postgres`, `clickhouse`, `kafka`, `books`): true while it serves, at most a few seconds old. */
  parts: Readonly<Record<string, boolean>>
}

export interface SystemPort {
  version: string
  /** Lab venues stand in for the real ones: none of these markets is real. */
  lab: boolean
  readiness(): Readiness
  /** Stores and Kafka by name: true while they answer this process. */
  dependencies(): Readonly<Record<string, boolean>>
  /** Prometheus text. */
  metrics(): { contentType: string; text: string } | Promise<{ contentType: string; text: string }>
  /** The last report of each venue's owner. */
  venueHealth(): readonly VenueStatus[]
  /** The last report of a background job; null while no process reports it. `venue`: null for a job of all venues. */
  job(job: JobReport['job'], venue: string | null): JobReport | null
  /** How the venue's answers differ from what is known of them. */
  drift(venue: string): readonly DriftFinding[]
}

export interface SystemDeps {
  clock: Clock
  served: EnabledFeatures
  system: SystemPort
}
