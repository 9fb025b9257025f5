// What a caller may send to build an order on Kalshi. Strict: unknown keys and all credentials are refused.
import { z } from 'zod'
import { credentialAtBuild } from '../../shared/buildBody.ts'
import {
  checkOptions,
  type OrderOptions,
  oneOfTimes,
  optionFields,
  withOptions,
} from '../../shared/exec/orderOptions.ts'
import { Amount, selectorShape } from '../../shared/selector.ts'

/** The specification has no other time in force for this venue, and one way of preventing self-trades. */
const times = ['good-til-cancel'] as const

export const orderOptions = {
  timeInForce: times,
  expiresAt: true,
  postOnly: true,
  reduceOnly: true,
  clientOrderId: 'a UUID of version 4, used once',
} as const satisfies OrderOptions

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
      timeInForce: oneOfTimes(times),
      /** Unix seconds; 0: it does not expire. */
      expiresAt: optionFields.expiresAt,
      postOnly: optionFields.postOnly,
      reduceOnly: optionFields.reduceOnly,
      clientOrderId: z.uuidv4().optional(),
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
  .superRefine(checkOptions)
  .transform(withOptions)
  .meta({ examples: [{ outcome: 'KXTEST-26-A', outcomeSide: 'YES', isBuy: true, price: '0.62', size: 4 }] })
export type OrderBody = z.infer<typeof OrderBody>
