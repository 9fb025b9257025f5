// Submits several executions in one request: each is one relay attempt, as by a request of its own.
import { z } from 'zod'
import { Fault } from '#core/fault'
import { BatchSubmitBody, SubmittedItem } from '#schemas/batch'
import { defineRoute } from '#server/http/defineRoute'
import { bindRequest } from '../bulk/bindRequest.ts'
import { itemKey, runItems } from '../bulk/runItems.ts'
import { sharedFields } from '../bulk/sharedFields.ts'
import { findOwned } from '../cancelOrModify.ts'
import type { ExecutionsRouteDeps } from '../ports.ts'
import { executionOf } from '../rows.ts'
import { submitExecution } from '../submit.ts'
import { batchBytesMax, callerOf, keyOf, replayedOf, replayHeaders, runOptionsOf } from './shapes.ts'

export const batchSubmit = defineRoute({
  operationId: 'batchSubmit',
  method: 'post',
  path: '/v1/exec/batch/submit',
  // Charged at build.
  access: { scope: 'trade', credits: 0, anywhere: true },
  keyed: true,
  summary: 'Relays up to 20 executions once each; repeating the key only returns the results',
  tag: 'execution',
  body: BatchSubmitBody,
  bodyBytesMax: batchBytesMax,
  data: z.array(SubmittedItem),
  errors: ['EXEC_UNAVAILABLE'],
  async handle(input, { executions }: ExecutionsRouteDeps) {
    const caller = callerOf(input)
    const key = keyOf(input)
    const { submits, credentials = {} } = input.body
    const ids = submits.map(({ executionId }) => executionId.toLowerCase())
    if (new Set(ids).size < ids.length)
      throw new Fault('VALIDATION_ERROR', 'submits: an execution is submitted once in a request')
    await bindRequest(executions, caller, { kind: 'submit', key, identity: ids })
    const { answers, refusedAfterWork } = await runItems(
      submits,
      async ({ executionId: _, ...own }, index) => {
        const execution = await findOwned(executions, caller, null, ids[index]!)
        const { row, replay } = await submitExecution(executions, caller, {
          venue: execution.venue,
          executionId: execution.id,
          key: itemKey(key, index),
          body: { ...sharedFields(executions, execution, credentials), ...own },
        })
        return { data: executionOf(row), ...(replay && { replay }) }
      },
      runOptionsOf(input, executions),
    )
    return { data: answers, refusedAfterWork, ...replayHeaders(replayedOf(answers)) }
  },
})
