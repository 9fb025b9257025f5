// What the execution routes share: path shapes, who asks, how an execution is answered.
import { z } from 'zod'
import type { RouteInput } from '#http/defineRoute'
import { canonicalVenue } from '#schemas/venues'
import type { Caller } from '../ports.ts'

/** In any case and by any of its names. */
export const VenueName = z.string().transform(canonicalVenue)
export const VenuePath = z.object({ venue: VenueName })
export const ExecutionPath = z.object({ venue: VenueName, executionId: z.uuid() })
export const ReservationPath = z.object({ venue: VenueName, executionId: z.uuid(), reservationId: z.uuid() })

/** Each lane judges its own fields. */
export const LaneBody = z.record(z.string(), z.unknown())
export const OptionalLaneBody = LaneBody.optional()

export const laneErrors = ['VENUE_NOT_SUPPORTED', 'EXECUTION_NOT_FOUND', 'EXEC_UNAVAILABLE'] as const

type Asked = Pick<RouteInput, 'principal' | 'country' | 'isBlocked' | 'call'>

export const callerOf = (input: Asked): Caller => ({
  accountId: input.principal!.accountId,
  keyId: input.principal!.keyId,
  country: input.country,
  isBlocked: input.isBlocked,
  signal: input.call.signal,
})

/** Of routes that are `keyed`. */
export const keyOf = ({ idempotencyKey }: Pick<RouteInput, 'idempotencyKey'>): string => idempotencyKey!

export const replayHeaders = (replay: boolean) => (replay ? { headers: { 'idempotency-replay': 'true' } } : {})
