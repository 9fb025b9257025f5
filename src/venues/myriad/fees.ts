// Myriad's fees. Pools take their share within the trade, and their books already include it: nothing is added. Order books charge takers by tiers of
// price; the row names the highest rate. https://docs.myriad.markets/builders/builder-revenue-sharing
import { z } from 'zod'
import type { FeeModel, MarketFees } from '#schemas/fees'
import { amountOf } from '../shared/data/parsers.ts'

const Bps = z.union([z.number(), z.string()])

/** Of an order book's row, in basis points: one rate, or one for each step of price (third parties' reads, 2026-08 and 09). */
const BookFees = z.object({ taker_fee_bps: Bps.nullish(), taker_fee_bps_array: z.array(Bps).min(1).nullish() })

/** The highest rate that a taker pays, in basis points; null when the row does not say. */
export function takerPeakBps(fees: unknown): number | null {
  const { data } = BookFees.safeParse(fees)
  const rates = data?.taker_fee_bps_array ?? (data?.taker_fee_bps == null ? [] : [data.taker_fee_bps])
  const read = rates.map(amountOf)
  if (read.length === 0 || read.some((bps) => bps === null || bps >= 10_000)) return null
  return Math.max(...(read as number[]))
}

function bookFee(fees: unknown): FeeModel {
  const peak = takerPeakBps(fees)
  if (peak === null) return { kind: 'unknown', reason: 'the row of this market names no taker fee' }
  if (peak === 0) return { kind: 'none' }
  return {
    kind: 'unknown',
    reason: `takers pay up to ${peak / 100} % of the notional: how much at which price only the market’s fee module says`,
    atMost: { kind: 'notional', rate: peak / 10_000 },
  }
}

/** A market's own, as the normalizer stored it. */
export function feeModel({ sourceMetadata }: { sourceMetadata: Readonly<Record<string, unknown>> }): MarketFees {
  const fee: FeeModel = sourceMetadata.synthetic === true ? { kind: 'none' } : bookFee(sourceMetadata.fees)
  return { fee, settlementFee: { kind: 'unknown', reason: 'the venue does not say what a claim costs' } }
}
