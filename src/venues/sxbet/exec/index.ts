// SX Bet's status read: the specification allows refreshing its executions but has no build, so they come from elsewhere.
import { defineStatusLane } from '../../lane.ts'
import { refreshWithKey } from '../../shared/exec/apiKeyAdapter.ts'
import { Credentials } from './auth.ts'
import { refresh } from './refresh.ts'

export const sxbetStatus = defineStatusLane({
  slug: 'sxbet',
  urls: { REST: 'https://api.sx.bet' },
  refresh: refreshWithKey(Credentials, ({ apiKey }) => apiKey.reveal(), refresh),
  noHoldings: 'its positions are stakes and largest results, and how these become shares is not documented',
})
