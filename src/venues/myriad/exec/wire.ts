// The answers that order entry reads. https://docs.myriad.markets/builders/myriad-order-book/order-book-api
import { z } from 'zod'
import type { ExecutionStatus } from '#schemas/executions'
import { ExactDecimal } from '../../shared/exec/decimalShape.ts'
import { optionalStateReader } from '../../shared/exec/orderStates.ts'
import { hexText } from '../../shared/exec/typedOrder.ts'

export const paths = {
  orders: '/orders',
  /** Plus its hash. */
  order: '/orders/',
  redeem: '/positions/redeem',
  redeemVoided: '/positions/redeem-voided',
} as const

const OrderHash = hexText(64)
const Wei = z
  .union([z.string(), z.int().nonnegative()])
  .transform(String)
  .pipe(z.string().regex(/^\d{1,78}$/))
/** ISO text. */
const When = z.string().nullish().catch(null)

export const MyriadPlaced = z.object({ orderHash: OrderHash })
export const MyriadCanceled = z.object({ orderHash: OrderHash, status: z.enum(['cancelled', 'canceled']) })
export const MyriadError = z.object({ error: z.string().min(1) })

/** The signed members, as the row spells them: numbers if small. */
const SignedOrder = z.object({
  trader: hexText(40),
  marketId: Wei,
  outcomeId: z.union([z.literal(0), z.literal(1)]),
  side: z.union([z.literal(0), z.literal(1)]),
  amount: Wei,
  price: Wei,
  minFillAmount: Wei.default('0'),
  nonce: Wei,
  expiration: Wei,
})

/** Public: no key is needed. */
export const MyriadOrder = z.object({
  orderHash: OrderHash,
  order: SignedOrder,
  status: z.string(),
  /** In 1e-18 of a share. */
  filledAmount: Wei.nullish(),
  timeInForce: z.string().nullish(),
  networkId: z.number().nullish(),
  createdAt: When,
  updatedAt: When,
  cancelledAt: When,
  filledAt: When,
})
export type MyriadOrder = z.infer<typeof MyriadOrder>

/** A transaction, as the venue supplies it. */
export const MyriadCall = z.object({
  to: hexText(40),
  calldata: z
    .string()
    .regex(/^0x([0-9a-fA-F]{2})+$/)
    .transform((text) => text.toLowerCase()),
  /** Decimal text. */
  value: z
    .union([z.string(), z.number()])
    .transform(String)
    .pipe(z.string().regex(/^\d{1,30}$/)),
})

/** Order states mapped to ours. A partial fill stays open: documented as `open`, two more words were observed. */
const states: Readonly<Record<string, ExecutionStatus>> = {
  open: 'acked',
  pending: 'acked',
  partially_filled: 'acked',
  filled: 'filled',
  cancelled: 'canceled',
  canceled: 'canceled',
  expired: 'expired',
}
/** Null for an unlisted word. */
export const statusOf = optionalStateReader(states, { spelled: (word) => word.toLowerCase() })

const Numbered = z.union([z.number().int().nonnegative(), z.string()]).transform(String)
/** A row of a wallet's portfolio on one network. `executionMode`: 0 is a pool, 1 an order book. */
export const MyriadShares = z.object({
  marketId: Numbered.pipe(z.string().regex(/^\d{1,15}$/)),
  outcomeId: Numbered.pipe(z.string().regex(/^\d{1,3}$/)),
  executionMode: z.union([z.literal(0), z.literal(1)]),
  shares: ExactDecimal,
  status: z.string().nullish().catch(null),
})
export type MyriadShares = z.infer<typeof MyriadShares>
