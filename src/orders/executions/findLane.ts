// The lane for a path, or the appropriate refusal.
import { Fault } from '#core/fault'
import { isListed, placeOf } from '#platform/geofence/geofence'
import { type Intent, isContractIntent, type PositionIntent } from '#schemas/executions'
import { executionVenues, type QueriedVenue } from '#schemas/venues'
import type { ExecutionAdapter } from '#venues/lane'
import type { Caller, ConditionalAdapter, ExecutionsDeps } from './ports.ts'

/** Unknown venues and unarmed lanes look the same: not found. */
export function laneOf(
  { lanes, unarmed }: Pick<ExecutionsDeps, 'lanes' | 'unarmed'>,
  venue: string,
): ConditionalAdapter {
  const armed = lanes.get(venue)
  if (armed !== undefined) return armed
  const known = (executionVenues as readonly string[]).includes(venue)
  const why = unarmed?.get(venue)
  const what = known
    ? `the ${venue} lane is not armed on this deployment${why === undefined ? '' : `: ${why}`}`
    : `no execution venue ${venue.slice(0, 40)}`
  throw new Fault('VENUE_NOT_SUPPORTED', what)
}

export function checkRegion({ lane }: ConditionalAdapter, { country }: Pick<Caller, 'country'>): void {
  if (country === null || !isListed(new Set(lane.blockedCountries), country)) return
  throw new Fault('VENUE_REGION_BLOCKED', `${lane.slug} does not serve ${placeOf(country)}`, { exchange: lane.slug })
}

/** The lane as it submits and reads executions of this intent. */
export function laneFor<
  L extends Pick<ExecutionAdapter, 'submit' | 'refresh'> & Pick<Partial<ExecutionAdapter>, 'redeem' | PositionIntent>,
>(lane: L, intent: Intent): L {
  const sent = isContractIntent(intent) ? lane[intent]?.sent : undefined
  return sent === undefined ? lane : { ...lane, ...sent }
}

/** False for a lane armed for settlement only. */
export const takesOrders = ({ settlementOnly }: Pick<ExecutionAdapter, 'settlementOnly'>): boolean =>
  settlementOnly !== true

export function checkTakesOrders(lane: Pick<ExecutionAdapter, 'slug' | 'settlementOnly'>): void {
  if (takesOrders(lane)) return
  const what = `this deployment only redeems at ${lane.slug}, and takes no orders there`
  throw new Fault('NOT_IMPLEMENTED', what, { exchange: lane.slug })
}

export const unsupportedOperation = (
  { slug, buildsOnly }: Pick<ExecutionAdapter, 'buildsOnly'> & { slug: QueriedVenue },
  verb: string,
): Fault =>
  new Fault('NOT_IMPLEMENTED', `${slug} has no ${verb}${buildsOnly === undefined ? '' : `: ${buildsOnly}`}`, {
    exchange: slug,
  })
