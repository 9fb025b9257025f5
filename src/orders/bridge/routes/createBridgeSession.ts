// Creates a session that its caller pays: the provider says what to sign, and nothing is signed, held or sent here.

import { z } from 'zod'
import { Fault } from '#core/fault'
import { BridgeSession } from '#schemas/bridge'
import { executionVenues } from '#schemas/venues'
import { defineRoute } from '#server/http/defineRoute'
import { caip19 } from '../caip.ts'
import type { BridgeRouteDeps } from '../ports.ts'
import { callerOf, metaOf, metaSchema, providerErrors, transferOf, transferShape } from './shapes.ts'

export const createBridgeSession = defineRoute({
  operationId: 'createBridgeSession',
  method: 'post',
  path: '/v1/bridge/session',
  family: 'bridge',
  liveOnly: true,
  access: { scope: 'read', credits: 1 },
  summary: 'Creates a session for the caller to pay: what to sign and broadcast, as the provider returned it',
  tag: 'bridge',
  body: z
    .object({
      ...transferShape,
      paymentCurrency: z
        .string()
        .regex(/^eip155:[1-9]\d{0,14}\/erc20:0x[0-9a-fA-F]{40}$/, 'must be a CAIP-19 currency from a quote')
        .describe('from one of the quote’s options'),
    })
    .meta({
      examples: [
        {
          fromChain: '137',
          fromToken: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
          fromAmount: '25000000',
          fromAddress: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
          toVenue: executionVenues[0],
          paymentCurrency: 'eip155:137/erc20:0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
        },
      ],
    }),
  data: BridgeSession,
  topLevelFields: metaSchema,
  errors: ['NOT_SUPPORTED', 'EXCHANGE_NOT_AVAILABLE', 'BRIDGE_UNSUPPORTED', 'BRIDGE_NO_ROUTE', ...providerErrors],
  async handle(input, { bridge }: BridgeRouteDeps) {
    const { paymentCurrency, ...wanted } = input.body
    const transfer = transferOf(bridge, wanted)
    // The amount is in fromToken: in another token it would be a different amount.
    if (paymentCurrency.toLowerCase() !== caip19(transfer.from))
      throw new Fault('VALIDATION_ERROR', 'paymentCurrency: is not fromToken on fromChain')
    const { value, json, agreed } = await bridge.provider.open(transfer, callerOf(input))
    const kept = await bridge.store.insert({
      provider: bridge.provider.name,
      sessionId: value.sessionId,
      accountId: input.principal!.accountId,
      toVenue: wanted.toVenue,
      agreed,
      createdAt: new Date(bridge.clock.now()),
    })
    // Two accounts with one session would see each other's payment.
    if (!kept) throw new Fault('BRIDGE_UPSTREAM', 'the bridge’s provider returned the same session twice')
    return { rawData: json, siblings: metaOf(bridge, transfer) }
  },
})
