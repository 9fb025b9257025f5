// What a caller may send to build on PRED. Strict: unknown keys and all credentials are refused.
import { z } from 'zod'
import { credentialAtBuild } from '../../shared/buildBody.ts'
import { Address } from '../../shared/exec/walletBody.ts'
import { Amount, isSingleOutcome, selectorMessage, selectorShape } from '../../shared/selector.ts'

export const OrderBody = z
  .strictObject(
    {
      ...selectorShape,
      isBuy: z.boolean(),
      /** Probability dollars of the named outcome, on the market's tick. */
      price: Amount,
      /** Shares, with at most one decimal. */
      size: Amount,
      /** The Safe that pays: the venue calls it the proxy wallet. */
      owner: Address,
      /** The account that controls it, and signs. */
      signer: Address,
    },
    { error: credentialAtBuild },
  )
  .refine(isSingleOutcome, selectorMessage)
  .refine(({ owner, signer }) => owner !== signer, {
    path: ['signer'],
    message: 'must be the account that controls the Safe, not the Safe itself',
  })
  .meta({
    examples: [
      {
        outcome:
          '0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1-0xb2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2',
        outcomeSide: 'YES',
        isBuy: true,
        price: '0.55',
        size: '21.5',
        owner: '0xd93B25cb943D14d0d34FBaF01Fc93a0f8b5F6E47',
        signer: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      },
    ],
  })
export type OrderBody = z.infer<typeof OrderBody>
