// What a caller may send to build on Hyperliquid. Strict: unknown keys and all credentials are refused.
import { z } from 'zod'
import { credentialAtBuild } from '../../shared/buildBody.ts'
import { Amount, isSingleOutcome, selectorMessage, selectorShape } from '../../shared/selector.ts'

export const Address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits')

export const OrderBody = z
  .strictObject(
    {
      ...selectorShape,
      isBuy: z.boolean(),
      /** Probability dollars; rounded to the wire's grid, never against the caller. */
      price: Amount,
      /** Contracts; rounded down to whole ones. */
      size: Amount,
      /** The account whose balance pays; it signs itself or through an approved agent. */
      owner: Address,
    },
    { error: credentialAtBuild },
  )
  .refine(isSingleOutcome, selectorMessage)
  .meta({
    examples: [
      {
        outcome: '516',
        outcomeSide: 'YES',
        isBuy: true,
        price: '0.35',
        size: '50',
        owner: '0x14791697260E4c9A71f18484C9f997B308e59325',
      },
    ],
  })
export type OrderBody = z.infer<typeof OrderBody>
