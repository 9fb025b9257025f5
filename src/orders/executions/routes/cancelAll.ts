// Builds the cancel of every order in flight, of one market, one venue or all, and cancels armed conditional orders. Nothing is sent.
import { z } from 'zod'
import { hashOf } from '#core/canonicalJson'
import { Fault } from '#core/fault'
import type { Plans } from '#platform/plans/plans'
import { CancelAll, cancelsMax, FieldsOfVenues } from '#schemas/batch'
import { defineRoute } from '#server/http/defineRoute'
import { type FeatureFlags, isEnabled } from '#server/http/featureFlags'
import { requireFeature } from '#server/http/pipeline'
import { TradedVenue } from '#server/http/venueName'
import { type ConditionalRow, conditionalOf } from '#storage/postgres/conditional/conditionalRow'
import { itemKey, runItems } from '../bulk/runItems.ts'
import { deriveExecution } from '../cancelOrModify.ts'
import { otherRequest } from '../persist.ts'
import type { Caller, ExecutionsRouteDeps } from '../ports.ts'
import { executionOf } from '../rows.ts'
import { storedSummaryOf } from '../summary.ts'
import { callerOf, keyOf, replayedOf, replayHeaders, runOptionsOf } from './shapes.ts'

export interface CancelAllRouteDeps extends ExecutionsRouteDeps {
  plans: Plans
  families: FeatureFlags
  /** Throws CONDITIONAL_NOT_ARMED. */
  cancelConditional(caller: Caller, wanted: { id: string; key: string }): Promise<CanceledConditional>
}

interface CanceledConditional {
  row: ConditionalRow
  replay: boolean
}

const CancelAllBody = z
  .strictObject({
    venue: TradedVenue.optional(),
    marketId: z.string().min(1).max(256).optional(),
    /** Required without `venue` and `marketId`: every order at every venue. */
    confirm: z.boolean().optional(),
    /** Also cancels armed conditional orders. */
    conditionals: z.boolean().optional(),
    /** By venue: fields of its cancel body, for venues whose cancel takes any. */
    fields: FieldsOfVenues.optional(),
  })
  .meta({ examples: [{ venue: 'kalshi' }, { confirm: true }] })

export const cancelAll = defineRoute({
  operationId: 'cancelAll',
  method: 'post',
  path: '/v1/exec/orders/cancel-all',
  // Cancelling is always allowed, without credits and from any country.
  access: { scope: 'trade', credits: 0, anywhere: true },
  keyed: true,
  summary: 'Builds the cancels of up to 200 orders in flight, to be signed and submitted',
  tag: 'execution',
  body: CancelAllBody,
  data: CancelAll,
  errors: ['EXCHANGE_NOT_AVAILABLE', 'EXEC_UNAVAILABLE', 'PLAN_REQUIRED'],
  async handle(input, { executions, cancelConditional, plans, families }: CancelAllRouteDeps) {
    const caller = callerOf(input)
    const key = keyOf(input)
    const { venue = null, marketId = null, confirm, conditionals = false, fields = {} } = input.body
    if (venue === null && marketId === null && confirm !== true)
      throw new Fault('VALIDATION_ERROR', 'confirm: must be true to cancel every order at every venue')
    if (conditionals) {
      if (!isEnabled('conditional', families))
        throw new Fault('VALIDATION_ERROR', 'conditionals: this deployment has no conditional orders')
      requireFeature(plans, input.principal!, 'conditionalOrders')
    }
    const scope = { accountId: caller.accountId, venue, marketId, conditionals }
    const selection = await executions.store.selectCancelAll({
      ...scope,
      key,
      bodySha256: hashOf(venue, marketId, conditionals, fields),
      most: cancelsMax,
      at: new Date(executions.clock.now()),
    })
    if (selection === null) throw otherRequest()
    const run = runOptionsOf(input, executions)
    // First: one that fires meanwhile places another order.
    const disarmed = await runItems(
      selection.conditionalIds,
      async (id, index) => {
        const { row, replay } = await cancelConditional(caller, { id, key: itemKey(key, index) })
        return { data: conditionalOf(row), ...(replay && { replay }) }
      },
      run,
    )
    const canceled = await runItems(
      selection.orders,
      async (order, index) => {
        const body = (fields as Readonly<Record<string, unknown>>)[order.venue] ?? {}
        const target = { venue: order.venue, executionId: order.executionId, key: itemKey(key, index), body }
        const { row, replay } = await deriveExecution(executions, caller, 'cancel', target)
        return { data: executionOf(row, { summary: storedSummaryOf(row) }), ...(replay && { replay }) }
      },
      run,
    )
    const left = await executions.store.countUnselected(scope, selection)
    return {
      data: {
        orders: canceled.answers.map((answer, index) => ({ ...selection.orders[index]!, ...answer })),
        conditionals: disarmed.answers.map((answer, index) => ({
          conditionalId: selection.conditionalIds[index]!,
          ...answer,
        })),
        remaining: left.orders,
        conditionalsRemaining: left.conditionals,
      },
      ...replayHeaders(replayedOf([...canceled.answers, ...disarmed.answers])),
    }
  },
})
