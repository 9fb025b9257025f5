// What each lane can do, read off its manifest.
import type { Lane } from '#venues/lane'
import { takesOrders } from './laneOf.ts'

/** `unarmed`: why it is not armed, where that is known. */
export const venueEntry = (lane: Lane, armed: boolean, unarmed?: string) => ({
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
  intents: [...(takesOrders(lane) ? ['order'] : []), ...(lane.redeem === undefined ? [] : ['redeem'])],
  ownerRequired: lane.ownerRequired,
  credentials: { refresh: [...(lane.refresh?.fields ?? [])], submit: [...(lane.submit?.fields ?? [])] },
})
