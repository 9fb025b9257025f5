// Myriad's own count of open markets, pools and order books of all its networks.
import { metricsOf } from '../../shared/data/metrics.ts'
import type { PublishedMetric } from '../../venue.ts'
import type { VenueContext } from '../../venueContext.ts'
import { countOpen } from './endpoints.ts'

export const fetchMetrics = async (context: VenueContext): Promise<PublishedMetric[]> =>
  metricsOf({ scope: 'venue', read: 'GET /markets' }, [['openMarkets', await countOpen(context), 'MARKETS']])
