// Cancels an order, and records the owner's report of an order in client mode.

import { ConditionalOrder } from '#schemas/conditional'
import { defineRoute } from '#server/http/defineRoute'
import { conditionalOf } from '#storage/postgres/conditional/conditionalRow'
import { cancelConditional as cancel, ReportBody, reportConditional as report } from '../cancelAndReport.ts'
import type { ConditionalRouteDeps } from '../ports.ts'
import { access, ConditionalPath, callerOf, conditionalErrors, replayHeaders } from './shapes.ts'

export const cancelConditional = defineRoute({
  operationId: 'cancelConditional',
  method: 'post',
  path: '/v1/exec/conditional/{id}/cancel',
  family: 'conditional',
  // Cancelling is always allowed, without credits and from any country.
  access: { ...access, credits: 0, anywhere: true },
  keyed: true,
  summary: 'Cancels a conditional order that has not fired; repeating it is harmless',
  tag: 'execution',
  params: ConditionalPath,
  data: ConditionalOrder,
  errors: [...conditionalErrors, 'CONDITIONAL_NOT_ARMED'],
  async handle(input, { conditional }: ConditionalRouteDeps) {
    const wanted = { id: input.params.id, key: input.idempotencyKey! }
    const { row, replay } = await cancel(conditional, callerOf(input), wanted)
    return { data: conditionalOf(row), ...replayHeaders(replay) }
  },
})

export const reportConditional = defineRoute({
  operationId: 'reportConditional',
  method: 'post',
  path: '/v1/exec/conditional/{id}/report',
  family: 'conditional',
  access: { ...access, credits: 0, anywhere: true },
  summary: 'Reports the outcome of a conditional order that triggered in client mode; repeating it is harmless',
  tag: 'execution',
  params: ConditionalPath,
  body: ReportBody,
  data: ConditionalOrder,
  errors: [
    ...conditionalErrors,
    'CONDITIONAL_ARMED',
    'CONDITIONAL_NOT_ARMED',
    'CONDITIONAL_ATTEMPT_CONFLICT',
    'IDEMPOTENCY_CONFLICT',
  ],
  handle: async (input, { conditional }: ConditionalRouteDeps) => ({
    data: conditionalOf(await report(conditional, callerOf(input), input.params.id, input.body)),
  }),
})
