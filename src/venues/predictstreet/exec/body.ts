// What a caller may send to build an order on PredictStreet. Strict: unknown keys and all credentials are refused.
import { z } from 'zod'
import { credentialAtBuild } from '../../shared/buildBody.ts'
import { Address } from '../../shared/exec/walletBody.ts'
import { Amount, isSingleOutcome, selectorMessage, selectorShape } from '../../shared/selector.ts'

/** Limit orders that rest until filled or cancelled. */
export const OrderBody = z
  .strictObject(
    {
      ...selectorShape,
      isBuy: z.boolean(),
      /** Probability dollars, at most six decimals. */
      price: Amount,
      /** Shares, at most six decimals. */
      size: Amount,
      /** The EOA that signs. */
      owner: Address,
      /** The owner's vault, which pays: `VaultFactory.vaultOf(owner)`. */
      vault: Address,
    },
    { error: credentialAtBuild },
  )
  .refine(isSingleOutcome, selectorMessage)
  .refine(({ owner, vault }) => owner !== vault, { path: ['vault'], message: 'is not the owner itself' })
  .meta({
    examples: [
      {
        outcome: 'uae-cup-final',
        outcomeSide: 'YES',
        isBuy: true,
        price: '0.42',
        size: '21.5',
        owner: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
        vault: '0xd93B25cb943D14d0d34FBaF01Fc93a0f8b5F6E47',
      },
    ],
  })
export type OrderBody = z.infer<typeof OrderBody>
