// What a caller may say to build, cancel and modify on Hyperliquid. Strict: an unknown key is refused, and so is every credential.
import { z } from 'zod'
import { credentialAtBuild } from '../../shared/buildBody.ts'

const Id = z.string().min(1).max(200)
const Amount = z.union([z.number(), z.string().max(40)])
export const Address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits')

/** A market and its side, or the outcome's own id (the coin). */
export const OrderBody = z
  .strictObject(
    {
      asset: Id.optional(),
      outcome: z.union([Id, z.number().int().nonnegative().transform(String)]).optional(),
      outcomeSide: z.enum(['YES', 'NO']).optional(),
      isBuy: z.boolean(),
      /** Probability dollars; rounded to the wire's grid, never against the caller. */
      price: Amount,
      /** Contracts; rounded down to whole ones. */
      size: Amount,
      /** The account whose balance pays; signs itself or through an agent it approved. */
      owner: Address,
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

export const ModifyBody = z
  .strictObject({ price: Amount.optional(), size: Amount.optional() }, { error: credentialAtBuild })
  .refine(({ price, size }) => price !== undefined || size !== undefined, { message: 'give price, size, or both' })
export type ModifyBody = z.infer<typeof ModifyBody>

export const RefreshBody = z.strictObject({})
export type RefreshBody = z.infer<typeof RefreshBody>
