// Shared by the execution routes: path shapes, the caller, how an execution is returned.
import { z } from 'zod'
import type { RouteInput } from '#server/http/defineRoute'
import { VenueName } from '#server/http/venueName'
import type { ItemAnswer } from '../bulk/runItems.ts'
import type { Caller, ExecutionsDeps } from '../ports.ts'

export const VenuePath = z.object({ venue: VenueName })
export const ExecutionPath = z.object({ venue: VenueName, executionId: z.uuid() })
export const ReservationPath = z.object({ venue: VenueName, executionId: z.uuid(), reservationId: z.uuid() })

/** Each lane validates its own fields. */
export const LaneBody = z.record(z.string(), z.unknown())
export const OptionalLaneBody = LaneBody.optional().meta({ examples: [{}] })

export const venueErrors = ['VENUE_NOT_SUPPORTED', 'EXCHANGE_NOT_AVAILABLE', 'EXEC_UNAVAILABLE'] as const
export const laneErrors = [...venueErrors, 'EXECUTION_NOT_FOUND'] as const

/** Of the paper exchange, to a submit of a paper account. */
export const paperErrors = [
  'PAPER_INSUFFICIENT_CASH',
  'PAPER_POSITION_TOO_SMALL',
  'PAPER_MARKET_CLOSED',
  'PAPER_WORKING_ORDER_CAP',
  'PAPER_NO_LIVE_BOOK',
  'PAPER_ORDER_NOT_FOUND',
  'PAPER_ORDER_NOT_OPEN',
] as const

type CallerInput = Pick<RouteInput, 'principal' | 'country' | 'isBlocked' | 'call'>

export const callerOf = (input: CallerInput): Caller => ({
  accountId: input.principal!.accountId,
  keyId: input.principal!.keyId,
  country: input.country,
  isBlocked: input.isBlocked,
  signal: input.call.signal,
})

/** For routes that are `keyed`. */
export const keyOf = ({ idempotencyKey }: Pick<RouteInput, 'idempotencyKey'>): string => idempotencyKey!

export const replayHeaders = (replay: boolean) => (replay ? { headers: { 'idempotency-replay': 'true' } } : {})

/** Of requests for many operations. */
export const batchBytesMax = 256 * 1024

export const runOptionsOf = (input: Pick<RouteInput, 'requestId' | 'call'>, { log }: Pick<ExecutionsDeps, 'log'>) => ({
  signal: input.call.signal,
  requestId: input.requestId,
  log,
})

/** An earlier request with this key did every item. */
export const replayedOf = (answers: readonly ItemAnswer<{ replay?: true }>[]): boolean =>
  answers.length > 0 && answers.every((answer) => answer.ok && answer.replay === true)
