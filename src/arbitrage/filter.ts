// Which rows a subscriber wants. Equal filters share one group, so that a delta is encoded once for all of them.
import { canonicalVenue } from '#schemas/venues'

export interface SubscriberFilter {
  /** Only rows both of whose legs can be bought now. */
  executableOnly?: boolean
  /** Both legs stand on one of these venues. Empty or left out: any. */
  venues?: readonly string[]
  /** Least net edge in dollars for the contracts asked; rows without an edge are left out. */
  minEdge?: number
  /** How often to be told, milliseconds; 0: at once. Absent: as published. Says nothing of which rows. */
  intervalMs?: number
}

/** What a filter looks at. */
export interface FilteredRow {
  executable: boolean
  venueA: string
  venueB: string
  /** Micro-dollars, NaN when unpriceable. */
  netMicros: number
  /** What the NO's price leaves of a dollar, less the YES's, before fees: millionths, NaN when a side has no price. */
  spreadMicros: number
  matchBand: string
}

export interface RowFilter {
  /** Equal for filters that mean the same. */
  key: string
  passes(row: FilteredRow): boolean
}

/** A filter on a venue that has no rows would be silence that looks like an answer. Null when every one is served. */
export function unknownVenue(asked: readonly string[] | undefined, served: readonly string[]): string | null {
  const strange = asked?.find((venue) => !served.includes(venue))
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
      // An edge that is not known is below every floor.
      (floor === null || row.netMicros >= floor),
  }
}
