// Takes back a built execution that was never sent. Idempotent.

import { Execution } from '#schemas/executions'
import { defineRoute } from '#server/http/defineRoute'
import { discardExecution as discard } from '../discard.ts'
import type { ExecutionsRouteDeps } from '../ports.ts'
import { executionOf } from '../rows.ts'
import { callerOf, ExecutionPath, laneErrors } from './shapes.ts'

export const discardExecution = defineRoute({
  operationId: 'discardExecution',
  method: 'delete',
  path: '/v1/exec/{venue}/orders/{executionId}',
  access: { scope: 'trade', credits: 0, anywhere: true },
  summary: 'Discards a built execution that was never sent, and frees the spend cap it holds',
  tag: 'execution',
  params: ExecutionPath,
  data: Execution,
  errors: [
    ...laneErrors,
    'EXECUTION_TERMINAL',
    'IDEMPOTENCY_CONFLICT',
    'CONDITIONAL_ARMED',
    'CONDITIONAL_ATTEMPT_CONFLICT',
  ],
  handle: async (input, { executions }: ExecutionsRouteDeps) => ({
    data: executionOf(await discard(executions, callerOf(input), input.params)),
  }),
})
