// Shared by cancel and modify: a new execution that acts on another, which itself is not touched.

import { Execution } from '#schemas/executions'
import { defineRoute } from '#server/http/defineRoute'
import { deriveExecution } from '../cancelOrModify.ts'
import type { ExecutionsRouteDeps } from '../ports.ts'
import { executionOf } from '../rows.ts'
import { storedSummaryOf } from '../summary.ts'
import { callerOf, ExecutionPath, keyOf, laneErrors, OptionalLaneBody, replayHeaders } from './shapes.ts'

export const deriveRoute = (intent: 'cancel' | 'modify', summary: string) =>
  defineRoute({
    operationId: `${intent}Execution`,
    method: 'post',
    path: `/v1/exec/{venue}/orders/{executionId}/${intent}`,
    // Cancelling is always allowed, without credits and from any country.
    access: intent === 'cancel' ? { scope: 'trade', credits: 0, anywhere: true } : { scope: 'trade', credits: 2 },
    keyed: true,
    summary,
    tag: 'execution',
    params: ExecutionPath,
    body: OptionalLaneBody,
    laneVerb: intent,
    data: Execution,
    errors: [
      ...laneErrors,
      'EXECUTION_TERMINAL',
      'CLAIM_GENERATION_UNDETERMINED',
      'NOT_IMPLEMENTED',
      'ARTIFACT_INTEGRITY_MISMATCH',
      'ARTIFACT_VERSION_CONFLICT',
      'ARTIFACT_BOUNDS_VIOLATION',
      ...(intent === 'modify' ? (['SPEND_CAP_EXCEEDED'] as const) : []),
      ...(intent === 'modify' ? (['VENUE_REGION_BLOCKED'] as const) : []),
      ...(intent === 'modify' ? (['CONDITIONAL_ARMED', 'CONDITIONAL_ATTEMPT_CONFLICT'] as const) : []),
      'NETWORK_ERROR',
    ],
    async handle(input, { executions }: ExecutionsRouteDeps) {
      const { row, replay } = await deriveExecution(executions, callerOf(input), intent, {
        ...input.params,
        key: keyOf(input),
        body: input.body,
      })
      return { data: executionOf(row, { summary: storedSummaryOf(row) }), ...replayHeaders(replay) }
    },
  })
