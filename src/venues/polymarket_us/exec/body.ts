// What a caller may send to build an order on Polymarket US. Strict: unknown keys and all credentials are refused.
import { z } from 'zod'
import { credentialAtBuild } from '../../shared/buildBody.ts'
import { Amount } from '../../shared/selector.ts'
import { Slug } from '../wire.ts'

export const OrderBody = z
  .strictObject(
    {
      /** The bare slug. */
      marketId: Slug,
      outcomeId: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*:(long|short)$/, 'must be {slug}:long or {slug}:short'),
      side: z.enum(['buy', 'sell']),
      /** `market` is an immediate-or-cancel limit at `price`: the worst price the caller accepts. */
      type: z.enum(['limit', 'market']),
      /** Contracts. */
      amount: Amount,
      /** Dollars of the named outcome, even if that is the short side. */
      price: Amount,
    },
    { error: credentialAtBuild },
  )
  .refine(({ marketId, outcomeId }) => outcomeId.slice(0, outcomeId.lastIndexOf(':')) === marketId, {
    path: ['outcomeId'],
    message: 'names another market than marketId',
  })
  .meta({
    examples: [{ marketId: 'demo-a', outcomeId: 'demo-a:short', side: 'buy', type: 'limit', amount: 3, price: 0.83 }],
  })
export type OrderBody = z.infer<typeof OrderBody>
