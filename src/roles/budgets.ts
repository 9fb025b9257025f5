// The request budgets of this process: one per venue, shared by all callers.
import type { Config } from '#config'
import type { Clock } from '#core/clock'
import { type RequestBudget, VenueBudgets } from '#net/hostRateLimiter'
import { manifests } from '#venues/registry'
import { defaultRequestsPerSecond, type VenueManifest } from '#venues/venue'

export type Budgets = (venue: string) => VenueBudgets

/** The share of a venue's budget that this process uses: processes do not share theirs. */
export const budgetVariable = 'BUDGET_PERCENT'

const bySlug: ReadonlyMap<string, VenueManifest> = new Map(manifests.map((manifest) => [manifest.slug, manifest]))

/** Without a config: full budgets. */
export function openBudgets(config?: Pick<Config, 'venueSetting'>): Budgets {
  const known = new Map<string, VenueBudgets>()
  return (venue) => {
    const manifest = bySlug.get(venue)
    const perSecond = manifest?.data.requestsPerSecond ?? defaultRequestsPerSecond
    const part = partTaken(venue, config)
    const budgets = known.get(venue) ?? new VenueBudgets(venue, partOf(manifest?.budget ?? { perSecond }, part))
    known.set(venue, budgets)
    return budgets
  }
}

/** Of one of `parts` ingest processes that feed a venue together: what they use between them is what one would. */
export function openPartBudgets(
  { slug, budget, data }: Pick<VenueManifest, 'slug' | 'budget' | 'data'>,
  config: Pick<Config, 'venueSetting'>,
  parts: number,
  clock?: Clock,
): VenueBudgets {
  const whole = budget ?? { perSecond: data.requestsPerSecond ?? defaultRequestsPerSecond }
  return new VenueBudgets(slug, partOf(whole, partTaken(slug, config) / parts), clock)
}

/**
 * The shares of a budget available to traders in the long run: for callers' requests, for the record's reads of trades, and for adding wallets.
 * Bursts are not limited by them.
 */
const tradersParts = { callers: 0.25, record: 0.1, fillIns: 0.05 } as const

/** `part`: of that share, for one of many that split it. */
export function tradersQuota(
  { slug, budget, data }: VenueManifest,
  quota: keyof typeof tradersParts,
  config?: Pick<Config, 'venueSetting'>,
  part = 1,
): VenueBudgets {
  const whole = budget ?? { perSecond: data.requestsPerSecond ?? defaultRequestsPerSecond }
  const { perSecond, burst = Math.max(1, perSecond) } = partOf(whole, partTaken(slug, config))
  return new VenueBudgets(slug, { perSecond: perSecond * tradersParts[quota] * part, burst })
}

const partTaken = (venue: string, config?: Pick<Config, 'venueSetting'>): number =>
  Number(config?.venueSetting(venue, budgetVariable) ?? 100) / 100

const partOf = ({ perSecond, burst, callersPerSecond, ...rest }: RequestBudget, part: number): RequestBudget => ({
  ...rest,
  perSecond: perSecond * part,
  ...(burst === undefined ? {} : { burst: Math.max(1, burst * part) }),
  ...(callersPerSecond === undefined ? {} : { callersPerSecond: callersPerSecond * part }),
})
