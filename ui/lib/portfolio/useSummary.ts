import type { PortfolioSummary, VenueTotals } from '#schemas/portfolio'
import { type Answer, type ApiError, api } from '../api.ts'
import { usePolled } from '../hooks.ts'
import { missingLines, type PortfolioFields } from './unknownAmounts.ts'
import type { LivePortfolio } from './usePortfolio.ts'

const everyMs = 30_000

type SummaryAnswer = Answer<PortfolioSummary> & PortfolioFields

interface Summary {
  /** Null: not loaded yet. */
  rows: readonly VenueTotals[] | null
  /** Venues of the rows. */
  venues: readonly string[]
  /** Sentences on what all figures lack. */
  missing: readonly string[]
  asOf: string | null
  error: ApiError | null
}

/** Totals from the stream, otherwise as they were last read. A change of `round` reads them at once. */
export function useSummary(live: LivePortfolio, round = 0): Summary {
  const { value, error } = usePolled(
    'portfolio summary',
    (signal) => api('/v1/portfolio/summary', {}, signal) as Promise<SummaryAnswer>,
    everyMs,
    round,
  )
  const isLive = live.seq !== null
  const rows = isLive ? [...live.summary.values()] : (value?.data.byVenue ?? null)
  const unavailable = (isLive ? live.unavailable : value?.unavailable) ?? []
  return {
    rows,
    venues: [...new Set((rows ?? []).map(({ venue }) => venue))].sort(),
    missing: missingLines(unavailable, value?.gaps ?? null),
    asOf: (isLive ? live.asOf : value?.asOf) ?? null,
    error,
  }
}
