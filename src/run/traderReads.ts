// The venues for the routes of traders: within a share of each venue's budget, of which no account gets more than half in the long run.
import type { Config } from '#config'
import type { VenueBudgets } from '#net/hostBudget'
import { type Slices, slicedClient } from '#net/slicedClient'
import { asker, type TraderVenue } from '#traders/index'
import type { VenueManifest } from '#venues/venue'
import { tradersSlice } from './budgets.ts'
import type { RunningVenue } from './venues.ts'

/** No caller waits longer for its turn: otherwise it is refused at once, with the time until it would fit. */
export const lineMs = 3_000
const askerPart = 0.5
/** Remembered per venue; the least recent asker is evicted first. */
export const askersMax = 1_000

/** `whose`: which share. Reads without a caller wait as long as it takes. */
export const openTraderVenues = (
  venues: readonly RunningVenue[],
  config: Config,
  whose: 'callers' | 'fillIns',
): Map<string, TraderVenue> =>
  new Map(
    venues.map(({ manifest, context }) => {
      const { slug, traders, data } = manifest
      const all = [tradersSlice(manifest, whose, config)]
      const slices = whose === 'callers' ? callersSlices(manifest, config) : { of: () => all }
      const http = slicedClient(slug, context.http, slices)
      return [slug, { slug, traders, fetchMarket: data.fetchMarket, context: { ...context, http } }]
    }),
  )

export function callersSlices(manifest: VenueManifest, config: Pick<Config, 'venueSetting'>): Slices {
  const all = tradersSlice(manifest, 'callers', config)
  const own = new Map<string, VenueBudgets>()
  return {
    of() {
      const account = asker.getStore()
      if (account === undefined) return [all]
      const slice = own.get(account) ?? tradersSlice(manifest, 'callers', config, askerPart)
      own.delete(account)
      own.set(account, slice)
      const [oldest] = own.keys()
      if (own.size > askersMax) own.delete(oldest!)
      return [slice, all]
    },
    lineMs,
  }
}
