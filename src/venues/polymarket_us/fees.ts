// Taker fees: coefficient × contracts × p × (1 − p), banker's rounding to the cent, with the market's own coefficient
// (0.0695 since 2026-09-17). https://docs.polymarket.us/fees. `exec/build.ts` has that arithmetic, for an order of one price.
import { z } from 'zod'
import type { MarketFees } from '#schemas/fees'

/** As the normalizer stored it in the catalog. */
const StoredCoefficient = z.number().min(0).max(1)

/** Each level of the book is a fill at its own price. The settlement cost is unpublished, so it is not reported as zero. */
export function feeModel({ sourceMetadata }: { sourceMetadata: Readonly<Record<string, unknown>> }): MarketFees {
  const settlementFee = { kind: 'unknown', reason: 'the venue publishes trading fees only' } as const
  const stored = StoredCoefficient.safeParse(sourceMetadata.feeCoefficient)
  if (!stored.success) return { fee: { kind: 'unknown', reason: 'the market names no fee coefficient' }, settlementFee }
  if (stored.data === 0) return { fee: { kind: 'none' }, settlementFee }
  return { fee: { kind: 'quadratic_half_even', rate: stored.data }, settlementFee }
}
