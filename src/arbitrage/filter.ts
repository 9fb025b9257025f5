// Which rows a subscriber wants. Equal filters share one group, so that a delta is encoded once for all of them.
import { canonicalVenue } from '#schemas/venues'

export interface SubscriberFilter {
  /** Only rows whose legs can both be bought now. */
  executableOnly?: boolean
  /** Both legs are on one of these venues. Empty or absent: any. */
  venues?: readonly string[]
  /** Minimum net edge in dollars for the given contracts; rows without an edge are left out. */
  minEdge?: number
  /** Update interval, milliseconds; 0: immediately. Absent: as published. Does not affect which rows. */
  intervalMs?: number
}

/** The fields a filter uses. */
export interface FilteredRow {
  executable: boolean
  venueA: string
  venueB: string
  /** Micro-dollars, NaN when unpriceable. */
  netMicros: number
  /** One dollar minus the NO's price minus the YES's, before fees: millionths, NaN when a side has no price. */
  spreadMicros: number
  matchBand: string
}

export interface RowFilter {
  /** Equal for equivalent filters. */
  key: string
  passes(row: FilteredRow): boolean
}

/** A filter on an unserved venue would match nothing without any error. Null when every venue is served. */
export function unknownVenue(requested: readonly string[] | undefined, served: readonly string[]): string | null {
  const strange = requested?.find((venue) => !served.includes(venue))
  return strange === undefined
    ? null
    : `venues: ${JSON.stringify(strange.slice(0, 64))} is not served here; served are ${served.join(', ')}`
}

export function rowFilter({ executableOnly, venues, minEdge }: SubscriberFilter): RowFilter {
  const only = executableOnly === true
  const listed = venues === undefined || venues.length === 0 ? null : new Set(venues.map(canonicalVenue))
  const floor = minEdge === undefined ? null : Math.round(minEdge * 1e6)
  return {
    key: JSON.stringify([only, listed === null ? null : [...listed].sort(), floor]),
    passes: (row) =>
      (!only || row.executable) &&
      (listed === null || (listed.has(row.venueA) && listed.has(row.venueB))) &&
      // An unknown edge is below every floor.
      (floor === null || row.netMicros >= floor),
  }
}
