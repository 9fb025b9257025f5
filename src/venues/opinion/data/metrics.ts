// Opinion's own count of activated markets. A categorical one counts as one.
import { metricsOf } from '../../shared/data/metrics.ts'
import type { PublishedMetric } from '../../venue.ts'
import type { VenueContext } from '../../venueContext.ts'
import { countActivated } from './endpoints.ts'

export const fetchMetrics = async (context: VenueContext): Promise<PublishedMetric[]> =>
  metricsOf({ scope: 'venue', read: 'GET /market' }, [['openMarkets', await countActivated(context), 'MARKETS']])
