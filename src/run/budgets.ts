// The request budgets of this process: one for each venue, whoever asks it.
import { VenueBudgets } from '#net/hostBudget'
import { registry } from '#venues/registry'
import { defaultRequestsPerSecond, type VenueManifest } from '#venues/venue'

export type Budgets = (venue: string) => VenueBudgets

export function openBudgets(): Budgets {
  const manifests: Readonly<Record<string, VenueManifest>> = registry
  const known = new Map<string, VenueBudgets>()
  return (venue) => {
    const manifest = manifests[venue]
    const perSecond = manifest?.data.requestsPerSecond ?? defaultRequestsPerSecond
    const budgets = known.get(venue) ?? new VenueBudgets(venue, manifest?.budget ?? { perSecond })
    known.set(venue, budgets)
    return budgets
  }
}
