// Catalog markets that a test can insert by hand while no data half walks the venue yet, in the service's own shape.
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
