// What a caller may send to build an order on Novig. Strict: unknown keys and all credentials are refused.
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

const times = ['good-til-cancel', 'fill-or-kill', 'immediate-or-cancel'] as const

export const orderOptions = { timeInForce: times, market: true } as const satisfies OrderOptions

export const OrderBody = z
  .strictObject(
    {
      ...selectorShape,
      isBuy: z.boolean(),
      /** Probability, three digits at most. */
      price: Amount.optional(),
      /** Contracts of 1 CASH, in steps of a hundredth. */
      size: Amount,
      type: optionFields.type,
      worstPrice: optionFields.worstPrice,
      timeInForce: oneOfTimes(times),
    },
    { error: credentialAtBuild },
  )
  .refine(isSingleOutcome, selectorMessage)
  .superRefine(checkOptions)
  .transform(withOptions)
  .meta({
    examples: [
      { outcome: '5d0b4f5e-0001-4000-8000-000000000001', outcomeSide: 'YES', isBuy: true, price: '0.44', size: 50 },
    ],
  })
export type OrderBody = z.infer<typeof OrderBody>
