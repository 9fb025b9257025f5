// The venue's data on an account, by its owner's key and without any credentials. https://docs.pascal.trade, and the venue's own quickstart.
import { z } from 'zod'

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
