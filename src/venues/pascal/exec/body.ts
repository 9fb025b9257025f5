// What a caller may send to build an order on Pascal. Strict: unknown keys and all credentials are refused.
import { z } from 'zod'
import { credentialAtBuild } from '../../shared/buildBody.ts'
import { Amount, isSingleOutcome, selectorMessage, selectorShape } from '../../shared/selector.ts'
import { PublicKey } from './base58.ts'

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
    },
    { error: credentialAtBuild },
  )
  .refine(isSingleOutcome, selectorMessage)
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
