// The venues for the routes of traders: within a share of each venue's budget, of which no account gets more than half in the long run.
import type { Config } from '#config'
import { Cache } from '#core/cache'
import type { VenueBudgets } from '#net/hostRateLimiter'
import { quotaClient, type Slices } from '#net/quotaClient'
import { callerContext, type TraderVenue } from '#traders/index'
import type { VenueManifest } from '#venues/venue'
import { tradersQuota } from './budgets.ts'
import type { RunningVenue } from './venues.ts'

/** No caller waits longer for its turn: otherwise it is refused at once, with the time until it would fit. */
export const lineMs = 3_000
const callerPart = 0.5
/** Remembered per venue; the least recent asker is evicted first. */
export const callersMax = 1_000

/** `quota`: which share. Reads without a caller wait as long as it takes. */
export const openTraderVenues = (
  venues: readonly RunningVenue[],
  config: Config,
  quota: 'callers' | 'fillIns',
): Map<string, TraderVenue> =>
  new Map(
    venues.map(({ manifest, context }) => {
      const { slug, traders, data } = manifest
      const all = [tradersQuota(manifest, quota, config)]
      const slices = quota === 'callers' ? callerQuotas(manifest, config) : { of: () => all }
      const http = quotaClient(slug, context.http, slices)
      return [slug, { slug, traders, fetchMarket: data.fetchMarket, context: { ...context, http } }]
    }),
  )

export function callerQuotas(manifest: VenueManifest, config: Pick<Config, 'venueSetting'>): Slices {
  const all = tradersQuota(manifest, 'callers', config)
  const own = new Cache<VenueBudgets>(callersMax)
  return {
    of() {
      const account = callerContext.getStore()
      if (account === undefined) return [all]
      const slice = own.get(account) ?? tradersQuota(manifest, 'callers', config, callerPart)
      own.set(account, slice)
      return [slice, all]
    },
    lineMs,
  }
}
