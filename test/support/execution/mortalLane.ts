// Adapters in a process that will be killed: each request to a venue is a place where it can block.

import { ManualClock } from '#core/clock'
import type { HttpRequest, SendRequest } from '#net/http'
import type { ConditionalAdapter } from '#orders/executions/index'
import type { ExecutionAdapter, LaneContext } from '#venues/lane'
import type { LaneVenue } from '#venues/registry'
import { createTestContext } from './context.ts'
import { around } from './mortal.ts'

export interface LabOfJob {
  venue: LaneVenue
  urls: Readonly<Record<string, string>>
  settings: Readonly<Record<string, string>>
  accountId: string
  /** The fixed time of the lab's clock, epoch ms. */
  nowMs: number
}

/** The context of the test adapter. */
export function mortalContextAt(venueUrl: string): (signal: AbortSignal) => LaneContext {
  const { context } = createTestContext(venueUrl)
  return (signal: AbortSignal) => {
    const made = context(signal)
    const { http, sender } = made
    return {
      ...made,
      http: { request: around((_request: HttpRequest) => 'asking the venue', http.request.bind(http)) },
      sender: { send: around((_request: SendRequest) => 'relaying', sender.send.bind(sender)) },
    }
  }
}

/** An adapter with its lab. */
export async function armAtLab(
  { venue, urls, settings, nowMs }: LabOfJob,
  context: (signal: AbortSignal) => LaneContext,
): Promise<{ clock: ManualClock; armed: ConditionalAdapter }> {
  const clock = new ManualClock(nowMs)
  const lane = await laneOf(venue)
  return { clock, armed: { lane, context: (signal) => ({ ...context(signal), clock, urls, settings }) } }
}

/** Imported on its own: a process that is killed within a second should not load all of them. */
async function laneOf(venue: LaneVenue): Promise<ExecutionAdapter> {
  const found = Object.values<ExecutionAdapter>(await import(`#venues/${venue}/exec/index`)).find(
    ({ slug }) => slug === venue,
  )
  if (found === undefined) throw new Error(`no adapter for ${venue}`)
  return found
}
