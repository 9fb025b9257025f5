// What an account can redeem: shares of resolved markets that pay something and whose payout is not collected. Amounts are decimal strings;
// null is unknown.
import { z } from 'zod'

export const redeemObstacles = [
  'wallet_unknown',
  'pays_itself',
  'not_supported',
  'wallet_not_supported',
  'market_unknown',
] as const

export const Redeemable = z
  .object({
    venue: z.string(),
    marketId: z.string().nullable().describe('null: the catalog does not know the outcome'),
    outcomeId: z.string(),
    market: z.string().nullable(),
    label: z.string().nullable(),
    quantity: z.string().describe('shares'),
    payout: z.string().nullable().describe('of a share; null: not known yet'),
    amount: z.string().nullable().describe('payout of the quantity, before fees'),
    currency: z.string().nullable(),
    paysItself: z.boolean().describe('the venue pays without a claim'),
    provenance: z.enum(['journal', 'venue_api', 'chain']).describe('of the quantity'),
    asOf: z.iso.datetime().describe('of the quantity'),
    build: z
      .record(z.string(), z.string())
      .nullable()
      .describe('body for POST /v1/exec/{venue}/orders/build; outcomes of one market may be redeemed by the same'),
    obstacle: z
      .object({ reason: z.enum(redeemObstacles), detail: z.string() })
      .nullable()
      .describe('why there is no body'),
  })
  .meta({ id: 'Redeemable' })
export type Redeemable = z.infer<typeof Redeemable>
