// The caller reports how it paid its session: by the transaction it sent, or by the signature that the session requires. Free of charge:
// the money is already moving.

import { z } from 'zod'
import { BridgePaymentTaken } from '#schemas/bridge'
import { defineRoute } from '#server/http/defineRoute'
import type { BridgeRouteDeps, Payment } from '../ports.ts'
import { callerOf, metaOf, metaSchema, providerErrors, SessionPath, sessionOf } from './shapes.ts'

const hex = (bytesMin: number, bytesMax: number, complaint: string) =>
  z
    .string()
    .max(2 + 2 * bytesMax, complaint)
    .regex(new RegExp(`^0x(?:[0-9a-fA-F]{2}){${bytesMin},}$`), complaint)

export const reportBridgePayment = defineRoute({
  operationId: 'reportBridgePayment',
  method: 'post',
  path: '/v1/bridge/session/{id}/payment',
  family: 'bridge',
  liveOnly: true,
  access: { scope: 'read', credits: 0, anywhere: true },
  summary:
    'Reports how a session was paid: the hash of the transaction sent, or the signature where paymentAction is signTypedData',
  tag: 'bridge',
  params: SessionPath,
  body: z
    .object({
      transactionHash: hex(32, 32, 'must be 0x and 64 hex digits').optional(),
      signature: hex(64, 4_096, 'must be 0x and the bytes of a signature in hex').optional(),
    })
    .transform(({ transactionHash, signature }, context): Payment => {
      if (transactionHash !== undefined && signature === undefined) return { transactionHash }
      if (signature !== undefined && transactionHash === undefined) return { signature }
      context.addIssue({ code: 'custom', message: 'transactionHash or signature, and not both' })
      return z.NEVER
    })
    .meta({ examples: [{ transactionHash: `0x${'ab'.repeat(32)}` }] }),
  data: BridgePaymentTaken,
  topLevelFields: metaSchema,
  errors: ['NOT_SUPPORTED', 'BRIDGE_SESSION_NOT_FOUND', 'BRIDGE_TRANSACTION_NOT_FOUND', ...providerErrors],
  async handle(input, { bridge }: BridgeRouteDeps) {
    const session = await sessionOf(bridge, input)
    const { json } = await bridge.provider.pay(session, input.body, callerOf(input))
    return { rawData: json, siblings: metaOf(bridge) }
  },
})
