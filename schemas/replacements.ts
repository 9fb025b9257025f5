// Replacing an order: by the venue's own modification, or by a cancel and a new order that follows it.
import { z } from 'zod'
import { Execution, JsonObject } from './executions.ts'

export const ReplaceBody = z
  .strictObject({
    modify: JsonObject.optional().describe('the modify body, for venues with `verbs.modify`'),
    order: JsonObject.optional().describe(
      'the build body, for other venues; its `size` is at most what is left of the replaced order, and may be left out',
    ),
    cancel: JsonObject.optional().describe('the cancel body, for other venues whose cancel has fields'),
  })
  .meta({ examples: [{ order: { outcome: '1234', isBuy: true, price: '0.41' }, modify: { price: '0.41' } }] })
export type ReplaceBody = z.infer<typeof ReplaceBody>

export const Replacement = z
  .object({
    kind: z.enum(['modify', 'pair']),
    replacesExecutionId: z.uuid(),
    modify: Execution.nullable().describe('of a `modify`: to be submitted, like any modification'),
    cancel: Execution.nullable().describe('of a `pair`: to be submitted first; null: the order had ended already'),
    order: Execution.nullable().describe(
      'of a `pair`: to be submitted once the replaced order is `canceled`; until then its submit is refused',
    ),
    size: z.string().nullable().describe('of a `pair`: of the new order, decimal string'),
  })
  .meta({ id: 'Replacement' })
