// All-time volume at Kalshi: its list of series is one response, with the contracts of each.
import { metricsOf, wholeSum } from '../../shared/data/metrics.ts'
import { amountOf } from '../../shared/data/parsers.ts'
import { unreadable } from '../../shared/data/rest.ts'
import type { PublishedMetric } from '../../venue.ts'
import type { VenueContext } from '../../venueContext.ts'
import { KalshiSeriesVolume } from '../wire.ts'
import { listSeriesVolumes } from './endpoints.ts'

export async function fetchMetrics(context: VenueContext): Promise<PublishedMetric[]> {
  const list = await listSeriesVolumes(context)
  const series = KalshiSeriesVolume.array().safeParse(list.series ?? []).data
  // A list with a cursor is incomplete.
  if (series === undefined || list?.cursor) throw unreadable(context, '/series', 'not the whole list')
  const volume = series.length === 0 ? null : wholeSum(series.map(({ volume_fp }) => amountOf(volume_fp)))
  return metricsOf({ scope: 'listed', read: 'GET /series' }, [['volume', volume, 'CONTRACTS']])
}
