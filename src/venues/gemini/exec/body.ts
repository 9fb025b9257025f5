// What a caller may say to build, cancel and submit on Gemini. Strict: an unknown key is refused, and so is every credential at build.
import { z } from 'zod'
import { credentialAtBuild } from '../../shared/buildBody.ts'

const Id = z.string().min(1).max(200)
const Amount = z.union([z.number(), z.string().max(40)])

/** A market and its side, or the outcome's own id. Limit orders only: there is no `type`. */
export const OrderBody = z
  .strictObject(
    {
      asset: Id.optional(),
      outcome: Id.optional(),
      outcomeSide: z.enum(['YES', 'NO']).optional(),
      isBuy: z.boolean(),
      price: Amount,
      size: Amount,
    },
    { error: credentialAtBuild },
  )
  .superRefine(({ asset, outcome, outcomeSide }, context) => {
    const bySide = outcome !== undefined && outcomeSide !== undefined && asset === undefined
    const byAsset = asset !== undefined && outcome === undefined && outcomeSide === undefined
    if (bySide || byAsset) return
    context.addIssue({ code: 'custom', path: ['outcome'], message: 'give outcome and outcomeSide, or asset alone' })
  })
export type OrderBody = z.infer<typeof OrderBody>

export const CancelBody = z.strictObject({}, { error: credentialAtBuild })
export type CancelBody = z.infer<typeof CancelBody>
