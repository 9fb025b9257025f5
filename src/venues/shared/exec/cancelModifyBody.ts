// What can be done to an order resting at the venue: cancel or modify it. Neither body takes a credential; those come with submit.
import { z } from 'zod'
import { Fault } from '#core/fault'
import type { ExecutionVenue } from '#schemas/venues'
import type { Built, LaneExecution } from '../../lane.ts'
import { credentialAtBuild } from '../buildBody.ts'
import { Amount } from '../selector.ts'

export const CancelBody = z.strictObject({}, { error: credentialAtBuild }).meta({ examples: [{}] })

export const ModifyBody = z
  .strictObject(
    {
      price: Amount.optional(),
      /** Filled and resting contracts together. */
      size: Amount.optional(),
    },
    { error: credentialAtBuild },
  )
  .refine(({ price, size }) => price !== undefined || size !== undefined, { message: 'give price, size, or both' })
  .meta({ examples: [{ price: '0.41' }] })
export type ModifyBody = z.infer<typeof ModifyBody>

/** For venues that assign the order id: an order that was never answered has none yet. */
export function orderIdOf(venue: ExecutionVenue, { venueRef }: LaneExecution): string {
  if (venueRef !== null) return venueRef
  throw new Fault('VALIDATION_ERROR', 'this order has no venue order id yet; refresh it first', { exchange: venue })
}

/** Places nothing and costs nothing. */
export const cancellation = (
  built: Pick<Built, 'unsigned' | 'bounds' | 'clientRef'> & Partial<Pick<Built, 'owner'>>,
): Built => ({ terms: null, notionalUsd: null, feeEstimate: null, warnings: [], owner: null, ...built })
