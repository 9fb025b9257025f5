// The venue's data on an account, by its owner's key and without any credentials. https://docs.pascal.trade, and the venue's own quickstart.
import { z } from 'zod'
import { ExactDecimal, OptionalDecimal } from '../../shared/exec/decimalShape.ts'

/** Digits, whether sent as text or as a number. */
const Digits = z
  .union([z.string(), z.number().int().nonnegative()])
  .transform(String)
  .pipe(z.string().regex(/^\d{1,20}$/))
const Amount = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().regex(/^\d{1,20}(\.\d{1,20})?$/))

/** Of other orders only the id is read, so that their other content cannot hide ours. */
export const NamedRow = z.object({ client_order_id: Digits })

/** A resting order. */
export const PascalOpenOrder = z.object({
  id: Digits.nullish().catch(null),
  symbol: z.string(),
  side: z.enum(['BID', 'ASK']),
  size_remaining: Amount.nullish().catch(null),
})
export type PascalOpenOrder = z.infer<typeof PascalOpenOrder>

/** Kept whole: fills are returned venue-shaped. Their only id is the number of the state that created them. */
export const PascalFill = z
  .object({
    trade_ts_ms: Digits.transform(Number),
    seq: Digits,
    symbol: z.string(),
    side: z.string(),
    fill_price: Amount,
    fill_size: Amount,
  })
  .catchall(z.json())
export type PascalFill = z.infer<typeof PascalFill>
export const TimedRow = z.object({ trade_ts_ms: Digits.transform(Number) })

const success = <S extends z.ZodType>(data: S) => z.object({ status: z.literal('success'), data })
export const PascalAccount = success(z.object({ orders: z.array(z.unknown()) }))
export const PascalFills = success(z.object({ items: z.array(z.unknown()), next_cursor: z.string().nullish() }))

/** An account's positions and collateral; rows are read one by one. */
export const PascalHoldings = success(
  z.object({ orders: z.array(z.unknown()), positions: z.array(z.unknown()), collateral_usd: OptionalDecimal }),
).extend({
  state_time_ms: Digits.transform(Number)
    .nullish()
    .catch(null)
    .transform((at) => at ?? null),
})
/** `size`: YES above zero, NO below. */
export const PascalPosition = z.object({
  symbol: z.string(),
  size: ExactDecimal,
  average_entry_price: OptionalDecimal,
})
export const PascalResting = z
  .object({
    id: Digits.nullish().catch(null),
    client_order_id: Digits.nullish().catch(null),
    symbol: z.string(),
    side: z.enum(['BID', 'ASK']),
    price: OptionalDecimal,
    size_remaining: OptionalDecimal,
  })
  .refine(({ id, client_order_id }) => id != null || client_order_id != null)
export type PascalResting = z.infer<typeof PascalResting>
export type PascalPosition = z.infer<typeof PascalPosition>
