// Owns what a test may put into a catalog by hand where no data half walks the venue yet: markets in the service's own words.
import type { LabStatus } from './engine/market.ts'

/** As much of a catalog market as the lab knows. YES is the first outcome. */
export interface MarketFacts {
  marketId: string
  title: string
  outcomeIds: readonly [yes: string, no: string]
  /** Probability units; null where the venue names none. */
  tickSize: number | null
  status: 'active' | 'closed' | 'resolved'
  sourceMetadata: Readonly<Record<string, unknown>>
}

const words = { open: 'active', closed: 'closed', resolved: 'resolved' } as const

export const catalogStatus = (status: LabStatus): MarketFacts['status'] => words[status]
