// Checks that every frame that a test socket reads matches /asyncapi.json: every field of the frame, and no other.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { streamChannels } from '#schemas/stream'
import { tradeFilterVenue } from '#schemas/venues'
import { buildAsyncApi } from '#server/http/asyncapi'

/** Messages of the document whose names differ from those of their frames. */
const messages: Readonly<Record<string, string>> = { unsubscribed: 'subscribed', snapshot: 'book', update: 'book' }

/** The name of its message in the document. */
export const messageOf = ({ type, replay }: { type: string; replay?: true }): string =>
  replay === true ? 'replay' : (messages[type] ?? type)

let validatorOf: ((message: string) => ValidateFunction | undefined) | undefined

/** Compiled once, when first needed. */
function validators(): (message: string) => ValidateFunction | undefined {
  const ajv = new Ajv2020({ strict: false, validateSchema: false })
  addFormats.default(ajv)
  ajv.addSchema(buildAsyncApi('test', { channels: streamChannels, pendingTrades: tradeFilterVenue }), 'stream')
  return (message) => ajv.getSchema(`stream#/components/messages/${message}/payload`)
}

/** The frame itself; throws when the document forbids it. */
export function heldFrame<Frame extends { type: string }>(frame: Frame): Frame {
  validatorOf ??= validators()
  const { type } = frame
  const validate = validatorOf(messageOf(frame))
  if (validate === undefined) throw new Error(`no frame of the document: ${type}`)
  if (!validate(frame))
    throw new Error(
      `a frame ${type} that the document forbids: ${JSON.stringify(validate.errors?.slice(0, 5))}: ${JSON.stringify(frame).slice(0, 500)}`,
    )
  return frame
}
