// The lane for a path, or the appropriate refusal.
import { Fault } from '#core/fault'
import { isListed, placeOf } from '#platform/geofence/geofence'
import { type Intent, isContractIntent, type PositionIntent } from '#schemas/executions'
import { isPaperAccount } from '#schemas/paper'
import { executionVenues, type QueriedVenue } from '#schemas/venues'
import type { ExecutionAdapter } from '#venues/lane'
import type { Caller, ConditionalAdapter, ConditionalPreview, ExecutionsDeps } from './ports.ts'

type Lanes = Pick<ExecutionsDeps, 'lanes' | 'paperLanes'>
const none: ReadonlyMap<string, ConditionalAdapter> = new Map()

/** The lanes of an account: those of a paper account never contact a venue. */
export const lanesOf = ({ lanes, paperLanes }: Lanes, accountId: string): ReadonlyMap<string, ConditionalAdapter> =>
  isPaperAccount(accountId) ? (paperLanes ?? none) : lanes

/** The lane that reads the status of the account's executions; undefined: none. */
export const readingLaneOf = (
  deps: Lanes & Pick<ExecutionsDeps, 'statusLanes'>,
  venue: string,
  accountId: string,
): ConditionalPreview | undefined =>
  (isPaperAccount(accountId) ? undefined : deps.statusLanes?.get(venue)) ?? lanesOf(deps, accountId).get(venue)

/** Unknown venues and unarmed lanes look the same: not found. */
export function laneOf(
  { unarmed, ...deps }: Lanes & Pick<ExecutionsDeps, 'unarmed'>,
  venue: string,
  accountId: string,
): ConditionalAdapter {
  const armed = lanesOf(deps, accountId).get(venue)
  if (armed !== undefined) return armed
  if (isPaperAccount(accountId))
    throw new Fault('VENUE_NOT_SUPPORTED', `${venue.slice(0, 40)} takes no paper orders here`)
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
