// An event of a lab venue's listing and its markets, before a venue maps them to its own names and shapes.
import type { GridName } from '../engine/grid.ts'
import type { LabStatus } from '../engine/market.ts'

export interface CatalogMarket {
  /** `fed-decision/C25`: the same on every venue that lists the question. */
  key: string
  label: string
  /** Name of the other side. */
  opposite: string
  question: string
  code: string
  anchorMicros: number
  grid: GridName
  status: LabStatus
  result: 'yes' | 'no' | null
  /** Set when the book comes from a recording: its ticker or token id there. */
  recordedId?: string
}

export interface CatalogEvent {
  key: string
  /** Position in the catalog, from 0; numeric ids derive from it. */
  ordinal: number
  title: string
  category: string
  tags: readonly string[]
  series: readonly [ticker: string, title: string]
  exclusive: boolean
  rules: string
  createdMs: number
  endMs: number
  /** Kickoff of a game: on the evening of the date in its names, both in New York time and in UTC. Null for anything but a game. */
  startMs: number | null
  markets: CatalogMarket[]
}
