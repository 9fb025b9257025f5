// The venue's own dead man's switch: it cancels all open orders of the account that signs, at the time given, unless another one is set before.
import type { JsonObject } from '#schemas/executions'
import type { LaneContext, ScheduledCancel } from '../../lane.ts'
import { actionHash, agentTypedData } from './action.ts'
import { nextNonce } from './artifact.ts'
import { networkOf } from './facts.ts'

export function scheduleCancel({ clock, urls }: LaneContext, at: number | null): ScheduledCancel {
  const action = { type: 'scheduleCancel', ...(at !== null && { time: at }) }
  const nonce = nextNonce(clock)
  const typed = agentTypedData(actionHash({ action, nonce }), networkOf(urls.REST ?? ''))
  return {
    unsigned: { action, nonce, ...typed } as unknown as JsonObject,
    request: { method: 'POST', url: `${urls.REST}/exchange`, body: { action, nonce }, signatureAt: 'signature' },
  }
}
