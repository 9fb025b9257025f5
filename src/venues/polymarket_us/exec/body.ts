// What a caller may say to build and cancel on Polymarket US, in the normalized words of the API family.
import { z } from 'zod'
import { credentialAtBuild } from '../../shared/buildBody.ts'
import { Amount } from '../../shared/selector.ts'
import { Slug } from './catalogFacts.ts'

export const OrderBody = z
  .strictObject(
    {
      /** The bare slug. */
      marketId: Slug,
      outcomeId: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*:(long|short)$/, 'must be {slug}:long or {slug}:short'),
      side: z.enum(['buy', 'sell']),
      /** `market` is an immediate-or-cancel limit at `price`: the worst price the caller takes. */
      type: z.enum(['limit', 'market']),
      /** Contracts. */
      amount: Amount,
      /** Dollars of the named outcome, also where that is the short side. */
      price: Amount,
    },
    { error: credentialAtBuild },
  )
  .refine(({ marketId, outcomeId }) => outcomeId.slice(0, outcomeId.lastIndexOf(':')) === marketId, {
    path: ['outcomeId'],
    message: 'names another market than marketId',
  })
export type OrderBody = z.infer<typeof OrderBody>

export const CancelBody = z.strictObject({}, { error: credentialAtBuild })
export type CancelBody = z.infer<typeof CancelBody>
