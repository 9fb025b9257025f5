// A cancellation: it names an order that the venue knows, costs nothing and carries no credential.
import { z } from 'zod'
import { Fault } from '#lib/fault'
import type { ExecutionVenue } from '#schemas/venues'
import type { Built, LaneExecution } from '../../lane.ts'
import { credentialAtBuild } from '../buildBody.ts'

export const CancelBody = z.strictObject({}, { error: credentialAtBuild })

/** Of lanes whose venue gives an order its id: what was never answered has none yet. */
export function orderIdOf(venue: ExecutionVenue, { venueRef }: LaneExecution): string {
  if (venueRef !== null) return venueRef
  throw new Fault('VALIDATION_ERROR', 'this order has no venue order id yet; refresh it first', { exchange: venue })
}

export const cancellation = (
  built: Pick<Built, 'unsigned' | 'bounds' | 'clientRef'> & Partial<Pick<Built, 'owner'>>,
): Built => ({ terms: null, notionalUsd: null, feeEstimate: null, warnings: [], owner: null, ...built })
