// Quotes the cost of a transfer, per payment currency. Creates nothing.

import { z } from 'zod'
import { BridgeOption } from '#schemas/bridge'
import { executionVenues } from '#schemas/venues'
import { defineRoute } from '#server/http/defineRoute'
import type { BridgeRouteDeps } from '../ports.ts'
import { callerOf, metaOf, metaSchema, providerErrors, transferOf, transferShape } from './shapes.ts'

export const quoteBridge = defineRoute({
  operationId: 'quoteBridge',
  method: 'post',
  path: '/v1/bridge/quote',
  family: 'bridge',
  liveOnly: true,
  access: { scope: 'read', credits: 1 },
  summary:
    'The cost of moving money to a venue: the provider’s payment options; a session takes the paymentCurrency of one',
  tag: 'bridge',
  body: z.object(transferShape).meta({
    examples: [
      {
        fromChain: '137',
        fromToken: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
        fromAmount: '25000000',
        fromAddress: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
        toVenue: executionVenues[0],
      },
    ],
  }),
  data: z.array(BridgeOption),
  topLevelFields: metaSchema,
  errors: ['NOT_SUPPORTED', 'EXCHANGE_NOT_AVAILABLE', 'BRIDGE_UNSUPPORTED', 'BRIDGE_NO_ROUTE', ...providerErrors],
  async handle(input, { bridge }: BridgeRouteDeps) {
    const transfer = transferOf(bridge, input.body)
    const { json } = await bridge.provider.quote(transfer, callerOf(input))
    return { rawData: json, siblings: metaOf(bridge, transfer) }
  },
})
