// Limitless' own count of open markets. A group counts as one.
import { metricsOf } from '../../shared/data/metrics.ts'
import type { PublishedMetric, VenueContext } from '../../venue.ts'
import { countActive } from './endpoints.ts'

export const fetchMetrics = async (context: VenueContext): Promise<PublishedMetric[]> =>
  metricsOf({ scope: 'venue', read: 'GET /markets/active' }, [['openMarkets', await countActive(context), 'MARKETS']])
