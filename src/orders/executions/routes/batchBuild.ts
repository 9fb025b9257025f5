// Builds several orders or redemptions in one request; each is built, or refused, as by a request of its own.
import { z } from 'zod'
import { BatchBuildBody, BuiltItem } from '#schemas/batch'
import { defineRoute } from '#server/http/defineRoute'
import { VenueName } from '#server/http/venueName'
import { buildOrder } from '../build.ts'
import { bindRequest } from '../bulk/bindRequest.ts'
import { itemKey, runItems } from '../bulk/runItems.ts'
import type { ExecutionsRouteDeps } from '../ports.ts'
import { answerOf } from './buildExecution.ts'
import { batchBytesMax, callerOf, keyOf, replayedOf, replayHeaders, runOptionsOf } from './shapes.ts'

export const batchBuild = defineRoute({
  operationId: 'batchBuild',
  method: 'post',
  path: '/v1/exec/batch/build',
  access: { scope: 'trade', credits: 2, itemsIn: ({ orders }: BatchBuildBody) => orders.length },
  keyed: true,
  summary: 'Builds up to 20 orders or redemptions; with dryRun previews that write nothing',
  tag: 'execution',
  body: BatchBuildBody,
  bodyBytesMax: batchBytesMax,
  data: z.array(BuiltItem),
  topLevelFields: { dryRun: z.literal(true).optional() },
  errors: ['EXEC_UNAVAILABLE'],
  async handle(input, { executions }: ExecutionsRouteDeps) {
    const caller = callerOf(input)
    const key = keyOf(input)
    const { orders, dryRun } = input.body
    const isPreview = dryRun === true
    if (!isPreview) await bindRequest(executions, caller, { kind: 'build', key, identity: orders })
    const { answers } = await runItems(
      orders,
      async ({ venue, ...fields }, index) => {
        const body = isPreview ? { ...fields, dryRun } : fields
        const result = await buildOrder(executions, caller, VenueName.parse(venue), itemKey(key, index), body)
        const { data, siblings, replay } = answerOf(executions, result)
        return { data, ...siblings, ...(replay && { replay }) }
      },
      runOptionsOf(input, executions),
    )
    return {
      data: answers,
      siblings: isPreview ? { dryRun: true } : {},
      rows: answers.filter((answer) => answer.ok && answer.replay === undefined).length,
      ...replayHeaders(replayedOf(answers)),
    }
  },
})
