// What a caller may send to build an order on Polymarket US. Strict: unknown keys and all credentials are refused.
import { z } from 'zod'
import type { JsonObject } from '#schemas/executions'
import type { BodyTerms } from '../../lane.ts'
import { credentialAtBuild } from '../../shared/buildBody.ts'
import {
  checkOptions,
  type OrderOptions,
  oneOfTimes,
  optionFields,
  withOptions,
} from '../../shared/exec/orderOptions.ts'
import { Amount } from '../../shared/selector.ts'
import { Slug } from '../wire.ts'

const times = ['good-til-cancel', 'good-til-date', 'fill-or-kill', 'immediate-or-cancel'] as const

export const orderOptions = {
  timeInForce: times,
  expiresAt: true,
  market: true,
  postOnly: true,
} as const satisfies OrderOptions

export const OrderBody = z
  .strictObject(
    {
      /** The bare slug. */
      marketId: Slug,
      outcomeId: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*:(long|short)$/, 'must be {slug}:long or {slug}:short'),
      side: z.enum(['buy', 'sell']),
      /** `market` is by default an immediate-or-cancel limit at the worst price the caller accepts: `price`, or `worstPrice`. */
      type: z.enum(['limit', 'market']),
      /** Contracts. */
      amount: Amount,
      /** Dollars of the named outcome, even if that is the short side. */
      price: Amount.optional(),
      worstPrice: optionFields.worstPrice,
      timeInForce: oneOfTimes(times),
      expiresAt: optionFields.expiresAt,
      postOnly: optionFields.postOnly,
    },
    { error: credentialAtBuild },
  )
  .refine(({ marketId, outcomeId }) => outcomeId.slice(0, outcomeId.lastIndexOf(':')) === marketId, {
    path: ['outcomeId'],
    message: 'names another market than marketId',
  })
  .superRefine((body, context) => checkOptions(withWorstPrice(body), context))
  .transform((body) => withOptions(withWorstPrice(body)))
  .meta({
    examples: [{ marketId: 'demo-a', outcomeId: 'demo-a:short', side: 'buy', type: 'limit', amount: 3, price: 0.83 }],
  })
export type OrderBody = z.infer<typeof OrderBody>

/** The specification's market order has its worst price in `price`. */
function withWorstPrice<B extends { type: 'limit' | 'market'; price?: Price; worstPrice?: Price }>(body: B): B {
  if (body.type === 'limit' || body.worstPrice !== undefined) return body
  return { ...body, price: undefined, worstPrice: body.price }
}

type Price = string | number | undefined

export const fieldsOf = ({ marketId, outcomeId, isBuy, price, size }: BodyTerms): JsonObject => ({
  ...(marketId !== undefined && { marketId }),
  ...(outcomeId !== undefined && { outcomeId }),
  ...(isBuy !== undefined && { side: isBuy ? 'buy' : 'sell' }),
  ...(price !== undefined && { type: 'limit', price }),
  ...(size !== undefined && { amount: size }),
})
