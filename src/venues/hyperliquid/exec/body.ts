// What a caller may say to build, cancel and modify on Hyperliquid. Strict: an unknown key is refused, and so is every credential.
import { z } from 'zod'
import { credentialAtBuild } from '../../shared/buildBody.ts'
import { Amount, namesOneOutcome, selectorMessage, selectorShape } from '../../shared/selector.ts'

export const Address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits')

export const OrderBody = z
  .strictObject(
    {
      ...selectorShape,
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
  .refine(namesOneOutcome, selectorMessage)
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

export const RefreshBody = z.strictObject({})
export type RefreshBody = z.infer<typeof RefreshBody>
