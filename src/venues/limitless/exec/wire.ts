// Bodies of order entry. https://docs.limitless.exchange/api-reference/trading/create-order
import { z } from 'zod'
import { BaseUnits } from '../../shared/exec/decimalShape.ts'

export const paths = {
  orders: '/orders',
  cancel: '/orders/cancel',
  profile: '/profiles/',
} as const

/** Base units. */
const Units = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().regex(/^\d{1,30}$/))
  .nullish()
  .catch(null)

/** Fields not used here may have any form. */
export const LimitlessPlaced = z.object({
  order: z.object({
    id: z.string().min(1),
    /** Ours. */
    clientOrderId: z.string().nullish().catch(null),
    salt: z.union([z.string(), z.number()]).nullish().catch(null),
  }),
  execution: z
    .object({
      matched: z.boolean().nullish().catch(null),
      settlementStatus: z.string().nullish().catch(null),
      totalsRaw: z.object({ contractsGross: Units }).nullish().catch(null),
    })
    .nullish()
    .catch(null),
})

/** It names no order. */
export const LimitlessCanceled = z.object({ message: z.string().regex(/^orders? cancell?ed/i) })

/** One sentence, or one per invalid field; includes the status in words only when its number is present. */
export const LimitlessError = z
  .object({
    message: z.union([z.string().min(1), z.array(z.string()).min(1)]),
    code: z.string().optional(),
    statusCode: z.int().optional(),
    error: z.string().optional(),
  })
  .refine(({ error, statusCode }) => error === undefined || statusCode !== undefined)

/** Private: shown only to its owner. https://docs.limitless.exchange/api-reference/portfolio/get-profile */
export const LimitlessProfile = z.object({
  id: z.union([z.number(), z.string()]).transform(String),
  rank: z.object({ feeRateBps: z.union([z.number(), z.string()]).transform(String) }).nullish(),
})

const HoldingRows = z.array(z.unknown()).nullish()
/** `GET /portfolio/{account}/positions`; rows are read one by one. */
export const LimitlessHoldings = z.object({ amm: HoldingRows, clob: HoldingRows, group: HoldingRows })

const Side = z
  .object({ fillPrice: z.union([z.string(), z.number()]).nullish().catch(null) })
  .nullish()
  .catch(null)
/** Base units of the collateral, shares and prices alike. */
export const LimitlessHolding = z.object({
  market: z.object({
    slug: z.string().min(1),
    collateralToken: z.object({ decimals: z.number().int().min(0).max(18) }),
  }),
  tokensBalance: z.object({ yes: BaseUnits, no: BaseUnits }),
  positions: z.object({ yes: Side, no: Side }).nullish().catch(null),
})
export type LimitlessHolding = z.infer<typeof LimitlessHolding>
