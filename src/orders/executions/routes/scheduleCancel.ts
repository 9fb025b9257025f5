// The venue's own dead man's switch, as an artifact: the account signs it and sends it itself. Nothing is stored.
import { z } from 'zod'
import { JsonObject } from '#schemas/executions'
import { defineRoute } from '#server/http/defineRoute'
import { laneOf, unsupportedOperation } from '../findLane.ts'
import type { ExecutionsRouteDeps } from '../ports.ts'
import { callerOf, VenuePath, venueErrors } from './shapes.ts'

/** The venue requires 5 s at its arrival. */
const secondsMin = 10
const secondsMax = 86_400

const Body = z
  .strictObject({
    seconds: z
      .union([z.literal(0), z.number().int().min(secondsMin).max(secondsMax)])
      .describe('from now until the venue cancels all open orders of the account; 0: no longer'),
  })
  .meta({ examples: [{ seconds: 60 }] })

const VenueScheduledCancel = z
  .object({
    venue: z.string(),
    at: z.iso.datetime().nullable().describe('when the venue cancels; null: no longer'),
    unsigned: JsonObject.describe('typed data to be signed, with the action and its nonce'),
    request: z
      .object({ method: z.literal('POST'), url: z.string(), body: JsonObject, signatureAt: z.string() })
      .describe('to be sent by you, with the signature as the member `signatureAt` of the body'),
  })
  .meta({ id: 'VenueScheduledCancel' })

export const scheduleVenueCancel = defineRoute({
  operationId: 'scheduleVenueCancel',
  method: 'post',
  path: '/v1/exec/{venue}/schedule-cancel',
  liveOnly: true,
  access: { scope: 'trade', credits: 0, anywhere: true },
  summary: 'Builds the venue’s own dead man’s switch, to be signed and sent by the account itself',
  tag: 'execution',
  params: VenuePath,
  body: Body,
  data: VenueScheduledCancel,
  errors: [...venueErrors, 'NOT_IMPLEMENTED', 'NOT_SUPPORTED'],
  handle(input, { executions }: ExecutionsRouteDeps) {
    const { venue } = input.params
    const { accountId, signal } = callerOf(input)
    const armed = laneOf(executions, venue, accountId)
    const { lane } = armed
    if (lane.scheduleCancel === undefined) throw unsupportedOperation(lane, 'switch to sign')
    const { seconds } = input.body
    const at = seconds === 0 ? null : executions.clock.now() + seconds * 1_000
    const built = lane.scheduleCancel(armed.context(signal, accountId), at)
    return { data: { venue, at: at === null ? null : new Date(at).toISOString(), ...built } }
  },
})
