// Catalog markets in the service's own shape, for tests to insert while no adapter walks the venue.
import type { LabStatus } from './engine/market.ts'

/** The fields of a catalog market that the lab knows. YES is the first outcome. */
export interface MarketFacts {
  marketId: string
  title: string
  outcomeIds: readonly [yes: string, no: string]
  /** Probability units; null when the venue states none. */
  tickSize: number | null
  status: 'active' | 'closed' | 'resolved'
  sourceMetadata: Readonly<Record<string, unknown>>
}

const words = { open: 'active', closed: 'closed', resolved: 'resolved' } as const

export const catalogStatus = (status: LabStatus): MarketFacts['status'] => words[status]
