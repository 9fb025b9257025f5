// Route families that can be switched off, and what each answers while dark. `core` is always on.
import type { ErrorCode } from '#schemas/errors'

export const disabledResponses = {
  history: ['ROUTE_NOT_FOUND', 'no such route'],
  conditional: ['ROUTE_NOT_FOUND', 'no such route'],
  webhooks: ['ROUTE_NOT_FOUND', 'no such route'],
  sports: ['ROUTE_NOT_FOUND', 'no such route'],
  venueMetrics: ['ROUTE_NOT_FOUND', 'no such route'],
  openOrders: ['ROUTE_NOT_FOUND', 'no such route'],
  traders: ['ROUTE_NOT_FOUND', 'no such route'],
  // Of the codes specified for its routes, the one for a disabled feature.
  bridge: ['BRIDGE_PROVIDER_UNAVAILABLE', 'the funding bridge is switched off on this deployment'],
  feeds: ['FEEDS_UNAVAILABLE', 'reference feeds are switched off on this deployment'],
} as const satisfies Record<string, readonly [code: ErrorCode, message: string]>

export type FlaggedFeature = keyof typeof disabledResponses
export type FeatureGroup = 'core' | FlaggedFeature

/** Which families are enabled. A family not named is disabled. */
export type FeatureFlags = Readonly<Partial<Record<FlaggedFeature, boolean>>>

export const isEnabled = (family: FeatureGroup, flags: FeatureFlags): boolean =>
  family === 'core' || flags[family] === true
