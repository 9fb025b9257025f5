// The venues as the routes of traders ask them: within a part of each venue's budget.
import type { Config } from '#config'
import { slicedClient } from '#net/slicedClient'
import type { TraderVenue } from '#traders/index'
import { tradersSlice } from './budgets.ts'
import type { RunningVenue } from './venues.ts'

/** `whose`: which part of it. */
export const openTraderVenues = (
  venues: readonly RunningVenue[],
  config: Config,
  whose: 'callers' | 'fillIns',
): Map<string, TraderVenue> =>
  new Map(
    venues.map(({ manifest, context }) => {
      const { slug, traders, data } = manifest
      const http = slicedClient(slug, context.http, tradersSlice(manifest, whose, config))
      return [slug, { slug, traders, fetchMarket: data.fetchMarket, context: { ...context, http } }]
    }),
  )
