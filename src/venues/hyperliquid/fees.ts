// Taker fees. HIP-4: opening is free, only selling costs a fee, and settlement is free (mainnet fills of 2026-09-12). A leg of ours is always a
// purchase, and a purchase always opens: short selling does not exist.
import { z } from 'zod'
import type { MarketFees } from '#schemas/fees'

/** What marks a catalog row as HIP-4. */
const Outcome = z.object({ outcome: z.number().int().min(0) })

/** For purchases. For the cost of a sale see `exec/build.ts`. */
export function feeModel({ sourceMetadata }: { sourceMetadata: Readonly<Record<string, unknown>> }): MarketFees {
  if (Outcome.safeParse(sourceMetadata).success) return { fee: { kind: 'none' }, settlementFee: { kind: 'none' } }
  const unknown = { kind: 'unknown', reason: 'the row names no HIP-4 outcome' } as const
  return { fee: unknown, settlementFee: unknown }
}
