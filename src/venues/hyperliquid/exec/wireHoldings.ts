// Spot balances, as `spotClearinghouseState` returns them. Rows are read one by one.
import { z } from 'zod'
import { ExactDecimal, OptionalDecimal } from '../../shared/exec/decimalShape.ts'

export const SpotHoldings = z.object({ balances: z.array(z.unknown()) })
/** `entryNtl`: what was paid for the balance. */
export const HeldCoin = z.object({
  coin: z.string().min(1),
  total: ExactDecimal,
  hold: OptionalDecimal,
  entryNtl: OptionalDecimal,
})
export type HeldCoin = z.infer<typeof HeldCoin>
