// Arms a built order to wait for a price.

import { ConditionalOrder } from '#schemas/conditional'
import { defineRoute } from '#server/http/defineRoute'
import { conditionalOf } from '#storage/postgres/conditional/conditionalRow'
import { ArmBody, armConditional as arm } from '../arm.ts'
import type { ConditionalRouteDeps } from '../ports.ts'
import { access, callerOf, replayHeaders } from './shapes.ts'

export const armConditional = defineRoute({
  operationId: 'armConditional',
  method: 'post',
  path: '/v1/exec/conditional',
  family: 'conditional',
  access: { ...access, credits: 2 },
  keyed: true,
  summary: 'Arms a conditional order: a built execution is submitted when the market trades through a price',
  tag: 'execution',
  body: ArmBody,
  data: ConditionalOrder,
  errors: [
    'EXECUTION_NOT_FOUND',
    'EXECUTION_TERMINAL',
    'EXEC_UNAVAILABLE',
    'VENUE_NOT_SUPPORTED',
    'VENUE_REGION_BLOCKED',
    'NOT_IMPLEMENTED',
    'NOT_SUPPORTED',
    'ARTIFACT_INTEGRITY_MISMATCH',
    'ARTIFACT_VERSION_CONFLICT',
    'ARTIFACT_BOUNDS_VIOLATION',
    'INVALID_SIGNATURE',
    'HOSTED_FIRE_NOT_ELIGIBLE',
    'HOSTED_FIRE_UNAVAILABLE',
    'CONDITIONAL_ATTEMPT_CONFLICT',
    'OCO_GROUP_CLOSED',
    'NETWORK_ERROR',
    'PAPER_MARKET_CLOSED',
    'PAPER_NO_LIVE_BOOK',
  ],
  async handle(input, { conditional }: ConditionalRouteDeps) {
    const { row, replay } = await arm(conditional, callerOf(input), input.idempotencyKey!, input.body)
    return { data: conditionalOf(row), ...replayHeaders(replay) }
  },
})
