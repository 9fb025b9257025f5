// Which structures a reader wants, and in which order: executable first, then the largest edge.

import type { StructureRow } from '#schemas/structures'
import { canonicalVenue } from '#schemas/venues'

export interface StructureFilter {
  executableOnly?: boolean
  /** Absent or empty: any but `equality`, which the two-leg surface reports. */
  kinds?: readonly StructureRow['kind'][]
  /** Every leg is on one of these. Empty or absent: any. */
  venues?: readonly string[]
  /** Minimum edge in dollars. */
  minEdge?: number
}

/** Where a page ends. */
export type StructurePosition = Pick<StructureRow, 'executable' | 'edge' | 'id'>

/** Equal for equivalent filters. */
export const structureFilterKey = ({ executableOnly, kinds, venues, minEdge }: StructureFilter): string =>
  JSON.stringify([
    executableOnly === true,
    [...(kinds ?? [])].sort(),
    (venues ?? []).map(canonicalVenue).sort(),
    minEdge ?? null,
  ])

export function structurePasses({ executableOnly, kinds, venues, minEdge }: StructureFilter) {
  const listed = venues === undefined || venues.length === 0 ? null : new Set(venues.map(canonicalVenue))
  const wanted = kinds === undefined || kinds.length === 0 ? null : new Set(kinds)
  return (row: StructureRow): boolean =>
    (executableOnly !== true || row.executable) &&
    (wanted === null ? row.kind !== 'equality' : wanted.has(row.kind)) &&
    (listed === null || row.legs.every(({ venue }) => listed.has(venue))) &&
    (minEdge === undefined || row.edge >= minEdge)
}

export const bestStructureFirst = (a: StructurePosition, b: StructurePosition): number =>
  Number(b.executable) - Number(a.executable) || b.edge - a.edge || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** A page of the current ones; after `after` if given. */
export function structurePage(
  rows: Iterable<StructureRow>,
  filter: StructureFilter,
  limit: number,
  after: StructurePosition | null,
): { rows: StructureRow[]; hasMore: boolean } {
  const passes = structurePasses(filter)
  const found: StructureRow[] = []
  for (const row of rows) if (passes(row) && (after === null || bestStructureFirst(row, after) > 0)) found.push(row)
  found.sort(bestStructureFirst)
  return { rows: found.slice(0, limit), hasMore: found.length > limit }
}
