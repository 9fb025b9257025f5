// What a caller may send to build an order on Pascal. Strict: unknown keys and all credentials are refused.
import { z } from 'zod'
import { credentialAtBuild } from '../../shared/buildBody.ts'
import { checkOptions, type OrderOptions, optionFields, withOptions } from '../../shared/exec/orderOptions.ts'
import { Amount, isSingleOutcome, selectorMessage, selectorShape } from '../../shared/selector.ts'
import { PublicKey } from './base58.ts'

/** The venue never reports that the remainder of an order was dropped: one that never rests would stay open here. */
export const orderOptions = {
  postOnly: true,
  reduceOnly: true,
  clientOrderId: 'a whole number above zero of 15 digits at most, used once',
} as const satisfies OrderOptions

export const OrderBody = z
  .strictObject(
    {
      ...selectorShape,
      isBuy: z.boolean(),
      price: Amount,
      size: Amount,
      /** The wallet whose collateral pays, base58. */
      owner: PublicKey,
      /** A trading key that the wallet has registered at the venue, base58: the signing key. */
      signer: PublicKey,
      postOnly: optionFields.postOnly,
      reduceOnly: optionFields.reduceOnly,
      clientOrderId: z
        .string()
        .regex(/^[1-9]\d{0,14}$/, 'must be a whole number above zero of 15 digits at most')
        .optional(),
    },
    { error: credentialAtBuild },
  )
  .refine(isSingleOutcome, selectorMessage)
  .superRefine(checkOptions)
  .transform(withOptions)
  .meta({
    examples: [
      {
        outcome: 'ME_SEN_2026.REP',
        outcomeSide: 'YES',
        isBuy: true,
        price: '0.45',
        size: 10,
        owner: 'GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB',
        signer: '2KW2XRd9kwqet15Aha2oK3tYvd3nWbTFH1MBiRAv1BE1',
      },
    ],
  })
export type OrderBody = z.infer<typeof OrderBody>

export const CancelBody = z
  .strictObject({ signer: PublicKey }, { error: credentialAtBuild })
  .meta({ examples: [{ signer: '2KW2XRd9kwqet15Aha2oK3tYvd3nWbTFH1MBiRAv1BE1' }] })
export type CancelBody = z.infer<typeof CancelBody>
