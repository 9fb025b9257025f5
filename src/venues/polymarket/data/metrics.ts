// Polymarket's own figure: its open interest over all markets, priced.
import { metricsOf } from '../../shared/data/metrics.ts'
import { amountOf } from '../../shared/data/parsers.ts'
import type { PublishedMetric } from '../../venue.ts'
import type { VenueContext } from '../../venueContext.ts'
import { fetchOpenInterest } from './endpoints.ts'

export async function fetchMetrics(context: VenueContext): Promise<PublishedMetric[]> {
  const answer = await fetchOpenInterest(context)
  const global = answer.data.find(({ condition_id }) => condition_id === 'GLOBAL')
  return metricsOf({ scope: 'venue', read: 'GET /v2/oi' }, [['openInterest', amountOf(global?.value), 'USD']])
}
