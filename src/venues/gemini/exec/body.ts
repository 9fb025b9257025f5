// What a caller may send to build an order on Gemini. Strict: unknown keys and all credentials are refused.
import { z } from 'zod'
import { credentialAtBuild } from '../../shared/buildBody.ts'
import { Amount, isSingleOutcome, selectorMessage, selectorShape } from '../../shared/selector.ts'

/** Limit orders only: there is no `type`. */
export const OrderBody = z
  .strictObject({ ...selectorShape, isBuy: z.boolean(), price: Amount, size: Amount }, { error: credentialAtBuild })
  .refine(isSingleOutcome, selectorMessage)
  .meta({ examples: [{ outcome: 'GEMI-TESTEV26-AAA', outcomeSide: 'YES', isBuy: true, price: '0.20', size: 10 }] })
export type OrderBody = z.infer<typeof OrderBody>
