// What a caller may say to build, cancel and modify on Kalshi. Strict: an unknown key is refused, and so is every credential.
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
export type OrderBody = z.infer<typeof OrderBody>

export const CancelBody = z.strictObject({}, { error: credentialAtBuild })
export type CancelBody = z.infer<typeof CancelBody>

export const ModifyBody = z
  .strictObject(
    {
      price: Amount.optional(),
      /** Filled contracts and those that shall rest, together. */
      size: Amount.optional(),
    },
    { error: credentialAtBuild },
  )
  .refine(({ price, size }) => price !== undefined || size !== undefined, { message: 'give price, size, or both' })
export type ModifyBody = z.infer<typeof ModifyBody>
