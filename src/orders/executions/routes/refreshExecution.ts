// Folds the venue's status into the stored row.

import { Execution } from '#schemas/executions'
import { defineRoute } from '#server/http/defineRoute'
import type { ExecutionsRouteDeps } from '../ports.ts'
import { refreshExecution as refresh } from '../readOrderChain.ts'
import { executionOf } from '../rows.ts'
import { callerOf, ExecutionPath, laneErrors, OptionalLaneBody } from './shapes.ts'

export const refreshExecution = defineRoute({
  operationId: 'refreshExecution',
  method: 'post',
  path: '/v1/exec/{venue}/orders/{executionId}/refresh',
  access: { scope: 'trade', credits: 1, anywhere: true },
  summary: 'Reads the status from the venue and folds it into an execution in flight',
  tag: 'execution',
  params: ExecutionPath,
  body: OptionalLaneBody,
  laneVerb: 'refresh',
  data: Execution,
  errors: [
    ...laneErrors,
    'NOT_IMPLEMENTED',
    'VENUE_CREDENTIAL_REJECTED',
    'VENUE_CREDENTIAL_BREAKER_OPEN',
    'NETWORK_ERROR',
  ],
  async handle(input, { executions }: ExecutionsRouteDeps) {
    const { row, fills, observation } = await refresh(executions, callerOf(input), {
      ...input.params,
      body: input.body,
    })
    return { data: executionOf(row, { fills, ...(observation === null ? {} : { observation }) }) }
  },
})
