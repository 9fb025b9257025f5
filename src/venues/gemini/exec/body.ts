// What a caller may send to build an order on Gemini. Strict: unknown keys and all credentials are refused.
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

const times = ['good-til-cancel', 'immediate-or-cancel', 'fill-or-kill'] as const

export const orderOptions = {
  timeInForce: times,
  postOnly: true,
  clientOrderId: 'a UUID, used once',
} as const satisfies OrderOptions

/** Limit orders only: there is no `type`. */
export const OrderBody = z
  .strictObject(
    {
      ...selectorShape,
      isBuy: z.boolean(),
      price: Amount,
      size: Amount,
      timeInForce: oneOfTimes(times),
      postOnly: optionFields.postOnly,
      clientOrderId: z.uuid().optional(),
    },
    { error: credentialAtBuild },
  )
  .refine(isSingleOutcome, selectorMessage)
  .superRefine(checkOptions)
  .transform(withOptions)
  .meta({ examples: [{ outcome: 'GEMI-TESTEV26-AAA', outcomeSide: 'YES', isBuy: true, price: '0.20', size: 10 }] })
export type OrderBody = z.infer<typeof OrderBody>
