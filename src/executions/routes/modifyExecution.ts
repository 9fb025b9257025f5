// A new execution that modifys another; the target itself is not touched.
import { defineRoute } from '#http/defineRoute'
import { Execution } from '#schemas/executions'
import { deriveExecution } from '../derive.ts'
import type { ExecutionsRouteDeps } from '../ports.ts'
import { executionOf } from '../rows.ts'
import { callerOf, ExecutionPath, keyOf, laneErrors, OptionalLaneBody, replayHeaders } from './shapes.ts'

export const modifyExecution = defineRoute({
  operationId: 'modifyExecution',
  method: 'post',
  path: '/v1/exec/{venue}/orders/{executionId}/modify',
  access: { scope: 'trade', credits: 1 },
  keyed: true,
  summary: 'Builds a change of an order: a new execution, submitted by its own id',
  tag: 'execution',
  params: ExecutionPath,
  body: OptionalLaneBody,
  data: Execution,
  errors: [...laneErrors, 'EXECUTION_TERMINAL', 'NOT_IMPLEMENTED', 'SPEND_CAP_EXCEEDED', 'VENUE_REGION_BLOCKED'],
  async handle(input, { executions }: ExecutionsRouteDeps) {
    const { row, replay } = await deriveExecution(executions, callerOf(input), 'modify', {
      ...input.params,
      key: keyOf(input),
      body: input.body,
    })
    return { data: executionOf(row), ...replayHeaders(replay) }
  },
})
