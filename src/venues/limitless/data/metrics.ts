// Limitless' own count of open markets. A group counts as one.
import { metricsOf } from '../../shared/data/metrics.ts'
import type { PublishedMetric } from '../../venue.ts'
import type { VenueContext } from '../../venueContext.ts'
import { countActive } from './endpoints.ts'

export const fetchMetrics = async (context: VenueContext): Promise<PublishedMetric[]> =>
  metricsOf({ scope: 'venue', read: 'GET /markets/active' }, [['openMarkets', await countActive(context), 'MARKETS']])
