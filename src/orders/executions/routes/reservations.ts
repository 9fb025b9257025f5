// Takes and releases the short-lived right to submit.
import { z } from 'zod'
import { defineRoute } from '#server/http/defineRoute'
import type { ExecutionsRouteDeps } from '../ports.ts'
import { releaseReservation, reserveSubmit } from '../reservations.ts'
import { callerOf, ExecutionPath, laneErrors, ReservationPath } from './shapes.ts'

export const createReservation = defineRoute({
  operationId: 'createReservation',
  method: 'post',
  path: '/v1/exec/{venue}/orders/{executionId}/reservations',
  access: { scope: 'trade', credits: 0 },
  summary: 'Holds the right to submit an execution for 60 seconds',
  tag: 'execution',
  params: ExecutionPath,
  data: z.object({ reservationId: z.uuid(), executionId: z.uuid(), expiresAt: z.iso.datetime() }),
  errors: [
    ...laneErrors,
    'EXECUTION_TERMINAL',
    'CONDITIONAL_ARMED',
    'CONDITIONAL_ATTEMPT_CONFLICT',
    'CONDITIONAL_CLOSED_NOT_SUBMITTED',
    'OCO_GROUP_CLOSED',
    'PERMISSION_DENIED',
  ],
  handle: async (input, { executions }: ExecutionsRouteDeps) => ({
    data: await reserveSubmit(executions, callerOf(input), input.params.venue, input.params.executionId),
  }),
})

export const deleteReservation = defineRoute({
  operationId: 'deleteReservation',
  method: 'delete',
  path: '/v1/exec/{venue}/orders/{executionId}/reservations/{reservationId}',
  access: { scope: 'trade', credits: 0 },
  summary: 'Releases the right to submit',
  tag: 'execution',
  params: ReservationPath,
  data: z.null(),
  errors: [...laneErrors, 'RESERVATION_MISMATCH', 'RESERVATION_CONSUMED'],
  async handle(input, { executions }: ExecutionsRouteDeps) {
    await releaseReservation(executions, callerOf(input), input.params)
    return { data: null }
  },
})
