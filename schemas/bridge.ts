// Responses of the funding bridge: the provider's own payload, of which only these fields are parsed here.
import { z } from 'zod'

/** A payment option. */
export const BridgeOption = z
  .looseObject({
    /** CAIP-19 asset id; a session is created with it. */
    paymentCurrency: z.string().min(1),
  })
  .meta({ id: 'BridgeOption' })
export type BridgeOption = z.infer<typeof BridgeOption>

/**
 * The provider's session: expiry, amounts, fees, `paymentStatus`, and `sponsoredTransactionHash` once it has settled.
 */
export const BridgeSession = z
  .looseObject({
    /** Used in URLs and in storage. */
    sessionId: z.string().regex(/^[\x21-\x7e]{1,128}$/),
    paymentAction: z
      .string()
      .nullish()
      .describe('signAndSendTransaction, or signTypedData where the payer needs no gas'),
  })
  .meta({ id: 'BridgeSession' })
export type BridgeSession = z.infer<typeof BridgeSession>

export const BridgePaymentTaken = z.looseObject({ success: z.literal(true) }).meta({ id: 'BridgePaymentTaken' })
