// What each lane can do, from its manifest.
import { z } from 'zod'
import { Intent, Summary } from '#schemas/executions'
import type { ExecutionAdapter } from '#venues/lane'
import { takesOrders } from './findLane.ts'

export const LaneEntry = z
  .object({
    venue: z.string(),
    armed: z.boolean(),
    unarmed: z.string().optional().describe('why it is not armed, where that is known'),
    settlementOnly: z.boolean(),
    buildsOnly: z.string().optional().describe('why it can only build'),
    buildVersion: z.number().int(),
    verbs: z.object({
      build: z.boolean(),
      dryRun: z.boolean(),
      modify: z.boolean(),
      cancel: z.boolean(),
      redeem: z.boolean(),
      submit: z.boolean(),
      refresh: z.boolean(),
    }),
    intents: z.array(Intent).describe('of build'),
    orderOptions: z
      .object({
        timeInForce: z
          .array(Summary.shape.timeInForce.unwrap())
          .describe('of all orders that can be built, as in `summary`'),
        postOnly: z.boolean(),
        reduceOnly: z.boolean(),
        marketOrder: z
          .enum(['price', 'slippageBps'])
          .nullable()
          .describe('the field with which a market order states its worst price; null: there are no market orders'),
        clientOrderId: z.boolean().describe('the caller chooses the id under which the venue knows the order'),
        expiresAt: z.boolean(),
      })
      .optional()
      .describe('what the build body of an order can request; absent where no orders are taken'),
    ownerRequired: z.boolean(),
    credentials: z
      .object({ refresh: z.array(z.string()), submit: z.array(z.string()) })
      .describe('the signature and credential fields of the refresh and submit bodies'),
  })
  .meta({ id: 'Lane' })

/** `unarmed`: why it is not armed, when known. */
export const venueEntry = (lane: ExecutionAdapter, armed: boolean, unarmed?: string) => ({
  venue: lane.slug,
  armed,
  ...(armed || unarmed === undefined ? {} : { unarmed }),
  settlementOnly: lane.settlementOnly === true,
  ...(lane.buildsOnly !== undefined && { buildsOnly: lane.buildsOnly }),
  buildVersion: lane.buildVersion,
  verbs: {
    build: takesOrders(lane),
    dryRun: takesOrders(lane),
    modify: takesOrders(lane) && lane.modify !== undefined,
    cancel: takesOrders(lane) && lane.cancel !== undefined,
    redeem: lane.redeem !== undefined,
    submit: lane.submit !== undefined,
    refresh: lane.refresh !== undefined,
  },
  ...(takesOrders(lane) && lane.orderOptions !== undefined && { orderOptions: lane.orderOptions }),
  intents: [...(takesOrders(lane) ? ['order'] : []), ...(lane.redeem === undefined ? [] : ['redeem'])],
  ownerRequired: lane.ownerRequired,
  credentials: { refresh: [...(lane.refresh?.fields ?? [])], submit: [...(lane.submit?.fields ?? [])] },
})
