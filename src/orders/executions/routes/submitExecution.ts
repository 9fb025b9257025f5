// One relay attempt, identified by its key. An unknown outcome is a state, not an error.

import { Execution } from '#schemas/executions'
import { defineRoute } from '#server/http/defineRoute'
import type { ExecutionsRouteDeps } from '../ports.ts'
import { executionOf } from '../rows.ts'
import { submitExecution as submit } from '../submit.ts'
import { callerOf, ExecutionPath, keyOf, LaneBody, laneErrors, paperErrors, replayHeaders } from './shapes.ts'

export const submitExecution = defineRoute({
  operationId: 'submitExecution',
  method: 'post',
  path: '/v1/exec/{venue}/orders/{executionId}/submit',
  // Charged at build.
  access: { scope: 'trade', credits: 0, anywhere: true },
  keyed: true,
  summary: 'Relays an execution once; repeating the key only returns the result',
  tag: 'execution',
  params: ExecutionPath,
  body: LaneBody,
  laneVerb: 'submit',
  data: Execution,
  errors: [
    ...laneErrors,
    'EXECUTION_TERMINAL',
    'CLAIM_GENERATION_UNDETERMINED',
    'SPEND_CAP_EXCEEDED',
    'NOT_IMPLEMENTED',
    'ARTIFACT_INTEGRITY_MISMATCH',
    'ARTIFACT_VERSION_CONFLICT',
    'ARTIFACT_BOUNDS_VIOLATION',
    'INVALID_SIGNATURE',
    'VENUE_REGION_BLOCKED',
    'VENUE_CREDENTIAL_REJECTED',
    'VENUE_CREDENTIAL_BREAKER_OPEN',
    'GEMINI_TIME_NONCE_REQUIRED',
    'GEMINI_HEARTBEAT_KEY_UNSUPPORTED',
    'NETWORK_ERROR',
    'RESERVATION_REQUIRED',
    'RESERVATION_MISMATCH',
    'RESERVATION_CONSUMED',
    'RESERVATION_RELEASED',
    'RESERVATION_EXPIRED',
    'CONDITIONAL_ARMED',
    'CONDITIONAL_ATTEMPT_CONFLICT',
    'CONDITIONAL_CLOSED_NOT_SUBMITTED',
    'OCO_GROUP_CLOSED',
    'PERMISSION_DENIED',
    ...paperErrors,
  ],
  async handle(input, { executions }: ExecutionsRouteDeps) {
    const { row, replay } = await submit(executions, callerOf(input), {
      ...input.params,
      key: keyOf(input),
      body: input.body,
    })
    return { data: executionOf(row), ...replayHeaders(replay) }
  },
})
