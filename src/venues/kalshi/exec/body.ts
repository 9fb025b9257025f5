// What a caller may send to build an order on Kalshi. Strict: unknown keys and all credentials are refused.
import { z } from 'zod'
import { credentialAtBuild } from '../../shared/buildBody.ts'
import { Amount, selectorShape } from '../../shared/selector.ts'

export const OrderBody = z
  .strictObject(
    {
      /** `outcome` alone, or `asset`, is an outcome id; with `outcomeSide` it is the market's. */
      ...selectorShape,
      isBuy: z.boolean(),
      /** Dollars of the named side, whole cents. */
      price: Amount,
      /** Whole contracts. */
      size: Amount,
      timeInForce: z.literal('good-til-cancel').optional(),
      reduceOnly: z.boolean().optional(),
    },
    { error: credentialAtBuild },
  )
  .refine(({ asset, outcome }) => (asset === undefined) !== (outcome === undefined), {
    path: ['outcome'],
    message: 'give outcome, or asset alone',
  })
  .refine(({ asset, outcomeSide }) => asset === undefined || outcomeSide === undefined, {
    path: ['outcomeSide'],
    message: 'asset names its side already',
  })
  .meta({ examples: [{ outcome: 'KXTEST-26-A', outcomeSide: 'YES', isBuy: true, price: '0.62', size: 4 }] })
export type OrderBody = z.infer<typeof OrderBody>
