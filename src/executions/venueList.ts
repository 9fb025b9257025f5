// What each lane can do, read off its manifest.
import type { Lane } from '#venues/lane'

/** `unarmed`: why it is not armed, where that is known. */
export const venueEntry = (lane: Lane, armed: boolean, unarmed?: string) => ({
  venue: lane.slug,
  armed,
  ...(armed || unarmed === undefined ? {} : { unarmed }),
  settlementOnly: false,
  buildVersion: lane.buildVersion,
  verbs: {
    build: true,
    dryRun: true,
    modify: lane.modify !== undefined,
    cancel: lane.cancel !== undefined,
    redeem: lane.redeem !== undefined,
    submit: lane.submit !== undefined,
    refresh: lane.refresh !== undefined,
  },
  intents: lane.redeem === undefined ? ['order'] : ['order', 'redeem'],
  ownerRequired: lane.ownerRequired,
  credentials: { refresh: [...(lane.refresh?.fields ?? [])], submit: [...(lane.submit?.fields ?? [])] },
})
