// What the venue takes from a taker. HIP-4: opening bills nothing, only selling is billed, and nothing is taken at settlement (mainnet fills of
// 2026-09-12). A leg of ours is always a purchase, and a purchase always opens: there is no selling what one does not hold.
import { z } from 'zod'
import type { MarketFees } from '#schemas/fees'

/** What makes a catalog row one of HIP-4. */
const Outcome = z.object({ outcome: z.number().int().min(0) })

/** For purchases. What a sale costs stands in `exec/build.ts`. */
export function feeModel({ sourceMetadata }: { sourceMetadata: Readonly<Record<string, unknown>> }): MarketFees {
  if (Outcome.safeParse(sourceMetadata).success) return { fee: { kind: 'none' }, settlementFee: { kind: 'none' } }
  const unknown = { kind: 'unknown', reason: 'the row names no HIP-4 outcome' } as const
  return { fee: unknown, settlementFee: unknown }
}
