// What a caller may say to build, cancel and submit on Gemini. Strict: an unknown key is refused, and so is every credential at build.
import { z } from 'zod'
import { credentialAtBuild } from '../../shared/buildBody.ts'
import { Amount, namesOneOutcome, selectorMessage, selectorShape } from '../../shared/selector.ts'

/** Limit orders only: there is no `type`. */
export const OrderBody = z
  .strictObject({ ...selectorShape, isBuy: z.boolean(), price: Amount, size: Amount }, { error: credentialAtBuild })
  .refine(namesOneOutcome, selectorMessage)
export type OrderBody = z.infer<typeof OrderBody>

export const CancelBody = z.strictObject({}, { error: credentialAtBuild })
export type CancelBody = z.infer<typeof CancelBody>
