// What this deployment serves, decided once. The documents, the list of venues and the index derive from it.
import { type ErrorCode, errorCodes } from '#schemas/errors'
import type { StreamChannel } from '#schemas/stream'
import type { WebhookEvent } from '#schemas/webhooks'
import type { Route } from './defineRoute.ts'
import { disabledResponses, type FeatureFlags, isEnabled } from './featureFlags.ts'

export interface EnabledFeatures {
  families: FeatureFlags
  /** The stream's channels other than books and trades. */
  channels: readonly StreamChannel[]
  /** The venue whose trades are visible before their block; null without a suitable node. */
  pendingTrades: string | null
  /** Events sent to endpoints. */
  webhookEvents: readonly WebhookEvent[]
}

export const servedRoutes = <R extends Pick<Route<never>, 'family'>>(
  routes: readonly R[],
  families: FeatureFlags,
): R[] => routes.filter(({ family }) => isEnabled(family, families))

/** Without the codes of routes that are not served. */
export function servedCodes(
  routes: readonly Pick<Route<never>, 'family' | 'errors'>[],
  families: FeatureFlags,
): ErrorCode[] {
  const spoken = new Set(servedRoutes(routes, families).flatMap(codesOf))
  const silent = new Set(routes.flatMap(codesOf).filter((code) => !spoken.has(code)))
  // Of a path without a route.
  silent.delete('ROUTE_NOT_FOUND')
  return (Object.keys(errorCodes) as ErrorCode[]).filter((code) => !silent.has(code))
}

const codesOf = ({ family, errors }: Pick<Route<never>, 'family' | 'errors'>): readonly ErrorCode[] =>
  family === 'core' ? errors : [...errors, disabledResponses[family][0]]
