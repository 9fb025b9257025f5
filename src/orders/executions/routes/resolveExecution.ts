// The owner states an outcome that no other source can: audited, and rejected when the venue shows otherwise.

import { Execution } from '#schemas/executions'
import { defineRoute } from '#server/http/defineRoute'
import type { ExecutionsRouteDeps } from '../ports.ts'
import { ResolveBody, resolveExecution as resolve } from '../resolve.ts'
import { executionOf } from '../rows.ts'
import { callerOf, ExecutionPath, keyOf, laneErrors, replayHeaders } from './shapes.ts'

export const resolveExecution = defineRoute({
  operationId: 'resolveExecution',
  method: 'post',
  path: '/v1/exec/{venue}/orders/{executionId}/resolve',
  // What ends an order is allowed from any country.
  liveOnly: true,
  access: { scope: 'trade', credits: 1, anywhere: true },
  keyed: true,
  summary: 'Settles an execution in flight as its owner states; with the fields of refresh, the venue is read first',
  tag: 'execution',
  params: ExecutionPath,
  body: ResolveBody,
  data: Execution,
  errors: [
    'NOT_SUPPORTED',
    ...laneErrors,
    'EXECUTION_TERMINAL',
    'IDEMPOTENCY_CONFLICT',
    'VENUE_CREDENTIAL_REJECTED',
    'VENUE_CREDENTIAL_BREAKER_OPEN',
    'NETWORK_ERROR',
  ],
  async handle(input, { executions }: ExecutionsRouteDeps) {
    const { row, replay } = await resolve(executions, callerOf(input), {
      ...input.params,
      key: keyOf(input),
      body: input.body,
    })
    return { data: executionOf(row), ...replayHeaders(replay) }
  },
})
