// What each lane can do, from its manifest.
import { z } from 'zod'
import { Intent, positionIntents } from '#schemas/executions'
import type { ExecutionAdapter } from '#venues/lane'
import { ListedOptions, listedOptions } from '#venues/shared/exec/orderOptions'
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
      split: z.boolean(),
      merge: z.boolean(),
      convert: z.boolean(),
      submit: z.boolean(),
      refresh: z.boolean(),
    }),
    intents: z.array(Intent).describe('of build'),
    ownerRequired: z.boolean(),
    orderOptions: ListedOptions.describe('what a build body may select in addition to price and size'),
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
    split: takesOrders(lane) && lane.split !== undefined,
    merge: takesOrders(lane) && lane.merge !== undefined,
    convert: takesOrders(lane) && lane.convert !== undefined,
    submit: lane.submit !== undefined,
    refresh: lane.refresh !== undefined,
  },
  intents: [
    ...(takesOrders(lane) ? ['order'] : []),
    ...(lane.redeem === undefined ? [] : ['redeem']),
    ...(takesOrders(lane) ? positionIntents.filter((intent) => lane[intent] !== undefined) : []),
  ],
  ownerRequired: lane.ownerRequired,
  orderOptions: listedOptions(lane.orderOptions),
  credentials: { refresh: [...(lane.refresh?.fields ?? [])], submit: [...(lane.submit?.fields ?? [])] },
})
