// Replaces an order: builds its modification, or a cancel and the order that follows it.
import { z } from 'zod'
import { ReplaceBody, Replacement } from '#schemas/replacements'
import { defineRoute } from '#server/http/defineRoute'
import type { Persisted } from '../persist.ts'
import type { ExecutionsRouteDeps } from '../ports.ts'
import { replaceOrder } from '../replace.ts'
import { executionOf } from '../rows.ts'
import { storedSummaryOf } from '../summary.ts'
import { callerOf, ExecutionPath, keyOf, laneErrors, replayHeaders } from './shapes.ts'

export const replaceExecution = defineRoute({
  operationId: 'replaceExecution',
  method: 'post',
  path: '/v1/exec/{venue}/orders/{executionId}/replace',
  access: { scope: 'trade', credits: 2 },
  keyed: true,
  summary: 'Builds the change of an order, or its cancel and a new order that can be submitted once it is canceled',
  tag: 'execution',
  params: ExecutionPath,
  body: ReplaceBody,
  data: Replacement,
  topLevelFields: { warnings: z.array(z.string()).optional() },
  errors: [
    ...laneErrors,
    'EXECUTION_TERMINAL',
    'CLAIM_GENERATION_UNDETERMINED',
    'NOT_IMPLEMENTED',
    'ARTIFACT_INTEGRITY_MISMATCH',
    'ARTIFACT_VERSION_CONFLICT',
    'ARTIFACT_BOUNDS_VIOLATION',
    'SPEND_CAP_EXCEEDED',
    'VENUE_REGION_BLOCKED',
    'CONDITIONAL_ARMED',
    'CONDITIONAL_ATTEMPT_CONFLICT',
    'MARKET_NOT_FOUND',
    'OUTCOME_NOT_FOUND',
    'CATALOG_UNAVAILABLE',
    'NETWORK_ERROR',
    'PAPER_NO_LIVE_BOOK',
  ],
  async handle(input, { executions }: ExecutionsRouteDeps) {
    const { venue, executionId } = input.params
    const wanted = { venue, executionId, key: keyOf(input), body: input.body }
    const result = await replaceOrder(executions, callerOf(input), wanted)
    const none = { modify: null, cancel: null, order: null, size: null }
    const replacement = { ...none, kind: result.kind, replacesExecutionId: executionId }
    if (result.kind === 'modify')
      return { data: { ...replacement, modify: shown(result.modify) }, ...replayHeaders(result.modify.replay) }
    const { cancel, order, size, warnings } = result
    return {
      data: { ...replacement, cancel: cancel === null ? null : shown(cancel), order: shown(order), size },
      siblings: warnings.length === 0 ? {} : { warnings },
      ...replayHeaders(order.replay),
    }
  },
})

const shown = ({ row }: Persisted) => executionOf(row, { summary: storedSummaryOf(row) })
