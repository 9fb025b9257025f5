// What a caller may send to build on Hyperliquid. Strict: unknown keys and all credentials are refused.
import { z } from 'zod'
import { credentialAtBuild } from '../../shared/buildBody.ts'
import {
  checkOptions,
  type OrderOptions,
  oneOfTimes,
  optionFields,
  withOptions,
} from '../../shared/exec/orderOptions.ts'
import { Amount, isSingleOutcome, selectorMessage, selectorShape } from '../../shared/selector.ts'
import type { Hex } from './action.ts'

export const Address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits')

const times = ['good-til-cancel', 'immediate-or-cancel'] as const

/** Outcomes are spot tokens: reduce-only does not apply to them. */
export const orderOptions = {
  timeInForce: times,
  market: true,
  postOnly: true,
  clientOrderId: '0x and 32 hex digits, used once',
} as const satisfies OrderOptions

export const OrderBody = z
  .strictObject(
    {
      ...selectorShape,
      isBuy: z.boolean(),
      /** Probability dollars; rounded to the wire's grid, never against the caller. */
      price: Amount.optional(),
      /** Contracts; rounded down to whole ones. */
      size: Amount,
      /** The account whose balance pays; it signs itself or through an approved agent. */
      owner: Address,
      type: optionFields.type,
      worstPrice: optionFields.worstPrice,
      timeInForce: oneOfTimes(times),
      postOnly: optionFields.postOnly,
      clientOrderId: z
        .string()
        .regex(/^0x[0-9a-f]{32}$/, 'must be 0x and 32 lower-case hex digits')
        .transform((text) => text as Hex)
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
