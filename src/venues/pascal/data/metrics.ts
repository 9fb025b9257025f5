// Figures over the venue's list of markets: it is one response with every market.
import { metricsOf, wholeSum } from '../../shared/data/metrics.ts'
import { amountOf } from '../../shared/data/parsers.ts'
import { unreadable } from '../../shared/data/rest.ts'
import type { PublishedMetric } from '../../venue.ts'
import type { VenueContext } from '../../venueContext.ts'
import { PascalMarket } from '../wire.ts'
import { getMarkets } from './endpoints.ts'
import { volume24hOf } from './normalize.ts'

const path = '/api/v1/markets'

export async function fetchMetrics(context: VenueContext): Promise<PublishedMetric[]> {
  const { data: rows } = await getMarkets(context)
  const markets = PascalMarket.array().safeParse(rows).data
  if (markets === undefined) throw unreadable(context, path, 'a market of it')
  const hasResolutions = markets.every(({ resolution }) => resolution !== undefined)
  const open = markets.filter(({ resolution }) => resolution === null)
  return metricsOf({ scope: 'listed', read: `GET ${path}` }, [
    ['openMarkets', hasResolutions ? open.length : null, 'MARKETS'],
    [
      'openInterest',
      hasResolutions ? wholeSum(open.map(({ open_interest }) => amountOf(open_interest))) : null,
      'CONTRACTS',
    ],
    ['volume24h', wholeSum(markets.map(volume24hOf)), 'USD'],
  ])
}
