// What the funding bridge answers: the provider's own words, of which only these are looked at here.
import { z } from 'zod'

/** One way to pay. */
export const BridgeOption = z
  .looseObject({
    /** CAIP-19: what a session is made with. */
    paymentCurrency: z.string().min(1),
  })
  .meta({ id: 'BridgeOption' })
export type BridgeOption = z.infer<typeof BridgeOption>

/** As the provider shows it: expiry, amounts, fees, `paymentStatus`, `sponsoredTransactionHash` once it has settled. */
export const BridgeSession = z
  .looseObject({
    /** Goes into addresses and into storage. */
    sessionId: z.string().regex(/^[\x21-\x7e]{1,128}$/),
    paymentAction: z
      .string()
      .nullish()
      .describe('signAndSendTransaction, or signTypedData where the payer needs no gas'),
  })
  .meta({ id: 'BridgeSession' })
export type BridgeSession = z.infer<typeof BridgeSession>

export const BridgePaymentTaken = z.looseObject({ success: z.literal(true) }).meta({ id: 'BridgePaymentTaken' })
